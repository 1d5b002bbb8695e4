"""The check: everything that is wrong with the parameters of a request, in catalogue order.

This is the hot path. Clients send the same names again and again, so the names of a request that
kept every rule are remembered with the matches and rules that are left to try: the next one like it
costs one look-up, one match a parameter and a few rules. Names that come often get one pattern for
all values together. Words and order are made only for a request that breaks a rule.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from simulator.catalogue.choices import CHOICES
from simulator.derive.checks.acceptance import (
    NUL,
    Acceptance,
    anything,
    in_a_row,
    joinable,
    words_for,
)
from simulator.derive.checks.brackets import (
    SHAPE,
    Used,
    brackets_wrong,
    line_of,
    lists_too_long,
    lists_with_gaps,
)
from simulator.derive.checks.compiled_rows import CompiledRow, lines_of
from simulator.derive.checks.names import nearest, templates
from simulator.derive.checks.relations import RelationRules, Rule, Sent, listed, relations_in
from simulator.grammar.choices import Choices, choose
from simulator.grammar.names import INDEX, parts_of
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import Param
from simulator.grammar.relations import MAX_ITEMS, ONLY_IN
from simulator.grammar.violations import Violation

UNKNOWN, KEPT = "D-02", "D-121"
NEAREST_SHOWN_MAX = 8
LAST = 1 << 30
INDEX_WIDTH = 6
REMEMBERED_NAMES_MAX = 200
REMEMBERED_LENGTH_MAX = 8000
REMEMBERED_SHAPES_MAX = 512
# One pattern of forty takes some milliseconds to compile, so not for names that come but once.
OFTEN = 50
KEPT_CHECKS = 256


def compile_check(operation: Operation, choices: Choices) -> "Check":
    """The check of an operation's parameters. Compiling takes milliseconds: `kept_check`."""
    return Check(operation, choices)


@lru_cache(maxsize=KEPT_CHECKS)
def kept_check(operation: Operation, choices: Choices) -> "Check":
    """The same, compiled once for all of a process while it is one of those that are used."""
    return compile_check(operation, choices)


class Trial(NamedTuple):
    """How a value is tried: what accepts it, and its pattern in a row with others, if it has
    one.
    """

    accepts: Acceptance
    body: str | None


class RequestShape:
    """What is left to try of a request whose names are known to be good: values, and some rules."""

    __slots__ = ("_accepts", "_apart", "_came", "_in_a_row", "_rules", "_trials")

    def __init__(self, trials: Mapping[str, Trial], rules: tuple[Rule, ...]):
        self._trials = trials
        self._rules = rules
        self._accepts = tuple(trial.accepts for trial in trials.values())
        self._came = 0
        self._in_a_row: Acceptance | None = None
        self._apart: tuple[tuple[str, Acceptance], ...] = ()

    def fits(self, sent: Sent) -> bool:
        """Whether a request with these names keeps every rule."""
        if self._in_a_row is None:
            values_fit = self._fits_one_by_one(sent)
        else:
            values_fit = self._in_a_row(NUL.join(sent.values()) + NUL) is not None
            for name, accepts in self._apart:
                values_fit = values_fit and bool(accepts(sent[name]))
        for rule in self._rules:
            values_fit = values_fit and not rule(sent)
        return values_fit

    def _fits_one_by_one(self, sent: Sent) -> bool:
        self._came += 1
        if self._came == OFTEN:
            self._join()
        for accepts, value in zip(self._accepts, sent.values(), strict=True):
            if not accepts(value):
                return False
        return True

    def _join(self) -> None:
        trials = self._trials
        self._in_a_row = in_a_row(trial.body for trial in trials.values())
        self._apart = tuple(
            (name, trial.accepts) for name, trial in trials.items() if trial.body is None
        )


