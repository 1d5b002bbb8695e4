"""Bank accounts: what is refused, what the gateway adds, when money is collected and from whom."""

from datetime import timedelta

import pytest

from simulator.domain.chargebacks import Return
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import (
    Outcome,
    Payment,
    PaymentSource,
    Returned,
    State,
)
from simulator.domain.payments.bodies import payment_fields
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pending import release_pending
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.service.sandboxes.due_work import next_due, run_due
from simulator.tests.kit.making import (
    APPROVED,
    DECLINED,
    NOON,
    Answering,
    a_context,
    ledger_entries_in,
    new_ids,
)
from simulator.tests.kit.twins import HandClock

IBAN = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.bic": "COBADEFFXXX",
}
NATIONAL = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.number": "0532013000",
    "bankAccount.bankCode": "37040044",
    "bankAccount.country": "DE",
}


def paid(context, kind="DB", account=IBAN, **more) -> Payment:
    """A payment of 92.00 EUR from a bank account."""
    named = {name.replace("__", "."): value for name, value in more.items()}
    sent = {"paymentType": kind, "amount": "92.00", "currency": "EUR", **account, **named}
    return take_payment(context, sent, new_ids(context))


def refused(kind="DB", account=IBAN, **more) -> str:
    """The code by which a payment from a bank account is refused."""
    with pytest.raises(Refusal) as caught:
        paid(a_context(), kind, account, **more)
    return caught.value.code


@pytest.mark.parametrize(
    ("kind", "account"),
    [
        ("DB", IBAN),
        ("DB", NATIONAL),
        ("PA", IBAN),
        ("DB", {**IBAN, "paymentBrand": "SEPA"}),
        ("CD", {**IBAN, "paymentBrand": "SEPA"}),
        ("PA", {"paymentBrand": "PREPAYMENT"}),
        ("DB", {"paymentBrand": "VIRTUAL_ACCOUNT", "virtualAccount.accountId": "jane"}),
    ],
)
def test_accounts_that_are_no_cards_pay(kind: str, account: dict) -> None:
    payment = paid(a_context(), kind, account)
    assert payment.state in (State.COMPLETED, State.AUTHORIZED)
    assert payment.card is None and payment.sealed_card is None
    assert payment.brand == account["paymentBrand"]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"bankAccount__iban": "DE89370400440532013001"}, "100.100.101"),
        ({"bankAccount__iban": "DE8937040044053201300"}, "100.100.101"),
        ({"bankAccount__iban": "QQ89370400440532013000"}, "100.100.101"),
        ({"bankAccount__bic": "COBAQQFF"}, "100.200.103"),
        ({"bankAccount__bic": "12345678"}, "100.200.103"),
        ({"bankAccount__bankCode": "10000000"}, "100.200.103"),
        ({"bankAccount__country": "FR"}, "100.200.100"),
        ({"bankAccount__mandate__dateOfSignature": "2026-11-21"}, "100.500.302"),
        ({"transactionDueDate": "2026-11-19"}, "100.500.301"),
    ],
)
def test_an_account_that_cannot_be_is_refused(wrong: dict, code: str) -> None:
    assert refused(**wrong) == code


@pytest.mark.parametrize(
    ("kind", "account", "code"),
    [
        ("DB", {"paymentBrand": "DIRECTDEBIT_SEPA"}, "100.100.100"),
        ("CD", IBAN, "600.200.310"),
        ("DB", {"paymentBrand": "PREPAYMENT"}, "600.200.310"),
        ("DB", {"paymentBrand": "VIRTUAL_ACCOUNT"}, "100.210.101"),
        ("DB", {"paymentBrand": "MOBILE_WALLET"}, "100.100.100"),
    ],
)
def test_a_brand_needs_its_account_and_its_type(kind: str, account: dict, code: str) -> None:
    assert refused(kind, account) == code


@pytest.mark.parametrize("country", ["de", "DE"])
def test_an_iban_may_be_written_in_small_letters(country: str) -> None:
    iban = f"{country}89370400440532013000"
    assert paid(a_context(), bankAccount__iban=iban).state is State.COMPLETED


def test_lists_of_banks_add_what_was_not_sent() -> None:
    account = {name: value for name, value in IBAN.items() if name != "bankAccount.bic"}
    shown = payment_fields(paid(a_context(), account=account), a_context().ports.choices)[
        "bankAccount"
    ]
    assert shown["country"] == "DE"
    assert shown["bankCode"] == "37040044"
    assert shown["bic"] == "COBADEFFXXX"
    assert shown["bankName"] == "Commerzbank"


