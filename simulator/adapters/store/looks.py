"""What the scripts of one store have counted in memory: how often they were asked in vain, and why.

It is lost with the process, and stored before a sandbox is left or copied. Choice: D-619.
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from simulator.domain.core.records import Look, Script
from simulator.domain.scripts import NEAR_MISSES_MAX


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
