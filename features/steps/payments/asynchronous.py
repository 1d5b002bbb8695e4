"""Steps about asynchronous payments by redirect brands."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

from pytest_bdd import given, parsers, then, when

from features.steps.phrases import MONEY, TYPES
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from features.support.shopper import CHOICES, Shopper
from features.target.records import Target
from simulator.client import Answer, Control
from simulator.client.receiver import WebhookReceiver

RETURN_ADDRESS = "https://shop.example/done?order=4711"
RETURN_PARAMETER = "shopperResultUrl"
BY_BRAND = rf"the merchant (?P<verb>authorizes|debits) {MONEY} through (?P<brand>\w+)"
CHOICE = rf"(?P<words>(?:{'|'.join(CHOICES)})(?:, then (?:{'|'.join(CHOICES)}))?)"
ADDRESS_LONGEST, PARAMETER_LONGEST = 2048, 255


@given(parsers.re(rf"a debit of {MONEY} through (?P<brand>\w+)"), target_fixture="payment")
def debit_by_brand(merchant: Merchant, amount: str, currency: str, *, brand: str) -> Answer:
    return pay_by_brand(merchant, brand, amount, currency)


@given(
    parsers.re(rf"a debit of {MONEY} through (?P<brand>\w+) that stores its account"),
    target_fixture="payment",
)
def debit_and_store(merchant: Merchant, amount: str, currency: str, *, brand: str) -> Answer:
    more = {"virtualAccount.accountId": "account-4711", "createRegistration": "true"}
    return pay_by_brand(merchant, brand, amount, currency, **more)


@given(
    parsers.re(rf"a debit of {MONEY} through (?P<brand>\w+) with the receiver as notificationUrl"),
    target_fixture="payment",
)
def debit_with_notification_url(
    merchant: Merchant, receiver: WebhookReceiver, amount: str, currency: str, *, brand: str
) -> Answer:
    address = f"{receiver.url}result?order=4711"
    return pay_by_brand(merchant, brand, amount, currency, notificationUrl=address)


@given(
    parsers.re(
        rf"a debit of {MONEY} through (?P<brand>\w+) with a notificationUrl of"
        r" (?P<length>\d+) characters"
    ),
    converters={"length": int},
    target_fixture="payment",
)
def debit_with_long_url(
    merchant: Merchant,
    receiver: WebhookReceiver,
    amount: str,
    currency: str,
    *,
    brand: str,
    length: int,
) -> Answer:
    address = f"{receiver.url}result?order=".ljust(length, "4")
    return pay_by_brand(merchant, brand, amount, currency, notificationUrl=address)


@given(
    parsers.re(
        rf'a debit of {MONEY} through (?P<brand>\w+) with shopperResultUrl "(?P<address>[^"]+)"'
    ),
    target_fixture="payment",
)
def debit_with_return_address(
    merchant: Merchant, amount: str, currency: str, *, brand: str, address: str
) -> Answer:
    return pay_by_brand(merchant, brand, amount, currency, **{RETURN_PARAMETER: address})


@given(parsers.re(rf"the shopper {CHOICE} on the redirect page"))
def choose_before(shopper: Shopper, payment: Answer, words: str) -> None:
    shopper.choose(payment.body["redirect"], words)


@given(parsers.re(rf"the shopper (?P<word>{'|'.join(CHOICES)}) as soon as the redirect page opens"))
def script_shopper(control: Control, merchant: Merchant, word: str) -> None:
    control.arm_script(merchant.sandbox, f"shopper-{word}")


@when(parsers.re(BY_BRAND), target_fixture="answer")
def pay(merchant: Merchant, verb: str, amount: str, currency: str, *, brand: str) -> Answer:
    return pay_by_brand(merchant, brand, amount, currency, paymentType=TYPES[verb])


@when(parsers.re(f"{BY_BRAND} without shopperResultUrl"), target_fixture="answer")
def pay_without_return_address(
    merchant: Merchant, verb: str, amount: str, currency: str, *, brand: str
) -> Answer:
    more = {"paymentType": TYPES[verb], RETURN_PARAMETER: ""}
    return pay_by_brand(merchant, brand, amount, currency, **more)


@when(parsers.re(f'{BY_BRAND} with shopperResultUrl "(?P<address>.+)"'), target_fixture="answer")
def pay_with_return_address(
    merchant: Merchant, verb: str, amount: str, currency: str, *, brand: str, address: str
) -> Answer:
    more = {"paymentType": TYPES[verb], RETURN_PARAMETER: address}
    return pay_by_brand(merchant, brand, amount, currency, **more)


@when(
    parsers.re(f"{BY_BRAND} as a recurring payment without shopperResultUrl"),
    target_fixture="answer",
)
def pay_in_series(
    merchant: Merchant, verb: str, amount: str, currency: str, *, brand: str
) -> Answer:
    more = {"paymentType": TYPES[verb], "recurringType": "REPEATED", RETURN_PARAMETER: ""}
    return pay_by_brand(merchant, brand, amount, currency, **more)


@when(parsers.re(f"{BY_BRAND} on the live host"), target_fixture="answer")
def pay_live_by_brand(
    live: Merchant, verb: str, amount: str, currency: str, *, brand: str
) -> Answer:
    return pay_by_brand(live, brand, amount, currency, paymentType=TYPES[verb])


@when(parsers.re(rf"the shopper {CHOICE} on the redirect page"), target_fixture="page_answer")
def choose(shopper: Shopper, payment: Answer, words: str) -> Answer:
    return shopper.choose(payment.body["redirect"], words)


@when("the shopper pays on the redirect page in a browser", target_fixture="page_answer")
def pay_in_browser(shopper: Shopper, payment: Answer) -> Answer:
    return shopper.pay_in_browser(payment.body["redirect"])


@when("the shopper opens the redirect page", target_fixture="page_answer")
def open_redirect_page(shopper: Shopper, payment: Answer) -> Answer:
    return shopper.arrive(payment.body["redirect"])


@when("the shopper opens the redirect page under another address", target_fixture="page_answer")
def open_another_page(shopper: Shopper, payment: Answer) -> Answer:
    redirect = payment.body["redirect"]
    last = "0" if redirect["url"][-1] != "0" else "1"
    return shopper.arrive({**redirect, "url": f"{redirect['url'][:-1]}{last}"})


@when("the merchant reads the resourcePath of the redirect", target_fixture="answer")
def follow_resource_path(merchant: Merchant, shopper: Shopper, payment: Answer) -> Answer:
    location = shopper.arrive(payment.body["redirect"]).headers["location"]
    query = dict(parse_qsl(urlsplit(location).query))
    return merchant.client.get(query["resourcePath"].removeprefix("/"))


@then("the response redirects the shopper")
def redirects_shopper(answer: Answer, judge: Judge) -> None:
    judge.form(
        "redirect.url",
        answer,
        pattern=rf"https?://\S{{1,{ADDRESS_LONGEST - 8}}}",
        came=answer.at("redirect.url"),
    )
    parameters = answer.at("redirect.parameters")
    judge.holds(
        "redirect.parameters",
        answer,
        isinstance(parameters, list) and all(map(is_parameter, parameters)),
        expected="a list of names and values",
        came=repr(parameters),
    )


@then("the response does not require shopperResultUrl")
def requires_no_return_address(answer: Answer, judge: Judge) -> None:
    named = {error.get("name") for error in answer.parameter_errors}
    judge.no_member("wrong parameters", answer, banned=RETURN_PARAMETER, came=named)


@then("the shopper returns to the shop with id and resourcePath of the payment")
def returns_to_shop(page_answer: Answer, payment: Answer, judge: Judge) -> None:
    query = f"&id={payment.id}&resourcePath=%2Fv1%2Fpayments%2F{payment.id}"
    judge.same(
        "address",
        page_answer,
        expected=RETURN_ADDRESS + query,
        came=page_answer.headers.get("location"),
    )


@then(
    parsers.re(
        r'the page takes the browser to "(?P<address>[^"]+)"'
        r" with id and resourcePath of the payment"
    )
)
def takes_back(page_answer: Answer, payment: Answer, judge: Judge, address: str) -> None:
    text = page_answer.text
    action = re.search(r'<form [^>]*action="([^"]*)"', text)
    fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', text)
    shop = urlsplit(address)
    expected = shop._replace(query="").geturl()
    came = unescape(action[1]) if action else ""
    judge.same("address of the form", page_answer, expected=expected, came=came)
    more = {"id": payment.id, "resourcePath": f"/v1/payments/{payment.id}"}
    judge.same("its fields", page_answer, expected={**dict(parse_qsl(shop.query)), **more},
               came={unescape(name): unescape(value) for name, value in fields})  # fmt: skip


@then("the redirect page offers to pay, to cancel, to fail and to leave")
def offers_choices(page_answer: Answer, judge: Judge) -> None:
    came = page_answer.status, sorted(page_answer.at("actions") or [])
    expected = 200, ["cancel", "fail", "leave", "pay"]
    judge.same("status and actions", page_answer, expected=expected, came=came)


@then("the redirect page is not found")
def page_is_unknown(page_answer: Answer, judge: Judge) -> None:
    came = page_answer.status, bool(page_answer.code)
    judge.same("status, and whether it says why", page_answer, expected=(404, True), came=came)


@then("the shopper is returned at once, by a temporary redirect")
def is_redirected(page_answer: Answer, judge: Judge) -> None:
    judge.same("status", page_answer, expected=307, came=page_answer.status)


@then("the shopper goes to an address of the live host")
def redirects_to_live(answer: Answer, target: Target, judge: Judge) -> None:
    came = str(answer.at("redirect.url"))
    judge.holds(
        "redirect.url",
        NO_ANSWER,
        came.startswith(target.live_url) or is_live_at_a_member(came, target),
        expected=f"an address under {target.live_url}",
        came=came,
    )


def is_live_at_a_member(url: str, target: Target) -> bool:
    """Whether an address is of the live host of another member of a fleet: at its host name, and
    not the one that its requests go to. Only the live host of the first member is known.
    """
    at = urlsplit(url)
    members = [urlsplit(each) for each in target.members]
    is_of_fleet = at.hostname in {each.hostname for each in members}
    known = {each.netloc for each in (*members, urlsplit(target.base_url))}
    return at.scheme in ("http", "https") and is_of_fleet and at.netloc not in known


def pay_by_brand(merchant: Merchant, brand: str, amount: str, currency: str, **more: str) -> Answer:
    """The response to a payment by a redirect brand, without its empty parameters."""
    sent = {"paymentType": "DB", "amount": amount, "currency": currency, "paymentBrand": brand}
    named = {**sent, RETURN_PARAMETER: RETURN_ADDRESS, **more}
    return merchant.pay({name: value for name, value in named.items() if value})


def is_parameter(entry: object) -> bool:
    """Whether an entry of redirect.parameters has a name and a value, neither too long."""
    if not isinstance(entry, dict) or entry.keys() != {"name", "value"}:
        return False
    return all(isinstance(each, str) and len(each) <= PARAMETER_LONGEST for each in entry.values())
