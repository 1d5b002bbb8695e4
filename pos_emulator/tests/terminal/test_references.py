"""Payments about an earlier one: void, capture, refund; lost answers are asked for."""

from decimal import Decimal

import pytest

from pos_emulator.receipts.document import PaymentReceipt, ReceiptCopy
from pos_emulator.terminal.gateway import LostAnswerError
from pos_emulator.terminal.records import (
    Ending,
    OrderError,
    OrderKind,
    Stage,
    TerminalEntry,
)
from pos_emulator.tests.terminal.shop import Shop, ended, without_network


def lose(*_: object) -> None:
    raise LostAnswerError("no answer")


def test_33_a_void_by_receipt_number(shop: Shop):
    sale = shop.order("60.00", cards=[shop.insert()])

    void = shop.order(None, OrderKind.VOID, receipt=sale.receipt)

    assert ended(void) == (Stage.APPROVED, Ending.APPROVED)
    assert void.printed.kind == "VOID" and void.printed.card == "0009"
    assert shop.terminal.entry(sale.receipt).stage is Stage.REVERSED
    with pytest.raises(OrderError, match="to be reversed|reversed"):
        shop.order(None, OrderKind.VOID, receipt=sale.receipt)
    shop.agree()


def test_34_a_pre_authorization_is_captured_in_parts(shop: Shop):
    held = shop.order("90.00", OrderKind.PRE_AUTHORIZATION, cards=[shop.insert()])

    part = shop.order("30.00", OrderKind.CAPTURE, receipt=held.receipt)
    rest = shop.order(None, OrderKind.CAPTURE, receipt=held.receipt)
    more = shop.order("1.00", OrderKind.CAPTURE, receipt=held.receipt)

    assert [each.approved for each in (part, rest)] == [Decimal("30.00"), Decimal("60.00")]
    assert ended(more) == (Stage.DECLINED, Ending.DECLINED)
    shop.agree()


def test_a_capture_of_an_earlier_batch_names_it(shop: Shop):
    held = shop.order("90.00", OrderKind.PRE_AUTHORIZATION, cards=[shop.insert()])
    shop.agree()

    capture = shop.order("30.00", OrderKind.CAPTURE, receipt=f"0001-{held.receipt}")

    assert (capture.batch, capture.receipt) == ("0002", "000002")
    assert ended(capture) == (Stage.APPROVED, Ending.APPROVED)
    shop.agree()


def test_a_number_alone_is_that_of_a_pre_authorization_of_any_batch(shop: Shop):
    held = [
        shop.order("90.00", OrderKind.PRE_AUTHORIZATION, cards=[shop.insert()]) for _ in range(2)
    ]
    sale = shop.order("60.00", cards=[shop.insert()])
    shop.agree()

    capture = shop.order("30.00", OrderKind.CAPTURE, receipt=held[0].receipt)
    void = shop.order(None, OrderKind.VOID, receipt=held[1].receipt)

    assert (capture.original, void.original) == (held[0].name, held[1].name)
    assert ended(capture) == ended(void) == (Stage.APPROVED, Ending.APPROVED)
    for operation in (OrderKind.VOID, OrderKind.REFUND, OrderKind.CAPTURE):
        with pytest.raises(OrderError, match="no payment has the number '000003'"):
            shop.order(None, operation, receipt=sale.receipt)
    shop.agree()


def copies_of(entry: TerminalEntry) -> list[tuple[PaymentReceipt | None, ReceiptCopy]]:
    return [(entry.printed, copy) for copy in ReceiptCopy]


@pytest.mark.parametrize("operation", [OrderKind.REFUND, OrderKind.VOID, OrderKind.CAPTURE])
def test_its_receipt_is_printed_when_it_is_made(shop: Shop, operation: OrderKind):
    first = OrderKind.PRE_AUTHORIZATION if operation is OrderKind.CAPTURE else OrderKind.SALE
    original = shop.order("60.00", first, cards=[shop.insert()])
    shop.desk.printed.clear()

    entry = shop.order(None, operation, receipt=original.receipt)

    assert shop.desk.printed == copies_of(entry) and entry.printed is not None
    shop.restart()
    assert shop.desk.printed == copies_of(entry)


