"""What terminal and card said to each other as a sequence diagram: one SVG without styles or
scripts, so that the page's policy lets it be shown.

It is made of what may be shown anyway (`CardEvent`): no number, track or PIN is in it.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from pos_emulator.kernel.records import CardEvent

WIDTH, MARGIN, TITLE, HEAD = 960, 24, 40, 32
TERMINAL, CARD = 190, 770
TIME_X, NOTE_X = MARGIN, TERMINAL + 12
ARROW_ROW, LINE_ROW = 40, 17
BYTES_MAX, WORDS_MAX = 68, 84
FONT = "ui-sans-serif, system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, Menlo, 'DejaVu Sans Mono', monospace"
INK, QUIET, LINE, GOOD, BAD = "#1c2430", "#566173", "#a9b6c6", "#2b5c9e", "#b3261e"
# Status words of a command that was carried out, or of which more is to be fetched.
CARRIED_OUT = ("90", "61", "6C")


class TimedEvent(NamedTuple):
    """One thing that happened, and when."""

    at: datetime
    event: CardEvent


class _Row(NamedTuple):
    height: int
    drawn: str


def render_exchanges(events: Iterable[TimedEvent], title: str) -> str:
    """The diagram of what happened between terminal and card; `title` stands above it."""
    top = MARGIN + TITLE + HEAD
    rows, y = [], top + 12
    for row in _rows(events):
        rows.append(f'<g transform="translate(0 {y})">{row.drawn}</g>')
        y += row.height
    bottom = y + 8
    parts = [
        f'<rect width="{WIDTH}" height="{bottom + MARGIN}" fill="#fff"/>',
        _text(MARGIN, MARGIN + 14, title, 'font-size="16" font-weight="600"'),
        *(_life(x, name, top, bottom) for x, name in ((TERMINAL, "terminal"), (CARD, "card"))),
        *rows,
    ]
    drawn = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom + MARGIN}"'
        f' viewBox="0 0 {WIDTH} {bottom + MARGIN}" role="img" aria-label={quoteattr(title)}>\n'
        f"<title>{escape(title)}</title>\n"
        f'<g font-family="{FONT}" font-size="13" fill="{INK}">\n{drawn}\n</g>\n</svg>\n'
    )


def _rows(events: Iterable[TimedEvent]) -> Iterator[_Row]:
    """A row for each arrow and each line below it; a time where it is another."""
    shown = ""
    for at, event in events:
        time = f"{at:%H:%M:%S}"
        stamp = (
            _text(TIME_X, 26 if event.command else 13, time, f'fill="{QUIET}" font-size="12"')
            if time != shown
            else ""
        )
        shown = time
        if not event.command:
            yield _Row(LINE_ROW + 6, stamp + _note(f"{event.step}: {event.text}"))
            continue
        yield _Row(ARROW_ROW, stamp + _arrow(TERMINAL, CARD, event.step, event.command, color=GOOD))
        words = event.text.removeprefix(f"{event.step}: ")
        color = GOOD if event.response[-4:-2] in CARRIED_OUT else BAD
        yield _Row(ARROW_ROW, _arrow(CARD, TERMINAL, words, event.response, color=color))
        for line in event.objects:
            yield _Row(LINE_ROW, _note(line))
        yield _Row(8, "")


def _life(x: int, name: str, top: int, bottom: int) -> str:
    return (
        f'<path d="M{x} {top}V{bottom}" stroke="{LINE}" stroke-dasharray="3 4"/>'
        f'<rect x="{x - 52}" y="{top - HEAD}" width="104" height="{HEAD - 2}" rx="6"'
        f' fill="#eaf0f7" stroke="#8fa3bb"/>'
        + _text(x, top - 12, name, 'font-weight="600" text-anchor="middle"')
    )


def _arrow(start: int, end: int, words: str, digits: str, *, color: str) -> str:
    """An arrow with words above it and the bytes below them; the tip is at the receiver."""
    turn = 1 if end > start else -1
    middle = (start + end) // 2
    ink = INK if color == GOOD else BAD
    return (
        _text(middle, 12, words, f'text-anchor="middle" fill="{ink}"', room=WORDS_MAX)
        + f'<path d="M{start} 32H{end - turn * 8}" stroke="{color}" stroke-width="1.5"/>'
        + f'<path d="M{end - turn} 32l{-turn * 9} -4.5v9z" fill="{color}"/>'
        + _text(middle, 27, digits, f'text-anchor="middle" font-family="{MONO}" font-size="11"'
                f' fill="{QUIET}"', room=BYTES_MAX)
    )  # fmt: skip


def _note(text: str) -> str:
    return _text(NOTE_X, 13, text, f'font-size="12" fill="{QUIET}"')


def _text(x: int, y: int, text: str, attributes: str, *, room: int = WORDS_MAX) -> str:
    """A text; one that is longer than its room is cut, and shows the whole when pointed at."""
    place = f'<text x="{x}" y="{y}" {attributes}>'
    if len(text) <= room:
        return f"{place}{escape(text)}</text>"
    return f"{place}{escape(text[: room - 3])}...<title>{escape(text)}</title></text>"
