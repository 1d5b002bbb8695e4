"""Relations compiled: each becomes a function from the parameters sent to the violations."""

from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping
from typing import NamedTuple

from simulator.catalogue.fields.adjustments import IGNORED
from simulator.catalogue.fields.parameters import RELATIONS
from simulator.derive.checks.compiled_rows import sent_rows
from simulator.derive.checks.narrowing import narrowed
from simulator.grammar import relations as kinds
from simulator.grammar.choices import Choices
from simulator.grammar.operations import Operation
from simulator.grammar.relations import Case, Relation
from simulator.grammar.violations import Violation

Sent = Mapping[str, str]
Rule = Callable[[Sent], tuple[Violation, ...] | list[Violation]]

EMPTY = "may not be empty"
KEPT: tuple[Violation, ...] = ()


class Group(NamedTuple):
    """Rules that the same parameters set off. Where all of `needed` is sent, `presence` is kept."""

    needed: frozenset[str]
    presence: tuple[Rule, ...]
    others: tuple[Rule, ...]


class RelationRules:
    """The relations of one operation, found by the parameters that set them off.

    `names` are the concrete names of the operation without brackets, `secret` those whose value is
    never reported.
    """

    __slots__ = ("_always", "_group_of", "_groups")

    def __init__(self, relations: Iterable[Relation], names: Iterable[str], secret: frozenset[str]):
        names = tuple(names)
        concerned = [row for row in relations if row.kind in COMPILERS and _concerns(row, names)]
        compiled = {row: COMPILERS[row.kind](row, names, secret) for row in concerned}
        self._always = _group([row for row in concerned if not row.triggers], names, compiled)
        set_off: dict[str, list[Relation]] = {}
        for row in concerned:
            for name in expanded(row.triggers, names):
                set_off.setdefault(name, []).append(row)
        alike = list(dict.fromkeys(tuple(rows) for rows in set_off.values()))
        self._groups = [_group(rows, names, compiled) for rows in alike]
        self._group_of = {name: alike.index(tuple(rows)) for name, rows in set_off.items()}

    def rules_for(self, names: KeysView[str]) -> tuple[Rule, ...]:
        """The rules whose outcome the presence of `names` alone does not settle, some twice.

        An absent group of parameters costs nothing.
        """
        found: list[Rule] = []
        if not self._always.needed <= names:
            found += self._always.presence
        group_of = self._group_of
        for number in {group_of[name] for name in group_of.keys() & names}:
            needed, presence, others = self._groups[number]
            if not needed <= names:
                found += presence
            found += others
        return tuple(found)


