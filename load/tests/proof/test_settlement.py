"""The figures of a settlement day."""

from load.figures.figure import missed_names
from load.proof.settlement import SettledDay
from load.proof.settlement_figures import evaluate_day

DAY = SettledDay(
    payments=200_000,
    seconds=20.0,
    gateway_s=12.0,
    workers_s=18.0,
    growth_bytes=50 * 1024 * 1024,
    workers_bytes=100 * 1024 * 1024,
    before=[0.004] * 100,
    meanwhile=[0.006] * 100,
    fetched_mb=90.0,
    one_mb_s=120.0,
    all_mb_s=200.0,
    faults=[],
)


def test_a_day_of_a_million_is_extrapolated_from_the_measured_one():
    found = {each.name: each.median for each in evaluate_day(DAY)}

    assert found["settlement: the same for 1,000,000, extrapolated"] == 100
    assert found["settlement: processor time of the gateway a line"] == 60
    assert found["settlement: memory of gateway growth and workers"] == 150
    assert missed_names(evaluate_day(DAY)) == []


def test_what_is_too_slow_too_large_or_wrong_is_missed():
    bad = DAY._replace(
        seconds=25.0, workers_bytes=300 * 1024 * 1024, meanwhile=[0.01] * 100, one_mb_s=40.0,
        faults=["a line twice"],
    )  # fmt: skip

    assert len(missed_names(evaluate_day(bad))) == 5
