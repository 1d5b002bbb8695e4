"""Relations: rules between parameters, as rows. Each is named by the requirement it carries out.

A relation says when it applies (`triggers`: any of these is sent; none named: always) and what then
must hold. `derive.relations` reads them; nothing here looks at a request.
"""

from dataclasses import dataclass, replace

from simulator.grammar.choices import Choices

ALL_OF = "all of"
ANY_OF = "any of"
NOT_BOTH = "not both"
NOT_DIGITS_ONLY = "not digits only"
LEAST_VERSION = "least version"
SHORTER = "shorter"
ACCOUNT = "account"
ONLY_IN = "only in"
MAX_ITEMS = "max items"
VALUE_WITH = "value with"
WHERE = "where"

# A parameter and the values of which it must have one; none of them: it must not be sent.
Case = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Relation:
    """One rule between parameters.

    `kind` names the rule, `names` the parameters it is about, `triggers` those whose presence makes
    it apply: names, or beginnings that end with a dot. It rests where one of `unless` is sent, or,
    with `unless_in`, where one of them has one of those values, or, with `unless_not_in`, where one
    has any other value than those. `values`, `limits` and `other` are what the kind compares with.
    `where` are cases that must all be given, `rests` sets of them: it rests where all of one set
    are given. With a `switch` it holds only where that decision is "require".
    """

    id: str
    kind: str
    names: tuple[str, ...]
    triggers: tuple[str, ...] = ()
    says: str = ""
    unless: tuple[str, ...] = ()
    unless_in: tuple[str, ...] = ()
    unless_not_in: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    limits: tuple[int, ...] = ()
    other: str = ""
    where: tuple[Case, ...] = ()
    rests: tuple[tuple[Case, ...], ...] = ()
    switch: str = ""

    def holds(self, choices: Choices) -> bool:
        """Whether it holds under `choices`."""
        return not self.switch or choices[self.switch] == "require"

    @property
    def needs_whole(self) -> bool:
        """Whether only the whole can keep it: a part is judged by the others alone."""
        return self.kind not in (ONLY_IN, MAX_ITEMS)

    def touches(self, name: str) -> bool:
        """Whether the parameter `name` has a part in this rule."""
        cases = (*self.where, *(case for each in self.rests for case in each))
        about = (*self.names, *self.triggers, *self.unless, self.other, *dict(cases))
        return any(name == part or (part.endswith(".") and name.startswith(part)) for part in about)


def requires(id: str, field: str, *others: str, unless: str = "") -> Relation:
    """When `field` is sent, so must be each of `others`; not where `unless` is sent."""
    says = f"{field} requires {' and '.join(others)}"
    return Relation(id, ALL_OF, others, (field,), says, _names(unless))


def required_if_any(
    id: str, beginning: str, *fields: str, unless: str = "", unless_not_in: tuple[str, ...] = ()
) -> Relation:
    """When anything under `beginning` is sent, each of `fields` must be.

    Not where `unless` is sent, or has any other value than `unless_not_in`.
    """
    says = f"required as soon as any {beginning}* parameter is sent"
    unless_names = _names(unless)
    return Relation(
        id, ALL_OF, fields, (beginning,), says, unless_names, unless_not_in=unless_not_in
    )


def required_with(id: str, triggers: tuple[str, ...], *fields: str, unless: str = "") -> Relation:
    """When any of `triggers` is sent, each of `fields` must be; not where `unless` is sent."""
    says = f"required with {' or '.join(_shown(trigger) for trigger in triggers)}"
    return Relation(id, ALL_OF, fields, triggers, says, _names(unless))


def either_or(
    id: str, beginning: str, *fields: str, unless: str = "", unless_not_in: tuple[str, ...] = ()
) -> Relation:
    """When anything under `beginning` is sent, at least one of `fields` must be.

    Not where `unless` has any other value than `unless_not_in`.
    """
    says = f"either {' or '.join(fields)} is required"
    unless_names = _names(unless)
    return Relation(
        id, ANY_OF, fields, (beginning,), says, unless_names, unless_not_in=unless_not_in
    )


def required(id: str, field: str, *, unless: str = "", unless_in: tuple[str, ...] = ()) -> Relation:
    """`field` must always be sent, save where `unless` has one of the values `unless_in`."""
    return Relation(id, ANY_OF, (field,), unless=_names(unless), unless_in=unless_in)


