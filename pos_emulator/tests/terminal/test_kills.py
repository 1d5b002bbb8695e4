"""The power is cut, or the disk is full, at each write of the journal: after it all ledgers agree.

A cut leaves the line that was being written whole or torn; of one that does not fit nothing stays.
"""

import os
from collections.abc import Callable
from decimal import Decimal
from errno import ENOSPC

import pytest

from pos_emulator.terminal.records import (
    COUNTED,
    OrderKind,
    OutOfOrderError,
    TerminalEntry,
    Totals,
)
from pos_emulator.terminal.terminal import JOURNAL_FILE
from pos_emulator.tests.terminal.shop import Shop, without_network

WRITES_MAX = 40
# Count and sum of the sales of a batch: one online, one offline.
BATCH = (2, Decimal("72.00"))


class PowerCutError(Exception):
    """Nothing runs any more."""


class Power:
    """Is cut at the write with this number, and stays off until it is switched on.

    `file` is the number of the file that was being written.
    """

    def __init__(self) -> None:
        self.left: int | None = None
        self.file = 0

    def __call__(self, descriptor: int) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                self.file = os.fstat(descriptor).st_ino
                raise PowerCutError


class FullDisk:
    """Has no room for the line with this number, nor for those after it while it `stays_full`."""

    def __init__(self, *, stays_full: bool) -> None:
        self.left: int | None = None
        self.refused = 0
        self._stays_full = stays_full

    def __call__(self, descriptor: int) -> None:
        if self.left is None:
            return
        self.left -= 1
        if self.left == 0 or (self.left < 0 and self._stays_full):
            self.refused += 1
            raise OSError(ENOSPC, os.strerror(ENOSPC))


def sale(shop: Shop) -> None:
    shop.order("60.00", cards=[shop.insert()])


def offline_sale(shop: Shop) -> None:
    shop.terminal.network_up = False
    try:
        shop.order("12.00", cards=[shop.insert()])
    finally:
        shop.terminal.network_up = True


def wrong_pin(shop: Shop) -> None:
    shop.order("60.00", cards=[shop.insert()], pins=["9999", "1234"])


def lost_answer(shop: Shop) -> None:
    shop.sandbox.arm("connection-reset", times=1, match={"operation": "create_payment"})
    sale(shop)


def tap_then_chip(shop: Shop) -> None:
    shop.sandbox.arm({"steps": {"issuer": {"response": "65"}}}, times=1)
    shop.order("20.00", cards=[shop.tap(), shop.insert()])


def void(shop: Shop) -> None:
    entry = shop.order("60.00", cards=[shop.insert()])
    shop.order(None, OrderKind.VOID, receipt=entry.receipt)


def refund(shop: Shop) -> None:
    entry = shop.order("60.00", cards=[shop.insert()])
    shop.order("20.00", OrderKind.REFUND, receipt=entry.receipt)


def lost_refund(shop: Shop) -> None:
    shop.sandbox.arm("connection-reset", times=1, match={"operation": "refer_payment"})
    refund(shop)


def lost_answer_then_offline(shop: Shop) -> None:
    shop.sandbox.arm("connection-reset", times=1, match={"operation": "create_payment"})
    shop.order("12.00", cards=[shop.insert()], forced_online=True)


def capture(shop: Shop) -> None:
    entry = shop.order("60.00", OrderKind.PRE_AUTHORIZATION, cards=[shop.insert()])
    shop.order("20.00", OrderKind.CAPTURE, receipt=entry.receipt)


def upload(shop: Shop) -> None:
    offline_sale(shop)
    shop.terminal.work()


WITH_CARD = [sale, offline_sale, wrong_pin, lost_answer, lost_answer_then_offline, tap_then_chip]


@pytest.mark.parametrize("is_torn", [False, True], ids=["whole", "torn"])
@pytest.mark.parametrize(
    "act", [sale, offline_sale, wrong_pin, lost_answer, tap_then_chip, void, capture, upload]
)
def test_a_power_cut_at_any_write_loses_and_doubles_nothing(
    shop: Shop, act: Callable[[Shop], None], *, is_torn: bool
):
    power = Power()
    shop.options["sync"] = power
    for number in range(1, WRITES_MAX):
        shop.restart()
        power.left = number
        try:
            act(shop)
        except PowerCutError:
            cut(shop, power, is_torn=is_torn)
        else:
            assert number > 5, "the power was cut at several writes"
            return
        shop.pass_a_day()
        assert not any(each.is_open for each in after_work(shop))
        shop.agree()
    raise AssertionError("an order writes less often")


