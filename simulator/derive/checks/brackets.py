"""Names with brackets: indexes of lists and keys of maps, and what may be wrong with them.

Source: Transport and encoding, 4: "an index in square brackets starting at 0". TRN-06, TRN-07.
Choice: D-267 (keys that name what no request may carry).
"""

from collections.abc import Iterator, Mapping

from simulator.catalogue.fields.limits import FORBIDDEN_KEY, FORBIDDEN_KEYS
from simulator.derive.checks.compiled_rows import CompiledRow
from simulator.grammar.names import parts_of
from simulator.grammar.relations import Relation
from simulator.grammar.violations import Violation

SHAPE = "TRN-06"

# Which names use which index of which list: {"cart.items": {0: "cart.items[0].name"}}.
Used = dict[str, dict[int, str]]


def line_of(name: str, lines: Mapping[str, CompiledRow]) -> CompiledRow | None:
    """The row a name follows, with any index or key in its brackets."""
    return lines.get(parts_of(name).skeleton)


def brackets_wrong(name: str, line: CompiledRow, used: Used) -> str | None:
    """What is wrong in the brackets of `name`, or None; good indexes are noted in `used`."""
    parts = parts_of(name)
    contents = parts.contents
    if line.key is not None:
        if not all(map(line.key_accepts, contents)):
            return f"key must match {line.key.pattern}"
        return FORBIDDEN_KEY if any(map(FORBIDDEN_KEYS.are_in, contents)) else None
    if not parts.has_indexes:
        return "index must be digits without a leading zero"
    for content, list_name in zip(contents, parts.opened(), strict=True):
        used.setdefault(list_name, {}).setdefault(int(content), name)
    return None


def lists_with_gaps(used: Used) -> Iterator[Violation]:
    """A violation for every list that does not run from 0 without a gap."""
    for opened, names in used.items():
        first_free = _first_free(names)
        above = [index for index in names if index > first_free]
        if above:
            name = names[min(above)]
            yield Violation(
                name, None, f"{opened}[{first_free}] is missing: indexes run from 0", SHAPE
            )


def lists_too_long(used: Used, limits: Mapping[str, Relation]) -> Iterator[Violation]:
    """A violation for every list that is too long."""
    for opened, names in used.items():
        limit = limits.get(opened)
        if limit is not None:
            beyond = [index for index in names if index >= limit.limits[0]]
            if beyond:
                yield Violation(names[min(beyond)], None, f"{opened} {limit.says}", limit.id)


def _first_free(indexes: Mapping[int, str]) -> int:
    free = 0
    while free in indexes:
        free += 1
    return free
