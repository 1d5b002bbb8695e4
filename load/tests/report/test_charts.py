"""Charts: scales end at round numbers, peaks are drawn, and a chart can be empty."""

from pathlib import Path

import pytest

from load.report import charts
from load.report.charts import WIDTH, Series, lay_out_chart, round_up, thin_out

TEMPLATE = Path(charts.__file__).with_name("report.html").read_text(encoding="utf-8")
# Of "10,000 users" in the letters of the page.
LABEL_WIDTH = 72


@pytest.mark.parametrize(("value", "top"), [(0, 1), (0.3, 0.5), (7, 10), (10, 10), (11, 20),
                                            (201, 250), (260, 500), (5001, 10_000)])  # fmt: skip
def test_a_scale_ends_at_a_round_number(value, top):
    assert round_up(value) == pytest.approx(top)


def test_a_long_run_is_drawn_with_its_peaks():
    values = [1.0] * 5000
    values[3333] = 99.0

    drawn = thin_out(values)

    assert len(drawn) <= 300
    assert max(value for _, value in drawn) == 99.0


def test_a_chart_without_values_can_be_drawn():
    chart = lay_out_chart("Nothing", "units", [Series("none", "one", [])])

    assert chart.summary == "Nothing in units: "
    assert [points for _, points in chart.lines] == [""]


def test_a_chart_over_load_places_values_by_the_load_of_their_step():
    chart = lay_out_chart(
        "Throughput", "per second", [Series("a", "one", [1.0, 2.0, 2.0])], at=[10, 20, 40],
        at_unit="users",
    )  # fmt: skip

    ((_, points),) = chart.lines
    xs = [float(point.split(",")[0]) for point in points.split()]
    assert xs[2] - xs[1] == pytest.approx(2 * (xs[1] - xs[0]), abs=0.2)
    assert chart.times[0].text == "0 users"
    # Each is centred on its place, and whole on the picture.
    assert chart.times[1].x == pytest.approx(xs[0] - 3 * (xs[1] - xs[0]) / 10, abs=0.2)
    assert TEMPLATE.count('text-anchor="middle"') == 1
    assert all(label.x + LABEL_WIDTH / 2 <= WIDTH for label in chart.times)