@pytest.mark.parametrize("stays_full", [False, True], ids=["one line", "all lines"])
@pytest.mark.parametrize("act", [*WITH_CARD, void, refund, lost_refund, capture, upload])
def test_a_full_disk_at_any_write_loses_and_doubles_nothing(
    shop: Shop, act: Callable[[Shop], None], *, stays_full: bool
):
    for number in range(1, WRITES_MAX):
        shop.options["sync"] = disk = FullDisk(stays_full=stays_full)
        shop.restart()
        disk.left = number
        is_answered = is_paid(shop, act)
        disk.left = None
        disarm(shop)
        shop.pass_a_day()
        entries = after_work(shop)
        assert not any(each.is_open for each in entries)
        if act in WITH_CARD:
            assert any(each.ending in COUNTED for each in entries) is is_answered, number
        shop.agree()
        if not disk.refused:
            assert number > 5, "the disk was full at several writes"
            return
    raise AssertionError("an order writes less often")


def test_a_full_disk_as_a_card_is_read_is_one_the_terminal_is_out_of_order_with(shop: Shop):
    shop.options["sync"] = disk = FullDisk(stays_full=True)
    shop.restart()
    shop.desk.cards, disk.left = [shop.tap()], 1

    with pytest.raises(OutOfOrderError, match="No space left on device"):
        shop.terminal.acquire("till/1", Decimal("12.00"))


def is_paid(shop: Shop, act: Callable[[Shop], None]) -> bool:
    """Whether a till is answered that its last order is paid."""
    try:
        act(shop)
    except OutOfOrderError:
        return False
    return shop.terminal.entries()[-1].ending in COUNTED


@pytest.mark.parametrize("is_torn", [False, True], ids=["whole", "torn"])
def test_a_power_cut_while_a_batch_is_closed_keeps_its_totals(shop: Shop, *, is_torn: bool):
    power = Power()
    shop.options["sync"] = power
    for number in range(1, WRITES_MAX):
        shop.restart()
        sale(shop)
        batch = without_network(shop).batch
        power.left = number
        is_cut = False
        try:
            totals = shop.terminal.close_batch()
        except PowerCutError:
            is_cut = True
            cut(shop, power, is_torn=is_torn)
            shop.clock.advance(minutes=2)
            totals = closed_again(shop, batch)
        assert (totals.batch, totals.open_receipts, totals.differences) == (batch, (), ())
        assert [(each.sales, each.sales_amount) for each in totals.currencies] == [BATCH]
        shop.closed.append(totals)
        if not is_cut:
            assert number > 6, "the power was cut at several writes"
            break
    power.left = None
    shop.agree()


def closed_again(shop: Shop, batch: str) -> Totals:
    """What a till gets that asks again after a power cut, and looks whose totals it is answered."""
    totals = shop.terminal.close_batch()
    if totals.batch == batch:
        return totals
    assert totals.currencies == (), "nothing was paid since"
    closed = shop.terminal.closed_batch(batch)
    assert closed is not None
    return closed


def cut(shop: Shop, power: Power, *, is_torn: bool) -> None:
    """Switch off and on again; a line that was being written may be torn."""
    shop.terminal.close()
    journal = shop.folder / JOURNAL_FILE
    # A file that takes the place of the journal is durable before it does, and is not torn.
    if is_torn and journal.stat().st_ino == power.file:
        journal.write_bytes(journal.read_bytes()[:-7])
    power.left = None
    disarm(shop)
    shop.open()


def disarm(shop: Shop) -> None:
    """Let no fault wait for a later order."""
    for script in shop.sandbox.control.scripts(shop.sandbox.id):
        shop.sandbox.disarm(script["id"])


def after_work(shop: Shop) -> tuple[TerminalEntry, ...]:
    shop.terminal.work()
    return shop.terminal.entries()
