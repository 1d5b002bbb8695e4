"""How many records a snapshot may hold: no more than a sandbox takes where they are made singly.

What a sandbox holds is counted before a snapshot is written, by which it could not come back.
Source: none of the specification. Choices: D-298, D-619.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec.json import encode

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.records import Script
from simulator.domain.scripts import ARMED_MAX, TURNS_BYTES_MAX, TURNS_MAX, USED_UP_KEPT_MAX
from simulator.domain.steering.matching_scripts import (
    bytes_of_turns,
    is_used_up,
    waits_for_turn,
)
from simulator.domain.terminals.terminals import TERMINALS_MAX, Terminal
from simulator.domain.webhooks.records import ENDPOINTS_MAX, Endpoint

# fmt: off
MOST: Mapping[type, tuple[str, int]] = {
    Endpoint: ("endpoints", ENDPOINTS_MAX),
    # Those that are kept after their use, and those that were armed beside them and used since.
    Script:   ("scripts", ARMED_MAX + USED_UP_KEPT_MAX),
    Terminal: ("terminals", TERMINALS_MAX),
}
# fmt: on
ARMED, LENGTH = "scripts that are not used up", "bytes of a script"
TURNS, LENGTH_OF_TURNS = "scripts with nth", "bytes of scripts with nth"
DISARM, REMOVE, MORE = "disarm some", "remove some", " or more"
WAYS_ON = dict.fromkeys(("scripts", ARMED, TURNS, LENGTH_OF_TURNS), DISARM) | {
    LENGTH: "disarm it",
    "endpoints": REMOVE,
    "terminals": REMOVE,
}
# What is sent has 4 KiB at most; a behaviour of a folder, and ten near misses, add to it.
STORED_SCRIPT_BYTES_MAX = 64 * 1024


# What is too many of a kind: the most, what they are, and how many there are.
Crowd = tuple[int, str, int]


class RecordCounts:
    """The records of one snapshot as far as they are counted. Of a record that stands there more
    than once the last counts.
    """

    __slots__ = ("_armed", "_ids", "_longest", "_turns")

    def __init__(self) -> None:
        self._ids: defaultdict[type, set[str]] = defaultdict(set)
        self._armed: set[str] = set()
        self._turns: dict[str, int] = {}
        self._longest = 0

    def add(self, record: object) -> None:
        """Count a record of a file. Raises InvalidInputError where there are too many of them now:
        what follows is read no more.
        """
        if not isinstance(record, Endpoint | Script | Terminal):
            return
        self._count(record)
        for most, what, count in self._crowds():
            expected = f"at most {most} {what}; {WAYS_ON[what]} before the snapshot is taken"
            raise InvalidInputError("body", expected, f"{count}{'' if what == LENGTH else MORE}")

    def _count(self, record: Endpoint | Script | Terminal) -> None:
        self._ids[type(record)].add(record.id)
        if isinstance(record, Script):
            self._count_script(record)

    def _count_script(self, script: Script) -> None:
        self._armed.discard(script.id)
        if not is_used_up(script):
            self._armed.add(script.id)
        self._longest = max(self._longest, len(encode(script)))
        self._turns.pop(script.id, None)
        if waits_for_turn(script):
            self._turns[script.id] = bytes_of_turns((script,))

    def _crowds(self) -> Iterator[Crowd]:
        rows = (
            *((most, what, len(self._ids[kind])) for kind, (what, most) in MOST.items()),
            (ARMED_MAX, ARMED, len(self._armed)),
            (STORED_SCRIPT_BYTES_MAX, LENGTH, self._longest),
            (TURNS_MAX, TURNS, len(self._turns)),
            (TURNS_BYTES_MAX, LENGTH_OF_TURNS, sum(self._turns.values())),
        )
        return (row for row in rows if row[2] > row[0])

    @classmethod
    def refuse_crowded(cls, records: Iterable[Endpoint | Script | Terminal]) -> None:
        """Raise InvalidInputError where these, which a sandbox holds, are more than a restore
        takes: one of an earlier version may hold more than it would take today.
        """
        counts = cls()
        for each in records:
            counts._count(each)
        for most, what, count in counts._crowds():
            expected = f"at most {most} {what}, as a restore takes; {WAYS_ON[what]} first"
            raise InvalidInputError("sandbox", expected, str(count))
