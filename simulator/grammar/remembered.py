"""What the names of a request decide, remembered: clients send the same names again and again."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

NAMES_MAX = 200
LENGTH_MAX = 8000
KEPT_MAX = 512

Plan = TypeVar("Plan")


class ByNames(Generic[Plan]):
    """A function of names in their order that is called once for the same ones.

    What it answered is not kept where the names would take much memory.
    """

    __slots__ = ("_kept", "_make")

    def __init__(self, make: Callable[[tuple[str, ...]], Plan]):
        self._make = make
        self._kept: dict[tuple[str, ...], Plan] = {}

    def __call__(self, names: Iterable[str]) -> Plan:
        key = tuple(names)
        plan = self._kept.get(key)
        return self._of_new(key) if plan is None else plan

    def _of_new(self, names: tuple[str, ...]) -> Plan:
        plan = self._make(names)
        if len(names) <= NAMES_MAX and sum(map(len, names)) <= LENGTH_MAX:
            if len(self._kept) >= KEPT_MAX:
                self._kept.clear()
            self._kept[names] = plan
        return plan
