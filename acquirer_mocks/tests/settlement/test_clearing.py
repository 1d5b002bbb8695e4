"""The port of the gateway: runs of many days, and days of any movements."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acquirer_mocks.settlement.fault_plan import LINE_FAULTS
from acquirer_mocks.simulators import SIMULATORS
from acquirer_mocks.tests.settlement.movements import (
    CONTRACTS,
    INSTITUTES,
    ONE,
    TWO,
    file_of,
    movement,
    run,
)
from acquirer_mocks.tests.settlement.readings import read
from features.reconciling.key import read_key
from simulator.catalogue.clearing_institutes import CLEARING_INSTITUTES
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.ports.clearing import (
    CarriedOver,
    ClearingEntry,
    DayOrder,
    SettlementFaults,
    UnknownInstituteError,
    WrittenDay,
)

CLEARING = SIMULATORS.clearing
START = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)


def test_the_institutes_begin_with_the_one_of_a_new_channel() -> None:
    assert CLEARING.names == INSTITUTES == CLEARING_INSTITUTES


def test_an_unknown_institute_has_no_run(tmp_path: Path) -> None:
    order = DayOrder(drop=str(tmp_path), key=str(tmp_path), contracts={})

    with pytest.raises(UnknownInstituteError):
        CLEARING.write_day("Nowhere", START.date(), [], order)


def runs_of(folder: Path, institute: str, days: int) -> list[WrittenDay]:
    """The runs of some days, one movement at noon of each; each run takes what the last left."""
    now, carried, runs = START, CarriedOver(), []
    for name in ("drop", "keys"):
        (folder / name).mkdir(parents=True)
    while (due := CLEARING.next_cut_off(institute, now))[1] < START + timedelta(days=days):
        day, now = due
        after, until = CLEARING.window(institute, day)
        noons = (START + timedelta(days=each) for each in range(days))
        entries = [
            movement(at.timetuple().tm_yday, instant=at) for at in noons if after < at <= until
        ]
        order = DayOrder(
            drop=str(folder / "drop"),
            key=str(folder / "keys"),
            contracts=CONTRACTS,
            carried=carried,
        )
        written = CLEARING.write_day(institute, day, entries, order)
        carried = written.carried
        runs.append(written)
    return runs


@pytest.mark.parametrize("institute", INSTITUTES)
def test_forty_days_make_a_file_a_bank_day_and_settle_each_movement_once(
    tmp_path: Path, institute: str
) -> None:
    runs = runs_of(tmp_path, institute, 40)

    names = [written.files[-1] for written in runs]
    lines = [line for name in names for line in read(tmp_path / "drop" / name)]
    ids = [line.id for line in lines]

    # New York is closed on one more day, that of Martin Luther King.
    assert len(runs) == (27 if institute == INSTITUTES[2] else 28)
    assert names == sorted(names)
    assert len(ids) == len(set(ids))
    # The last days wait for the next run.
    assert sum(line.type == "DB" for line in lines) in range(36, 41)
    assert sum(line.type == "MONTHLY" for line in lines) == 2 * len(CONTRACTS)


ENTRIES = st.lists(
    st.builds(
        lambda kind, cents, currency, merchant, brand, part: (kind, cents, currency, merchant,
                                                              brand, part),
        st.sampled_from([kind for kind, row in PAYMENT_TYPES.items() if row.ledger]),
        st.integers(1, 10**9),
        st.sampled_from(["EUR", "USD", "JPY", "KWD"]),
        st.sampled_from([ONE, TWO]),
        st.sampled_from(["VISA", "AMEX", ""]),
        st.booleans(),
    ),
    max_size=12,
)  # fmt: skip
FAULTS = st.dictionaries(st.sampled_from([*LINE_FAULTS, "deferred"]), st.integers(1, 3), max_size=4)


@settings(max_examples=40, deadline=None)
@given(drawn=ENTRIES, counts=FAULTS, institute=st.sampled_from(INSTITUTES))
def test_a_file_of_any_movements_and_faults_adds_up(drawn, counts, institute: str) -> None:
    entries = [entry_of(number, *each) for number, each in enumerate(drawn, 1)]
    with TemporaryDirectory() as name:
        folder = Path(name)
        written = run(folder, entries, institute=institute, faults=SettlementFaults(counts=counts))
        nets: dict[tuple[str, bool], Decimal] = defaultdict(Decimal)
        lines = read(file_of(folder, written))
        for line in lines:
            nets[line.merchant, line.type == "BATCH"] += line.gross - line.fee

        assert all(nets[merchant, False] == nets[merchant, True] for merchant in CONTRACTS)
        assert len(lines) == written.lines
        for key in written.keys:
            assert (folder / "keys" / key).stat().st_size > 0
            if any(line.merchant == key[:32] for line in lines):
                read_key(folder / "keys" / key)


def entry_of(number: int, kind: str, cents: int, *rest: str | bool) -> ClearingEntry:
    currency, merchant, brand, is_part = rest
    return movement(
        number,
        kind,
        f"{cents // 100}.{cents % 100:02d} {currency}",
        merchant_number=merchant,
        brand=brand,
        is_part=is_part,
        about=f"{number // 3:032x}",
    )
