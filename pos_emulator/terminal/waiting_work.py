"""What waits for a connection: reversals, uploads, lost answers. Each is tried once a minute, what
the gateway does not know with growing pauses.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from pos_emulator.terminal.gateway import LostAnswerError, NotSentError
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import Stage, TerminalEntry
from pos_emulator.terminal.recovery import end_open_entries, refers
from pos_emulator.terminal.references import settle
from pos_emulator.terminal.reversals import reverse
from pos_emulator.terminal.saf import StoreAndForward
from pos_emulator.terminal.unknown import next_at

INTERVAL = timedelta(minutes=1)


class WaitingWork:
    """Remembers when each piece was tried last; after a restart all of it is due."""

    def __init__(self, parts: TerminalParts, store: StoreAndForward):
        self._parts, self._store = parts, store
        self._tried: dict[str, datetime] = {}

    def do(self, *, all_of_it: bool = False) -> int:
        """Try what is due, or all of it, also what was closed as unknown; how many pieces remain.
        Reversals come first, and an upload that fails or is not due keeps the later ones back, but
        for one that fails for a reason of its own. Raises KeysError.
        """
        with self._parts.gateway.asking_in_a_row():
            self._do(all_of_it=all_of_it)
        return self.remaining()

    def _do(self, *, all_of_it: bool) -> None:
        journal = self._parts.journal
        end_open_entries(self._parts)
        for lost in self._lost() + (self._closed() if all_of_it else []):
            self._try(lost.transaction, all_of_it, partial(settle, self._parts, lost))
        closed = journal.reversals(is_closed=True) if all_of_it else ()
        for reversal in journal.reversals() + closed:
            self._try(reversal.transaction, all_of_it, partial(reverse, self._parts, reversal))
        self._upload(all_of_it=all_of_it)

    def _upload(self, *, all_of_it: bool) -> None:
        for stored in self._parts.journal.stored():
            name = stored.transaction
            try:
                is_done = self._try(name, all_of_it, partial(self._store.upload, stored))
            except (NotSentError, LostAnswerError):
                break
            if not is_done and name not in self._store.alone:
                break

    def remaining(self) -> int:
        """How many pieces wait."""
        journal = self._parts.journal
        return len(self._lost()) + len(journal.reversals()) + len(journal.stored())

    def _lost(self) -> list[TerminalEntry]:
        entries = self._parts.journal.open_entries()
        return [each for each in entries if each.stage is Stage.ASKED and refers(each)]

    def _closed(self) -> list[TerminalEntry]:
        """Payments about an earlier one that were not carried out, as far as the gateway knew."""
        journal = self._parts.journal
        found = (journal.entry(each.batch, each.receipt) for each in journal.unknown())
        return [each for each in found if each and each.stage is Stage.FAILED and refers(each)]

    def _try(self, name: str, is_forced: bool, act: Callable[[], object]) -> bool:
        if not is_forced and not self._is_due(name):
            return False
        self._tried[name] = self._parts.now()
        is_done = bool(act())
        if is_done:
            del self._tried[name]
        return is_done

    def _is_due(self, name: str) -> bool:
        now, tried = self._parts.now(), self._tried.get(name)
        pauses = [next_at(each) for each in self._parts.journal.unknown(name)]
        if tried is not None:
            pauses.append(tried + INTERVAL)
        return now >= max(pauses, default=now)
