"""Steps about checkouts: preparing them, paying or registering in them, reading their result."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha384

from pytest_bdd import given, parsers, then, when

from features.spec.companions import Sent
from features.spec.results import is_success
from features.steps.phrases import MONEY, several
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Control, form_of
from simulator.client.receiver import WebhookReceiver

PREFIXES = {"with the version prefix": "v1/", "without the version prefix": ""}
CHECKOUTS = "v1/checkouts"
SCRIPT = "v1/paymentWidgets.js"
UNKNOWN_CHECKOUT = "0123456789ABCDEF0123456789ABCDEF.unknown"
NO_REGISTRATION = "8a8294174b7ecb28014b9699220015ca"
REGISTERING = {"createRegistration": "true"}
DECLINED = {"card.holder": "800.100.152"}
ACCOUNTS: Mapping[str, Sent] = {
    "card": {},
    "card without its brand": {"paymentBrand": ""},
    "another brand": {"paymentBrand": "MASTER", "card.number": "5454545454545454"},
}
NAMED = r'(?P<name>\S+) "(?P<value>[^"]*)"'
ACCOUNT = rf"(?P<account>{'|'.join(ACCOUNTS)})"
END = "(?P<end>payment|registration)"
HOW = rf"(?P<how>{'|'.join(PREFIXES)})"


@given(parsers.re(rf"a checkout for {MONEY}"), target_fixture="checkout")
def create_checkout(merchant: Merchant, amount: str, currency: str) -> Answer:
    return prepare(merchant, money(amount, currency))


@given(parsers.re(rf"a checkout for {MONEY} with {NAMED}"), target_fixture="checkout")
def create_checkout_with(
    merchant: Merchant, amount: str, currency: str, *, name: str, value: str
) -> Answer:
    return prepare(merchant, {**money(amount, currency), name: value})


@given(
    parsers.re(rf"a checkout for {MONEY} with (?P<count>\d+) cart items"),
    converters={"count": int},
    target_fixture="checkout",
)
def create_checkout_with_cart(
    merchant: Merchant, amount: str, currency: str, *, count: int
) -> Answer:
    return prepare(merchant, {**money(amount, currency), **cart(count)})


@given(
    parsers.re(rf"a checkout for {MONEY} that offers the stored card"), target_fixture="checkout"
)
def create_checkout_offering(
    merchant: Merchant, stored: Answer, amount: str, currency: str
) -> Answer:
    return prepare(merchant, {**money(amount, currency), "registrations[0].id": stored.id})


@given(
    parsers.re(
        rf"a checkout for {MONEY} that offers the stored card with overrideHolder and the holder "
        '"(?P<holder>.+)"'
    ),
    target_fixture="checkout",
)
def create_checkout_with_holder(
    merchant: Merchant, stored: Answer, amount: str, currency: str, *, holder: str
) -> Answer:
    offered = {"registrations[0].id": stored.id, "overrideHolder": "true", "card.holder": holder}
    return prepare(merchant, {**money(amount, currency), **offered})


@given(parsers.re(rf"a checkout for {MONEY} with types of two brands"), target_fixture="checkout")
def create_checkout_with_types(
    merchant: Merchant, amount: str, currency: str, *, datatable: Sequence[Sequence[str]]
) -> Answer:
    return prepare(merchant, {**money(amount, currency), **several(datatable)})


@given(
    parsers.re(
        rf"a checkout for {MONEY} with the receiver as (?P<name>shopperResultUrl|notificationUrl)"
    ),
    target_fixture="checkout",
)
def create_checkout_returning(
    merchant: Merchant, receiver: WebhookReceiver, amount: str, currency: str, *, name: str
) -> Answer:
    (address,) = return_parameters(receiver).values()
    return prepare(merchant, {**money(amount, currency), name: address})


@given("a registration checkout", target_fixture="checkout")
def create_registration_checkout(merchant: Merchant) -> Answer:
    return prepare(merchant, REGISTERING)


@given("a registration checkout with the receiver as shopperResultUrl", target_fixture="checkout")
def create_registration_checkout_returning(merchant: Merchant, receiver: WebhookReceiver) -> Answer:
    return prepare(merchant, {**REGISTERING, **return_parameters(receiver)})


@given("the shopper has paid in the checkout by card", target_fixture="payment")
def pay_before(merchant: Merchant, checkout: Answer) -> Answer:
    return post(merchant, checkout, "payment", merchant.card)


@given(parsers.re(f"the shopper has paid in the checkout by card with {NAMED}"),
       target_fixture="payment")  # fmt: skip
def pay_before_sending(merchant: Merchant, checkout: Answer, name: str, value: str) -> Answer:
    return post(merchant, checkout, "payment", {**merchant.card, name: value})


@given("the shopper then pays in the checkout by card", target_fixture="afterwards")
def pay_afterwards(merchant: Merchant, checkout: Answer) -> Answer:
    return post(merchant, checkout, "payment", merchant.card)


@given("the shopper's payment in the checkout was declined", target_fixture="decline_before")
def decline_before(merchant: Merchant, checkout: Answer) -> Answer:
    return post(merchant, checkout, "payment", {**merchant.card, **DECLINED})


@given("the shopper is redirected to EPS in the checkout", target_fixture="redirected")
def redirect_shopper(merchant: Merchant, checkout: Answer) -> Answer:
    sent = {"paymentBrand": "EPS", "shopperResultUrl": "https://shop.example/done"}
    return post(merchant, checkout, "payment", sent)


@given("the shopper is redirected to EPS in the checkout, and back to the receiver",
       target_fixture="redirected")  # fmt: skip
def redirect_shopper_to_receiver(merchant: Merchant, checkout: Answer) -> Answer:
    return post(merchant, checkout, "payment", {"paymentBrand": "EPS"})


@given("the shopper tries to pay another amount in the checkout", target_fixture="tried")
def try_to_overwrite(merchant: Merchant, checkout: Answer) -> Answer:
    return post(merchant, checkout, "payment", {**merchant.card, "amount": "0.01"})


@given("the shopper has registered a card in the checkout", target_fixture="payment")
def register_before(merchant: Merchant, checkout: Answer) -> Answer:
    return post(merchant, checkout, "registration", merchant.card)


@given(
    parsers.re(f"the merchant has read the {END} result of the checkout"),
    target_fixture="read_before",
)
def read_result_before(merchant: Merchant, checkout: Answer, end: str) -> Answer:
    return read(merchant, checkout.id, end)


@given(parsers.re(f"the merchant changes the checkout with {NAMED}"), target_fixture="changed")
def change_before(merchant: Merchant, checkout: Answer, name: str, value: str) -> Answer:
    return change(merchant, checkout, {name: value})


@given("the merchant deletes the checkout", target_fixture="removed")
@when("the merchant deletes the checkout", target_fixture="answer")
def delete_checkout(merchant: Merchant, checkout: Answer) -> Answer:
    return merchant.client.delete(f"{CHECKOUTS}/{checkout.id}")


@given("the payment form was declined in the checkout", target_fixture="capability")
def decline_form(control: Control, merchant: Merchant, checkout: Answer) -> str:
    capability = control.issue_capability(merchant.sandbox, checkout.id)
    submit(merchant, checkout, capability, {**merchant.card, **DECLINED})
    return capability


@when(parsers.re(rf"the merchant prepares a checkout for {MONEY} {HOW}"), target_fixture="answer")
def prepare_under_prefix(merchant: Merchant, amount: str, currency: str, *, how: str) -> Answer:
    return merchant.client.post(f"{PREFIXES[how]}checkouts", money(amount, currency))


@when(parsers.re(rf"the merchant prepares a checkout for {MONEY} with {NAMED}"),
      target_fixture="answer")  # fmt: skip
def prepare_with(
    merchant: Merchant, amount: str, currency: str, *, name: str, value: str
) -> Answer:
    return prepare(merchant, {**money(amount, currency), name: value})


@when(
    parsers.re(rf"the merchant prepares a checkout for {MONEY} with (?P<count>\d+) cart items"),
    converters={"count": int},
    target_fixture="answer",
)
def prepare_with_cart(merchant: Merchant, amount: str, currency: str, *, count: int) -> Answer:
    return prepare(merchant, {**money(amount, currency), **cart(count)})


@when(
    parsers.re(
        rf"the merchant prepares a checkout for {MONEY} that offers an unknown registration"
    ),
    target_fixture="answer",
)
def prepare_offering_unknown(merchant: Merchant, amount: str, currency: str) -> Answer:
    return prepare(merchant, {**money(amount, currency), "registrations[0].id": NO_REGISTRATION})


@when(parsers.re(rf"the shopper pays in the checkout by {ACCOUNT}"), target_fixture="answer")
def pay(merchant: Merchant, checkout: Answer, account: str) -> Answer:
    sent = {**merchant.card, **ACCOUNTS[account]}
    given_ones = {name: value for name, value in sent.items() if value}
    return post(merchant, checkout, "payment", given_ones)


@when(
    parsers.re(r"the shopper pays in the checkout by the (?P<brand>[A-Z]+) card (?P<number>\d+)"),
    target_fixture="answer",
)
def pay_by_brand(merchant: Merchant, checkout: Answer, brand: str, number: str) -> Answer:
    card = {**merchant.card, "paymentBrand": brand, "card.number": number}
    return post(merchant, checkout, "payment", card)


@when("the shopper pays in the checkout by the stored card", target_fixture="answer")
def pay_by_stored(merchant: Merchant, checkout: Answer, stored: Answer) -> Answer:
    sent = {"registrationId": stored.id, "card.cvv": merchant.card["card.cvv"]}
    return post(merchant, checkout, "payment", sent)


@when(
    parsers.re(f"the shopper pays in the checkout by the stored card with {NAMED}"),
    target_fixture="answer",
)
def pay_by_stored_sending(
    merchant: Merchant, checkout: Answer, stored: Answer, *, name: str, value: str
) -> Answer:
    sent = {"registrationId": stored.id, "card.cvv": merchant.card["card.cvv"]}
    return post(merchant, checkout, "payment", {**sent, name: value})


@when(parsers.re(f"the shopper pays in the checkout by card with {NAMED}"), target_fixture="answer")
def pay_sending(merchant: Merchant, checkout: Answer, name: str, value: str) -> Answer:
    return post(merchant, checkout, "payment", {**merchant.card, name: value})


@when(
    "the shopper registers a card in the checkout, without the version prefix",
    target_fixture="answer",
)
def register_without_prefix(merchant: Merchant, checkout: Answer) -> Answer:
    return merchant.client.post(f"checkouts/{checkout.id}/registration", merchant.card)


@when(parsers.re(f"the merchant reads the {END} result of the checkout"), target_fixture="answer")
def read_result(merchant: Merchant, checkout: Answer, end: str) -> Answer:
    return read(merchant, checkout.id, end)


@when(
    parsers.re(f"the merchant reads the {END} result of the checkout, without the version prefix"),
    target_fixture="answer",
)
def read_result_without_prefix(merchant: Merchant, checkout: Answer, end: str) -> Answer:
    return merchant.client.get(f"checkouts/{checkout.id}/{end}")


@when("the other merchant reads the payment result of the checkout", target_fixture="answer")
def other_merchant_reads_result(two_merchants: list[Merchant], checkout: Answer) -> Answer:
    return read(two_merchants[1], checkout.id, "payment")


@when("the merchant reads the payment result of an unknown checkout", target_fixture="answer")
def read_unknown(merchant: Merchant) -> Answer:
    return read(merchant, UNKNOWN_CHECKOUT, "payment")


@when("the merchant reads the abandoned payment", target_fixture="answer")
def read_abandoned(merchant: Merchant, redirected: Answer) -> Answer:
    return merchant.read(redirected.id)


@when(parsers.re(f"the merchant changes the checkout with {NAMED}"), target_fixture="answer")
def change_it(merchant: Merchant, checkout: Answer, name: str, value: str) -> Answer:
    return change(merchant, checkout, {name: value})


@when(parsers.re(f"the payment form pays in the checkout with {NAMED}"), target_fixture="answer")
def pay_by_form(
    control: Control, merchant: Merchant, checkout: Answer, *, name: str, value: str
) -> Answer:
    capability = control.issue_capability(merchant.sandbox, checkout.id)
    return submit(merchant, checkout, capability, {**merchant.card, name: value})


@when("the payment form posts again with the same credentials", target_fixture="answer")
def post_form_again(merchant: Merchant, checkout: Answer, capability: str) -> Answer:
    return submit(merchant, checkout, capability, {**merchant.card, **DECLINED})


@then("the checkout is prepared")
def is_prepared(answer: Answer, judge: Judge) -> None:
    holds = answer.status == 200 and (is_success(answer.code) or answer.code.startswith("000.2"))
    judge.holds("new checkout", answer, holds, expected="status 200", came=str(answer.status))


@then("the checkout is not found")
def is_not_found(answer: Answer, judge: Judge) -> None:
    judge.same("status of the response", answer, expected=404, came=answer.status)


@then(parsers.re(r'the result description contains "(?P<words>.+)"'))
def has_description(answer: Answer, judge: Judge, words: str) -> None:
    judge.holds(
        "result description",
        answer,
        words in answer.description,
        expected=words,
        came=answer.description,
    )


@then(parsers.re(r"the response shows (?P<count>\d+) cart items"), converters={"count": int})
def shows_cart(answer: Answer, judge: Judge, count: int) -> None:
    judge.same("cart items", answer, expected=count, came=len(answer.at("cart.items") or ()))


@then(parsers.re(f"the receiver is called to read the {END} of the checkout"))
def is_called_to_read(
    control: Control,
    merchant: Merchant,
    receiver: WebhookReceiver,
    checkout: Answer,
    judge: Judge,
    *,
    end: str,
) -> None:
    control.drain(merchant.sandbox)
    path = f"%2Fv1%2Fcheckouts%2F{checkout.id}%2F{end}"
    expected = [("GET", f"/return?order=4711&id={checkout.id}&resourcePath={path}")]
    came = [(call.method, call.path) for call in receiver.calls()]
    judge.same("calls", checkout, expected=expected, came=came)


@then("the receiver is not called")
def is_not_called(receiver: WebhookReceiver, judge: Judge) -> None:
    judge.same("calls", NO_ANSWER, expected=[], came=[call.path for call in receiver.calls()])


@then("the response shows the integrity hash of the script")
def shows_integrity(answer: Answer, merchant: Merchant, judge: Judge) -> None:
    script = merchant.client.request("GET", f"{SCRIPT}?checkoutId={answer.id}").body
    expected = f"sha384-{b64encode(sha384(bytes(script)).digest()).decode()}"
    judge.same("integrity", answer, expected=expected, came=answer.at("integrity"))


def money(amount: str, currency: str) -> dict[str, str]:
    """The parameters of a debit of this amount."""
    return {"amount": amount, "currency": currency, "paymentType": "DB"}


def cart(count: int) -> dict[str, str]:
    """The parameters of a cart with so many items."""
    return {f"cart.items[{index}].name": f"Thing {index}" for index in range(count)}


def return_parameters(receiver: WebhookReceiver) -> dict[str, str]:
    """The receiver as shopperResultUrl."""
    return {"shopperResultUrl": f"{receiver.url}return?order=4711"}


def prepare(merchant: Merchant, sent: Sent) -> Answer:
    """The response to preparing a checkout."""
    return merchant.client.post(CHECKOUTS, sent)


def change(merchant: Merchant, checkout: Answer, sent: Sent) -> Answer:
    """The response to changing a checkout."""
    return merchant.client.post(f"{CHECKOUTS}/{checkout.id}", sent)


def post(merchant: Merchant, checkout: Answer, end: str, sent: Sent) -> Answer:
    """The response to the shopper's entry, posted by the merchant."""
    return merchant.client.post(f"{CHECKOUTS}/{checkout.id}/{end}", sent)


def submit(merchant: Merchant, checkout: Answer, capability: str, sent: Sent) -> Answer:
    """The response to a post of the payment form, which has no token."""
    headers = {"Authorization": f"Checkout {capability}"}
    path = f"{CHECKOUTS}/{checkout.id}/payment"
    return merchant.client.request("POST", path, headers=headers, body=form_of(sent))


def read(merchant: Merchant, checkout_id: str, end: str) -> Answer:
    """The response to reading the result of a checkout."""
    return merchant.client.get(f"{CHECKOUTS}/{checkout_id}/{end}")
