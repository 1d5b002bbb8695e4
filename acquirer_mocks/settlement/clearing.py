"""All clearing institutes, as the gateway is given them."""

from collections.abc import Iterable
from datetime import date, datetime

from acquirer_mocks.settlement import calendars, fault_plan
from acquirer_mocks.settlement.day import write_day
from acquirer_mocks.settlement.institutes import WITHOUT_IDS, Institute, institute_named, institutes
from acquirer_mocks.settlement.worker import write_day_apart
from simulator.domain.ports.clearing import (
    ClearingEntry,
    DayOrder,
    InstituteForm,
    SettlementFaults,
    WrittenDay,
)

# A process takes half a second to start.
APART_FROM = 5_000
# Each merchant number has a file of its own, which is written to the disk.
LIKE_MOVEMENTS = 100


class SimulatedInstitutes:
    """The built-in institutes; another process writes the files of `apart_from` movements and
    more, or of so many merchant numbers that it is as much work. Methods raise what the port says.
    """

    def __init__(self, apart_from: int = APART_FROM):
        self._apart_from = apart_from

    @property
    def names(self) -> tuple[str, ...]:
        """The institutes, the default one first."""
        return tuple(institutes())

    def form(self, institute: str) -> InstituteForm:
        """How its files are to be read."""
        found = institute_named(institute)
        names_payments = found.format != WITHOUT_IDS
        return InstituteForm(found.format, found.zone, names_payments)

    def window(self, institute: str, day: date) -> tuple[datetime, datetime]:
        """The cut-off before a bank day, and its own, in UTC."""
        return calendars.window(institute_named(institute), day)

    def next_cut_off(self, institute: str, now: datetime) -> tuple[date, datetime]:
        """The first bank day whose cut-off is after `now`, and that instant in UTC."""
        return calendars.next_cut_off(institute_named(institute), now)

    def read_faults(self, text: str) -> SettlementFaults:
        """A fault plan in YAML."""
        return fault_plan.read_faults(text)

    def write_day(
        self, institute: str, day: date, entries: Iterable[ClearingEntry], order: DayOrder
    ) -> WrittenDay:
        """Write the files of a bank day and their keys."""
        found = institute_named(institute)
        movements = order.expected + len(order.carried.entries)
        if movements + LIKE_MOVEMENTS * _numbers(found, day, order) >= self._apart_from:
            return write_day_apart(institute, day, entries, order)
        return write_day(found, day, entries, order)


def _numbers(institute: Institute, day: date, order: DayOrder) -> int:
    """How many merchant numbers have a line at most: those with a movement, and on the first bank
    day of a month all that stand.
    """
    moving = min(order.expected, len(order.contracts))
    if not calendars.is_first_of_month(institute.calendar, day):
        return moving
    return max(moving, sum(each.is_standing for each in order.contracts.values()))
