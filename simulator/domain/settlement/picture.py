"""A bank day as a picture: where the money of a merchant account came from, and what became of it.

One SVG that needs nothing else, light or dark as its reader.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from html import escape
from typing import NamedTuple

from simulator.domain.settlement.runs import SettlementRun
from simulator.domain.settlement.sums import AccountSums, Flow

WIDTH, MARGIN, TITLE_HEIGHT = 900, 24, 64
SOURCES_X, MIDDLE_X, USES_X, BAR = 260, 460, 660, 16
HEIGHT_OF_ALL, LEAST, GAP = 260, 3, 26
ACCOUNTS_MAX = 10
STYLE = """
:root { color-scheme: light dark; }
svg { background: #ffffff; max-width: 100%; height: auto; }
svg { font: 13px ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
text { fill: #1c2430; font-variant-numeric: tabular-nums; }
.title { font-size: 15px; font-weight: 600; }
.quiet { fill: #566173; font-size: 12px; }
.left { text-anchor: end; }
.in { fill: #2b7a4b; } .out { fill: #b3261e; } .fee { fill: #a15c00; } .paid { fill: #2b5c9e; }
.band { opacity: 0.28; }
@media (prefers-color-scheme: dark) {
  svg { background: #14181f; }
  text { fill: #e4e9f0; }
  .quiet { fill: #9fabbb; }
  .in { fill: #6fcf97; } .out { fill: #ff8a80; } .fee { fill: #ffb74d; } .paid { fill: #82b1f5; }
}
"""


class Bar(NamedTuple):
    """One flow, and where its bar begins and ends."""

    flow: Flow
    top: float
    bottom: float


def settlement_svg(run: SettlementRun, accounts: Sequence[AccountSums]) -> str:
    """The pictures of the first accounts of a run, one below the other."""
    parts: list[str] = []
    top = float(MARGIN)
    for sums in accounts[:ACCOUNTS_MAX]:
        drawn, height = _account(run, sums, top)
        parts += drawn
        top += height + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top:g}" '
        f'viewBox="0 0 {WIDTH} {top:g}" role="img" aria-label="{escape(f"Settlement {run.id}")}">'
        f"<style>{STYLE}</style>{''.join(parts)}</svg>\n"
    )


def _account(run: SettlementRun, sums: AccountSums, top: float) -> tuple[list[str], float]:
    """What is drawn of an account, and how high it is."""
    sources = [flow for flow in sums.flows.values() if flow.kind.is_source]
    uses = [flow for flow in sums.flows.values() if not flow.kind.is_source]
    whole = max(_sum_of(sources), _sum_of(uses), Decimal(1))
    scale, below = HEIGHT_OF_ALL / float(whole), top + TITLE_HEIGHT
    left, right = _bars(sources, below, scale), _bars(uses, below, scale)
    bottom = max((bar.bottom for bar in (*left, *right)), default=below)
    title = f"{run.institute}, {run.day.isoformat()}: {_lines(sums.lines)} in {sums.currency}"
    drawn = [
        _text(MARGIN, top + 16, title, "title"),
        _text(MARGIN, top + 36, f"merchant account {sums.merchant_account}", "quiet"),
        *_bands(left, below, scale, x=SOURCES_X + BAR, to=MIDDLE_X, is_source=True),
        *_bands(right, below, scale, x=USES_X, to=MIDDLE_X + BAR, is_source=False),
        *(part for bar in left for part in _shown(bar, SOURCES_X, sums.currency, is_left=True)),
        *(part for bar in right for part in _shown(bar, USES_X, sums.currency, is_left=False)),
    ]
    return drawn, bottom - top + GAP


def _sum_of(flows: Sequence[Flow]) -> Decimal:
    return sum((flow.amount for flow in flows), Decimal(0))


def _bars(flows: Sequence[Flow], top: float, scale: float) -> list[Bar]:
    bars = []
    for flow in flows:
        bottom = top + max(float(flow.amount) * scale, LEAST)
        bars.append(Bar(flow, top, bottom))
        top = max(bottom + GAP / 2, top + GAP + GAP / 2)
    return bars


def _bands(
    bars: Sequence[Bar], top: float, scale: float, *, x: float, to: float, is_source: bool
) -> Iterator[str]:
    """The bands between bars and the middle, where they lie without gaps."""
    bend = (x + to) / 2
    for bar in bars:
        end = top + max(float(bar.flow.amount) * scale, LEAST)
        start, near, far = f"{x:g},{bar.top:.1f}", f"{bend:g},{bar.top:.1f}", f"{bend:g},{top:.1f}"
        back = f"C{bend:g},{end:.1f} {bend:g},{bar.bottom:.1f} {x:g},{bar.bottom:.1f} Z"
        path = f"M{start} C{near} {far} {to:g},{top:.1f} L{to:g},{end:.1f} {back}"
        yield f'<path class="band {bar.flow.kind.kind}" d="{path}"/>'
        if is_source:
            yield _rect(MIDDLE_X, top, end, bar.flow.kind.kind)
        top = end


def _shown(bar: Bar, x: float, currency: str, *, is_left: bool) -> Iterator[str]:
    yield _rect(x, bar.top, bar.bottom, bar.flow.kind.kind)
    place, side = (x - 8, " left") if is_left else (x + BAR + 8, "")
    yield _text(
        place, bar.top + 11, f"{bar.flow.kind.name} {bar.flow.amount:,.2f} {currency}", side
    )
    yield _text(place, bar.top + 26, _lines(bar.flow.count), f"quiet{side}")


def _rect(x: float, top: float, bottom: float, kind: str) -> str:
    return (
        f'<rect class="{kind}" x="{x:g}" y="{top:.1f}" width="{BAR}" height="{bottom - top:.1f}"/>'
    )


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text class="{style.strip()}" x="{x:g}" y="{y:.1f}">{escape(text)}</text>'


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count:,} lines"
