"""A payment that the gateway does not know yet is under way: it waits for the risk system, or is
read late. It arrives once the terminal was answered nothing, and all ledgers agree in the end.
"""

from datetime import timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from pos_emulator.terminal.records import Ending, OrderKind, Stage, TerminalEntry
from pos_emulator.tests.terminal.shop import SALE, Shop, ended, net, without_network
from pos_emulator.tests.terminal.unknown.late_messages import LateMessages
from simulator.client.merchant import Client
from simulator.client.sandbox import VISA


def answers_of(shop: Shop, entry: TerminalEntry) -> list[str]:
    """Type and amount of what the gateway approved under the name of a payment."""
    found = shop.gateway.find(entry.transaction)
    return [f"{each.type} {each.amount}" for each in found if each.is_approved]


def test_a_sale_that_waits_for_the_risk_system_is_reversed_when_it_goes_on(shop: Shop):
    shop.hold()
    entry = shop.order("60.00", cards=[shop.insert()])
    shop.clock.advance(minutes=40)

    assert shop.terminal.work() == 1, "what is unknown can still arrive"
    assert ended(entry) == (Stage.MUST_REVERSE, Ending.UNREACHABLE)
    shop.release()
    assert answers_of(shop, entry) == ["DB 60.00"]

    assert shop.terminal.work_at_once() == 0
    assert shop.terminal.entry(entry.receipt).stage is Stage.REVERSED
    assert shop.moved_at_gateway() == 0
    shop.agree()


def test_a_pre_authorization_that_waits_for_the_risk_system_is_reversed(shop: Shop):
    shop.hold()
    entry = shop.order("60.00", OrderKind.PRE_AUTHORIZATION, cards=[shop.insert()])
    shop.clock.advance(minutes=1)
    assert shop.terminal.work() == 1
    shop.release()

    assert shop.terminal.work_at_once() == 0
    assert shop.terminal.entry(entry.receipt).stage is Stage.REVERSED
    assert {line["type"] for line in shop.books()["lines"]} == {"PA", "RV"}
    shop.agree()


