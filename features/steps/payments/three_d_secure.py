"""Steps about 3-D Secure: payments, the shopper's challenge, and the issuer's ACS."""

import re
import time
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from pytest_bdd import given, parsers, then, when

from features.spec.companions import Sent
from features.steps.payments.asynchronous import RETURN_ADDRESS, RETURN_PARAMETER
from features.steps.phrases import MONEY, TYPES, several
from features.support.assertions import Judge
from features.support.merchant import Merchant
from features.support.shopper import Shopper
from simulator.client import Answer, Control

CARD = r"by the card (?P<number>\d+)"
CARD_OF_BRAND = r"by the (?P<brand>[A-Z]+) card (?P<number>\d+)"
DOES = r"(?P<word>approves|declines|cancels|arrives)"
RIGHT_CODE = "the right code"
CODE = f"(?:a wrong code|{RIGHT_CODE})"
ACS_ROUND_S = 1.1
ALONE = "v1/threeDSecure"
CHECKOUTS = "v1/checkouts"
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)"')
BROWSER: Mapping[str, str] = {
    "customer.givenName": "Jane",
    "customer.surname": "Jones",
    "customer.browser.acceptHeader": "text/html",
    "customer.browser.language": "en-GB",
    "customer.browser.screenHeight": "1080",
    "customer.browser.screenWidth": "1920",
    "customer.browser.timezone": "60",
    "customer.browser.userAgent": "Mozilla/5.0",
    "customer.browser.javaEnabled": "false",
    "billing.street1": "Main Street",
    "billing.city": "Berlin",
    "billing.postcode": "10115",
    "billing.country": "DE",
}


@given(parsers.re(rf"a 3-D Secure debit of {MONEY} {CARD}"), target_fixture="payment")
def debit_before(merchant: Merchant, amount: str, currency: str, *, number: str) -> Answer:
    return pay(merchant, amount, currency, number=number)


@given(
    parsers.re(rf"a 3-D Secure debit of {MONEY} {CARD} that stores it"), target_fixture="payment"
)
def debit_that_stores(merchant: Merchant, amount: str, currency: str, *, number: str) -> Answer:
    return pay(merchant, amount, currency, number=number, more={"createRegistration": "true"})


@given(parsers.re(rf"a 3-D Secure debit of {MONEY} {CARD_OF_BRAND}"), target_fixture="payment")
def debit_of_brand_before(
    merchant: Merchant, amount: str, currency: str, *, brand: str, number: str
) -> Answer:
    return pay(merchant, amount, currency, number=number, more=card_of(brand))


@given(parsers.re(rf"a checkout for {MONEY} with all that 3-D Secure demands"),
       target_fixture="checkout")  # fmt: skip
def create_checkout_with_all(merchant: Merchant, amount: str, currency: str) -> Answer:
    sent = {"amount": amount, "currency": currency, "paymentType": "DB", **BROWSER}
    return merchant.client.post(CHECKOUTS, {**sent, RETURN_PARAMETER: RETURN_ADDRESS})


@given(
    parsers.re(rf"the shopper pays in the checkout {CARD} of (?P<brand>[A-Z]+)"),
    target_fixture="payment",
)
def pay_in_checkout(merchant: Merchant, checkout: Answer, number: str, brand: str) -> Answer:
    card = {**merchant.card, **card_of(brand), "card.number": number}
    return merchant.client.post(f"{CHECKOUTS}/{checkout.id}/payment", card)


@when(parsers.re(rf"the shopper pays {MONEY} from the registration with"), target_fixture="answer")
def pay_from_registration(
    merchant: Merchant,
    stored: Answer,
    amount: str,
    currency: str,
    *,
    datatable: Sequence[Sequence[str]],
) -> Answer:
    sent = {"paymentType": "DB", "amount": amount, "currency": currency, **BROWSER}
    more = {RETURN_PARAMETER: RETURN_ADDRESS, **several(datatable)}
    return merchant.client.post(f"v1/registrations/{stored.id}/payments", {**sent, **more})


@given(
    parsers.re(rf"a 3-D Secure debit of {MONEY} {CARD} without any data"), target_fixture="payment"
)
def debit_without_data(merchant: Merchant, amount: str, currency: str, *, number: str) -> Answer:
    more = {"card.number": number, RETURN_PARAMETER: RETURN_ADDRESS}
    return merchant.pay_by_card("DB", amount, currency, more)


@when("the shopper opens the redirect page in a browser", target_fixture="page_answer")
def open_in_browser(shopper: Shopper, payment: Answer) -> Answer:
    return shopper.arrive_in_browser(payment.body["redirect"])


@then(parsers.re(r"the page may stand in a frame of (?P<whom>any page|the gateway alone)"))
def may_stand_in(page_answer: Answer, judge: Judge, whom: str) -> None:
    policy = page_answer.headers.get("content-security-policy", "")
    expected = "" if whom == "any page" else "'self'"
    came = policy.partition("frame-ancestors ")[2].partition(";")[0]
    judge.same("frame-ancestors", page_answer, expected=expected, came=came)


