"""What the interfaces of tills use of a terminal."""

from collections.abc import Callable
from typing import Protocol

from pos_emulator.terminal.records import TerminalEntry, TillOrder, Totals, Watch


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

    def abort(self, reference: str) -> bool:
        """End the wait of an order, of any where `reference` is empty; whether one waited."""

    def entry(self, receipt: str) -> TerminalEntry | None:
        """The payment with a receipt number."""

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