def test_the_gateway_is_asked_with_growing_pauses_for_a_day(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    start, find, asked = shop.clock.now, shop.gateway.find, []

    def find_and_note(transaction: str) -> Any:
        asked.append((shop.clock.now - start) // timedelta(minutes=1))
        return find(transaction)

    monkeypatch.setattr(shop.gateway, "find", find_and_note)
    shop.sandbox.arm("connection-reset-before", times=1, match=SALE)
    receipt = shop.order("60.00", cards=[shop.insert()]).receipt

    while shop.terminal.work():
        shop.clock.advance(minutes=1)
        if len(asked) % 5 == 0:
            shop.restart()

    assert asked[:8] == [0, 1, 3, 7, 15, 31, 63, 123]
    assert {after - before for before, after in pairwise(asked[6:])} == {60}
    assert asked[-1] >= 24 * 60
    assert shop.terminal.entry(receipt).stage is Stage.REVERSED
    shop.agree()


def test_what_was_unknown_for_a_day_is_reversed_at_the_end_of_a_later_one(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as slow:
        late = LateMessages(shop, slow, "pay")
        entry = shop.order("60.00", cards=[shop.insert()])
    shop.pass_a_day()
    shop.agree()
    late.arrive()

    shop.agree()

    assert answers_of(shop, entry) == ["DB 60.00"]
    assert shop.moved_at_gateway() == 0
    assert shop.terminal.entry(entry.name).stage is Stage.REVERSED


def test_a_payment_that_stands_after_its_reversal_was_closed_is_open_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as slow:
        late = LateMessages(shop, slow, "pay")
        entry = shop.order("60.00", cards=[shop.insert()])
    shop.pass_a_day()
    late.arrive()
    shop.sandbox.arm("connection-reset-before", times=1, match={"operation": "refer_payment"})

    totals = shop.terminal.close_batch()

    assert totals.open_receipts == (entry.receipt,)
    assert shop.terminal.entry(entry.name).stage is Stage.MUST_REVERSE
    assert shop.terminal.totals().open_receipts == (entry.name,), "the next batch goes on with it"
    assert shop.terminal.work_at_once() == 0
    shop.agree()


def test_an_upload_that_waits_for_the_risk_system_pays_once(shop: Shop):
    entry = without_network(shop)
    shop.hold()

    for number in (1, 2):
        assert shop.terminal.work_at_once() == 1
        assert shop.held() == number
        shop.clock.advance(minutes=1)
    shop.release()

    assert shop.terminal.work_at_once() == 0
    assert answers_of(shop, entry) == ["DB 12.00"]
    shop.agree()


def test_an_upload_that_arrives_after_a_later_payment_of_the_terminal_pays_once(shop: Shop):
    entry = without_network(shop)
    shop.hold()
    assert shop.terminal.work_at_once() == 1
    shop.sandbox.control.set_breakpoints(shop.sandbox.id)
    shop.order("60.00", cards=[shop.insert()])

    assert shop.terminal.work_at_once() == 0
    shop.release()

    assert answers_of(shop, entry) == ["DB 12.00"]
    shop.agree()


def test_an_upload_survives_a_restart_with_its_message(shop: Shop):
    entry = without_network(shop)
    shop.hold()
    assert shop.terminal.work_at_once() == 1
    shop.restart()
    assert shop.terminal.work_at_once() == 1
    shop.release()

    assert shop.terminal.work_at_once() == 0
    assert answers_of(shop, entry) == ["DB 12.00"]
    shop.agree()


@pytest.mark.parametrize("operation", [OrderKind.REFUND, OrderKind.CAPTURE])
def test_what_refers_to_a_receipt_and_is_read_late_counts(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, operation: OrderKind
):
    entry, late = referred_late(shop, monkeypatch, operation)
    shop.clock.advance(minutes=40)
    assert shop.terminal.work() == 1
    late.arrive()

    assert shop.terminal.work_at_once() == 0

    assert shop.terminal.entry(entry.receipt).ending is Ending.APPROVED
    shop.agree()


@pytest.mark.parametrize("first", [OrderKind.SALE, OrderKind.PRE_AUTHORIZATION])
def test_a_void_that_is_read_late_counts_where_the_gateway_carries_it_out(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, first: OrderKind
):
    entry, late = referred_late(shop, monkeypatch, OrderKind.VOID, first)
    shop.clock.advance(minutes=40)
    assert shop.terminal.work() == 1
    late.arrive()

    shop.pass_a_day()

    # An RV of a sale is refused, so that nothing stands of it.
    is_done = first is OrderKind.PRE_AUTHORIZATION
    ending = Ending.APPROVED if is_done else Ending.UNREACHABLE
    assert shop.terminal.entry(entry.receipt).ending is ending
    shop.agree()


def test_a_refund_that_is_read_after_the_end_of_its_day_is_named_once(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    entry, late = referred_late(shop, monkeypatch, OrderKind.REFUND)
    first = shop.terminal.close_batch()
    late.arrive()

    second, third = shop.terminal.close_batch(), shop.terminal.close_batch()

    assert first.open_receipts == (entry.receipt,)
    name = f"receipt {entry.name}: refund of 60.00 EUR, approved after the end of its batch"
    assert (second.differences, third.differences) == ((name,), ())
    assert net(first) == Decimal("60.00")
    assert shop.moved_at_gateway() == 0


def test_a_refund_that_is_read_after_a_day_is_named_too(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    entry, late = referred_late(shop, monkeypatch, OrderKind.REFUND)
    shop.pass_a_day()
    assert shop.terminal.entry(entry.receipt).stage is Stage.FAILED
    shop.terminal.close_batch()
    late.arrive()

    differences = shop.terminal.close_batch().differences

    assert [each.partition(":")[0] for each in differences] == [f"receipt {entry.name}"]
    assert shop.terminal.entry(entry.name).ending is Ending.APPROVED


def referred_late(
    shop: Shop,
    monkeypatch: pytest.MonkeyPatch,
    operation: OrderKind,
    first: OrderKind = OrderKind.SALE,
) -> tuple[TerminalEntry, LateMessages]:
    """An order about an approved payment, whose message the gateway has not read yet."""
    if operation is OrderKind.CAPTURE:
        first = OrderKind.PRE_AUTHORIZATION
    original = shop.order("60.00", first, cards=[shop.insert()])
    with monkeypatch.context() as slow:
        late = LateMessages(shop, slow, "refer")
        return shop.order(None, operation, receipt=original.receipt), late


def test_a_second_payment_of_one_name_is_named_at_the_end_of_the_day(shop: Shop):
    entry = shop.order("60.00", cards=[shop.insert()])
    pay_online(shop, entry.transaction, "9.00")

    differences = shop.terminal.close_batch().differences

    assert differences == (
        f"receipt {entry.receipt}: 60.00 EUR here, DB 60.00, DB 9.00 at the gateway",
    )


def test_a_second_payment_of_a_reversed_name_is_named_at_the_end_of_the_day(shop: Shop):
    shop.sandbox.arm("connection-reset", times=1, match=SALE)
    entry = shop.order("60.00", cards=[shop.insert()])
    assert entry.stage is Stage.REVERSED
    pay_online(shop, entry.transaction, "9.00")

    differences = shop.terminal.close_batch().differences

    assert differences == (f"receipt {entry.receipt}: not approved here, 9.00 at the gateway",)


def pay_online(shop: Shop, transaction: str, amount: str) -> None:
    """A payment of the same channel that no terminal has made."""
    client = Client(shop.sandbox.url, shop.sandbox.token, shop.document["channel"])
    sent = {**VISA, "amount": amount, "currency": "EUR", "paymentType": "DB"}
    answer = client.post("v1/payments", sent | {"merchantTransactionId": transaction})
    assert answer.code.startswith("000.100.1"), answer
    client.close()
