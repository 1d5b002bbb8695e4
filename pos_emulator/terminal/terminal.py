"""The terminal: takes one order at a time, and keeps what must not be lost.

Begin with `Terminal.run`. A folder has one terminal: its identity, its keys and its journal.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from threading import Lock, RLock

from pos_emulator.gps import GpsReceiver
from pos_emulator.kernel.models import MODELS, terminal_of
from pos_emulator.kernel.records import CardEvent
from pos_emulator.keys.element import SecureElement
from pos_emulator.keys.errors import KeysError, StorageError
from pos_emulator.keys.storage import STORAGE_KEY_BYTES, Sync, storage_key
from pos_emulator.receipts.conversion import ConversionRates
from pos_emulator.terminal.acquisition import acquire_card, held_card
from pos_emulator.terminal.conclusion import TEXTS, conclude, stopped
from pos_emulator.terminal.day.batch import close, totals_of
from pos_emulator.terminal.gateway import Gateway
from pos_emulator.terminal.memory.identity import Identity, read_identity
from pos_emulator.terminal.memory.journal import Numbers, TerminalJournal, broken_journal
from pos_emulator.terminal.memory.journal_file import DamagedError, JournalFile
from pos_emulator.terminal.memory.sealing import BrokenElement, Seal
from pos_emulator.terminal.orders import asked_amount, check_order
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.presentation import Presentation
from pos_emulator.terminal.records import (
    COUNTED,
    AcquiredCard,
    BusyError,
    DeskAbortedError,
    DeskCanceledError,
    Ending,
    Notice,
    OutOfOrderError,
    PaymentDesk,
    Presented,
    Stage,
    TerminalEntry,
    TillOrder,
    Totals,
    Watch,
)
from pos_emulator.terminal.recovery import left_of, recover
from pos_emulator.terminal.references import find_receipt, find_reservation, original_of, refer
from pos_emulator.terminal.saf import DEFAULT_LIMITS, StoreAndForward, StoreLimits
from pos_emulator.terminal.stand import Stand
from pos_emulator.terminal.waiting_work import WaitingWork

JOURNAL_FILE = "journal.log"
NO_RATES = ConversionRates()
CARD_READ, RELEASED = "CARD READ", "READY"
CLOCK_TOLERANCE = timedelta(hours=1)
REPAIR_JOURNAL = (
    "put a good copy of {path} back, or move it away to begin a new one; reversals and uploads "
    "that are open in it are then to be settled at the gateway"
)
REPAIR_KEYS = "load a new terminal into another folder"


def utc_now() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)


class Terminal:
    """A terminal that was loaded into a folder by `setup.load_terminal`.

    `now` returns an aware time, `random` so many random bytes, `sync` makes a file durable, `rates`
    are those at which a card of another currency is offered to pay in its own; `gps` is moved by
    those who carry the terminal. Raises StorageError where another process has the folder, or
    where it holds no terminal.
    """

    def __init__(
        self,
        folder: Path,
        gateway: Gateway,
        desk: PaymentDesk,
        *,
        now: Callable[[], datetime] = utc_now,
        random: Callable[[int], bytes] = os.urandom,
        limits: StoreLimits = DEFAULT_LIMITS,
        sync: Sync = os.fsync,
        rates: ConversionRates = NO_RATES,
    ):
        self.identity: Identity = read_identity(folder)
        model = self.identity.model
        self.gps = GpsReceiver(model, is_fitted=MODELS[model].locates)
        self._gateway, self._now = gateway, now
        self._watches: list[Watch] = []
        self._guard, self._state = Lock(), RLock()
        self._running, self._is_busy = "", False
        self._broken = self._unreadable = ""
        self._acquired: AcquiredCard | None = None
        journal = self._open_journal(folder / JOURNAL_FILE, sync)
        element, seal = self._open_element(folder), self._open_seal(folder)
        kernel = terminal_of(model, terminal_id=self.identity.id)
        stand = Stand(desk, lambda kind, text: self._notify(kind, text, "", None))
        self._parts = TerminalParts(
            identity=self.identity,
            kernel=replace(kernel, merchant_name=self.identity.merchant),
            element=element,
            seal=seal,
            journal=journal,
            gateway=gateway,
            stand=stand,
            now=now,
            random=random,
            rates=rates,
            gps=self.gps,
            notify=self._notify,
        )
        self._store = StoreAndForward(self._parts, limits)
        self._work = WaitingWork(self._parts, self._store)
        try:
            recover(self._parts)
        except StorageError as error:
            self._broken = self._broken or str(error)

    def run(self, order: TillOrder) -> TerminalEntry:
        """Carry out an order, and wait for its end. Raises BusyError, OutOfOrderError, and
        OrderError, after which nothing of it is in the journal.
        """
        with self._alone(order.reference):
            self._refuse_out_of_order()
            check_order(order)
            card = held_card(self._parts, self._acquired, order) if order.acquired else None
            self._acquired = None
            entry, numbers = self._new_entry(order)
            original = original_of(self._parts, entry) if order.receipt else None
            if original is not None:
                money = original.order.currency
                named = replace(order, currency=money, receipt=original.name)
                entry = replace(entry, order=named)
            try:
                self._parts.journal.write(entry, numbers)
                if original is not None:
                    ended = refer(self._parts, entry, original)
                else:
                    ended = self._pay(entry, card.presented if card else None)
            except KeysError as error:
                ended = left_of(self._parts, entry, error)
            finally:
                self._parts.stand.give_back()
            self._parts.stand.show(text_of(ended))
            return ended

    def acquire(self, reference: str, amount: Decimal | None = None) -> AcquiredCard:
        """Read a card, with `amount` (EUR) also one that is tapped, and keep it for the order that
        names it. Raises BusyError, OutOfOrderError, UnreadableCardError, DeskCanceledError,
        DeskAbortedError.
        """
        with self._alone(reference), _in_order():
            self._refuse_out_of_order()
            self._acquired = None
            try:
                self._acquired = acquire_card(self._parts, amount)
            finally:
                if self._acquired is None:
                    self._parts.stand.give_back()
            self._parts.stand.show(CARD_READ)
            return self._acquired

    def release_card(self) -> None:
        """Give a card back that was read, and waits for its payment. Raises BusyError."""
        with self._alone(""):
            if self._acquired is not None:
                self._acquired = None
                self._parts.stand.give_back()
                self._parts.stand.show(RELEASED)

    def abort(self, reference: str = "") -> bool:
        """End the wait of the order with this reference, or of any; whether it was waiting."""
        with self._state:
            is_meant = self._is_busy and reference in ("", self._running)
        return is_meant and self._parts.stand.end_wait()

    def entry(self, receipt: str) -> TerminalEntry | None:
        """A payment by its receipt number, or by batch and number: "0001-000012"."""
        return find_receipt(self._parts, receipt)

    def reservation(self, receipt: str) -> TerminalEntry | None:
        """An approved pre-authorization of any batch by its receipt number. Raises OrderError where
        several have it.
        """
        return find_reservation(self._parts, receipt)

    def entry_of(self, reference: str) -> TerminalEntry | None:
        """The newest payment that the till gave this reference to."""
        found = [
            each for each in self._parts.journal.entries() if each.order.reference == reference
        ]
        return found[-1] if found and reference else None

    def entries(self) -> tuple[TerminalEntry, ...]:
        """The payments of the open batch."""
        return self._parts.journal.entries(self._parts.journal.batch)

    def work(self) -> int:
        """Try what is due of reversals and uploads; how many remain. Nothing is tried while a
        payment is under way. Raises OutOfOrderError where the journal cannot be written.
        """
        with suppress(BusyError), self._alone(""), _in_order():
            if not self.out_of_order:
                return self._work.do()
        return self._work.remaining()

    def work_at_once(self) -> int:
        """Try all that waits, also what was tried just now; how many pieces remain. Raises
        BusyError, OutOfOrderError.
        """
        with self._alone(""), _in_order():
            reason = self.out_of_order
            if reason:
                raise OutOfOrderError(reason)
            return self._work.do(all_of_it=True)

    def totals(self) -> Totals:
        """The totals of the open batch; of a damaged journal they are nothing, and say so."""
        totals = totals_of(self._parts)
        return replace(totals, differences=(self._unreadable,)) if self._unreadable else totals

    def closed_batch(self, batch: str = "") -> Totals | None:
        """The totals of a batch that was closed, of the last one without its number; the journal
        has the last ten.
        """
        closings = [each.totals for each in self._parts.journal.closings()]
        found = [each for each in closings if batch in ("", each.batch)]
        return found[-1] if found else None

    def close_batch(self) -> Totals:
        """Try all that waits, compare with the gateway, and begin the next batch. Raises
        BusyError, and OutOfOrderError where the journal cannot be written.
        """
        with self._alone(""), _in_order():
            if not self.out_of_order:
                self._work.do(all_of_it=True)
            totals = close(self._parts)
            self._notify("state", f"batch {totals.batch} closed", "", None)
            return totals

    def watch(self, callback: Watch) -> Callable[[], None]:
        """Have what happens passed on, in the thread of the payment, until the returned function
        is called.
        """
        with self._state:
            self._watches.append(callback)
        return lambda: self._unwatch(callback)

    @property
    def out_of_order(self) -> str:
        """Why the terminal cannot pay; empty if it can."""
        if self._broken:
            return self._broken
        for usage, status in self._parts.element.status().items():
            if status is None:
                return f"the terminal has no key for {usage}"
            if status.is_exhausted:
                return f"the key for {usage} is used up: load a new one"
        if self._now() + CLOCK_TOLERANCE < self._parts.journal.numbers.opened_at:
            return "the clock is behind the journal"
        return ""

    def swap_desk(self, desk: PaymentDesk) -> None:
        """Let another person stand at the terminal, from the next prompt on."""
        self._parts.stand.desk = desk

    @property
    def network_up(self) -> bool:
        """Whether the cable of the network is plugged in."""
        return self._gateway.network_up

    @network_up.setter
    def network_up(self, is_up: bool) -> None:
        self._gateway.network_up = is_up
        self._notify("network", "plugged in" if is_up else "unplugged", "", None)

    def close(self) -> None:
        """Let another process open the folder."""
        self._parts.element.close()
        self._parts.journal.close()
        self._gateway.close()

    def _pay(self, entry: TerminalEntry, held: Presented | None) -> TerminalEntry:
        room = self._store.has_room(asked_amount(entry.order))
        presentation = Presentation(self._parts, entry, may_approve_offline=room, held=held)
        try:
            outcome = presentation.pay()
        except DeskCanceledError:
            ending, reason = Ending.CANCELED, "canceled by the cardholder"
            return stopped(self._parts, presentation.host.entry, ending, reason)
        except DeskAbortedError as error:
            ending = Ending.TIMED_OUT if error.timed_out else Ending.ABORTED
            return stopped(self._parts, presentation.host.entry, ending, str(error))
        ended = conclude(self._parts, presentation, outcome)
        if ended.stage is Stage.MUST_REVERSE or presentation.host.was_lost:
            self._work.do()
        self._parts.print_receipt(ended)
        return self._parts.journal.entry(ended.batch, ended.receipt) or ended

    def _new_entry(self, order: TillOrder) -> tuple[TerminalEntry, Numbers]:
        journal = self._parts.journal
        receipt, numbers = journal.next_receipt()
        entry = TerminalEntry(
            receipt=receipt,
            trace="",
            batch=journal.batch,
            order=order,
            stage=Stage.STARTED,
            at=self._now(),
            transaction="",
        )
        return entry, numbers

    def _refuse_out_of_order(self) -> None:
        reason = self.out_of_order
        if reason:
            self._notify("state", f"out of order: {reason}", "", None)
            raise OutOfOrderError(reason)

    def _open_element(self, folder: Path) -> SecureElement | BrokenElement:
        try:
            return SecureElement(folder, os.urandom)
        except StorageError as error:
            self._broken = self._broken or f"{error}; {REPAIR_KEYS}"
            return BrokenElement(self._broken)

    def _open_journal(self, path: Path, sync: Sync) -> TerminalJournal:
        try:
            return TerminalJournal(JournalFile(path, sync), self._now())
        except DamagedError as error:
            self._broken = self._unreadable = f"{error}; {REPAIR_JOURNAL.format(path=path)}"
            return broken_journal(self._unreadable, self._now())

    def _open_seal(self, folder: Path) -> Seal:
        try:
            return Seal(storage_key(folder))
        except StorageError:
            # The secure element has said so, and nothing that was sealed opens with another key.
            return Seal(os.urandom(STORAGE_KEY_BYTES))

    @contextmanager
    def _alone(self, reference: str) -> Iterator[None]:
        """Do one thing at a time. Raises BusyError."""
        if not self._guard.acquire(blocking=False):
            raise BusyError("another payment is under way")
        try:
            with self._state:
                self._is_busy, self._running = True, reference
            yield
        finally:
            with self._state:
                self._is_busy = False
            self._guard.release()

    def _notify(self, kind: str, text: str, entry: str, event: CardEvent | None) -> None:
        with self._state:
            watches = tuple(self._watches)
        notice = Notice(kind, self._now(), text, entry, event)
        for each in watches:
            each(notice)

    def _unwatch(self, callback: Watch) -> None:
        with self._state:
            if callback in self._watches:
                self._watches.remove(callback)


@contextmanager
def _in_order() -> Iterator[None]:
    """Turn an error of keys or journal into one that tills know. Raises OutOfOrderError."""
    try:
        yield
    except KeysError as error:
        raise OutOfOrderError(str(error)) from error


def text_of(entry: TerminalEntry) -> str:
    """What the display says at the end."""
    if entry.stage in (Stage.MUST_REVERSE, Stage.REVERSED) and entry.ending in COUNTED:
        return "VOIDED"
    return TEXTS[entry.ending] if entry.ending else "NO ANSWER"
