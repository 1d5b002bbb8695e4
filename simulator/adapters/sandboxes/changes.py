"""Changes of sandboxes as they are stored, and what follows from each of them.

A database that is lost during a write may have stored it (D-687), a disk that fails at the end of
one may undo it (D-688), and a database that is lost behind a write keeps from being done what
follows. Either is done once it can be read which record stands: before the sandbox is loaded,
changed or given away, and before a token is unknown.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple
from weakref import WeakValueDictionary

from gevent.lock import BoundedSemaphore

from simulator.adapters.sandboxes.token_index import TokenIndex
from simulator.adapters.settlement.epochs import EpochFiles
from simulator.adapters.store.engine import Engine
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DiskError, EpochEndedError, UnknownOutcomeError
from simulator.domain.core.ports import Unit

LOG = logging.getLogger("sandgate.store")


class ChangedParts(NamedTuple):
    """What is changed with a sandbox: its tokens, its files, what is in memory of an epoch, which
    goes on or ends, the store of one that has not begun, when its next work is due, and the turn in
    which its epochs begin and end.
    """

    known: TokenIndex
    files: EpochFiles
    update: Callable[[str], object]
    end_epoch: Callable[[Sandbox], object]
    close_store: Callable[[Sandbox], object]
    find_due_work: Callable[[str], object]
    turn_of: Callable[[str], BoundedSemaphore]


class SandboxChanges:
    """Stores changes of sandboxes over an engine."""

    def __init__(self, engine: Engine, parts: ChangedParts):
        self._engine = engine
        self._parts = parts
        # The records of which at most one stands, by the ids of their sandboxes.
        self._unfinished: dict[str, tuple[Sandbox, ...]] = {}
        # Sandboxes that may be in memory with another record of their epoch than the one that
        # stands.
        self._outdated: set[str] = set()
        # Each is held while what follows is done: a disk may take long to give a log back.
        self._finishing: WeakValueDictionary[str, BoundedSemaphore] = WeakValueDictionary()

    def store(self, unit: Unit, before: Sandbox | None, after: Sandbox | None) -> None:
        """Store a unit that puts one record of a sandbox in the place of another, durably, and do
        what follows. Raises ConflictError, DiskError.
        """
        changed = [each for each in (before, after) if each is not None]
        identity = changed[0].id
        self.finish(identity)
        try:
            self._engine.records.commit(unit)
        except UnknownOutcomeError:
            self._note_unknown(before, after)
            self._finish_soon(identity)
            self._parts.find_due_work(identity)
            raise
        self._parts.known.know(identity, after)
        if before is not None and (after is None or after.epoch != before.epoch):
            self._note(before)
            self._parts.end_epoch(before)
            self._finish_soon(identity)
        elif before is None and after is not None:
            # Another run would take the files of runs that are gone for its own.
            self._parts.files.begin(after)

    @contextmanager
    def preparing(self, sandbox: Sandbox) -> Iterator[None]:
        """Held while an epoch of a sandbox, which has its home here, is made ready and begins:
        where it does not begin, nothing of it stays.
        """
        self.finish(sandbox.id)
        self._engine.make_home(sandbox.id)
        has_begun = False
        try:
            yield
            has_begun = True
        finally:
            if not has_begun:
                self._note(sandbox)
                self._finish_soon(sandbox.id)

    def finish(self, identity: str) -> None:
        """Do what follows from the changes of a sandbox and is not done yet. Raises DiskError."""
        if identity in self._unfinished:
            with self._finishing.setdefault(identity, BoundedSemaphore(1)):
                if former := self._unfinished.get(identity):
                    self._follow(identity, former)
                    self._forget(identity, len(former))

    def catch_up(self, identity: str) -> None:
        """Go on in memory with the record that stands, once that is known. Raises DiskError."""
        if identity in self._outdated:
            self.finish(identity)
            self._parts.update(identity)
            self._outdated.discard(identity)

    def learn(self) -> None:
        """Know the tokens of the records that stand, as far as those can be read; what else follows
        is not waited for.
        """
        for identity in [*self._unfinished]:
            with suppress(DiskError):
                self._parts.known.know(identity, self._engine.records.get(Sandbox, identity))

    @contextmanager
    def clearing(self, identity: str) -> Iterator[None]:
        """Let nothing stay of a sandbox that turns out to be gone, or never to have begun: the
        gateway was lost that deleted or restored it. Raises EpochEndedError then, or DiskError.
        """
        try:
            yield
        except EpochEndedError:
            if self._engine.is_shared:
                self._clear(identity)
            raise

    def _clear(self, identity: str) -> None:
        turn = self._parts.turn_of(identity)
        # What begins it here has the turn.
        if turn.acquire(blocking=False):
            try:
                # Where it begins is its home, and in this turn it is not given away.
                self._engine.make_home(identity)
                self._follow(identity, ())
            finally:
                turn.release()

    def _note_unknown(self, before: Sandbox | None, after: Sandbox | None) -> None:
        changed = [each for each in (before, after) if each is not None]
        self._note(*changed)
        if after is not None:
            # Nothing is done with the tokens of either before it is known which record stands.
            self._parts.known.add_too(after)
        if before is not None and after is not None and before.epoch == after.epoch:
            # What is under way goes on.
            self._outdated.add(after.id)
        else:
            # What goes on in memory may be of an epoch that is over: what stands is loaded anew.
            self._parts.end_epoch(changed[0])

    def _note(self, *records: Sandbox) -> None:
        identity = records[0].id
        self._unfinished[identity] = (*self._unfinished.get(identity, ()), *records)

    def _forget(self, identity: str, count: int) -> None:
        """Forget the oldest notes: others may have come meanwhile."""
        self._unfinished[identity] = self._unfinished[identity][count:]
        if not self._unfinished[identity]:
            del self._unfinished[identity]

    def _finish_soon(self, identity: str) -> None:
        """Finish it now, else once the database answers again."""
        with suppress(DiskError):
            self.finish(identity)
        if identity in self._unfinished:
            self._parts.find_due_work(identity)

    def _follow(self, identity: str, former: Sequence[Sandbox]) -> None:
        stands = self._engine.records.get(Sandbox, identity)
        self._parts.known.know(identity, stands)
        for each in former:
            if stands is None or each.epoch != stands.epoch:
                self._parts.close_store(each)
                self._drop(each)
        if stands is not None:
            self._parts.files.begin(stands)
            return
        self._outdated.discard(identity)
        self._parts.files.remove(identity)
        # At last: no other gateway begins an epoch of it while this one still removes.
        self._engine.leave_home(identity)

    def _drop(self, sandbox: Sandbox) -> None:
        try:
            self._engine.drop(sandbox)
        except OSError as error:
            # It takes room, and no other harm: the sandbox goes on.
            LOG.warning("an epoch that is over stays on the disk: %s", error.strerror)