@then(parsers.re(r"the page collects (?P<names>[\w, ]+)"))
def page_collects(page_answer: Answer, judge: Judge, names: str) -> None:
    came, expected = set(HIDDEN.findall(page_answer.text)), set(names.split(", "))
    judge.same("fields of the page", page_answer, expected=expected, came=came & expected)


@when(
    parsers.re(
        r"the shopper brings session data of (?P<length>\d+) characters to the issuer and approves"
    ),
    converters={"length": int},
    target_fixture="session",
)
def bring_session(shopper: Shopper, payment: Answer, length: int) -> tuple[str, Answer, Answer]:
    data = "s" * length
    return data, *shopper.bring_session(payment.body["redirect"], data)


@then(parsers.re(r"the issuer (?P<does>gives back none|gives the same data back|refuses the data)"))
def issuer_gives_back(session: tuple[str, Answer, Answer], judge: Judge, does: str) -> None:
    data, opened, ended = session
    if does == "refuses the data":
        judge.holds("the page of the issuer", opened, "203" in str(opened.body),
                    expected="an error 203", came=str(opened.status))  # fmt: skip
        return
    came = ended.at("threeDSSessionData")
    judge.same("session data", ended, expected=data or None, came=came)


@given(parsers.re(rf"the shopper {DOES} at the issuer"))
def authenticate_before(shopper: Shopper, payment: Answer, word: str) -> None:
    shopper.authenticate(payment.body["redirect"], word)


@given(parsers.re(rf"the shopper enters (?P<codes>{CODE}(?:, {CODE})*) at the issuer"))
def enter_codes(shopper: Shopper, payment: Answer, codes: str) -> None:
    are_right = [each == RIGHT_CODE for each in codes.split(", ")]
    shopper.enter_codes(payment.body["redirect"], are_right)


@given("the issuer had two rounds to send results")
def wait_for_rounds() -> None:
    # Its rounds follow real time: nothing shows that one is over which sent nothing.
    time.sleep(2 * ACS_ROUND_S)


@given("the browser calls the ACS in a hidden frame")
def call_acs(shopper: Shopper, payment: Answer) -> None:
    shopper.call_frames(payment.body["redirect"])


@given(parsers.re(r"the ACS has the fault (?P<fault>\w+)"))
def script_acs(control: Control, merchant: Merchant, fault: str) -> None:
    control.arm_script(merchant.sandbox, {"steps": {"acs": fault}})


@when(parsers.re(rf"the shopper pays {MONEY} {CARD}"), target_fixture="answer")
def pay_with_card(merchant: Merchant, amount: str, currency: str, *, number: str) -> Answer:
    return pay(merchant, amount, currency, number=number)


@when(parsers.re(rf"the shopper pays {MONEY} {CARD_OF_BRAND}"), target_fixture="answer")
def pay_with_card_of_brand(
    merchant: Merchant, amount: str, currency: str, *, brand: str, number: str
) -> Answer:
    return pay(merchant, amount, currency, number=number, more=card_of(brand))


@when(parsers.re(rf"the shopper pays {MONEY} {CARD_OF_BRAND} with"), target_fixture="answer")
def pay_with_card_and_more(
    merchant: Merchant,
    amount: str,
    currency: str,
    *,
    brand: str,
    number: str,
    datatable: Sequence[Sequence[str]],
) -> Answer:
    more = {**card_of(brand), **several(datatable)}
    return pay(merchant, amount, currency, number=number, more=more)


@when(
    parsers.re(rf"the shopper (?P<verb>authorizes|debits) {MONEY} {CARD} through 3-D Secure"),
    target_fixture="answer",
)
def pay_with_type(
    merchant: Merchant, verb: str, amount: str, currency: str, *, number: str
) -> Answer:
    more = {"paymentType": TYPES[verb]}
    return pay(merchant, amount, currency, number=number, more=more)


@when(
    parsers.re(rf"the shopper pays {MONEY} {CARD} without shopperResultUrl"),
    target_fixture="answer",
)
def pay_without_return_address(
    merchant: Merchant, amount: str, currency: str, *, number: str
) -> Answer:
    return pay(merchant, amount, currency, number=number, more={RETURN_PARAMETER: ""})


@when(
    parsers.re(rf'the shopper pays {MONEY} {CARD} with (?P<name>\S+) "(?P<value>.*)"'),
    target_fixture="answer",
)
def pay_with_parameter(
    merchant: Merchant, amount: str, currency: str, *, number: str, name: str, value: str
) -> Answer:
    return pay(merchant, amount, currency, number=number, more={name: value})


@when(
    parsers.re(rf"the shopper pays {MONEY} {CARD} and approves the challenge"),
    target_fixture="answer",
)
def pay_and_approve(
    merchant: Merchant, shopper: Shopper, amount: str, currency: str, *, number: str
) -> Answer:
    begun = pay(merchant, amount, currency, number=number)
    if "redirect" in begun.body:
        shopper.authenticate(begun.body["redirect"], "approves")
    return merchant.read(begun.id)


