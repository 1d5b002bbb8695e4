"""Relations as JSON Schema: each becomes a condition on the object that holds the parameters.

`derive.relations` compiles the same rows for the check; a test lets both judge the same requests.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from simulator.derive.checks.relations import expanded, silencer_of
from simulator.derive.schemas.patterns import END, versions_below
from simulator.grammar import relations as kinds
from simulator.grammar.relations import Case, Relation

Names = tuple[str, ...]
# Of a longer list, so many are named; the schema has all of them.
LISTED_MAX = 12
DIGITS_OR_NOTHING = f"^[0-9]*{END}"


def conditions_of(
    relations: Iterable[Relation], names: Names
) -> Iterator[tuple[Relation, dict[str, Any]]]:
    """Each relation about any of `names` that JSON Schema can say, and its schema.

    `names` are the parameters without brackets that the operation knows.
    """
    for relation in relations:
        say = CONDITIONS.get(relation.kind)
        # Where nothing can set it off, there is nothing to say.
        is_idle = relation.triggers and not expanded(relation.triggers, names)
        if say is not None and not is_idle and any(name in names for name in relation.names):
            condition = _with_exception(relation, say(relation, names))
            yield relation, {"description": describe_relation(relation), **condition}


def describe_relation(relation: Relation) -> str:
    """The relation in words, after its id."""
    if relation.kind == kinds.ACCOUNT:
        (brand,) = relation.names
        return f"{relation.id}: {relation.says}, unless another account or another {brand} is sent"
    if relation.kind == kinds.WHERE:
        names = _listed(relation.names, "and")
        return f"{relation.id}: {names} {relation.says}; {cases_in_words(relation)}"
    says = relation.says or "must be sent"
    if says.startswith("required"):
        says = f"{'are' if len(relation.names) > 1 else 'is'} {says}"
    elif relation.kind == kinds.ANY_OF and relation.triggers:
        says = f"{says} as soon as any {relation.triggers[0]}* parameter is sent"
    has_subject = says.split()[0] in ("either", *relation.names, *relation.triggers)
    about = "" if has_subject else f"{_listed(relation.names, 'and')} "
    return f"{relation.id}: {about}{says}{_exception(relation)}"


def cases_in_words(relation: Relation) -> str:
    """Where a relation of the kind WHERE asks for its parameter, in words."""
    where = " and ".join(map(_case_in_words, relation.where))
    rests = [" and ".join(map(_case_in_words, cases)) for cases in relation.rests]
    rests += [f"{name} is sent" for name in relation.unless]
    return f"where {where}" + (f", but not where {', nor where '.join(rests)}" if rests else "")


def _case_in_words(case: Case) -> str:
    name, values = case
    return f"{name} is {_listed(values, 'or')}" if values else f"{name} is not sent"


def _exception(relation: Relation) -> str:
    if relation.unless_in:
        names, values = _listed(relation.unless, "or"), _listed(relation.unless_in, "or")
        return f", unless {names} is {values}"
    if relation.unless_not_in:
        names, values = _listed(relation.unless, "or"), _listed(relation.unless_not_in, "or")
        return f", unless {names} is sent and is not {values}"
    if relation.unless:
        return f", unless {_listed(relation.unless, 'or')} is sent"
    return ""


def _listed(words: Sequence[str], last: str) -> str:
    if len(words) == 1:
        return words[0]
    if len(words) > LISTED_MAX:
        return f"{', '.join(words[:LISTED_MAX])} {last} {len(words) - LISTED_MAX} more"
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _with_exception(relation: Relation, condition: dict[str, Any]) -> dict[str, Any]:
    if relation.kind == kinds.ACCOUNT or not relation.unless:
        return condition
    if relation.unless_in:
        exceptions = [_has(name, relation.unless_in) for name in relation.unless]
        return {"anyOf": [*exceptions, condition]}
    if relation.unless_not_in:
        exceptions = [_has_other(name, relation.unless_not_in) for name in relation.unless]
        return {"anyOf": [*exceptions, condition]}
    return {"anyOf": [*map(_sent, relation.unless), condition]}


def _all_of(relation: Relation, names: Names) -> dict[str, Any]:
    needed = {
        trigger: [name for name in relation.names if name != trigger]
        for trigger in expanded(relation.triggers, names)
    }
    return {"dependentRequired": {trigger: others for trigger, others in needed.items() if others}}


def _any_of(relation: Relation, names: Names) -> dict[str, Any]:
    if not relation.triggers:
        return _one_of(relation.names)
    return {"if": _one_of(expanded(relation.triggers, names)), "then": _one_of(relation.names)}


def _account(relation: Relation, names: Names) -> dict[str, Any]:
    (field,) = relation.names
    other_brand = _has_other(field, relation.values)
    return {"anyOf": [*map(_sent, expanded(relation.unless, names)), other_brand]}


def _not_both(relation: Relation, names: Names) -> dict[str, Any]:
    return {"not": {"required": [*relation.names, relation.other]}}


def _not_digits_only(relation: Relation, names: Names) -> dict[str, Any]:
    silencer = silencer_of(relation.names[1])
    whole = _not_digits(relation.names)
    if silencer is None:
        return whole
    return {"if": _sent(silencer), "then": _not_digits(relation.names[:1]), "else": whole}


def _not_digits(names: Names) -> dict[str, Any]:
    digits = {name: {"pattern": DIGITS_OR_NOTHING} for name in names}
    return {"not": {**_one_of(names), "properties": digits}}


def _least_version(relation: Relation, names: Names) -> dict[str, Any]:
    (field,) = relation.names
    concerned = {field: _among(relation.values)} if relation.values else {}
    below = {relation.other: {"pattern": versions_below(relation.limits)}}
    return {"not": {"required": [field, relation.other], "properties": {**concerned, **below}}}


def _shorter(relation: Relation, names: Names) -> dict[str, Any]:
    (field,) = relation.names
    longest, of_length = relation.limits
    lengths = {
        field: {"minLength": longest + 1},
        relation.other: {"minLength": of_length, "maxLength": of_length},
    }
    return {"not": {"required": [field, relation.other], "properties": lengths}}


def _where(relation: Relation, names: Names) -> dict[str, Any]:
    rests = [{"allOf": [*map(_case, cases)]} for cases in relation.rests]
    met = {"allOf": [*map(_case, relation.where)]}
    return {"anyOf": [{"not": met}, *rests, {"required": [*relation.names]}]}


def _case(case: Case) -> dict[str, Any]:
    name, values = case
    return _has(name, values) if values else {"not": _sent(name)}


def _value_with(relation: Relation, names: Names) -> dict[str, Any]:
    (field,) = relation.names
    kept = {"properties": {field: _among(relation.values)}}
    return {"if": _one_of(expanded(relation.triggers, names)), "then": kept}


# fmt: off
CONDITIONS: Mapping[str, Callable[[Relation, Names], dict[str, Any]]] = {
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


def _sent(name: str) -> dict[str, Any]:
    return {"required": [name]}


def _one_of(names: Iterable[str]) -> dict[str, Any]:
    alternatives = [_sent(name) for name in names]
    return alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives}


def _has(name: str, values: Iterable[str]) -> dict[str, Any]:
    return {"required": [name], "properties": {name: _among(values)}}


def _has_other(name: str, values: Iterable[str]) -> dict[str, Any]:
    return {"required": [name], "properties": {name: {"not": _among(values)}}}


def _among(values: Iterable[str]) -> dict[str, Any]:
    return {"enum": list(values)}
