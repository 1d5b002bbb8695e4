"""Every tree of payments there can be, each step of it in the same bank day or in a later one."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import NamedTuple, Protocol

WHOLE, PART = "16.00", "4.00"
FIRST = ("DB", "PA", "CD", "PA.CP", "DB of a bank account")
REFERRING = ("CP", "RF", "RV", "RB", "RC", "CB", "CR")
# Bank days that pass before each of three steps.
PHASES = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1))


class Step(NamedTuple):
    """What refers to the payment with this number of the tree."""

    to: int
    kind: str
    amount: str


class Shape(NamedTuple):
    """An initial payment, and what refers to it or to one that does."""

    first: str
    steps: tuple[Step, ...] = ()


class Payments(Protocol):
    """Where trees are made."""

    def pay(self, kind: str) -> str:
        """The id of an initial payment."""

    def refer(self, payment: str, kind: str, amount: str) -> str | None:
        """The id of what refers to it; None where that is refused."""


def shapes(payments: Payments, longest: int) -> list[Shape]:
    """Every tree with up to so many steps; a tree with a step that is refused has no other ones."""
    last, found = [Shape(first) for first in FIRST], list[Shape]()
    found += last
    for _ in range(longest):
        longer = [shape for each in last for shape in _longer(each)]
        last = [shape for shape in longer if make(payments, shape)]
        found += last
    return found


def _longer(shape: Shape) -> Iterator[Shape]:
    targets = range(len(shape.steps) + 1)
    for to, kind, amount in product(targets, REFERRING, (WHOLE, PART)):
        yield shape._replace(steps=(*shape.steps, Step(to, kind, amount)))


def make(payments: Payments, shape: Shape) -> list[str] | None:
    """The ids of the payments of a tree; None where one was refused."""
    ids = [payments.pay(shape.first)]
    for step in shape.steps:
        made = payments.refer(ids[step.to], step.kind, step.amount)
        if made is None:
            return None
        ids.append(made)
    return ids


def make_over_days(
    payments: Payments, wanted: Sequence[Shape], next_day: Callable[[int], object]
) -> list[tuple[Shape, list[str]]]:
    """Make the trees, each in some order of days; what is refused a day later ends its tree.

    `next_day` is called, with the number of the day that begins, while all of them are made.
    """
    random = Random(7)
    plans = [random.choice(PHASES) for _ in wanted]
    made = [(shape, [payments.pay(shape.first)]) for shape in wanted]
    for day in range(len(PHASES[0]) + 1):
        if day:
            next_day(day)
        for (shape, ids), plan in zip(made, plans, strict=True):
            _go_on(payments, shape, ids, plan=plan, day=day)
    return made


def _go_on(
    payments: Payments, shape: Shape, ids: list[str], *, plan: Sequence[int], day: int
) -> None:
    """Take the steps of a tree that come in this day, as far as they are accepted."""
    due = [sum(plan[: number + 1]) for number in range(len(plan))]
    for step in shape.steps[len(ids) - 1 :]:
        if due[len(ids) - 1] != day:
            return
        found = payments.refer(ids[step.to], step.kind, step.amount)
        if found is None:
            return
        ids.append(found)
