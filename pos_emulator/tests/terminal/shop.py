"""A shop for tests: a sandbox of a gateway, one terminal in a folder, cards, and a desk."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

import pytest

from pos_emulator.card.faults import Fault
from pos_emulator.card.magstripe import magstripe_of
from pos_emulator.card.memory import RamMemory
from pos_emulator.card.profiles import card_file
from pos_emulator.card.slot import slot_of
from pos_emulator.terminal.gateway import Gateway
from pos_emulator.terminal.memory.journal import TerminalJournal
from pos_emulator.terminal.memory.journal_file import JournalFile
from pos_emulator.terminal.records import (
    Ending,
    Inserted,
    Keyed,
    OrderKind,
    Stage,
    Swiped,
    Tapped,
    TerminalEntry,
    TillOrder,
    Totals,
)
from pos_emulator.terminal.setup import load_terminal
from pos_emulator.terminal.terminal import JOURNAL_FILE, Terminal
from pos_emulator.terminal.unknown import ANSWERS_MAX
from pos_emulator.tests.terminal.desk import Card, ScriptedDesk
from simulator.client.sandbox import SandboxClient

SALE = {"operation": "create_payment"}
CLOCK = {"mode": "scaled", "rate": 5_000}
FAST = pytest.mark.sandgate(clock=CLOCK)


class Ledger(Protocol):
    """What a till keeps of its orders."""

    @property
    def net(self) -> Decimal: ...
    @property
    def moved(self) -> object: ...
    def settle(self) -> None: ...


class SetClock:
    """The clock of a terminal, which a test moves."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> None:
        self.now += timedelta(**span)


@dataclass
class Shop:
    """`options` are those of the terminal. Cards keep their counters for the whole test. What
    `till` has in its ledger must agree too.
    """

    sandbox: SandboxClient
    folder: Path
    model: str = "SANDGATE_COUNTERTOP"
    method: str = "AES"
    test_mode: str = "EXTERNAL"
    timeout_s: float = 2
    options: dict[str, Any] = field(default_factory=dict)
    closed: list[Totals] = field(default_factory=list)
    till: Ledger | None = None

    def __post_init__(self) -> None:
        self.clock, self.memory, self.desk = SetClock(), RamMemory(), ScriptedDesk()
        self.document = self.sandbox.control.create_terminal(
            self.sandbox.id, model=self.model, method=self.method
        )
        load_terminal(self.folder, self.document, merchant="Corner Shop")
        self.gateway = Gateway(
            self.sandbox.url,
            self.sandbox.token,
            self.document["channel"],
            timeout_s=self.timeout_s,
            test_mode=self.test_mode,
        )
        self.terminal = self.open()

    def open(self) -> Terminal:
        self.terminal = Terminal(
            self.folder, self.gateway, self.desk, now=self.clock, **self.options
        )
        return self.terminal

    def restart(self) -> Terminal:
        self.terminal.close()
        return self.open()

    def edit(self, change: Callable[[TerminalJournal], None]) -> None:
        """Change the journal of the terminal while it has no power."""
        self.terminal.close()
        journal = TerminalJournal(JournalFile(self.folder / JOURNAL_FILE), self.clock())
        change(journal)
        journal.close()
        self.open()

    def renumber(self, entry: TerminalEntry, receipt: str) -> TerminalEntry:
        """Give an entry a number as earlier builds did: each batch began with 000001."""
        named = replace(entry, receipt=receipt)
        self.edit(lambda journal: journal.write(named, drop=(entry,)))
        return named

    def close(self) -> None:
        self.terminal.close()

    def insert(self, name: str = "gold", *faults: Fault) -> Inserted:
        return Inserted(slot_of(name, self.memory, faults))

    def tap(self, name: str = "gold", *faults: Fault) -> Tapped:
        return Tapped(slot_of(name, self.memory, faults))

    def swipe(self, name: str) -> Swiped:
        magstripe = magstripe_of(card_file().cards[name])
        assert magstripe is not None
        return Swiped(magstripe)

    def key(self, name: str = "gold", code: str = "") -> Keyed:
        profile = card_file().cards[name]
        return Keyed(profile.number, profile.expiry, code)

    def order(
        self,
        amount: str | None = "60.00",
        operation: OrderKind = OrderKind.SALE,
        *,
        cards: Iterable[Card] = (),
        pins: Iterable[str] = (),
        **more: Any,
    ) -> TerminalEntry:
        """Run an order with these cards and PINs on the desk."""
        self.desk.cards = list(cards)
        self.desk.pins = list(pins) or self.desk.pins
        asked = None if amount is None else Decimal(amount)
        return self.terminal.run(TillOrder(operation=operation, amount=asked, **more))

    def pass_a_day(self) -> None:
        """Let time pass until what the gateway does not know is not waited for any more."""
        for _ in range(ANSWERS_MAX):
            self.clock.advance(hours=1)
            if self.terminal.work() == 0:
                break

    def hold(self) -> None:
        """Hold what is sent to the risk system, before the gateway stores it."""
        self.sandbox.control.set_breakpoints(self.sandbox.id, "risk")

    def held(self) -> int:
        """How many messages are held."""
        return len(self.sandbox.control.held(self.sandbox.id))

    def release(self) -> None:
        """Let all messages go on, the oldest first, and wait until they have ended."""
        control = self.sandbox.control
        waiting = control.held(self.sandbox.id)
        control.set_breakpoints(self.sandbox.id)
        for each in waiting:
            control.let_go(self.sandbox.id, str(each["id"]), "release")
        assert self.sandbox.drain()

    def books(self) -> dict[str, Any]:
        return dict(self.sandbox.control.books(self.sandbox.id))

    def agree(self) -> None:
        """Nothing is open, and terminal, till, gateway and host moved the same money."""
        assert self.terminal.work() == 0
        here, at_gateway = self._moved_here(), self.moved_at_gateway()
        assert here == at_gateway, (self.closed, self.books())
        if self.till is not None:
            self.till.settle()
            assert self.till.net == here, self.till.moved

    def moved_at_gateway(self) -> Decimal:
        """What gateway and host moved, where they agree."""
        books = self.books()
        assert books["agree"], books
        assert books["under_way"] == []
        return sum(
            (SIGNS.get(line["type"], 0) * Decimal(line["gateway"]) for line in books["lines"]),
            Decimal(0),
        )

    def _moved_here(self) -> Decimal:
        """What the terminal moved in all batches that are closed, this one too."""
        totals = self.terminal.close_batch()
        self.closed.append(totals)
        assert totals.open_receipts == ()
        assert totals.differences == ()
        return sum((net(each) for each in self.closed), Decimal(0))


def ended(entry: TerminalEntry) -> tuple[Stage, Ending | None]:
    """Stage and ending."""
    return entry.stage, entry.ending


def without_network(shop: Shop) -> TerminalEntry:
    """A payment of 12.00 that was approved offline."""
    shop.terminal.network_up = False
    entry = shop.order("12.00", cards=[shop.insert("gold")])
    shop.terminal.network_up = True
    assert entry.stage is Stage.STORED
    return entry


def net(totals: Totals) -> Decimal:
    """What the payments of a batch moved."""
    return sum(
        (each.sales_amount - each.refunds_amount - each.voids_amount for each in totals.currencies),
        Decimal(0),
    )


# What a payment of this type does to the merchant's money; an authorization alone does nothing.
SIGNS = {"DB": 1, "CP": 1, "RF": -1, "CD": -1}
