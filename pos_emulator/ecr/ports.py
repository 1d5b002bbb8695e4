"""What the interfaces of tills use of a terminal."""

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Protocol

from pos_emulator.card_numbers import has_card_number
from pos_emulator.receipts.document import PrintedLine
from pos_emulator.terminal.records import (
    AcquiredCard,
    PaymentDesk,
    TerminalEntry,
    TillOrder,
    Totals,
    Watch,
)

INPUT_CHARACTERS_MAX = 100


class InputSigns(Enum):
    """What may be typed, in words."""

    DIGITS = "digits"
    DECIMAL = "a decimal number"
    TEXT = "characters"


@dataclass(frozen=True, kw_only=True)
class InputPrompt:
    """What a till asks a customer to type: `shortest` to `longest` characters, `decimals` at most
    behind the point of a decimal number; `is_masked` shows stars in their place.
    """

    text: str
    signs: InputSigns
    shortest: int = 1
    longest: int = INPUT_CHARACTERS_MAX
    decimals: int = 2
    is_masked: bool = False

    def complaint_about(self, typed: str) -> str:
        """Why this is not what was asked for, without repeating it; empty if it is."""
        if has_card_number(typed):
            return "expected no number of a card"
        fraction = rf"(\.[0-9]{{1,{self.decimals}}})?" if self.decimals else ""
        forms = {
            InputSigns.DIGITS: r"[0-9]*",
            InputSigns.DECIMAL: rf"[0-9]+{fraction}",
            InputSigns.TEXT: r".*",
        }
        is_long_enough = self.shortest <= len(typed) <= self.longest
        if is_long_enough and typed.isprintable() and re.fullmatch(forms[self.signs], typed):
            return ""
        return f"expected {self.signs.value}, {self.shortest} to {self.longest} characters"


class CustomerDesk(PaymentDesk, Protocol):
    """Who is at the terminal for a till that asks and prints there: not in payments alone."""

    def ask_text(self, prompt: InputPrompt) -> str:
        """What the customer types. Raises DeskCanceledError, DeskAbortedError."""

    def ending_at_card(self) -> AbstractContextManager[None]:
        """Until the end of the block, a card that is inserted ends `choose` and `ask_text` with
        CardInsertedError; it stays in the reader for the payment that follows.
        """

    def print_lines(self, name: str, lines: Sequence[PrintedLine]) -> None:
        """Print a document that is no receipt of this terminal."""


class TerminalIdentity(Protocol):
    """What a terminal says about itself: pos.terminalId, pos.deviceId, its model, its merchant."""

    @property
    def id(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def model(self) -> str: ...


class TillTerminal(Protocol):
    """A terminal, as a till orders payments at it; it carries out one order at a time."""

    network_up: bool

    @property
    def identity(self) -> TerminalIdentity:
        """Who it is."""

    @property
    def out_of_order(self) -> str:
        """Why it cannot pay, or an empty text."""

    def run(self, order: TillOrder) -> TerminalEntry:
        """Carry out an order. Raises BusyError, OutOfOrderError, OrderError."""

    def acquire(self, reference: str, amount: Decimal | None = None) -> AcquiredCard:
        """Read a card, with `amount` also one that is tapped, and keep it for the order that names
        it. Raises BusyError, OutOfOrderError, UnreadableCardError, DeskCanceledError,
        DeskAbortedError.
        """

    def release_card(self) -> None:
        """Give back a card that was read. Raises BusyError."""

    def abort(self, reference: str) -> bool:
        """End the wait of an order, of any where `reference` is empty; whether one waited."""

    def entry(self, receipt: str) -> TerminalEntry | None:
        """The payment of the open batch with a receipt number, or that of a batch and number."""

    def reservation(self, receipt: str) -> TerminalEntry | None:
        """The approved pre-authorization with a receipt number, of any batch. Raises OrderError
        where several have it.
        """

    def entry_of(self, reference: str) -> TerminalEntry | None:
        """The payment of an order."""

    def totals(self) -> Totals:
        """The totals of the open batch."""

    def close_batch(self) -> Totals:
        """Close the batch. Raises BusyError, OutOfOrderError."""

    def closed_batch(self, batch: str) -> Totals | None:
        """The totals of a closed batch, of the last one where `batch` is empty."""

    def watch(self, callback: Watch) -> Callable[[], None]:
        """Have `callback` called with each notice, until what is returned is called."""