@when(
    parsers.re(rf"the shopper pays {MONEY} {CARD} without any data and approves"),
    target_fixture="answer",
)
def pay_without_data(
    merchant: Merchant, shopper: Shopper, amount: str, currency: str, *, number: str
) -> Answer:
    more = {"card.number": number, RETURN_PARAMETER: RETURN_ADDRESS}
    begun = merchant.pay_by_card("DB", amount, currency, more)
    shopper.authenticate(begun.body["redirect"], "approves")
    return merchant.read(begun.id)


@when(parsers.re(rf"the merchant authenticates the shopper {CARD}"), target_fixture="answer")
def authenticate_alone(merchant: Merchant, number: str) -> Answer:
    card = {
        "paymentBrand": "VISA",
        "card.number": number,
        "card.holder": "Jane Jones",
        "card.expiryMonth": "05",
        "card.expiryYear": "2034",
    }
    sent = {
        "amount": "92.00",
        "currency": "EUR",
        **card,
        **BROWSER,
        RETURN_PARAMETER: RETURN_ADDRESS,
    }
    return merchant.client.post(ALONE, sent)


@when(parsers.re(rf"the shopper {DOES} at the issuer"), target_fixture="page_answer")
def authenticate(shopper: Shopper, payment: Answer, word: str) -> Answer:
    return shopper.authenticate(payment.body["redirect"], word)


@when(
    parsers.re(r"the shopper approves at the issuer and brings the result (?P<times>\d+) times"),
    converters={"times": int},
    target_fixture="page_answer",
)
def bring_result(shopper: Shopper, payment: Answer, times: int) -> Answer:
    return shopper.bring_result(payment.body["redirect"], times)


@then("the page answers without a fault")
def is_no_fault(page_answer: Answer, judge: Judge) -> None:
    judge.holds("status", page_answer, 0 < page_answer.status < 500, expected="below 500",
                came=str(page_answer.status))  # fmt: skip


@then("the payment is still pending")
def is_still_pending(merchant: Merchant, payment: Answer, judge: Judge) -> None:
    read = merchant.read(payment.id)
    judge.holds("result code", read, read.code.startswith("000.200"), expected="000.200",
                came=read.code)  # fmt: skip


@then("the response redirects the shopper to the issuer")
def redirects_to_issuer(answer: Answer, judge: Judge) -> None:
    came = urlsplit(str(answer.at("redirect.url")))
    judge.holds(
        "redirect.url",
        answer,
        bool(came.scheme and came.netloc),
        expected="an address",
        came=str(answer.at("redirect.url")),
    )


@then(parsers.parse("the issuer received the amount {minor}"))
def issuer_received_amount(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge, minor: str
) -> None:
    came = authentication_request(control, merchant, answer)
    judge.same("purchaseAmount", answer, expected=minor, came=came.get("purchaseAmount"))


@then(parsers.re(r"the issuer received (?P<value>\S+) as (?P<name>\w+)"))
def issuer_received(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge, *, name: str, value: str
) -> None:
    came = authentication_request(control, merchant, answer)
    judge.same(name, answer, expected=value, came=came.get(name))


@then(parsers.parse('the issuer received the requestor "{name}"'))
def issuer_received_requestor(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge, name: str
) -> None:
    came = authentication_request(control, merchant, answer)
    judge.same("threeDSRequestorID", answer, expected=name, came=came.get("threeDSRequestorID"))


@then("the acquirer received no request")
def received_no_request(control: Control, merchant: Merchant, answer: Answer, judge: Judge) -> None:
    judge.same(
        "requests to the acquirer",
        answer,
        expected=0,
        came=count_acquirer_requests(control, merchant, answer),
    )


@then("the acquirer received one request")
def received_one_request(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge
) -> None:
    judge.same(
        "requests to the acquirer",
        answer,
        expected=1,
        came=count_acquirer_requests(control, merchant, answer),
    )


def pay(
    merchant: Merchant, amount: str, currency: str, *, number: str, more: Sent | None = None
) -> Answer:
    """A debit by a card, with all the data that 3-D Secure requires."""
    card = {"card.number": number, "paymentBrand": "VISA"}
    sent = {**card, **BROWSER, RETURN_PARAMETER: RETURN_ADDRESS, **(more or {})}
    return merchant.pay_by_card("DB", amount, currency, sent)


def card_of(brand: str) -> Sent:
    """What a card of this brand needs beside its number."""
    return {"paymentBrand": brand, "card.cvv": "1234" if brand == "AMEX" else "123"}


def authentication_request(control: Control, merchant: Merchant, answer: Answer) -> dict[str, str]:
    """The authentication request of a payment, as the journal shows it."""
    control.drain(merchant.sandbox)
    entry = control.journal_entry(merchant.sandbox, str(answer.at("ndc")))
    return next((each["body"] for each in entry["messages"] if each["label"] == "AReq"), {})


def count_acquirer_requests(control: Control, merchant: Merchant, answer: Answer) -> int:
    """The number of requests to the acquirer for a payment."""
    control.drain(merchant.sandbox)
    return control.trace(merchant.sandbox, answer.id).count("gateway -> acquirer")