def test_what_was_sent_is_shown_as_it_was_sent() -> None:
    context = a_context()
    shown = payment_fields(paid(context, bankAccount__bankName="My bank"), context.ports.choices)
    assert shown["bankAccount"]["bankName"] == "My bank"


def test_a_debit_without_a_mandate_gets_one_of_its_own() -> None:
    payment = paid(a_context())
    assert payment.sent["bankAccount.mandate.id"] == f"SGM{payment.id}"
    assert len(payment.sent["bankAccount.mandate.id"]) == 35
    assert payment.sent["bankAccount.mandate.dateOfSignature"] == "2026-11-20"


def test_a_mandate_that_was_sent_is_kept() -> None:
    given = paid(a_context(), bankAccount__mandate__id="M" * 35).sent
    assert given["bankAccount.mandate.id"] == "M" * 35
    assert given["bankAccount.mandate.dateOfSignature"] == "2026-11-20"
    named = paid(a_context(), bankAccount__mandate__reference="R" * 32).sent
    assert "bankAccount.mandate.id" not in named


def test_money_that_is_given_needs_no_mandate() -> None:
    account = {**IBAN, "paymentBrand": "SEPA"}
    assert "bankAccount.mandate.id" not in paid(a_context(), "CD", account).sent


def test_a_debit_that_is_due_later_is_collected_when_its_day_begins() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock)
    payment = paid(context, transactionDueDate="2026-12-24")
    assert payment.state is State.PENDING
    assert payment.outcome.code == "800.400.501"
    clock.advance(timedelta(days=33, hours=11, minutes=59))
    run_due(context.ports)
    assert read_payment(context, payment.id).state is State.PENDING
    assert not ledger_entries_in(context, [payment])
    clock.advance(timedelta(minutes=1))
    run_due(context.ports)
    assert read_payment(context, payment.id).state is State.COMPLETED
    assert ledger_entries_in(context, [payment])


@pytest.mark.parametrize("due", ["2036-11-28", "2036-12-01", "2099-12-31", "9999-12-31"])
def test_a_debit_may_be_due_on_any_day(due: str) -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock)
    payment = paid(context, transactionDueDate=due)
    clock.advance(timedelta(days=3660))
    run_due(context.ports)
    is_over = due < f"{clock.now():%Y-%m-%d}"
    expected = State.COMPLETED if is_over else State.PENDING
    assert read_payment(context, payment.id).state is expected


def test_a_debit_may_be_refused_on_its_day() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock, acquirer=Answering(DECLINED))
    payment = paid(context, transactionDueDate="2026-11-21")
    assert payment.state is State.PENDING
    clock.advance(timedelta(hours=12))
    run_due(context.ports)
    assert read_payment(context, payment.id).state is State.FAILED


@pytest.mark.parametrize(
    ("kind", "account"), [("DB", IBAN), ("CD", {**IBAN, "paymentBrand": "SEPA"}), ("PA", IBAN)]
)
def test_nothing_waits_for_today_and_only_a_debit_waits(kind: str, account: dict) -> None:
    due = "2026-11-20" if kind == "DB" else "2026-12-24"
    payment = paid(a_context(), kind, account, transactionDueDate=due)
    assert payment.state in (State.COMPLETED, State.AUTHORIZED)


def test_answers_about_bank_accounts_show_whom_shoppers_pay_to() -> None:
    context = a_context()
    shown = payment_fields(
        paid(context, "PA", {"paymentBrand": "PREPAYMENT"}), context.ports.choices
    )
    account = shown["merchant"]["bankAccount"]
    assert account["number"].startswith("DE") and len(account["number"]) == 22
    assert account["bic"] == "MARKDEF1100"
    assert len(account["holder"]) >= 4


def test_the_account_that_shoppers_pay_to_is_set_for_a_channel() -> None:
    account = {"holder": "Jones Books", "number": "NL16BOFS7923048958"}
    context = a_context(channel={"bank_account": account})
    payment = paid(context, "PA", {"paymentBrand": "PREPAYMENT"}, merchant__name="Jones")
    shown = payment_fields(payment, context.ports.choices)
    assert shown["merchant"] == {"name": "Jones", "bankAccount": account}


@pytest.mark.parametrize("kinds", [("RF",), ("RB",), ("RB", "RF"), ("CB",), ("CB", "CR")])
def test_answers_to_what_refers_to_them_show_it_too(kinds: tuple[str, ...]) -> None:
    context = a_context()
    payment = paid(context)
    account = payment_fields(payment, context.ports.choices)["merchant"]["bankAccount"]
    for kind in kinds:
        sent = {"paymentType": kind, "amount": "92.00", "currency": "EUR"}
        payment = refer_payment(context, payment.id, sent, new_ids(context))

    shown = payment_fields(payment, context.ports.choices)

    assert shown["merchant"] == {"bankAccount": account}


