"""A person at the desk, by a script: what is presented, which PINs are entered, what is refused."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pos_emulator.kernel.records import PinPrompt
from pos_emulator.receipts.document import PaymentReceipt, ReceiptCopy
from pos_emulator.terminal.records import (
    CardPrompt,
    CurrencyOffer,
    DeskAbortedError,
    DeskCanceledError,
    Presented,
    TillOrder,
)

RED_KEY = "red key"
T = TypeVar("T")
Card = Presented | Callable[[], Presented] | str


@dataclass
class ScriptedDesk:
    """Presents the cards one after the other, the last one again and again, and so with the PINs.

    RED_KEY in place of a card or a PIN cancels; an empty list of cards lets the time run out.
    """

    cards: list[Card] = field(default_factory=list)
    pins: list[str] = field(default_factory=lambda: ["1234"])
    choice: int = 0
    signs: bool = True
    prompts: list[CardPrompt] = field(default_factory=list)
    pin_prompts: list[PinPrompt] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    printed: list[tuple[PaymentReceipt, ReceiptCopy]] = field(default_factory=list)
    offered: list[list[str]] = field(default_factory=list)
    pays_in: str | None = "EUR"
    currencies: list[CurrencyOffer] = field(default_factory=list)

    def present(self, prompt: CardPrompt) -> Presented:
        self.prompts.append(prompt)
        card = _next(self.cards)
        if card is None:
            raise DeskAbortedError(timed_out=True)
        if isinstance(card, str):
            raise DeskCanceledError
        return card() if callable(card) else card

    def ask_pin(self, prompt: PinPrompt) -> str:
        self.pin_prompts.append(prompt)
        pin = _next(self.pins)
        if pin is None:
            raise DeskAbortedError(timed_out=True)
        if pin == RED_KEY:
            raise DeskCanceledError
        return pin

    def choose(self, labels: Sequence[str]) -> int:
        self.offered.append(list(labels))
        return self.choice

    def choose_currency(self, offer: CurrencyOffer) -> bool:
        self.currencies.append(offer)
        if self.pays_in is None:
            raise DeskCanceledError
        return offer.card.startswith(self.pays_in)

    def confirm_signature(self, order: TillOrder) -> bool:
        return self.signs

    def show(self, text: str) -> None:
        self.texts.append(text)

    def print_receipt(self, receipt: PaymentReceipt, copy: ReceiptCopy) -> None:
        self.printed.append((receipt, copy))

    def abort(self, *, timed_out: bool = False) -> None:
        raise AssertionError("a script never waits")


def _next(script: list[T]) -> T | None:
    """The next of a script; its last one stays."""
    if len(script) > 1:
        return script.pop(0)
    return script[0] if script else None
