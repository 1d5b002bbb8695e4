"""What each case executes: the lines of the gateway, recorded once a case with coverage."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from coverage import CoverageData

from features.conformance.cases import SuiteCase
from features.mutants.sampled.modules import ROOT
from features.mutants.sampled.uses import body_of, class_of, users_of, uses_of

# The group of a table, of which cases execute no line: what a row of it is about.
GROUPS_OF_TABLES: Mapping[str, str] = {
    "simulator/catalogue/brands": "PAY",
    "simulator/catalogue/payment_types": "END",
    "simulator/catalogue/results": "ERR",
    "simulator/catalogue/events": "EVT",
    "simulator/catalogue/retries": "ERR",
    "simulator/catalogue/throttles": "SVC",
    "simulator/catalogue/operations": "END",
    "simulator/catalogue/messages/three": "TDS",
    "simulator/catalogue/messages": "POS",
    "simulator/catalogue/wallet_cards": "WAL",
}
OTHERS = "LIM"
# So many lines before and after a statement, a line counts so many times as much.
NEAR = 10
# A case that takes longer comes later in proportion: one in a browser takes seconds.
SOON_S = 0.2


def group_of_table(module: str) -> str:
    """The group of a module with a table, by its path; empty where it has none."""
    named = (group for path, group in GROUPS_OF_TABLES.items() if module.startswith(path))
    return next(named, "")


class ExecutedLines:
    """Which cases execute a statement of the gateway, of those that the original passed."""

    def __init__(
        self, files: Iterable[Path], cases: Iterable[SuiteCase], seconds: Mapping[str, float]
    ):
        self._data = [CoverageData(str(file)) for file in files]
        for each in self._data:
            each.read()
        self._seconds = seconds
        self._cases = {each.id: each for each in cases if each.id in seconds}

    def cases_of(self, module: str, lines: tuple[int, int]) -> list[str]:
        """The cases that may see a change of a statement, the likely ones first.

        What runs when the module is imported has effect on the cases that execute a line with the
        name it gives a value, or the body of the function whose head it is; where there are none,
        on every case that executes a line of the module, and on every case where it has no other
        lines. Likely are those that execute what few others do, above all near the statement, and
        are fast. First comes one row of each scenario, then a second row of each, and so on; then
        one boundary of each field, and so on. Of a table that has a group, its cases come before;
        of a member of a class those that execute a line with its name.
        """
        by_line, about = self._by_line(module), self._about(module, lines)
        body = body_of(module, lines, ROOT)
        if body is not None and self._is_imported(module, lines):
            lines = body
        found = {each for line in range(lines[0], lines[1] + 1) for each in by_line.get(line, ())}
        if self._is_imported(module, lines):
            # A function in a row of a table is executed where it is called.
            used = {**self._by_use(module, lines), **({0: sorted(found)} if found else {})}
            by_line, lines = (used, (0, len(used))) if used else (by_line, lines)
            found = set().union(*by_line.values()) or set(self._cases)
        weights = self._weights(by_line, lines)
        likely = sorted(
            sorted(found), key=lambda each: -weights[each] / max(SOON_S, self._seconds[each])
        )
        rows: Counter[str] = Counter()
        order: dict[str, tuple[bool, bool, int]] = {}
        for each in likely:
            subject = self._subject_of(each)
            order[each] = self._cases[each].is_boundary, each not in about, rows[subject]
            rows[subject] += 1
        return sorted(likely, key=order.__getitem__)

    def _about(self, module: str, lines: tuple[int, int]) -> set[str]:
        """The cases that come before others: of the group of a table, or of a class."""
        named = class_of(module, lines, ROOT) if self._is_imported(module, lines) else ""
        places = uses_of(named, module, ROOT) if named else ()
        found = (each for user, line in places for each in self._by_line(user).get(line, ()))
        return self._groups.get(group_of_table(module), set()) | set(found)

    def _weights(
        self, by_line: Mapping[int, list[str]], lines: tuple[int, int]
    ) -> Mapping[str, float]:
        """How much each case has to do with a statement of a module."""
        weights: defaultdict[str, float] = defaultdict(float)
        for line, names in by_line.items():
            is_near = lines[0] - NEAR <= line <= lines[1] + NEAR
            for each in names:
                weights[each] += (NEAR if is_near else 1) / len(names)
        return weights

    def _subject_of(self, case: str) -> str:
        """The scenario or the field that a case is a row or a boundary of."""
        known = self._cases[case]
        return case.rpartition(":")[0] if known.is_boundary else known.title

    def group_of(self, module: str, cases: Sequence[str]) -> str:
        """The group of requirements whose scenarios are most like `cases`: the greatest F1.

        Without cases it is that of the module.
        """
        near = set(cases) or set().union(*self._by_line(module).values())
        scenarios = {each for each in near if not self._cases[each].is_boundary}
        if not scenarios or len(near) == len(self._cases):
            return group_of_table(module) or OTHERS
        return max(
            sorted(self._groups),
            key=lambda group: 2 * len(scenarios & self._groups[group])
            / (len(scenarios) + len(self._groups[group])),
        )  # fmt: skip

    @cached_property
    def _groups(self) -> Mapping[str, set[str]]:
        groups: dict[str, set[str]] = {}
        for each in self._cases.values():
            for requirement in () if each.is_boundary else each.requirements:
                groups.setdefault(requirement.partition("-")[0], set()).add(each.id)
        return groups

    @lru_cache(maxsize=512)  # noqa: B019
    def _contexts(self, module: str) -> Mapping[int, list[str]]:
        found: defaultdict[int, list[str]] = defaultdict(list)
        for data in self._data:
            for line, names in data.contexts_by_lineno(str(ROOT / module)).items():
                found[line] += names
        return found

    @lru_cache(maxsize=512)  # noqa: B019
    def _by_line(self, module: str) -> Mapping[int, list[str]]:
        found = self._contexts(module)
        return {line: [each for each in names if each in self._cases]
                for line, names in found.items()}  # fmt: skip

    def _by_use(self, module: str, lines: tuple[int, int]) -> Mapping[int, list[str]]:
        """The cases of each line with a name that a statement gives a value, counted from 1."""
        places = sorted(users_of(module, lines, ROOT))
        found = [self._by_line(user).get(line, []) for user, line in places]
        return dict(enumerate(filter(None, found), start=1))

    def _is_imported(self, module: str, lines: tuple[int, int]) -> bool:
        found = self._contexts(module)
        return any("" in found.get(line, ()) for line in range(lines[0], lines[1] + 1))
