"""A relation as it holds in an operation: a parameter the operation does not know counts for none.

It is refused or ignored (D-02), and what is ignored sets no rule off and waives none.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from simulator.grammar.relations import ANY_OF, Case, Relation


def narrowed(relation: Relation, names: Collection[str]) -> Relation | None:
    """The relation where only `names` can be sent; None where nothing can set it off."""
    triggers = _known(relation.triggers, names)
    is_idle = bool(relation.triggers) and not triggers
    is_idle = is_idle or bool(relation.other and relation.other not in names)
    rests = tuple(_open_cases(each, names) for each in relation.rests if _may_be(each, names))
    if is_idle or not _may_be(relation.where, names) or () in rests:
        return None
    return replace(
        relation,
        names=_known(relation.names, names) if relation.kind == ANY_OF else relation.names,
        triggers=triggers,
        unless=_known(relation.unless, names),
        where=_open_cases(relation.where, names),
        rests=rests,
    )


def _known(patterns: Iterable[str], names: Collection[str]) -> tuple[str, ...]:
    """Those of names, or of beginnings that end with a dot, that can be sent."""
    return tuple(each for each in patterns if _is_known(each, names))


def _is_known(pattern: str, names: Collection[str]) -> bool:
    if pattern.endswith("."):
        return any(name.startswith(pattern) for name in names)
    return pattern in names


def _may_be(cases: Iterable[Case], names: Collection[str]) -> bool:
    """Whether all of the cases can be given together."""
    return all(name in names for name, values in cases if values)


def _open_cases(cases: Iterable[Case], names: Collection[str]) -> tuple[Case, ...]:
    """The cases without those that are always given, as their parameter cannot be sent."""
    return tuple(case for case in cases if case[0] in names)
