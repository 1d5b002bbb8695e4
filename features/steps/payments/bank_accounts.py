"""Steps about direct debits, bank transfers, virtual accounts and decrypted wallet data."""

from pytest_bdd import given, parsers, then, when

from features.spec.companions import COMPANIONS
from features.steps.phrases import MONEY
from features.support.assertions import Judge
from features.support.merchant import Merchant
from features.support.sandboxes import OpenShops
from simulator.client import Answer

SHOPPER = {
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.bic": "COBADEFFXXX",
}
DEBIT = {"paymentBrand": "DIRECTDEBIT_SEPA", **SHOPPER}
NATIONAL = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.number": "0532013000",
    "bankAccount.bankCode": "37040044",
    "bankAccount.country": "DE",
}
TRANSFER = {"paymentBrand": "PREPAYMENT"}
WALLET = {
    "paymentBrand": "MOBILE_WALLET",
    "card.number": "4200000000000000",
    "card.expiryMonth": "12",
    "card.expiryYear": "2099",
    **COMPANIONS["mobileWallet.source"],
    "mobileWallet.source": "app",
}


@given(parsers.re(rf"a direct debit of {MONEY}"), target_fixture="payment")
def debit_before(merchant: Merchant, amount: str, currency: str) -> Answer:
    return pay(merchant, "DB", (amount, currency), DEBIT)


@given(
    parsers.re(rf"a direct debit of {MONEY} that is due on (?P<day>\S+)"), target_fixture="payment"
)
def debit_due_before(merchant: Merchant, amount: str, currency: str, *, day: str) -> Answer:
    return pay(merchant, "DB", (amount, currency), {**DEBIT, "transactionDueDate": day})


@given(parsers.re(rf"a direct debit of {MONEY} from (?P<iban>\S+)"), target_fixture="payment")
def debit_account(merchant: Merchant, amount: str, currency: str, *, iban: str) -> Answer:
    account = {**DEBIT, "bankAccount.iban": iban, "bankAccount.bic": "MARKDEF1"}
    return pay(merchant, "DB", (amount, currency), account)


@given(parsers.re(rf"a requested transfer of {MONEY}"), target_fixture="payment")
def request_transfer_before(merchant: Merchant, amount: str, currency: str) -> Answer:
    return pay(merchant, "PA", (amount, currency), TRANSFER)


@given(parsers.parse("a merchant with the bank account {number}"), target_fixture="merchant")
def open_merchant_with_account(open_shops: OpenShops, number: str) -> Merchant:
    channel = {"name": "web", "bank_account": {"holder": "Jones Books", "number": number}}
    return open_shops(merchants=[{"name": "Jones Books", "channels": [channel]}])[0]


@when(
    parsers.re(rf"the merchant debits {MONEY} from the shopper's bank account"),
    target_fixture="answer",
)
def debit(merchant: Merchant, amount: str, currency: str) -> Answer:
    return pay(merchant, "DB", (amount, currency), DEBIT)


@when(
    parsers.re(
        rf"the merchant debits {MONEY} from the shopper's bank account, due on (?P<day>\S+)"
    ),
    target_fixture="answer",
)
def debit_due(merchant: Merchant, amount: str, currency: str, *, day: str) -> Answer:
    return pay(merchant, "DB", (amount, currency), {**DEBIT, "transactionDueDate": day})


@when(
    parsers.re(rf"the merchant credits {MONEY} to the shopper's bank account"),
    target_fixture="answer",
)
def credit(merchant: Merchant, amount: str, currency: str) -> Answer:
    return pay(merchant, "CD", (amount, currency), {"paymentBrand": "SEPA", **SHOPPER})


@when(parsers.re(rf"the merchant requests a transfer of {MONEY}"), target_fixture="answer")
def request_transfer(merchant: Merchant, amount: str, currency: str) -> Answer:
    return pay(merchant, "PA", (amount, currency), TRANSFER)


@when(parsers.re(rf"the merchant debits {MONEY} by transfer"), target_fixture="answer")
def debit_by_transfer(merchant: Merchant, amount: str, currency: str) -> Answer:
    return pay(merchant, "DB", (amount, currency), TRANSFER)


@when(
    parsers.re(rf"the merchant debits {MONEY} from a virtual account without an id"),
    target_fixture="answer",
)
def debit_without_id(merchant: Merchant, amount: str, currency: str) -> Answer:
    return pay(merchant, "DB", (amount, currency), {"paymentBrand": "VIRTUAL_ACCOUNT"})


@when(
    parsers.re(rf'the merchant debits {MONEY} by wallet with (?P<name>\S+) "(?P<value>.*)"'),
    target_fixture="answer",
)
def debit_by_wallet(
    merchant: Merchant, amount: str, currency: str, *, name: str, value: str
) -> Answer:
    return pay(merchant, "DB", (amount, currency), {**WALLET, name: value})


@when(
    parsers.re(rf"the merchant debits {MONEY} by wallet without (?P<name>\S+)"),
    target_fixture="answer",
)
def debit_by_incomplete_wallet(
    merchant: Merchant, amount: str, currency: str, *, name: str
) -> Answer:
    whole = {key: value for key, value in WALLET.items() if key != name}
    return pay(merchant, "DB", (amount, currency), whole)


@then("the response shows the risk score of the payment")
def shows_same_score(answer: Answer, payment: Answer, judge: Judge) -> None:
    judge.same(
        "risk.score of the response",
        answer,
        expected=payment.at("risk.score"),
        came=answer.at("risk.score"),
    )


def pay(
    merchant: Merchant, payment_type: str, money: tuple[str, str], account: dict[str, str]
) -> Answer:
    """The response to a payment of this amount and currency by this account."""
    amount, currency = money
    sent = {"paymentType": payment_type, "amount": amount, "currency": currency}
    return merchant.pay({**sent, **account})
