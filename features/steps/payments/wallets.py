"""Steps about mobile wallets: tokens, and payments by them."""

from pytest_bdd import given, parsers, then, when

from features.steps.phrases import MONEY, TYPES
from features.steps.simulators.parties import messages_to
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Control

FAULTS = {
    "a wrong signature": "signature",
    "an expired certificate": "certificate",
    "a certificate of another authority": "chain",
    "another recipient": "recipient",
    "an old date": "stale",
}
CRYPTOGRAM = "AAECAwQFBgcICQoLDA0ODxAREhM="


@given(
    parsers.re(rf"a wallet token of (?P<protocol>EC_v1|ECv2) for {MONEY}"), target_fixture="token"
)
def create_token(
    control: Control, merchant: Merchant, protocol: str, amount: str, *, currency: str
) -> str:
    order = {"protocol": protocol, "amount": amount, "currency": currency}
    return control.wallet_token(merchant.sandbox, **order)


@given(
    parsers.re(
        rf"a wallet token of (?P<protocol>EC_v1|ECv2) for {MONEY} with (?P<what>an? .+|another .+)"
    ),
    target_fixture="token",
)
def create_faulty_token(
    control: Control, merchant: Merchant, protocol: str, amount: str, *, currency: str, what: str
) -> str:
    order = {"protocol": protocol, "amount": amount, "currency": currency, "fault": FAULTS[what]}
    return control.wallet_token(merchant.sandbox, **order)


@given(parsers.re(rf"a debit of {MONEY} by the token"), target_fixture="payment")
@when(parsers.re(rf"the merchant debits {MONEY} by the token"), target_fixture="answer")
def pay_by_token(merchant: Merchant, token: str, amount: str, currency: str) -> Answer:
    return merchant.pay(_by_token(token, "DB", amount, currency))


@when(
    parsers.re(
        rf"the merchant (?P<verb>authorizes|debits) {MONEY} by the token with testMode "
        r'"(?P<mode>\w+)"'
    ),
    target_fixture="answer",
)
def pay_by_token_in_mode(
    merchant: Merchant, token: str, verb: str, amount: str, *, currency: str, mode: str
) -> Answer:
    return merchant.pay({**_by_token(token, TYPES[verb], amount, currency), "testMode": mode})


@when(
    parsers.re(
        rf'the merchant debits {MONEY} by the token with mobileWallet.source "(?P<source>\w+)"'
    ),
    target_fixture="answer",
)
def pay_by_token_of_source(
    merchant: Merchant, token: str, amount: str, currency: str, *, source: str
) -> Answer:
    sent = {**_by_token(token, "DB", amount, currency), "mobileWallet.source": source}
    return merchant.pay(sent)


@when(parsers.re(rf"the merchant debits {MONEY} by decrypted wallet data"), target_fixture="answer")
def pay_by_data(merchant: Merchant, amount: str, currency: str) -> Answer:
    more = {
        "card.cvv": "",
        "mobileWallet.source": "app",
        "threeDSecure.verificationId": CRYPTOGRAM,
        "threeDSecure.eci": "05",
        "threeDSecure.enrollmentStatus": "Y",
        "threeDSecure.authenticationStatus": "Y",
    }
    return merchant.pay_by_card("DB", amount, currency, more)


@then("the acquirer received nothing of the token")
def received_no_token(
    control: Control, merchant: Merchant, answer: Answer, token: str, judge: Judge
) -> None:
    came = str(messages_to("acquirer", control, merchant, answer))
    holds = "paymentToken" not in came and token[:40] not in came and came != "[]"
    judge.holds("messages to the acquirer", answer, holds, expected="no token", came="a token")


def _by_token(token: str, payment_type: str, amount: str, currency: str) -> dict[str, str]:
    order = {"paymentType": payment_type, "amount": amount, "currency": currency}
    return {**order, "mobileWallet.paymentToken": token}
