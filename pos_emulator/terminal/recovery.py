"""What the journal says is to be done with a payment that was broken off: by a power cut, or by an
error of keys or disk. Choice: D-444.
"""

from contextlib import suppress
from dataclasses import replace

from pos_emulator.keys.errors import KeysError, StorageError
from pos_emulator.terminal.host import reversal_of
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import Ending, OutOfOrderError, Stage, TerminalEntry

BROKEN_OFF = "the power was cut, or the terminal failed"


def recover(parts: TerminalParts) -> None:
    """Decide what a power cut has left open, and print the receipts that were not printed."""
    end_open_entries(parts)
    for printing in parts.journal.printing():
        found = parts.journal.entry(printing.batch, printing.receipt)
        if found is not None:
            parts.print_receipt(found)


def end_open_entries(parts: TerminalParts) -> None:
    """End each payment that nothing carries out any more: one that the gateway was asked for is
    reversed.
    """
    for entry in parts.journal.open_entries():
        if entry.stage is Stage.STARTED:
            failed = replace(entry, stage=Stage.FAILED, ending=Ending.POWER_CUT)
            parts.keep(replace(failed, reason=BROKEN_OFF))
        elif entry.stage is Stage.ASKED and not refers(entry):
            _reverse_at_start(parts, entry)
        elif entry.stage is Stage.ASKED and entry.ending is None:
            parts.keep(replace(entry, ending=Ending.POWER_CUT, reason=BROKEN_OFF))


def left_of(parts: TerminalParts, entry: TerminalEntry, error: KeysError) -> TerminalEntry:
    """What the journal has of a payment that an error broke off, once that is an end. What the
    gateway may have been asked for stays open, to be reversed or asked for. Raises OutOfOrderError.
    """
    last = parts.journal.entry(entry.batch, entry.receipt)
    if last is not None and last.ending is not None:
        return last
    if last is not None and last.stage is Stage.STARTED:
        reason = str(error)
        with suppress(StorageError):
            parts.keep(replace(last, stage=Stage.FAILED, ending=Ending.CARD_REFUSED, reason=reason))
    raise OutOfOrderError(str(error)) from error


def refers(entry: TerminalEntry) -> bool:
    """Whether a payment is about an earlier one, and no card was read for it."""
    return bool(entry.order.receipt)


def _reverse_at_start(parts: TerminalParts, entry: TerminalEntry) -> None:
    known = {each.transaction for each in parts.journal.reversals()}
    cut = replace(entry, stage=Stage.MUST_REVERSE, ending=Ending.POWER_CUT, reason=BROKEN_OFF)
    beside = () if entry.transaction in known else (reversal_of(cut, cut.reason),)
    parts.keep(cut, *beside)
