"""Chargebacks and what takes them back: who may, how much, how often, and what is open after."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from simulator.domain.chargebacks import outcome_of_report
from simulator.domain.core.records import Payment, State
from simulator.domain.payments.ledger import CLEARING, MERCHANT, RESERVE, balances
from simulator.domain.payments.references import open_amount
from simulator.service.payments.pipeline import refer_payment
from simulator.tests.kit.making import a_context, ledger_entries_in, new_ids
from simulator.tests.payments.test_references import now, paid, refer, refused


def balances_of(context, *payments: Payment) -> dict[str, Decimal]:
    """What stands on each account after these payments."""
    return balances(ledger_entries_in(context, payments))


@pytest.mark.parametrize("kind", ["DB", "CP", "RB", "RF", "PA.CP"])
def test_a_chargeback_is_about_money_that_moved(kind: str) -> None:
    context = a_context(profile="field")
    first = paid(context, {"CP": "PA", "PA.CP": "PA.CP"}.get(kind, "DB"))
    about = first if kind in ("DB", "PA.CP") else refer(context, first.id, kind, "50.00")
    chargeback = refer(context, about.id, "CB")
    assert chargeback.money == about.money
    assert chargeback.state is State.COMPLETED
    assert now(context, about).state is State.CHARGED_BACK
    assert open_amount(now(context, about)) == 0


@pytest.mark.parametrize("kind", ["PA", "CD"])
def test_nothing_else_is_charged_back(kind: str) -> None:
    context = a_context()
    assert refused(context, paid(context, kind).id, "CB") == "700.400.550"


def test_a_chargeback_takes_a_part_and_leaves_the_rest_to_refunds() -> None:
    context = a_context()
    debit = paid(context, "DB")
    refer(context, debit.id, "CB", "60.00")
    assert refused(context, debit.id, "RF", "40.01") == "700.400.200"
    refer(context, debit.id, "RF", "40.00")
    assert now(context, debit).state is State.CHARGED_BACK
    assert open_amount(now(context, debit)) == 0


def test_a_chargeback_takes_no_more_than_refunds_left() -> None:
    context = a_context()
    debit = paid(context, "DB")
    refer(context, debit.id, "RF", "30.00")
    assert refused(context, debit.id, "CB", "70.01") == "700.400.400"
    assert refer(context, debit.id, "CB").moved.amount == Decimal("70.00")


def test_what_was_given_back_wholly_is_not_charged_back() -> None:
    context = a_context()
    debit = paid(context, "DB")
    refer(context, debit.id, "RF", "100.00")
    assert refused(context, debit.id, "CB") == "700.400.400"


def test_a_payment_is_charged_back_once() -> None:
    context = a_context()
    debit = paid(context, "DB")
    first = refer(context, debit.id, "CB", "10.00")
    assert refused(context, debit.id, "CB", "10.00") == "700.300.500"
    refer(context, first.id, "CR")
    assert refused(context, debit.id, "CB", "10.00") == "700.300.500"


def test_a_chargeback_that_is_taken_back_opens_the_amount_again() -> None:
    context = a_context()
    debit = paid(context, "DB")
    refer(context, debit.id, "RF", "30.00")
    chargeback = refer(context, debit.id, "CB")
    reversal = refer(context, chargeback.id, "CR")
    assert now(context, debit).state is State.PARTLY_REFUNDED
    assert now(context, chargeback).state is State.REVERSED
    assert open_amount(now(context, debit)) == 70
    assert balances_of(context, debit, chargeback, reversal)[MERCHANT] == 100


def test_a_payment_without_refunds_is_whole_again() -> None:
    context = a_context()
    debit = paid(context, "DB")
    refer(context, refer(context, debit.id, "CB").id, "CR")
    assert now(context, debit).state is State.COMPLETED


def test_a_chargeback_may_be_taken_back_in_part_and_once() -> None:
    context = a_context()
    debit = paid(context, "DB")
    chargeback = refer(context, debit.id, "CB")
    assert refused(context, chargeback.id, "CR", "100.01") == "700.400.410"
    refer(context, chargeback.id, "CR", "40.00")
    assert now(context, debit).state is State.CHARGED_BACK
    assert open_amount(now(context, debit)) == 40
    assert refused(context, chargeback.id, "CR", "1.00") == "700.400.410"


def test_only_a_chargeback_is_taken_back() -> None:
    context = a_context()
    assert refused(context, paid(context, "DB").id, "CR") == "700.400.420"


def test_a_second_chargeback_refers_to_what_took_the_first_back_and_is_the_last() -> None:
    context = a_context()
    debit = paid(context, "DB")
    first = refer(context, debit.id, "CB")
    reversal = refer(context, first.id, "CR", "40.00")
    assert refused(context, reversal.id, "CB", "40.01") == "700.400.400"
    second = refer(context, reversal.id, "CB")
    assert second.moved.amount == Decimal("40.00")
    assert open_amount(now(context, debit)) == 0
    assert now(context, reversal).state is State.CHARGED_BACK
    assert refused(context, second.id, "CR") == "700.400.411"
    assert refused(context, reversal.id, "CB", "1.00") == "700.300.500"


def test_a_second_chargeback_takes_no_more_than_refunds_left_meanwhile() -> None:
    context = a_context()
    debit = paid(context, "DB")
    reversal = refer(context, refer(context, debit.id, "CB").id, "CR")
    refer(context, debit.id, "RF", "75.00")
    assert refused(context, reversal.id, "CB", "25.01") == "700.400.400"
    assert refer(context, reversal.id, "CB").moved.amount == Decimal("25.00")


@pytest.mark.parametrize(
    ("kind", "merchant", "reserve"), [("DB", "0.00", "0.00"), ("RF", "100.00", "0.00")]
)
def test_a_chargeback_reverses_the_ledger_entries_of_what_it_is_about(
    kind: str, merchant: str, reserve: str
) -> None:
    context = a_context()
    debit = paid(context, "DB")
    tree = [debit]
    if kind == "RF":
        tree.append(refer(context, debit.id, "RF", "100.00"))
    tree.append(refer(context, tree[-1].id, "CB"))
    after = balances_of(context, *tree)
    assert after[MERCHANT] == Decimal(merchant)
    assert after[RESERVE] == Decimal(reserve)
    assert after[CLEARING] == -after[MERCHANT]


def test_what_is_pending_or_failed_is_not_charged_back() -> None:
    context = a_context()
    assert refused(context, "8" + "0" * 31, "CB") == "700.400.550"
    assert refused(context, "8" + "0" * 31, "CR") == "700.400.420"


@pytest.mark.parametrize("kind", ["CB", "CR"])
def test_a_channel_may_leave_disputes_to_the_platform(kind: str) -> None:
    context = a_context(channel={"chargebacks": False})
    debit = paid(context, "DB")
    assert refused(context, debit.id, kind) == "700.400.402"


@pytest.mark.parametrize(
    ("sent", "code"),
    [("000.100.220", "000.100.220"), (None, "000.100.200"), ("000.100.270", "000.100.200")],
)
def test_the_result_of_a_chargeback_is_its_reason(sent: str | None, code: str) -> None:
    context = a_context()
    asked = {"paymentType": "CB"} | ({"chargebackResultCode": sent} if sent else {})
    chargeback = refer_payment(context, paid(context, "DB").id, asked, new_ids(context))
    assert chargeback.outcome.code == code
    assert not context.ports.acquirer.asks[1:]


@pytest.mark.parametrize(
    ("mode", "code"),
    [("INTERNAL", "000.100.110"), ("EXTERNAL", "000.100.112"), ("NONE", "000.000.000")],
)
def test_taking_a_chargeback_back_succeeds_as_payments_do(mode: str, code: str) -> None:
    context = a_context()
    chargeback = refer(context, paid(context, "DB").id, "CB")
    reversal = refer(context, chargeback.id, "CR")
    assert reversal.outcome.code == "000.100.110"
    assert outcome_of_report(replace(reversal, test_mode=mode), None).code == code
