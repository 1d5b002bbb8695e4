"""What the gateway does not know may still arrive there: it is on its way, or waits unstored.

So it is asked for again, with pauses that grow from a minute to an hour, for a day. Choice: D-445.
"""

from datetime import datetime, timedelta

from pos_emulator.terminal.memory.journal import Reversal, Unknown
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import TerminalEntry

PAUSE, PAUSE_MAX = timedelta(minutes=1), timedelta(hours=1)
# Their pauses together are a day. Answers are counted, since both sides may have stood still.
ANSWERS_MAX = 30


def next_at(unknown: Unknown) -> datetime:
    """When a payment that was unknown is asked for again."""
    pauses = 1 << min(unknown.answers - 1, ANSWERS_MAX)
    return unknown.at + min(PAUSE * pauses, PAUSE_MAX)


def was_unknown_long(parts: TerminalParts, asked: TerminalEntry | Reversal) -> bool:
    """Note that the gateway does not know a payment, once a pause; whether it was asked for long
    enough.
    """
    known = next(iter(parts.journal.unknown(asked.transaction)), None)
    if known is not None and parts.now() < next_at(known):
        return False
    counted = Unknown(
        transaction=asked.transaction,
        batch=asked.batch,
        receipt=asked.receipt,
        answers=known.answers + 1 if known else 1,
        at=parts.now(),
    )
    parts.journal.write(counted)
    return counted.answers >= ANSWERS_MAX
