"""Charts of a run as SVG: lines over seconds, drawn here, so that a page needs no script. Pure."""

from collections.abc import Sequence
from math import ceil, log10
from typing import NamedTuple

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 52, 10, 10, 26
GRID_LINES, TIME_LABELS = 4, 6
# More points than this say nothing more on a line of this width.
POINTS_MAX = 300


class Series(NamedTuple):
    """A line: its name, its class in the style of the page, and a value a second."""

    name: str
    style: str
    values: Sequence[float]


class Mark(NamedTuple):
    """A text on the edge of a chart, and where it stands."""

    x: float
    y: float
    text: str


class Chart(NamedTuple):
    """A chart that is laid out: what a template needs to draw it."""

    title: str
    unit: str
    lines: Sequence[tuple[Series, str]]
    values: Sequence[Mark]
    times: Sequence[Mark]

    @property
    def summary(self) -> str:
        """The chart in words, for whoever does not see it."""
        told = (
            f"{series.name} from {min(series.values):,.0f} to {max(series.values):,.0f}"
            for series, _ in self.lines
            if series.values
        )
        return f"{self.title} in {self.unit}: {', '.join(told)}"


def chart_of(title: str, unit: str, series: Sequence[Series]) -> Chart:
    """Some lines over the same seconds, on one scale that begins at 0."""
    most = nice_top(max((value for line in series for value in line.values), default=1.0))
    seconds = max((len(line.values) for line in series), default=0)
    lines = [(line, _points(line.values, most)) for line in series]
    values = [
        Mark(LEFT - 6, _y(most * number / GRID_LINES, most), _label(most * number / GRID_LINES))
        for number in range(GRID_LINES + 1)
    ]
    last = max(seconds - 1, 1)
    step = max(1, ceil(last / TIME_LABELS))
    times = [Mark(_x(at, last), HEIGHT - 8, f"{at} s") for at in range(0, last + 1, step)]
    return Chart(title, unit, lines, values, times)


def nice_top(value: float) -> float:
    """The least of 1, 2, 2.5, 5 and 10 times a power of ten that is not below a value."""
    if value <= 0:
        return 1.0
    power = 10.0 ** ceil(log10(value) - 1)
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= value)


def thinned(values: Sequence[float], most: int = POINTS_MAX) -> list[tuple[int, float]]:
    """Values with their seconds, the greatest of each stretch where there are too many."""
    width = max(1, ceil(len(values) / most))
    stretches = (values[at : at + width] for at in range(0, len(values), width))
    return [(number * width, max(stretch)) for number, stretch in enumerate(stretches)]


def _points(values: Sequence[float], most: float) -> str:
    last = max(len(values) - 1, 1)
    return " ".join(f"{_x(at, last):.1f},{_y(value, most):.1f}" for at, value in thinned(values))


def _x(second: float, last: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * second / last


def _y(value: float, most: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / most)


def _label(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".")
