"""What the journal says is to be done after a power cut, and the work that waits for a connection.

Choice: D-444.
"""

from dataclasses import replace

from pos_emulator.terminal.conclusion import print_entry
from pos_emulator.terminal.host import reversal_of
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import Ending, Stage, TerminalEntry


def recover(parts: TerminalParts) -> None:
    """Decide what a power cut has left open, and print the receipts that were not printed."""
    end_open_entries(parts)
    for printing in parts.journal.printing():
        found = parts.journal.entry(printing.batch, printing.receipt)
        if found is not None:
            print_entry(parts, found)


def end_open_entries(parts: TerminalParts) -> None:
    """End each payment that nothing carries out any more: one that the gateway was asked for is
    reversed.
    """
    for entry in parts.journal.open_entries():
        if entry.stage is Stage.STARTED:
            failed = replace(entry, stage=Stage.FAILED, ending=Ending.POWER_CUT)
            parts.keep(replace(failed, reason="the power was cut"))
        elif entry.stage is Stage.ASKED and not refers(entry):
            _reverse_at_start(parts, entry)
        elif entry.stage is Stage.ASKED and entry.ending is None:
            parts.keep(replace(entry, ending=Ending.POWER_CUT, reason="the power was cut"))


def refers(entry: TerminalEntry) -> bool:
    """Whether a payment is about an earlier one, and no card was read for it."""
    return bool(entry.order.receipt)


def _reverse_at_start(parts: TerminalParts, entry: TerminalEntry) -> None:
    known = {each.transaction for each in parts.journal.reversals()}
    cut = replace(
        entry, stage=Stage.MUST_REVERSE, ending=Ending.POWER_CUT, reason="the power was cut"
    )
    beside = () if entry.transaction in known else (reversal_of(cut, cut.reason),)
    parts.keep(cut, *beside)