class Check:
    """The rules of one operation under one set of choices, compiled."""

    __slots__ = (
        "_accepts",
        "_choices",
        "_field",
        "_limits",
        "_lines",
        "_operation",
        "_rules",
        "_shapes",
    )

    def __init__(self, operation: Operation, choices: Choices):
        relations = relations_in(operation, choices)
        only_in = [row for row in listed(relations, ONLY_IN) if operation.id not in row.values]
        self._operation = operation
        self._choices = choices
        self._lines = lines_of(operation, choices, {row.names[0]: row for row in only_in})
        self._accepts = {
            name: line.accepts for name, line in self._lines.items() if "[" not in name
        }
        secret = frozenset(name for name, line in self._lines.items() if line.row.secret)
        self._rules = RelationRules(relations, self._accepts, secret)
        self._limits = {row.names[0]: row for row in listed(relations, MAX_ITEMS)}
        self._field: Check | None = None
        self._shapes: dict[tuple[str, ...], RequestShape] = {}

    def violations_of(self, sent: Sent) -> list[Violation]:
        """Every violation in `sent` (flat names, no empty values), in catalogue order."""
        shape = self._shapes.get(tuple(sent))
        if shape is not None and shape.fits(sent):
            return []
        return self._violations_of_new(sent)

    def known(self, name: str) -> Param | None:
        """The row of a concrete name such as `cart.items[3].name`, or None."""
        line = self._lines.get(name) if "[" not in name else line_of(name, self._lines)
        if line is None or ("[" in name and brackets_wrong(name, line, {})):
            return None
        return line.row

    def only_known(self, sent: Sent) -> dict[str, str]:
        """What of `sent` the operation knows. Names and values of `sent` are good, or ignored."""
        strange = [name for name in sent if name not in self._accepts]
        ignored = {
            name for name in self._not_plainly_good(strange, sent, {}) if self.known(name) is None
        }
        return {name: value for name, value in sent.items() if name not in ignored}

    def _violations_of_new(self, sent: Sent) -> list[Violation]:
        """The same, with nothing remembered."""
        lines = self._lines
        plain = [name for name in sent if name in self._accepts]
        found = [
            _wrong_value(name, sent[name], lines[name])
            for name in plain
            if not self._accepts[name](sent[name])
        ]
        if len(plain) < len(sent):
            elsewhere = [name for name in sent if name not in self._accepts]
            found += self._violations_elsewhere(elsewhere, sent)
        rules = self._rules.rules_for(sent.keys())
        for rule in rules:
            found += rule(sent)
        if found:
            return self._finished(found, sent)
        self._remember(sent, rules)
        return found

    def _remember(self, sent: Sent, rules: tuple[Rule, ...]) -> None:
        """Keep the names of a request without violation, unless they would take much memory."""
        if len(sent) > REMEMBERED_NAMES_MAX or sum(map(len, sent)) > REMEMBERED_LENGTH_MAX:
            return
        if len(self._shapes) >= REMEMBERED_SHAPES_MAX:
            self._shapes.clear()
        self._shapes[tuple(sent)] = RequestShape({name: self._trial(name) for name in sent}, rules)

    def _trial(self, name: str) -> Trial:
        line = self._lines[name] if name in self._accepts else line_of(name, self._lines)
        if line is None or (line.key and brackets_wrong(name, line, {})):
            return Trial(anything, None)
        return Trial(line.accepts, None if line.refused else joinable(line.format))

    def _violations_elsewhere(self, names: Iterable[str], sent: Sent) -> list[Violation]:
        """What is wrong with the names that are no plain name of a row: bracketed, or unknown."""
        used: Used = {}
        found: list[Violation] = []
        unknown = []
        for name in self._not_plainly_good(names, sent, used):
            line = line_of(name, self._lines)
            trouble = brackets_wrong(name, line, used) if line else None
            if line is None:
                unknown.append(name)
            elif trouble and line.key is None:
                found.append(Violation(name, None, trouble, SHAPE))
            elif trouble and self._refuses_unknown:
                found.append(Violation(name, None, trouble, line.row.name))
            elif not trouble and not line.accepts(sent[name]):
                found.append(_wrong_value(name, sent[name], line))
        # A list may go on in a part: only the whole can tell.
        found += () if self._operation.is_part else lists_with_gaps(used)
        found += lists_too_long(used, self._limits)
        return found + self._violations_unknown(unknown)

    def _not_plainly_good(self, names: Iterable[str], sent: Sent, used: Used) -> list[str]:
        """Those of `names` that are no good field of an item with one index: most are, and there
        may be thousands. Good indexes are noted in `used`.
        """
        left = []
        lines: dict[tuple[str, str], CompiledRow | None] = {}
        for name in names:
            stem, _, rest = name.partition("[")
            index, _, behind = rest.partition("]")
            if "[" in behind:
                # Of more brackets each is looked at.
                left.append(name)
                continue
            place = (stem, behind)
            if place not in lines:
                line = self._lines.get(f"{stem}[]{behind}")
                lines[place] = None if line is None or line.key else line
            line = lines[place]
            if line is None or not INDEX.fullmatch(index) or not line.accepts(sent[name]):
                left.append(name)
            else:
                used.setdefault(stem, {}).setdefault(int(index), name)
        return left

    @property
    def _refuses_unknown(self) -> bool:
        return self._choices["unknown_parameters"] == "refuse"

    def _violations_unknown(self, names: Iterable[str]) -> list[Violation]:
        """Names the operation does not know: refused, or ignored (D-02) unless the account
        is named by them (D-121). No value is shown.
        """
        found = []
        for name in names:
            parts = parts_of(name)
            if not parts.paired:
                found.append(Violation(name, None, "brackets do not pair", SHAPE))
            elif parts.skeleton in self._operation.kept:
                found.append(Violation(name, None, self._not_allowed(name, searched=False), KEPT))
            elif self._refuses_unknown:
                message = self._not_allowed(name, searched=len(found) < NEAREST_SHOWN_MAX)
                found.append(Violation(name, None, message, UNKNOWN))
        return found

    def _not_allowed(self, name: str, *, searched: bool) -> str:
        known = parts_of(name).skeleton in templates()
        of = f" of {self._operation.method} {self._operation.path}" if known else ""
        close = self._nearest(name) if searched else None
        if close and (not known or close.lower() == name.lower()):
            return f"is not an allowed parameter{of}; nearest known: {close}"
        return f"is not an allowed parameter{of}"

    def _nearest(self, name: str) -> str | None:
        return nearest(name, [line.row.name for line in self._lines.values()])

    def _finished(self, found: list[Violation], sent: Sent) -> list[Violation]:
        """`found` in catalogue order, each marked with what the profile `field` would say. What is
        missing is named once, however many rules ask for it.
        """
        once: dict[tuple[str, str], Violation] = {}
        for violation in found:
            once.setdefault(_key_of(violation, sent), violation)
        found = sorted(once.values(), key=self._place)
        return found if self._choices.profile == "field" else self._compared_with_field(found, sent)

    def _compared_with_field(self, found: list[Violation], sent: Sent) -> list[Violation]:
        if self._field is None:
            self._field = Check(self._operation, choose(CHOICES, "field"))
        refused = {_key_of(row, sent) for row in self._field.violations_of(sent)}
        return [
            violation._replace(
                field_accepts=_key_of(violation, sent) not in refused
                and not self._field.is_read_later(violation.name)
            )
            for violation in found
        ]

    def is_read_later(self, name: str) -> bool:
        """Whether more than this check can refuse the value of a concrete name."""
        line = self._lines.get(name)
        return line is not None and line.format.is_read_later

    def _place(self, violation: Violation) -> tuple[int, tuple[str, ...]]:
        parts = parts_of(violation.name)
        line = self._lines.get(parts.skeleton)
        place = LAST if line is None else line.place
        return place, tuple(content.zfill(INDEX_WIDTH) for content in parts.contents)


def _key_of(violation: Violation, sent: Sent) -> tuple[str, str]:
    """What two violations that say the same have in common."""
    return violation.name, violation.rule if violation.name in sent else ""


def _wrong_value(name: str, value: str, line: CompiledRow) -> Violation:
    shown = None if line.row.secret else value
    if line.refused:
        return Violation(name, shown, line.refused.says, line.refused.id)
    return Violation(name, shown, words_for(line.format, value), line.row.name)
