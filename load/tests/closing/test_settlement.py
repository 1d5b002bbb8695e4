"""The merchant's settlement files are read once, line by line, and have no endless lines."""

from collections.abc import Iterator

import pytest

from features.reconciling.settlement_csv import SettledRecord, SettlementCsvError
from features.reconciling.tests.test_rules import HEADER, SALE
from load.closing.settlement import BROKEN_MAX, settled_in

NAMES = HEADER.split(";")


def lines(count: int, **changes: str) -> Iterator[SettledRecord]:
    """A line that comes so often, with other values in some columns."""
    cells = dict(zip(NAMES, SALE.split(";"), strict=True)) | changes
    return (SettledRecord(number, cells) for number in range(2, count + 2))


def test_the_amounts_of_each_payment_and_the_first_broken_rules_are_kept() -> None:
    settled = settled_in(lines(20, Cashflow="+"))

    assert settled.amounts == {"p1": ["92.00"] * 20}
    assert len(settled.broken) == BROKEN_MAX


def test_more_lines_than_a_run_can_make_are_given_up() -> None:
    taken = 0

    def endless() -> Iterator[SettledRecord]:
        nonlocal taken
        (one,) = lines(1, UniqueID="")
        while True:
            taken += 1
            yield one

    with pytest.raises(SettlementCsvError, match="at most 50 lines"):
        settled_in(endless(), lines_max=50)
    assert taken == 51
