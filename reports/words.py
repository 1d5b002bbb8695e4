"""The words and signs of all reports: states, the verdict, times, and text that is safe to show."""

import unicodedata
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from reports.events import CaseVerdict, Verdict
from reports.run import RecordedRun

State = Literal[
    "failed", "error", "waived", "not-checkable", "not-judged", "passed", "planned", "no-case"
]  # fmt: skip


class StateSign(NamedTuple):
    """How a state is shown: a sign beside its colour, its word, a colour of the terminal."""

    sign: str
    word: str
    style: str


# From the worst to the best; of several test cases, the worst decides.
SIGNS: dict[State, StateSign] = {
    "failed":        StateSign("\u2717", "failed", "bold red"),
    "error":         StateSign("\u203c", "error", "bold yellow"),
    "waived":        StateSign("!", "waived", "yellow"),
    "not-checkable": StateSign("?", "not checkable", "magenta"),
    "not-judged":    StateSign("\u2013", "not evaluated", "cyan"),
    "passed":        StateSign("\u2713", "passed", "green"),
    "planned":       StateSign("\u2026", "planned", "blue"),
    "no-case":       StateSign("\u00b7", "no case", "dim"),
}  # fmt: skip

# Characters that no XML can hold, that a browser drops, or that turn the order of what is read.
_NEWLINE_AND_TAB = "\n\t"
_BIDIRECTIONAL = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
_NOT_CHARACTERS = {0xFFFE, 0xFFFF}


class Headline(NamedTuple):
    """The verdict of a run: the state it is shown as, in one word, and in a sentence."""

    state: State
    title: str
    words: str


def headline_of(run: RecordedRun) -> Headline:
    """What a run came to. What was skipped never counts as passed.

    Formats of fields are counted apart: they are many, and each shows little.
    """
    counts = run.counts
    if counts["failed"]:
        title = "Failed and incomplete" if run.lacks else "Failed"
        return Headline("failed", title, f"{_share(run, 'failed')} failed. {run.lacks}")
    if counts["error"]:
        words = f"{_share(run, 'error')} ended in an error of a step"
        return Headline("error", "Error", f"{words}, not of the target. {run.lacks}")
    if run.lacks:
        return Headline("not-checkable", "Incomplete", f"{run.lacks} None of them failed.")
    if counts["not-checkable"]:
        words = f"Nothing failed, but {_share(run, 'not-checkable')} could not be"
        return Headline("not-checkable", "Incomplete", f"{words} checked here.")
    if not counts["passed"]:
        return Headline("not-checkable", "Incomplete", "Nothing was proven: no case passed.")
    return Headline("passed", "Passed", _passed(run))


def _share(run: RecordedRun, verdict: Verdict) -> str:
    """How many of how many cases have a verdict, those of scenarios and formats of fields apart."""
    scenarios, formats = run.scenario_counts, run.field_format_counts
    said = [f"{counts[verdict]:,} of {sum(counts.values()):,} {name}"
            for counts, name in ((scenarios, "cases"), (formats, "field formats"))
            if sum(counts.values())]  # fmt: skip
    return " and ".join(said)


def _passed(run: RecordedRun) -> str:
    counts, total = run.counts, len(run.cases)
    if counts["passed"] == total:
        if total == 1:
            return "The one case passed."
        sizes = [(sum(run.scenario_counts.values()), "cases"),
                 (sum(run.field_format_counts.values()), "field formats")]  # fmt: skip
        said = " and all ".join(f"{count:,} {name}" for count, name in sizes if count)
        return f"All {said} passed."
    aside = [f"{counts[key]:,} {SIGNS[key].word}" for key in ("waived", "not-judged")
             if counts[key]]  # fmt: skip
    return f"{_share(run, 'passed')} passed; {', '.join(aside)}."


def reason_of(case: CaseVerdict) -> str:
    """Why a case was waived, not checkable or not evaluated, without repeating the verdict."""
    reason = case.reason.removeprefix(f"{case.verdict.replace('-', ' ')}: ")
    return reason or "no reason is given"


def readable(text: str) -> str:
    """The text with every control character made visible; newline and tab stay as they are.

    C0 controls become their pictures, all others that no report can hold or that change the order
    of reading become their code in angle brackets.
    """
    if text.isascii() and text.isprintable():
        return text
    return text.translate({ord(each): _picture(ord(each)) for each in set(text) if _odd(each)})


def _odd(character: str) -> bool:
    code = ord(character)
    if character in _NEWLINE_AND_TAB:
        return False
    is_control = unicodedata.category(character) in ("Cc", "Cs")
    return is_control or code in _BIDIRECTIONAL or code & 0xFFFF in _NOT_CHARACTERS


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"\u27e8U+{code:04X}\u27e9"


def duration(seconds: float) -> str:
    """`3 min 12 s`, `12.3 s` or `85 ms`."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def moment(at: str) -> str:
    """`22 November 2026, 02:23:56 UTC`, or the text itself where it is no time."""
    try:
        parsed = datetime.fromisoformat(at)
        parsed = parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return at
    return f"{parsed.day} {parsed:%B %Y, %H:%M:%S} UTC"
