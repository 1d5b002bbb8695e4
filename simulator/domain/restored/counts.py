"""How many records a snapshot may hold: no more than a sandbox takes where they are made singly.

Source: none of the specification. Choices: D-298, D-619.
"""

from collections import defaultdict
from collections.abc import Mapping

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
# What is sent has 4 KiB at most; a behaviour of a folder, and ten near misses, add to it.
STORED_SCRIPT_BYTES_MAX = 64 * 1024


class RecordCounts:
    """The records of one snapshot as far as they are counted. Of a record that stands there more
    than once the last counts.
    """

    __slots__ = ("_armed", "_ids", "_turns")

    def __init__(self) -> None:
        self._ids: defaultdict[type, set[str]] = defaultdict(set)
        self._armed: set[str] = set()
        self._turns: dict[str, int] = {}

    def add(self, record: object) -> None:
        """Count a record. Raises InvalidInputError where there are too many of them now."""
        kind = type(record)
        if isinstance(record, Endpoint | Script | Terminal):
            self._ids[kind].add(record.id)
            _refuse_more(MOST[kind][1], MOST[kind][0], len(self._ids[kind]))
        if isinstance(record, Script):
            self._add_script(record)

    def _add_script(self, script: Script) -> None:
        self._armed.discard(script.id)
        if not is_used_up(script):
            self._armed.add(script.id)
        _refuse_more(ARMED_MAX, "scripts that are not used up", len(self._armed))
        _refuse_more(STORED_SCRIPT_BYTES_MAX, "bytes of a script", len(encode(script)))
        self._turns.pop(script.id, None)
        if waits_for_turn(script):
            self._turns[script.id] = bytes_of_turns((script,))
        _refuse_more(TURNS_MAX, "scripts with nth", len(self._turns))
        _refuse_more(TURNS_BYTES_MAX, "bytes of scripts with nth", sum(self._turns.values()))


def _refuse_more(most: int, what: str, count: int) -> None:
    if count > most:
        raise InvalidInputError("body", f"at most {most} {what}", str(count))
