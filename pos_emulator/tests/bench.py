"""A terminal, a holder and an issuer on a bench: what tests of the kernel pay with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from random import Random

from pos_emulator.card.faults import Fault
from pos_emulator.card.magstripe import magstripe_of
from pos_emulator.card.memory import RamMemory
from pos_emulator.card.profiles import CardFile, card_file
from pos_emulator.card.slot import CardSlot, slot_of
from pos_emulator.kernel.contact import pay_with_chip
from pos_emulator.kernel.contactless import pay_with_tap
from pos_emulator.kernel.magstripe import Tries, pay_with_swipe
from pos_emulator.kernel.models import terminal_of
from pos_emulator.kernel.records import (
    AcceptedApplication,
    CardOutcome,
    CardPayment,
    Devices,
    KernelTerminal,
    PinEntry,
    PinPrompt,
    PinStatus,
    SaleKind,
)
from pos_emulator.tests.issuer import TestIssuer

NOW = datetime(2026, 11, 23, 12, 0, 0)


@dataclass
class Holder:
    """Enters these PINs one after the other; a status in place of a PIN is what happens instead."""

    pins: Sequence[str | PinStatus] = ()
    wants: Sequence[str] = ()
    prompts: list[PinPrompt] = field(default_factory=list)
    offered: list[list[str]] = field(default_factory=list)

    def ask(self, prompt: PinPrompt, account: str) -> PinEntry:
        pin = self.pins[min(len(self.prompts), len(self.pins) - 1)] if self.pins else "1234"
        self.prompts.append(prompt)
        if isinstance(pin, PinStatus):
            return PinEntry(pin)
        if prompt.is_online:
            return PinEntry(PinStatus.ENTERED, f"online:{pin}".encode())
        block = f"2{len(pin):X}{pin}".ljust(16, "F")
        return PinEntry(PinStatus.ENTERED, bytes.fromhex(block))

    def choose(self, labels: Sequence[str]) -> int | None:
        """The first wanted label that is offered; cancels if none is."""
        self.offered.append(list(labels))
        return next((labels.index(label) for label in self.wants if label in labels), None)


class Bench:
    """One card in the hand of a holder, at one terminal."""

    def __init__(
        self,
        card: str = "gold",
        *,
        model: str = "COUNTERTOP",
        pins: Sequence[str | PinStatus] = (),
        faults: Iterable[Fault] = (),
        file: CardFile | None = None,
        seed: int = 1,
    ) -> None:
        self.file = file or card_file()
        self.profile = self.file.cards[card]
        self.memory = RamMemory()
        self.slot: CardSlot = slot_of(card, self.memory, faults, self.file)
        self.terminal: KernelTerminal = terminal_of(model, terminal_id="10000001", file=self.file)
        self.holder = Holder(pins)
        self.issuer = TestIssuer(self.profile)
        self.random = Random(seed)
        self.sequence = 0

    def insert(
        self, amount: int = 60_00, kind: SaleKind = SaleKind.PURCHASE, **more: int
    ) -> CardOutcome:
        return pay_with_chip(self.terminal, self.payment(amount, kind, **more), self.devices())

    def tap(self, amount: int = 20_00, kind: SaleKind = SaleKind.PURCHASE) -> CardOutcome:
        return pay_with_tap(self.terminal, self.payment(amount, kind), self.devices())

    def swipe(self, amount: int = 60_00, tries: Tries | None = None) -> CardOutcome:
        magstripe = magstripe_of(self.profile)
        assert magstripe is not None
        payment = self.payment(amount, SaleKind.PURCHASE)
        return pay_with_swipe(
            self.terminal, payment, self.devices(), magstripe=magstripe, tries=tries or Tries()
        )

    def payment(self, amount: int, kind: SaleKind, **more: int) -> CardPayment:
        self.sequence += 1
        return CardPayment(amount, "978", 2, NOW, self.sequence, kind, **more)

    def devices(self) -> Devices:
        return Devices(
            self.slot, self.holder, self.issuer, self.holder.choose, self.random.randbytes
        )

    def rules(self, **changed: object) -> None:
        """Change the terminal's rules for every application."""
        applications: tuple[AcceptedApplication, ...] = tuple(
            replace(row, **changed) for row in self.terminal.applications
        )
        self.terminal = replace(self.terminal, applications=applications)

    def faulty(self, *faults: Fault) -> None:
        """Put the card back with these faults."""
        self.slot = CardSlot(self.slot.chip, self.memory, faults)

    @property
    def kept(self):
        """What the chip remembers."""
        return self.memory.load(self.slot.chip)
