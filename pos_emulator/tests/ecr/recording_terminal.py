"""A terminal that carries out orders as a test says, and keeps them as the real one does."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal

from pos_emulator.receipts.document import PaymentReceipt, Verification
from pos_emulator.terminal.records import (
    BusyError,
    CurrencyTotals,
    Ending,
    Notice,
    OrderKind,
    Stage,
    TerminalEntry,
    TillOrder,
    Totals,
    Watch,
)

AT = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Identity:
    id: str = "10291604"
    device: str = "5308122751"
    model: str = "COUNTERTOP"


@dataclass
class RecordingTerminal:
    """Ends each order with the next of `endings`, or raises it; approves when there is none.

    It shows `texts` first. While `waits` is set, an order waits until it is aborted or `card` is
    set; it cannot be aborted if it `is_deaf`, as while the gateway is asked.
    """

    identity: Identity = Identity()
    network_up: bool = True
    out_of_order: str = ""
    endings: list[Ending | Exception] = field(default_factory=list)
    waits: bool = False
    orders: list[TillOrder] = field(default_factory=list)
    kept: list[TerminalEntry] = field(default_factory=list)
    closed: list[Totals] = field(default_factory=list)
    card: threading.Event = field(default_factory=threading.Event)
    waiting: threading.Event = field(default_factory=threading.Event)
    callbacks: list[Watch] = field(default_factory=list)
    batch: int = 1
    under_way: str | None = None
    aborted: bool = False
    stage: Stage | None = None
    texts: tuple[str, ...] = ()
    is_deaf: bool = False
    released: bool = False
    code: str = ""

    def run(self, order: TillOrder) -> TerminalEntry:
        if self.under_way is not None:
            raise BusyError("expected an idle terminal, but a payment is under way")
        self.orders.append(order)
        ending = self.endings.pop(0) if self.endings else Ending.APPROVED
        if isinstance(ending, Exception):
            raise ending
        for text in self.texts:
            self.notice("display", text)
        if self.waits:
            ending = self._wait(order, ending)
        entry = self._entry(order, ending)
        self.kept.append(entry)
        return entry

    def _wait(self, order: TillOrder, ending: Ending) -> Ending:
        self.under_way = order.reference
        self.waiting.set()
        self.card.wait(20)
        self.under_way = None
        return Ending.ABORTED if self.aborted else ending

    def release_card(self) -> None:
        self.released = True

    def abort(self, reference: str) -> bool:
        if self.is_deaf or self.under_way is None or reference not in ("", self.under_way):
            return False
        self.aborted = True
        self.card.set()
        return True

    def entry(self, receipt: str) -> TerminalEntry | None:
        batch, separator, number = receipt.rpartition("-")
        named = (batch if separator else f"{self.batch:06d}", number)
        return next((each for each in self.kept if (each.batch, each.receipt) == named), None)

    def reservation(self, receipt: str) -> TerminalEntry | None:
        held = [
            each for each in self.kept
            if each.receipt == receipt and each.order.operation is OrderKind.PRE_AUTHORIZATION
        ]  # fmt: skip
        return held[-1] if held else None

    def entry_of(self, reference: str) -> TerminalEntry | None:
        found = [each for each in self.kept if each.order.reference == reference]
        return found[-1] if found else None

    def totals(self) -> Totals:
        sales = [each for each in self.kept if each.order.operation is OrderKind.SALE]
        counted = CurrencyTotals(
            "EUR",
            sales=len(sales),
            sales_amount=sum((each.approved or Decimal(0) for each in sales), Decimal(0)),
        )
        return Totals(f"{self.batch:06d}", AT, None, (counted,) if sales else ())

    def close_batch(self) -> Totals:
        closed = replace(self.totals(), closed_at=AT)
        self.batch += 1
        self.closed.append(closed)
        return closed

    def closed_batch(self, batch: str) -> Totals | None:
        found = [each for each in self.closed if batch in ("", each.batch)]
        return found[-1] if found else None

    def watch(self, callback: Watch) -> Callable[[], None]:
        self.callbacks.append(callback)
        return lambda: self.callbacks.remove(callback)

    def notice(self, kind: str, text: str) -> None:
        for callback in self.callbacks:
            callback(Notice(kind, AT, text))

    def _entry(self, order: TillOrder, ending: Ending) -> TerminalEntry:
        number = len(self.kept) + 1
        asked = order.amount
        if asked is None and (first := self.entry(order.receipt)):
            asked = first.approved
        paid = (asked or Decimal(0)) + order.cashback + order.tip
        approved = {Ending.APPROVED: paid, Ending.PARTIAL: paid / 2}.get(ending)
        return TerminalEntry(
            receipt=f"{number:06d}", trace=f"{number:06d}", batch=f"{self.batch:06d}", order=order,
            stage=self.stage or (Stage.FAILED if approved is None else Stage.APPROVED), at=AT,
            transaction=f"t{number}", ending=ending, payment=f"8ac7a4a0{number:024d}",
            approved=approved, code=self.code, tries_left=2 if ending is Ending.WRONG_PIN else None,
            reason="" if ending is Ending.APPROVED else "a reason",
            printed=_receipt(number, paid, order.currency),
        )  # fmt: skip


def _receipt(number: int, amount: Decimal, currency: str) -> PaymentReceipt:
    return PaymentReceipt(
        merchant="Tea house", terminal_id="10291604", merchant_id="8c4f0a7d5b1e4f6",
        receipt_number=f"{number:06d}", trace_number=f"{number:06d}", at=AT, kind="SALE",
        entry_mode="CHIP", brand="VISA", card="5726", amount=amount, currency=currency,
        status="APPROVED", verification=Verification.PIN, authorization_code="012345",
        sequence="01",
    )  # fmt: skip
