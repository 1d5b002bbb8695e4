"""The scripts armed in a sandbox, in the order in which they are asked, and what they counted."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from simulator.domain.core.ports import Store, unit_of
from simulator.domain.core.records import Look, Script
from simulator.domain.core.transact import transact

NEAR_MISSES_MAX = 10
# Each payment asks and counts every script that is not used up. Choice: D-298.
ARMED_MAX = 500
USED_UP_KEPT_MAX = 500
# A script that counts the requests that fit it is stored anew with each of them, with its near
# misses. Choice: D-619.
TURNS_MAX, TURNS_BYTES_MAX = 20, 16 * 1024


def armed_scripts(store: Store) -> list[Script]:
    """Every script as it is stored, newest first."""
    return store.find(Script, "armed", "yes")[::-1]


def counted_scripts(store: Store) -> list[Script]:
    """Every script with all that it has counted, newest first."""
    return list(map(store.looks.shown, armed_scripts(store)))


def store_looks(store: Store) -> None:
    """Store what is counted in memory, which is about to be left, or copied. Raises DiskError,
    EpochEndedError.
    """
    transact(store, lambda: _store_looks(store))


def _store_looks(store: Store) -> None:
    if store.looks.is_empty:
        return
    pairs = zip(armed_scripts(store), counted_scripts(store), strict=True)
    changed = [counted for stored, counted in pairs if counted is not stored]
    if not changed:
        return
    taken, is_stored = store.looks.take(), False
    try:
        store.commit(unit_of(*changed))
        is_stored = True
    finally:
        if not is_stored:
            store.looks.give_back(taken)


class Count:
    """How often one script was asked in vain, and the last reasons, each once."""

    __slots__ = ("asked", "reasons")

    def __init__(self) -> None:
        self.asked = 0
        self.reasons: dict[str, None] = {}

    def add(self, reasons: Iterable[str], *, asked: int = 1) -> None:
        """Count `asked` more, for these reasons."""
        self.asked += asked
        for reason in reasons:
            self.reasons.pop(reason, None)
            self.reasons[reason] = None
        while len(self.reasons) > NEAR_MISSES_MAX:
            del self.reasons[next(iter(self.reasons))]


class ScriptLooks:
    """Implements ports.Looks for the scripts of one store."""

    __slots__ = ("_counts",)

    def __init__(self) -> None:
        self._counts: dict[str, Count] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing is counted here."""
        return not self._counts

    def note(self, looks: Iterable[Look]) -> None:
        """Count these."""
        for script, near_miss in looks:
            self._count(script.id).add((near_miss,))

    def shown(self, script: Script) -> Script:
        """The script with what is counted here."""
        count = self._counts.get(script.id)
        if count is None:
            return script
        before = [each for each in script.near_misses if each not in count.reasons]
        near_misses = (*before, *count.reasons)[-NEAR_MISSES_MAX:]
        return replace(script, asked=script.asked + count.asked, near_misses=near_misses)

    def take(self) -> Mapping[str, Count]:
        """All that is counted here, which is here no more."""
        taken, self._counts = self._counts, {}
        return taken

    def give_back(self, taken: Mapping[str, Count]) -> None:
        """Count what was taken and could not be stored."""
        for identity, count in taken.items():
            self._count(identity).add(count.reasons, asked=count.asked)

    def drop(self, identity: str) -> None:
        """Forget a script that is removed."""
        self._counts.pop(identity, None)

    def _count(self, identity: str) -> Count:
        count = self._counts.get(identity)
        if count is None:
            count = self._counts[identity] = Count()
        return count
