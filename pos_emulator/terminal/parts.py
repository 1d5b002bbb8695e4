"""What a terminal consists of, handed to those who carry out its payments."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pos_emulator.gps import GpsReceiver
from pos_emulator.kernel.records import CardEvent, KernelTerminal
from pos_emulator.keys.element import SecureElement
from pos_emulator.receipts.conversion import ConversionRates
from pos_emulator.receipts.document import ReceiptCopy
from pos_emulator.terminal.gateway import Gateway
from pos_emulator.terminal.memory.identity import Identity
from pos_emulator.terminal.memory.journal import Printing, Reversal, TerminalJournal
from pos_emulator.terminal.memory.sealing import BrokenElement, Seal
from pos_emulator.terminal.records import TerminalEntry
from pos_emulator.terminal.stand import Stand

RANDOM_BYTES = 4


@dataclass(frozen=True, kw_only=True)
class TerminalParts:
    """`random` returns so many random bytes; `notify` is given what happened: kind, text, the
    name of the payment, and the exchange with a card.
    """

    identity: Identity
    kernel: KernelTerminal
    element: SecureElement | BrokenElement
    seal: Seal
    journal: TerminalJournal
    gateway: Gateway
    stand: Stand
    now: Callable[[], datetime]
    random: Callable[[int], bytes]
    rates: ConversionRates
    gps: GpsReceiver
    notify: Callable[[str, str, str, CardEvent | None], None]

    def new_transaction(self, trace: str) -> str:
        """A merchantTransactionId that no other try has. Letters stand between its digits, so that
        it is not taken for a card number and masked.
        """
        return f"{self.identity.id}T{trace}R{self.random(RANDOM_BYTES).hex()}"

    def keep(self, entry: TerminalEntry, *beside: TerminalEntry | Reversal) -> TerminalEntry:
        """Write an entry, and what belongs to it, and let it be noticed."""
        self.journal.write(entry, *beside)
        self.notify("entry", entry.stage.value, entry.name, None)
        return entry

    def print_receipt(self, entry: TerminalEntry) -> None:
        """Print both copies of an entry that is written, then note that they are printed."""
        if entry.printed is not None:
            for copy in (ReceiptCopy.MERCHANT, ReceiptCopy.CARDHOLDER):
                self.stand.print_receipt(entry.printed, copy)
            self.journal.write(drop=(Printing(batch=entry.batch, receipt=entry.receipt),))
