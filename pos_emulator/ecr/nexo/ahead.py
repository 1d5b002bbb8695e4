"""A card that the customer presents before the till has the amount: EnableService begins it.

It is read in a thread of its own, so that the till gets its answer at once; the payment or card
acquisition that follows takes it, or ends the wait and asks for a card as ever. Choice: D-512.
"""

import threading
from contextlib import suppress

from pos_emulator.ecr.ports import TillTerminal
from pos_emulator.terminal.records import (
    AcquiredCard,
    BusyError,
    DeskAbortedError,
    DeskCanceledError,
    OutOfOrderError,
    UnreadableCardError,
)

REFERENCE = "ahead"
END_S, END_EVERY_S = 5.0, 0.05
NO_CARD = (BusyError, DeskAbortedError, DeskCanceledError, OutOfOrderError, UnreadableCardError)


class CardAhead:
    """The card of the next payment at a terminal, while it is read and once it was."""

    def __init__(self, terminal: TillTerminal):
        self._terminal = terminal
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._card: AcquiredCard | None = None

    def begin(self) -> None:
        """Let the terminal ask for a card, in place of one that was asked for before."""
        self.take()
        with self._lock:
            self._thread = threading.Thread(target=self._read, daemon=True)
            self._thread.start()

    def take(self) -> AcquiredCard | None:
        """The card if it was presented; the terminal waits for it no longer."""
        with self._lock:
            thread, self._thread = self._thread, None
            for _ in range(round(END_S / END_EVERY_S)):
                if thread is None or not thread.is_alive():
                    break
                self._terminal.abort(REFERENCE)
                thread.join(END_EVERY_S)
            card, self._card = self._card, None
            return card

    def _read(self) -> None:
        with suppress(*NO_CARD):
            self._card = self._terminal.acquire(REFERENCE)
