"""What the text window says, as plain text."""

from collections.abc import Iterable

from pos_emulator.counter.desk import CHOICES, DeskView
from pos_emulator.counter.feed import NumberedNotice

LINES_MAX = 200
KEYS = {"chip": "i inserts", "tap": "t taps", "magstripe": "w swipes"}


def display_of(view: DeskView, out_of_order: str, *, digits: int, message: str) -> str:
    """The display, what is asked for and by which key it is answered, and the till's last word."""
    lines = [f"OUT OF ORDER: {out_of_order}" if out_of_order else view.display]
    question = view.question
    if question and question.kind == "card":
        lines.append(", ".join(KEYS[each] for each in question.readers if each in KEYS))
    elif question and question.kind == "pin":
        left = "" if question.tries_left is None else f"{question.tries_left} tries left, "
        lines += [f"{left}then Enter", "*" * digits]
    elif question and question.kind in CHOICES:
        lines += [f"{place} {label}" for place, label in enumerate(question.labels, 1)]
        lines += [question.terms] if question.terms else []
    elif question and question.kind == "text":
        lines.append("type it, then Enter; Escape cancels")
    elif question:
        lines.append("Enter accepts, Escape refuses")
    return "\n".join([*lines, message])


def happened_in(notices: Iterable[NumberedNotice]) -> str:
    """What happened, newest first."""
    lines = [
        f"{each.notice.at:%H:%M:%S} {each.notice.text}"
        for each in notices
        if each.notice.kind != "display"
    ]
    return "\n".join(reversed(lines[-LINES_MAX:]))
