"""Parts of a payment never come to more than the whole, neither as they are nor as they settle."""

from decimal import Decimal

import pytest

from simulator.domain.core.errors import Refusal
from simulator.domain.core.money import Money, as_part, as_settled
from simulator.domain.core.records import Payment, State
from simulator.domain.payments.references import open_amount
from simulator.service.payments.pipeline import refer_payment
from simulator.tests.kit.making import a_context, new_ids
from simulator.tests.payments.test_references import now, paid, refer

WHOLES = ("1.00", "9.99", "10.00", "10.40", "10.50")
PARTS = ("0.40", "0.50", "0.60", "1.49", "1.50", "5.20", "5.25")
USES = [("PA", "CP"), ("PA", "RC"), ("DB", "RF"), ("PA.CP", "RF")]


def parts_of(context, whole: Payment, kind: str, amount: str) -> list[Money]:
    """What can be taken in parts of one amount, and what is left then in one."""
    taken = list[Money]()
    for asked in (*[amount] * 22, None):
        left = open_amount(now(context, whole))
        sent = {"amount": asked or str(left), "currency": whole.moved.currency}
        try:
            sent |= {"paymentType": kind}
            taken.append(refer_payment(context, whole.id, sent, new_ids(context)).moved)
        except Refusal:
            continue
    return taken


@pytest.mark.parametrize(("first", "kind"), USES)
@pytest.mark.parametrize("amount", WHOLES)
@pytest.mark.parametrize("part", PARTS)
def test_parts_without_decimals_never_settle_for_more_than_the_whole(
    first: str, kind: str, amount: str, part: str
) -> None:
    context = a_context(profile="field")
    whole = paid(context, first, amount, currency="JPY")
    taken = parts_of(context, whole, kind, part)

    assert sum(map(as_settled, taken)) <= as_settled(whole.moved)
    assert sum(each.amount for each in taken) <= whole.moved.amount
    assert now(context, whole).reserved == 0


@pytest.mark.parametrize("amount", WHOLES)
@pytest.mark.parametrize(
    ("first", "kind", "state"), [("PA", "CP", State.CAPTURED), ("DB", "RF", State.REFUNDED)]
)
def test_the_whole_of_an_amount_that_is_rounded_is_taken_at_once(
    first: str, kind: str, state: State, amount: str
) -> None:
    context = a_context()
    whole = paid(context, first, amount, currency="JPY")
    refer(context, whole.id, kind, amount, "JPY")

    assert now(context, whole).state is state
    assert open_amount(now(context, whole)) == 0


@pytest.mark.parametrize("amount", WHOLES)
@pytest.mark.parametrize("charged_back", PARTS)
@pytest.mark.parametrize("restored", PARTS)
def test_a_chargeback_that_is_taken_back_in_part_frees_no_more_than_it_settles(
    amount: str, charged_back: str, restored: str
) -> None:
    context = a_context()
    charged_back = min(charged_back, amount, key=Decimal)
    restored = min(restored, charged_back, key=Decimal)
    whole = paid(context, "DB", amount, currency="JPY")
    chargeback = refer(context, whole.id, "CB", charged_back, "JPY")
    reversal = refer(context, chargeback.id, "CR", restored, "JPY")
    taken = [chargeback.moved, *parts_of(context, whole, "RF", "0.50")]

    assert sum(map(as_settled, taken)) - as_settled(reversal.moved) <= as_settled(whole.moved)
    assert sum(each.amount for each in taken) - reversal.moved.amount <= whole.moved.amount
    assert (now(context, whole).charged_back == 0) == (restored == charged_back)


@pytest.mark.parametrize("currency", ["EUR", "KWD", "QQQ"])
def test_a_part_with_the_decimals_of_the_gateway_takes_its_amount(currency: str) -> None:
    for amount in map(Decimal, PARTS):
        assert as_part(Money(amount, currency)) == amount