def test_the_receipt_of_a_void_before_the_upload_is_printed_when_it_is_made(shop: Shop):
    sale = without_network(shop)
    shop.desk.printed.clear()

    void = shop.order(None, OrderKind.VOID, receipt=sale.receipt)

    assert shop.desk.printed == copies_of(void) and void.is_offline


def test_the_receipt_of_a_refund_whose_answer_was_lost_is_printed_once_it_is_known(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    sale = shop.order("60.00", cards=[shop.insert()])
    shop.sandbox.arm("connection-reset", times=1, match={"operation": "refer_payment"})
    shop.desk.printed.clear()
    with monkeypatch.context() as lost:
        lost.setattr(shop.gateway, "find", lose)
        refund = shop.order(None, OrderKind.REFUND, receipt=sale.receipt)
    assert not shop.desk.printed
    shop.clock.advance(minutes=1)

    assert shop.terminal.work() == 0

    assert shop.desk.printed == copies_of(shop.terminal.entry(refund.name))
    shop.agree()


@pytest.mark.parametrize("fault", ["connection-reset", "connection-reset-before"])
@pytest.mark.parametrize("operation", [OrderKind.REFUND, OrderKind.VOID, OrderKind.CAPTURE])
def test_a_lost_answer_about_an_earlier_payment_is_asked_for(shop: Shop, fault: str, operation):
    first = OrderKind.PRE_AUTHORIZATION if operation is OrderKind.CAPTURE else OrderKind.SALE
    original = shop.order("60.00", first, cards=[shop.insert()])
    shop.sandbox.arm(fault, times=1, match={"operation": "refer_payment"})

    entry = shop.order(None, operation, receipt=original.receipt)
    shop.pass_a_day()

    entry = shop.terminal.entry(entry.receipt)
    assert entry.ending in (Ending.APPROVED, Ending.UNREACHABLE)
    shop.agree()


def test_32_a_refund_with_the_card(shop: Shop):
    entry = shop.order("10.00", OrderKind.REFUND, cards=[shop.insert()])

    assert ended(entry) == (Stage.APPROVED, Ending.APPROVED)
    assert entry.printed.kind == "REFUND"
    shop.agree()


@pytest.mark.parametrize("operation", [OrderKind.VOID, OrderKind.CAPTURE])
def test_what_was_taken_of_a_receipt_is_not_taken_of_its_number_in_the_next_batch(
    shop: Shop, operation: OrderKind
):
    first = OrderKind.PRE_AUTHORIZATION if operation is OrderKind.CAPTURE else OrderKind.SALE
    part = OrderKind.CAPTURE if operation is OrderKind.CAPTURE else OrderKind.REFUND
    old = shop.order("100.00", first, cards=[shop.insert()])
    shop.order("30.00", part, receipt=old.receipt)
    shop.agree()
    new = shop.renumber(shop.order("50.00", first, cards=[shop.insert()]), old.receipt)

    whole = shop.order(None, operation, receipt=new.name)

    assert (old.receipt, old.batch, new.batch) == (new.receipt, "0001", "0002")
    assert ended(whole) == (Stage.APPROVED, Ending.APPROVED)
    assert whole.approved == Decimal("50.00")
    left = shop.order(None, operation, receipt=old.name)
    assert left.approved == Decimal("70.00")
    shop.agree()


def test_a_void_that_ends_after_the_day_is_of_the_payment_it_was_asked_for(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    old = shop.order("100.00", OrderKind.PRE_AUTHORIZATION, cards=[shop.insert()])
    shop.sandbox.arm("connection-reset", times=1, match={"operation": "refer_payment"})
    with monkeypatch.context() as lost:
        lost.setattr(shop.gateway, "find", lose)
        void = shop.order(None, OrderKind.VOID, receipt=old.receipt)
        assert shop.terminal.close_batch().open_receipts
        new = shop.order("50.00", cards=[shop.insert()])
    new = shop.renumber(new, old.receipt)
    shop.clock.advance(minutes=1)

    assert shop.terminal.work() == 0

    stages = [shop.terminal.entry(each.name).stage for each in (old, new, void)]
    assert stages == [Stage.REVERSED, Stage.APPROVED, Stage.APPROVED]
    assert shop.terminal.entry(void.name).printed.amount == old.printed.amount
    shop.agree()