def expanded(patterns: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """The names meant by `patterns`: themselves, or all under a beginning that ends with a dot."""
    found: dict[str, None] = {}
    for pattern in patterns:
        if pattern.endswith("."):
            found.update(dict.fromkeys(name for name in names if name.startswith(pattern)))
        else:
            found[pattern] = None
    return tuple(found)


def _concerns(relation: Relation, names: Iterable[str]) -> bool:
    return not frozenset(relation.names).isdisjoint(names)


def _group(
    relations: Iterable[Relation], names: tuple[str, ...], compiled: Mapping[Relation, Rule]
) -> Group:
    """The group of `relations`, with the names that are enough for all that look at names."""
    content = {row: _content_with(row, names) for row in relations}
    return Group(
        needed=frozenset(name for needed in content.values() for name in needed),
        presence=tuple(compiled[row] for row, needed in content.items() if needed),
        others=tuple(compiled[row] for row, needed in content.items() if not needed),
    )


def _content_with(relation: Relation, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names whose presence is enough for a relation to hold; none where values count."""
    if relation.kind in (kinds.ALL_OF, kinds.WHERE):
        return relation.names
    if relation.kind == kinds.ANY_OF:
        return relation.names[:1]
    return expanded(relation.unless, names)[:1] if relation.kind == kinds.ACCOUNT else ()


def _all_of(relation: Relation, names: tuple[str, ...], secret: frozenset[str]) -> Rule:
    needed = relation.names

    def rule(sent: Sent) -> tuple[Violation, ...] | list[Violation]:
        for name in needed:
            if name not in sent:
                break
        else:
            return KEPT
        if _rests(relation, sent):
            return KEPT
        return [_missing(name, relation) for name in needed if name not in sent]

    return rule


def _any_of(relation: Relation, names: tuple[str, ...], secret: frozenset[str]) -> Rule:
    alternatives = relation.names

    def rule(sent: Sent) -> tuple[Violation, ...] | list[Violation]:
        for name in alternatives:
            if name in sent:
                return KEPT
        return KEPT if _rests(relation, sent) else [_missing(alternatives[0], relation)]

    return rule


def _account(relation: Relation, names: tuple[str, ...], secret: frozenset[str]) -> Rule:
    accounts = expanded(relation.unless, names)
    (field,) = relation.names

    def rule(sent: Sent) -> tuple[Violation, ...] | list[Violation]:
        for name in accounts:
            if name in sent:
                return KEPT
        brand = sent.get(field)
        if brand is not None and brand not in relation.values:
            return KEPT
        return [Violation(field, brand, relation.says, relation.id)]

    return rule


def _not_both(relation: Relation, names: tuple[str, ...], secret: frozenset[str]) -> Rule:
    (field,) = relation.names

    def rule(sent: Sent) -> tuple[Violation, ...] | list[Violation]:
        if relation.other not in sent or _rests(relation, sent):
            return KEPT
        return [_wrong(field, sent, relation, secret)]

    return rule


def _not_digits_only(relation: Relation, names: tuple[str, ...], secret: frozenset[str]) -> Rule:
    first, second = relation.names
    silencer = silencer_of(second)

    def rule(sent: Sent) -> tuple[Violation, ...] | list[Violation]:
        together = sent.get(first, "")
        if silencer not in sent:
            together += sent.get(second, "")
        if not (together.isascii() and together.isdecimal()):
            return KEPT
        return [_wrong(first if first in sent else second, sent, relation, secret)]

    return rule


def silencer_of(name: str) -> str | None:
    """The parameter beside which `name` is ignored: no rule looks at an ignored value."""
    return next((row.when for row in IGNORED if row.name == name), None)


def _least_version(relation: Relation, names: tuple[str, ...], secret: frozenset[str]) -> Rule:
    (field,) = relation.names

    def rule(sent: Sent) -> tuple[Violation, ...] | list[Violation]:
        version = sent.get(relation.other)
        concerned = not relation.values or sent[field] in relation.values
        if version is None or not concerned or not _is_below(version, relation.limits):
            return KEPT
        return [_wrong(field, sent, relation, secret)]

    return rule


def _value_with(relation: Relation, names: tuple[str, ...], secret: frozenset[str]) -> Rule:
    (field,) = relation.names

    def rule(sent: Sent) -> tuple[Violation, ...] | list[Violation]:
        if field not in sent or sent[field] in relation.values:
            return KEPT
        return [_wrong(field, sent, relation, secret)]

    return rule


def _is_below(version: str, least: tuple[int, ...]) -> bool:
    """Whether a well-formed version is lower; a malformed one is refused by its own row."""
    parts = version.split(".")
    if not all(part.isascii() and part.isdecimal() and len(part) < 4 for part in parts):
        return False
    return tuple(int(part) for part in parts) < least


def _shorter(relation: Relation, names: tuple[str, ...], secret: frozenset[str]) -> Rule:
    (field,) = relation.names
    longest, of_length = relation.limits

    def rule(sent: Sent) -> tuple[Violation, ...] | list[Violation]:
        applies = len(sent.get(relation.other, "")) == of_length
        too_long = applies and len(sent[field]) > longest
        return [_wrong(field, sent, relation, secret)] if too_long else KEPT

    return rule


def _where(relation: Relation, names: tuple[str, ...], secret: frozenset[str]) -> Rule:
    needed = relation.names
    (first, values), *others = relation.where
    wanted = frozenset(values)

    def rule(sent: Sent) -> tuple[Violation, ...] | list[Violation]:
        if sent.get(first) not in wanted or not _given(others, sent) or _rests(relation, sent):
            return KEPT
        if any(_given(cases, sent) for cases in relation.rests):
            return KEPT
        return [
            Violation(name, None, relation.says, relation.id) for name in needed if name not in sent
        ]

    return rule


def _given(cases: Iterable[Case], sent: Sent) -> bool:
    """Whether each case is given: one of its values is sent, or nothing where it has none."""
    return all(sent.get(name) in values if values else name not in sent for name, values in cases)


# fmt: off
COMPILERS: Mapping[str, Callable[[Relation, tuple[str, ...], frozenset[str]], Rule]] = {
    kinds.ALL_OF:          _all_of,
    kinds.ANY_OF:          _any_of,
    kinds.ACCOUNT:         _account,
    kinds.NOT_BOTH:        _not_both,
    kinds.NOT_DIGITS_ONLY: _not_digits_only,
    kinds.LEAST_VERSION:   _least_version,
    kinds.SHORTER:         _shorter,
    kinds.VALUE_WITH:      _value_with,
    kinds.WHERE:           _where,
}
# fmt: on


def _rests(relation: Relation, sent: Sent) -> bool:
    """Whether what the relation names as its exception is sent."""
    if relation.unless_in:
        return any(sent.get(name) in relation.unless_in for name in relation.unless)
    if relation.unless_not_in:
        allowed = relation.unless_not_in
        return any(name in sent and sent[name] not in allowed for name in relation.unless)
    return any(name in sent for name in relation.unless)


def _missing(name: str, relation: Relation) -> Violation:
    message = f"{EMPTY}: {relation.says}" if relation.says else EMPTY
    return Violation(name, None, message, relation.id)


def _wrong(name: str, sent: Sent, relation: Relation, secret: frozenset[str]) -> Violation:
    value = None if name in secret else sent.get(name)
    return Violation(name, value, relation.says, relation.id)


def relations_in(operation: Operation, choices: Choices) -> tuple[Relation, ...]:
    """Every relation that holds in an operation under `choices`: those of the catalogue, then its
    own, each as it holds where only what the operation knows can be sent. Of a part that is added
    to a whole, those that need the whole hold there.
    """
    shared = (
        row
        for row in RELATIONS
        if row.id not in operation.rests and not (operation.is_part and row.needs_whole)
    )
    names = frozenset(name for row in sent_rows(operation) for name in row.concrete_names)
    held = (row for row in (*shared, *operation.relations) if row.holds(choices))
    return tuple(filter(None, (narrowed(row, names) for row in held)))


def listed(relations: Iterable[Relation], kind: str) -> Iterator[Relation]:
    """The relations of one kind."""
    return (relation for relation in relations if relation.kind == kind)
