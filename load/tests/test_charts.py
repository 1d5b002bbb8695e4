"""Charts: scales end at round numbers, peaks are drawn, and nothing at all can be drawn too."""

import pytest

from load.charts import Series, chart_of, nice_top, thinned


@pytest.mark.parametrize(("value", "top"), [(0, 1), (0.3, 0.5), (7, 10), (10, 10), (11, 20),
                                            (201, 250), (260, 500), (5001, 10_000)])  # fmt: skip
def test_a_scale_ends_at_a_round_number(value, top):
    assert nice_top(value) == pytest.approx(top)


def test_a_long_run_is_drawn_with_its_peaks():
    values = [1.0] * 5000
    values[3333] = 99.0

    drawn = thinned(values)

    assert len(drawn) <= 300
    assert max(value for _, value in drawn) == 99.0


def test_a_chart_without_values_can_be_drawn():
    chart = chart_of("Nothing", "units", [Series("none", "one", [])])

    assert chart.summary == "Nothing in units: "
    assert [points for _, points in chart.lines] == [""]