def test_money_that_comes_in_is_booked_and_given_back() -> None:
    context = a_context()
    order = paid(context, "PA", {"paymentBrand": "PREPAYMENT"})
    money = {"amount": "92.00", "currency": "EUR"}
    receipt = refer_payment(context, order.id, {"paymentType": "RC", **money}, new_ids(context))
    refund = refer_payment(context, receipt.id, {"paymentType": "RF", **money}, new_ids(context))
    assert read_payment(context, order.id).state is State.CAPTURED
    assert refund.state is State.COMPLETED


def test_a_rebill_names_the_account_to_the_acquirer_and_not_in_its_answer() -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    debit = paid(context)
    money = {"amount": "15.00", "currency": "EUR"}
    rebill = refer_payment(context, debit.id, {"paymentType": "RB", **money}, new_ids(context))
    assert acquirer.asks[-1].parameters["bankAccount.iban"] == IBAN["bankAccount.iban"]
    assert "bankAccount" not in payment_fields(rebill, context.ports.choices)


def returning(days: int = 5, code: str = "000.100.203") -> Outcome:
    """An approval that the bank takes back."""
    return Outcome(code=APPROVED.code, returned=Returned(days, code))


def test_a_bank_returns_a_debit_after_its_days() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock, acquirer=Answering(returning()))
    debit = paid(context)
    assert debit.outcome.returned is None
    assert next_due(context.ports) == NOON + timedelta(days=5)
    clock.advance(timedelta(days=5))
    assert run_due(context.ports) == 1
    found = context.ports.store.find(Payment, "referenced", debit.id)
    assert [(each.type, each.source, each.outcome.code) for each in found] == [
        ("CB", PaymentSource.SYSTEM, "000.100.203")
    ]
    assert read_payment(context, debit.id).state is State.CHARGED_BACK
    assert next_due(context.ports) is None


def test_a_return_takes_what_is_still_there() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock, acquirer=Answering(returning(), APPROVED))
    debit = paid(context)
    refund = {"paymentType": "RF", "amount": "90.00", "currency": "EUR"}
    refer_payment(context, debit.id, refund, new_ids(context))
    clock.advance(timedelta(days=5))
    run_due(context.ports)
    assert read_payment(context, debit.id).charged_back == 2


def test_a_return_of_what_was_given_back_is_done_with() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock, acquirer=Answering(returning(), APPROVED))
    debit = paid(context)
    refund = {"paymentType": "RF", "amount": "92.00", "currency": "EUR"}
    refer_payment(context, debit.id, refund, new_ids(context))
    clock.advance(timedelta(days=5))
    assert run_due(context.ports) == 1
    assert read_payment(context, debit.id).state is State.REFUNDED
    assert context.ports.store.get(Return, debit.id) is None


@pytest.mark.parametrize(
    ("ends", "state", "returned"),
    [(DECLINED, State.CHARGED_BACK, 92), (APPROVED, State.CHARGED_BACK, 2)],
)
def test_a_return_waits_for_a_refund_that_is_pending(
    ends: Outcome, state: State, returned: int
) -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock, acquirer=Answering(returning(), Outcome(code="000.200.000")))
    debit = paid(context)
    clock.advance(timedelta(days=5) - timedelta(seconds=10))
    sent = {"paymentType": "RF", "amount": "90.00", "currency": "EUR"}
    refund = refer_payment(context, debit.id, sent, new_ids(context))
    clock.advance(timedelta(seconds=10))
    run_due(context.ports)
    assert read_payment(context, debit.id).charged_back == 0
    release_pending(context.ports, refund.id, ends)
    clock.advance(timedelta(hours=1))
    run_due(context.ports)
    known = read_payment(context, debit.id)
    assert (known.state, known.charged_back) == (state, returned)
    assert context.ports.store.get(Return, debit.id) is None


def test_a_return_needs_no_leave_of_the_channel() -> None:
    clock = HandClock(NOON)
    channel = {"chargebacks": False, "requires_merchant_transaction_id": True}
    context = a_context(clock=clock, acquirer=Answering(returning()), channel=channel)
    debit = paid(context, merchantTransactionId="order-4711")
    clock.advance(timedelta(days=5))
    run_due(context.ports)
    assert read_payment(context, debit.id).state is State.CHARGED_BACK


def test_an_authorization_is_not_returned() -> None:
    context = a_context(acquirer=Answering(returning()))
    assert paid(context, "PA").state is State.AUTHORIZED
    assert next_due(context.ports) is None
