"""Charts of a run as SVG: lines over time or load. A page needs no script for them. Pure."""

from collections.abc import Sequence
from math import ceil, log10
from typing import NamedTuple

WIDTH, HEIGHT = 640, 200
LEFT, TOP, BOTTOM = 52, 10, 26
# Half of the longest label of a step, as labels are centred on their places.
RIGHT = 40
GRID_LINES, TIME_LABELS = 4, 6
# A line of this width cannot show more points than this.
POINTS_MAX = 300


class Series(NamedTuple):
    """A line: its name, its class in the style sheet, and a value per second or step."""

    name: str
    style: str
    values: Sequence[float]


class AxisLabel(NamedTuple):
    """A text on an axis of a chart, and its position."""

    x: float
    y: float
    text: str


class Chart(NamedTuple):
    """A laid out chart: what a template needs to draw it."""

    title: str
    unit: str
    lines: Sequence[tuple[Series, str]]
    values: Sequence[AxisLabel]
    times: Sequence[AxisLabel]

    @property
    def summary(self) -> str:
        """The chart in words, for readers who cannot see it."""
        ranges = (
            f"{series.name} from {min(series.values):,.0f} to {max(series.values):,.0f}"
            for series, _ in self.lines
            if series.values
        )
        return f"{self.title} in {self.unit}: {', '.join(ranges)}"


def lay_out_chart(
    title: str, unit: str, series: Sequence[Series],
    *, at: Sequence[float] | None = None, at_unit: str = "s",
) -> Chart:  # fmt: skip
    """Lay out lines over the same seconds, on one scale that begins at 0.

    `at` are the places of the values where they stand over something else than seconds.
    """
    top = round_up(max((value for line in series for value in line.values), default=1.0))
    seconds = max((len(line.values) for line in series), default=0)
    last = max(at[-1] if at else seconds - 1, 1)
    lines = [(line, _points(line.values, top, at=at, last=last)) for line in series]
    values = [
        AxisLabel(LEFT - 6, _y(top * number / GRID_LINES, top), _label(top * number / GRID_LINES))
        for number in range(GRID_LINES + 1)
    ]
    step = max(1, ceil(last / TIME_LABELS))
    times = [
        AxisLabel(_x(place, last), HEIGHT - 8, f"{place} {at_unit}")
        for place in range(0, int(last) + 1, step)
    ]
    return Chart(title, unit, lines, values, times)


def round_up(value: float) -> float:
    """Return the least of 1, 2, 2.5, 5 and 10 times a power of ten that is not below `value`."""
    if value <= 0:
        return 1.0
    power = 10.0 ** ceil(log10(value) - 1)
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= value)


def thin_out(values: Sequence[float], points_max: int = POINTS_MAX) -> list[tuple[int, float]]:
    """Return values with their seconds; if there are too many, the greatest of each stretch."""
    width = max(1, ceil(len(values) / points_max))
    stretches = (values[at : at + width] for at in range(0, len(values), width))
    return [(number * width, max(stretch)) for number, stretch in enumerate(stretches)]


def _points(values: Sequence[float], top: float, *, at: Sequence[float] | None, last: float) -> str:
    placed = thin_out(values) if at is None else zip(at, values, strict=True)
    return " ".join(f"{_x(place, last):.1f},{_y(value, top):.1f}" for place, value in placed)


def _x(second: float, last: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * second / last


def _y(value: float, top: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)


def _label(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".")
