"""A trace as a sequence diagram: one SVG that needs nothing else, light or dark as its reader.

It is as large as its letters need, and shrinks with a window that is a little narrower.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from simulator.domain.journal.entries import Party
from simulator.domain.journal.trace import EMPTY, Arrow, Trace, time_shown, trace_titles

MARGIN = 24
# Of its own width: narrower windows scroll, since smaller letters could not be read.
LEAST_SCALE = 0.7
HEADS = {Party.SHOPPER: "shopper's browser"}
TITLE_LINE = 20
TIMES_WIDTH = 104
GAP_MIN, GAP_MIN_WITH_NOTES, GAP_MAX = 150, 220, 300
HEAD_HEIGHT, HEAD_WIDTH_MIN = 30, 92
ROW, NOTE_LINE, DATE_ROW = 40, 16, 30
LETTER, NOTE_LETTER, HEAD_LETTER = 7.4, 6.3, 8.3
TITLES_MAX = 12
NOTE_LENGTH_MAX = 160

STYLE = """
:root { color-scheme: light dark; }
svg { background: #ffffff; max-width: 100%; height: auto; }
svg { font: 13px ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
text { fill: #1c2430; }
.title { font-size: 15px; font-weight: 600; }
.quiet { fill: #566173; font-size: 12px; }
.head rect { fill: #eaf0f7; stroke: #8fa3bb; }
.head text { font-weight: 600; text-anchor: middle; }
.life { stroke: #a9b6c6; stroke-dasharray: 3 4; }
.label { text-anchor: middle; }
.label { paint-order: stroke; stroke: #ffffff; stroke-width: 5px; stroke-linejoin: round; }
.time { fill: #566173; font-size: 12px; font-variant-numeric: tabular-nums; }
.note { fill: #566173; font-size: 11.5px; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
.arrow { stroke: #2b5c9e; stroke-width: 1.5; fill: none; }
.tip { fill: #2b5c9e; }
.bad .arrow { stroke: #b3261e; }
.bad .tip, .bad .label { fill: #b3261e; }
@media (prefers-color-scheme: dark) {
  svg { background: #14181f; }
  text { fill: #e4e9f0; }
  .quiet, .time, .note { fill: #9fabbb; }
  .head rect { fill: #232c39; stroke: #55657a; }
  .life { stroke: #475468; }
  .label, .note { stroke: #14181f; }
  .arrow { stroke: #82b1f5; }
  .tip { fill: #82b1f5; }
  .bad .arrow { stroke: #ff8a80; }
  .bad .tip, .bad .label { fill: #ff8a80; }
}
"""


class Columns(NamedTuple):
    """Where each party stands, and how wide all of it is."""

    place: dict[Party, float]
    width: float


def trace_svg(trace: Trace) -> str:
    """The trace as an SVG document."""
    columns = _columns(trace)
    top = MARGIN + 8 + TITLE_LINE * min(len(trace_titles(trace)), TITLES_MAX + 1)
    body, y = [], top + HEAD_HEIGHT + 14.0
    for element, height in _rows(trace, columns):
        body.append(f'<g transform="translate(0 {y:g})">{element}</g>')
        y += height
    bottom = y + 6
    parts = [*_titles(trace), *_lives(columns, top, bottom), *body, *_heads(columns, top)]
    return _document(parts, columns.width, bottom + MARGIN, title=trace_titles(trace)[0])


def _document(parts: Sequence[str], width: float, height: float, *, title: str) -> str:
    lines = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" '
        f'style="min-width: {width * LEAST_SCALE:.0f}px">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n{lines}\n</svg>\n"
    )


def _columns(trace: Trace) -> Columns:
    """A column for each party, as far from the next as the longest label between them asks for."""
    parties = trace.parties
    place = {parties[0]: MARGIN + TIMES_WIDTH + _head_width(parties[0]) / 2}
    for left, right in zip(parties, parties[1:], strict=False):
        place[right] = place[left] + _gap(trace, left, right)
    last = place[parties[-1]]
    notes = [
        place[_left(arrow, place)] + 10 + len(line) * NOTE_LETTER
        for arrow in trace.arrows
        for note in _notes(arrow)
        for line in _lines(note, _note_letters(arrow, place))
    ]
    titles = [MARGIN + len(line) * HEAD_LETTER for line in trace_titles(trace)]
    edge = max(last + _head_width(parties[-1]) / 2, *notes, *titles, 0)
    return Columns(place, round(edge + MARGIN))


def _gap(trace: Trace, left: Party, right: Party) -> float:
    between = [arrow for arrow in trace.arrows if {arrow.sender, arrow.receiver} == {left, right}]
    heads = (_head_width(left) + _head_width(right)) / 2 + 16
    wanted = max((len(arrow.label) for arrow in between), default=0) * LETTER + 36
    least = GAP_MIN_WITH_NOTES if any(map(_notes, between)) else GAP_MIN
    return max(least, heads, min(wanted, GAP_MAX))


def _head_width(party: Party) -> float:
    return max(HEAD_WIDTH_MIN, len(_head_of(party)) * HEAD_LETTER + 20)


def _head_of(party: Party) -> str:
    return HEADS.get(party, str(party))


def _titles(trace: Trace) -> Iterator[str]:
    titles = trace_titles(trace)
    for line, title in enumerate(titles[:TITLES_MAX]):
        style = "title" if line == 0 else "quiet"
        yield _text(MARGIN, MARGIN + TITLE_LINE * line + 6, title, style)
    if len(titles) > TITLES_MAX:
        rest = f"and {len(titles) - TITLES_MAX} more"
        yield _text(MARGIN, MARGIN + TITLE_LINE * TITLES_MAX + 6, rest, "quiet")


def _heads(columns: Columns, top: float) -> Iterator[str]:
    for party, x in columns.place.items():
        width = _head_width(party)
        yield (
            f'<g class="head"><rect x="{x - width / 2:g}" y="{top:g}" width="{width:g}" '
            f'height="{HEAD_HEIGHT}" rx="6"/>{_text(x, top + 20, _head_of(party))}</g>'
        )


def _lives(columns: Columns, top: float, bottom: float) -> Iterator[str]:
    y = top + HEAD_HEIGHT
    for x in columns.place.values():
        yield f'<line class="life" x1="{x:g}" y1="{y:g}" x2="{x:g}" y2="{bottom:g}"/>'


def _rows(trace: Trace, columns: Columns) -> Iterator[tuple[str, float]]:
    """The rows below the heads and their heights: days, and messages with their notes."""
    day, time = "", ""
    if not trace.arrows:
        yield _text(MARGIN, 24, EMPTY, "quiet"), ROW
    for arrow in trace.arrows:
        shown_day, shown_time = time_shown(arrow.at).split(" ")
        if shown_day != day:
            yield _text(MARGIN, 20, shown_day, "time"), DATE_ROW
        yield _row(
            arrow, columns, time="" if (shown_day, shown_time) == (day, time) else shown_time
        )
        day, time = shown_day, shown_time


def _row(arrow: Arrow, columns: Columns, *, time: str) -> tuple[str, float]:
    place = columns.place
    lines = [line for note in _notes(arrow) for line in _lines(note, _note_letters(arrow, place))]
    x = place[_left(arrow, place)] + 10
    notes = "".join(
        _text(x, ROW - 3 + NOTE_LINE * (number + 0.4), line, "note")
        for number, line in enumerate(lines)
    )
    drawn = _loop(arrow, place) if arrow.sender == arrow.receiver else _line(arrow, place)
    style = ' class="bad"' if arrow.bad else ""
    stamp = _text(MARGIN, 26, time, "time") if time else ""
    return f"{stamp}<g{style}>{drawn}</g>{notes}", ROW + NOTE_LINE * len(lines)


def _line(arrow: Arrow, place: dict[Party, float]) -> str:
    start, end = place[arrow.sender], place[arrow.receiver]
    turn = 1 if end > start else -1
    tip = end - turn * 2
    room = int((abs(end - start) - 24) / LETTER)
    return (
        f'<line class="arrow" x1="{start:g}" y1="24" x2="{tip - turn * 6:g}" y2="24"/>'
        f'<path class="tip" d="M{tip:g} 24 l{-turn * 9} -4.5 v9 z"/>'
        f"{_text((start + end) / 2, 17, arrow.label, 'label', room=room)}"
    )


def _loop(arrow: Arrow, place: dict[Party, float]) -> str:
    x = place[arrow.sender]
    return (
        f'<path class="arrow" d="M{x:g} 6 h30 v16 h-20"/>'
        f'<path class="tip" d="M{x + 2:g} 22 l9 -4.5 v9 z"/>{_text(x + 38, 19, arrow.label)}'
    )


def _notes(arrow: Arrow) -> tuple[str, ...]:
    """What stands below an arrow: the meaning of its code, then its notes."""
    return (arrow.meaning, *arrow.notes) if arrow.meaning else arrow.notes


def _left(arrow: Arrow, place: dict[Party, float]) -> Party:
    return min(arrow.sender, arrow.receiver, key=place.__getitem__)


def _note_letters(arrow: Arrow, place: dict[Party, float]) -> int:
    """How many letters of a note stand in a line: as wide as its arrow, but not too few."""
    width = abs(place[arrow.sender] - place[arrow.receiver]) or GAP_MAX
    return max(int((width - 16) / NOTE_LETTER), 24)


def _lines(note: str, letters: int) -> Iterator[str]:
    """A note in lines, broken between words or parts of a path, or else anywhere."""
    left = note if len(note) <= NOTE_LENGTH_MAX else note[: NOTE_LENGTH_MAX - 3] + "..."
    while len(left) > letters:
        at = max(left.rfind(" ", 0, letters + 1), left.rfind("/", 0, letters) + 1)
        cut = at if at > letters / 3 else letters
        yield left[:cut]
        left = left[cut:].lstrip()
    yield left


def _text(x: float, y: float, text: str, style: str = "", *, room: int = 0) -> str:
    """A text; one that is longer than its room is cut and shows the whole when it is pointed at."""
    attribute = f' class="{style}"' if style else ""
    if not room or len(text) <= room:
        return f'<text{attribute} x="{x:g}" y="{y:g}">{escape(text)}</text>'
    return (
        f'<text{attribute} x="{x:g}" y="{y:g}">{escape(text[: room - 1])}...'
        f"<title>{escape(text)}</title></text>"
    )
