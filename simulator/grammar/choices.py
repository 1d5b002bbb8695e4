"""Choices: the values of the decisions that have a switch, in a profile with its overrides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

PROFILES = ("specification", "field")
SHOWN_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision with a switch. Code and rules read its value by `name`; `id` is its number.

    `specification` and `field` are its values in the two profiles; `others` may be had by an
    override.
    """

    id: str
    name: str
    specification: str
    field: str
    title: str
    others: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """Every value it may take, the default profile's first."""
        return tuple(dict.fromkeys((self.specification, self.field, *self.others)))


class UnknownChoiceError(ValueError):
    """A profile, decision or value that does not exist: where it stood, what was expected, what
    came.
    """

    def __init__(self, where: str, expected: str, got: str):
        super().__init__(f"{where}: expected {expected}, got {got}")
        self.where, self.expected, self.got = where, expected, got


class Choices:
    """The value of every decision in one profile with its overrides. Equal choices hash alike:
    rules compile once.
    """

    __slots__ = ("_hash", "_key", "_values", "profile")

    def __init__(self, profile: str, values: Mapping[str, str]):
        self.profile = profile
        self._values = dict(values)
        self._key = (profile, tuple(self._values.items()))
        self._hash = hash(self._key)

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Choices) and self._key == other._key)

    def __hash__(self) -> int:
        return self._hash


def choose(
    rows: Iterable[Choice], profile: str, overrides: Mapping[str, str] | None = None
) -> Choices:
    """The choices of `profile`, with overrides such as `{"D-14": "field"}`.

    An override names a profile, whose value is taken, or the value itself. Raises
    UnknownChoiceError.
    """
    if profile not in PROFILES:
        raise UnknownChoiceError("profile", f"one of {', '.join(PROFILES)}", _shown(profile))
    rows = tuple(rows)
    values = {row.name: getattr(row, profile) for row in rows}
    by_id = {row.id: row for row in rows}
    for identity, wanted in (overrides or {}).items():
        row = by_id.get(identity)
        if row is None:
            expected = "the number of a decision that has a switch (sandgate decisions prints them)"
            raise UnknownChoiceError("overrides", expected, _shown(identity))
        values[row.name] = _value(row, wanted)
    return Choices(profile, values)


def _value(row: Choice, wanted: str) -> str:
    if wanted in PROFILES:
        of_profile: str = getattr(row, wanted)
        return of_profile
    if wanted not in row.options:
        known = ", ".join((*PROFILES, *row.options))
        raise UnknownChoiceError(f"overrides.{row.id}", f"one of {known}", _shown(wanted))
    return wanted


def _shown(word: str) -> str:
    return repr(word) if len(word) <= SHOWN_LENGTH else f"{len(word)} characters"
