"""Decisions: where the specification is silent, what is silent, what Sandgate does, and why.

Engineering choices are about how Sandgate is built. Both share one series of numbers.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Switch:
    """How a decision is switched: code reads its value by `name`.

    `specification` and `field` are the values in the two profiles; an override can also choose one
    of `others`. `about` says in a few words what the value concerns.
    """

    name: str
    specification: str
    field: str
    about: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. Its texts may be written over several lines; they are stored as one.

    `setting` names what else changes the answer, such as a setting of a channel or an option of
    the command line. `tests` are the files that hold the decision, from the root of the repository.
    """

    id: str
    title: str
    question: str
    answer: str
    reason: str
    tests: tuple[str, ...]
    switch: Switch | None = None
    setting: str = ""

    def __post_init__(self) -> None:
        for name in ("question", "answer", "reason", "setting"):
            object.__setattr__(self, name, _one_line(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class Area:
    """The decisions about one subject, in the order in which they are read."""

    title: str
    about: str
    rows: tuple[Decision, ...]


def area(title: str, about: str, *rows: Decision) -> Area:
    """The area `title` with its decisions."""
    return Area(title, about, rows)


@dataclass(frozen=True, slots=True)
class EngineeringChoice:
    """One choice about how Sandgate is built, under the number it had among the decisions."""

    id: str
    title: str
    choice: str
    tests: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "choice", _one_line(self.choice))


@dataclass(frozen=True, slots=True)
class EngineeringRecord:
    """Choices that belong together, and the file under docs/adr/ that records them."""

    number: int
    slug: str
    title: str
    rows: tuple[EngineeringChoice, ...]

    @property
    def path(self) -> str:
        """The file, from the root of the repository."""
        return f"docs/adr/{self.number:04}-{self.slug}.md"


def record(number: int, slug: str, title: str, *rows: EngineeringChoice) -> EngineeringRecord:
    """The record `number` with its choices."""
    return EngineeringRecord(number, slug, title, rows)


def number_of(identity: str) -> int:
    """The number in an id: 14 for `D-14`."""
    return int(identity.removeprefix("D-"))


def _one_line(text: str) -> str:
    return " ".join(text.split())
