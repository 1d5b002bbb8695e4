"""The ledger as it is read: entries of payments, which are stored with them, and entries of
settlements, in one order.
"""

from datetime import timedelta
from decimal import Decimal

import pytest

from simulator.domain.core.money import Money
from simulator.domain.core.ports import Unit
from simulator.domain.core.records import LedgerEntry
from simulator.domain.payments.ledger import balances, entries_between, newest_entries
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.tests.kit.making import CARD, DECLINED, NOON, Answering, a_context, new_ids
from simulator.tests.kit.twins import HandClock

SALE = {"paymentType": "DB", "amount": "92.00", "currency": "EUR", **CARD}
REFUND = {"paymentType": "RF", "amount": "40.00", "currency": "EUR"}


@pytest.fixture
def mixed():
    """Entries of payments at the even seconds, of settlements at the odd ones."""
    clock = HandClock(NOON)
    context = a_context(clock=clock)
    for number in range(1, 12):
        clock.advance(timedelta(seconds=1))
        if number % 2:
            context.ports.store.commit(Unit(puts=(a_fee(number),)))
        else:
            take_payment(context, SALE, new_ids(context))
    return context


def a_fee(number: int) -> LedgerEntry:
    return LedgerEntry(
        id=f"line{number}.fee",
        version=1,
        payment="8a",
        debit="merchant",
        credit="fees",
        money=Money(Decimal("0.10"), "EUR"),
        at=NOON + timedelta(seconds=number),
    )


def test_entries_of_payments_and_settlements_stand_in_one_order(mixed) -> None:
    found = list(entries_between(mixed.ports.store, "", "~"))
    assert [(each.at - NOON).seconds for each in found] == list(range(1, 12))
    assert [each.debit for each in found[:3]] == ["merchant", "clearing", "merchant"]


def test_entries_are_read_between_two_instants(mixed) -> None:
    low, high = ((NOON + timedelta(seconds=each)).isoformat() for each in (3, 6))
    found = entries_between(mixed.ports.store, low, high)
    assert [(each.at - NOON).seconds for each in found] == [3, 4, 5]


@pytest.mark.parametrize("most", [1, 2, 3, 5, 11, 20])
def test_pages_have_every_entry_once_newest_first(mixed, most: int) -> None:
    pages = [newest_entries(mixed.ports, skip=skip, most=most) for skip in range(0, 11, most)]
    assert {count for _, count in pages} == {11}
    seconds = [(each.at - NOON).seconds for page, _ in pages for each in page]
    assert seconds == list(range(11, 0, -1))


def test_behind_the_last_entry_there_is_none(mixed) -> None:
    assert newest_entries(mixed.ports, skip=11, most=5) == ([], 11)


def test_an_entry_stays_as_it_was_when_its_payment_is_refunded() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock)
    sale = take_payment(context, SALE, new_ids(context))
    (before,) = entries_between(context.ports.store, "", "~")
    clock.advance(timedelta(seconds=1))
    refer_payment(context, sale.id, REFUND, new_ids(context))
    after, refund = entries_between(context.ports.store, "", "~")
    assert after == before
    assert (refund.debit, refund.credit, refund.money.amount) == ("merchant", "clearing", 40)
    assert balances([after, refund])["merchant"] == 52


def test_a_declined_payment_has_no_entry() -> None:
    context = a_context(acquirer=Answering(DECLINED))
    take_payment(context, SALE, new_ids(context))
    assert not list(entries_between(context.ports.store, "", "~"))