def under(switch: str, relation: Relation) -> Relation:
    """`relation`, which holds only where the decision `switch` is "require"."""
    return replace(relation, switch=switch)


def account_needed(
    id: str, field: str, *, accounts: tuple[str, ...], brands: tuple[str, ...]
) -> Relation:
    """Some account must be sent where `field` is empty or one of `brands`; the violation is
    reported there.

    `accounts` are names, or beginnings that end with a dot.
    """
    return Relation(
        id, ACCOUNT, (field,), (), "card properties must be set", accounts, values=brands
    )


def together(id: str, *fields: str) -> Relation:
    """All of `fields` or none."""
    return Relation(id, ALL_OF, fields, fields, f"{' and '.join(fields)} require each other")


def not_together(
    id: str,
    field: str,
    other: str,
    *,
    unless: tuple[str, ...] = (),
    unless_in: tuple[str, ...] = (),
) -> Relation:
    """`field` and `other` exclude each other; not where any of `unless` has one of `unless_in`."""
    says = f"must not be sent together with {field}"
    return Relation(id, NOT_BOTH, (other,), (other,), says, unless, unless_in, other=field)


def not_digits_only(id: str, *fields: str) -> Relation:
    """`fields`, put together, must not consist of digits only."""
    says = f"{' and '.join(fields)} together must not consist of digits only"
    return Relation(id, NOT_DIGITS_ONLY, fields, fields, says)


def needs_version(
    id: str, field: str, version: str, least: str, *, values: tuple[str, ...] = ()
) -> Relation:
    """`field`, or only its `values` where some are given, needs `version` to be `least` or higher.

    A `version` that is not sent says nothing. Choice: D-52.
    """
    which = f"{values[0]} to {values[-1]} need" if values else "needs"
    says = f"{which} {version} {least} or higher"
    limits = tuple(int(part) for part in least.split("."))
    return Relation(
        id, LEAST_VERSION, (field,), (field,), says, values=values, limits=limits, other=version
    )


def limit_with(id: str, field: str, longest: int, *, other: str, of_length: int) -> Relation:
    """`field` has at most `longest` characters where `other` has `of_length`."""
    says = f"must have at most {longest} characters with {other} of length {of_length}"
    return Relation(id, SHORTER, (field,), (field,), says, limits=(longest, of_length), other=other)


def accepted_only_in(id: str, field: str, operation: str, *, says: str) -> Relation:
    """`field` is refused by every operation but `operation`."""
    return Relation(id, ONLY_IN, (field,), (), says, values=(operation,))


def required_where(
    id: str,
    field: str,
    *where: Case,
    rests: tuple[tuple[Case, ...], ...] = (),
    says: str,
) -> Relation:
    """`field` must be sent where all these cases are given, save where all of one set in `rests`
    are. `says` is what the lack of it is answered with.
    """
    return Relation(id, WHERE, (field,), (where[0][0],), says, where=where, rests=rests)


def required_for(
    id: str, field: str, values: tuple[str, ...], *fields: str, unless: str, says: str
) -> Relation:
    """Where `field` has one of `values`, each of `fields` must be sent; not where `unless` is."""
    return Relation(id, WHERE, fields, (field,), says, _names(unless), where=((field, values),))


def value_with(id: str, field: str, values: tuple[str, ...], trigger: str) -> Relation:
    """When `trigger` is sent, a name or a beginning that ends with a dot, a `field` that is sent
    has one of `values`. One that is not sent says nothing.
    """
    says = f"must be {' or '.join(values)} together with {_shown(trigger)}"
    return Relation(id, VALUE_WITH, (field,), (trigger,), says, values=values)


def max_items(id: str, list_name: str, most: int) -> Relation:
    """The indexed structure `list_name` has at most `most` items."""
    says = f"takes at most {most} items, 0 to {most - 1}"
    return Relation(id, MAX_ITEMS, (list_name,), (), says, limits=(most,))


def _names(name: str) -> tuple[str, ...]:
    return (name,) if name else ()


def _shown(trigger: str) -> str:
    return f"{trigger}*" if trigger.endswith(".") else trigger
