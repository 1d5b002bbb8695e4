"""The keys that the clearing institutes of this project write, read by the checker."""

import json
from pathlib import Path

import pytest

from acquirer_mocks.settlement.fault_plan import LINE_FAULTS
from acquirer_mocks.tests.settlement.movements import ONE, movement, run
from features.reconciling.checker import measure
from features.reconciling.key import AnswerKey, read_key
from features.reconciling.result import ResultRow
from simulator.domain.ports.clearing import SettlementFaults

INSTITUTES = ("Sandgate Clearing", "Sandgate Acquiring", "Sandgate Bank")
CURRENCIES = ("EUR", "JPY", "KWD", "USD")


def key_of_a_day(folder: Path, faults: SettlementFaults, institute: str) -> AnswerKey:
    """The key of the first merchant for a day of sales in four currencies."""
    entries = [
        movement(number, amount=f"{number + 10}.00 {CURRENCIES[number % 4]}")
        for number in range(1, 90)
    ]
    parent = f"{500:032x}"
    parts = [
        movement(number, "CP", "5.00 EUR", about=parent, is_part=True) for number in range(100, 110)
    ]
    for place in (80, 60, 40, 20):
        entries.insert(place, movement(200 + place, merchant_number="b2" * 16))
    written = run(folder, [*entries, *parts], institute=institute, faults=faults)
    (name,) = (each for each in written.keys if each.startswith(ONE))
    return read_key(folder / "keys" / name)


def test_each_planted_fault_is_one_the_checker_counts(tmp_path: Path) -> None:
    faults = SettlementFaults(counts=dict.fromkeys(LINE_FAULTS, 2))

    found: set[str] = set()
    for number, institute in enumerate(INSTITUTES):
        measured = measure(key_of_a_day(tmp_path / f"{number}", faults, institute), [])
        found |= {name for name, each in measured.classes.items() if each.planted}
        # A leak that does not come up is all that an empty result finds.
        assert measured.recall < 0.2

    # These two come to light in later files.
    assert found >= set(LINE_FAULTS) - {"settled_twice", "chargeback_late"}


@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_result_that_repeats_a_clean_key_is_perfect(tmp_path: Path, institute: str) -> None:
    key = key_of_a_day(tmp_path, SettlementFaults(), institute)

    rows = [ResultRow(name, truth.payments, "MATCHED", "") for name, truth in key.lines.items()]

    assert measure(key, rows).misses == []


@pytest.mark.parametrize("trouble", ("empty", "cut", "trailer"))
def test_a_merchant_without_a_file_has_to_miss_its_payments(tmp_path: Path, trouble: str) -> None:
    faults = SettlementFaults(file=trouble)  # type: ignore[arg-type]
    key = key_of_a_day(tmp_path, faults, INSTITUTES[0])

    missed = ResultRow("", frozenset({f"{1:032x}"}), "MISSING", "")

    assert measure(key, [missed]).is_perfect
    assert [each.kind for each in measure(key, []).misses] == ["not found"]


def test_keys_hold_no_number_of_a_card(tmp_path: Path) -> None:
    key_of_a_day(tmp_path, SettlementFaults(), INSTITUTES[0])

    for path in (tmp_path / "keys").iterdir():
        for line in path.read_text().splitlines():
            assert not {"last4", "holder", "number"} & json.loads(line).keys()
