"""Explain a result code, or list the codes that begin with the same digits."""

import re
from collections.abc import Iterator, Sequence

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.catalogue.results import CLASSES, RESULTS, class_of
from simulator.derive.explain.lines import labeled
from simulator.derive.explain.subject import Subject
from simulator.derive.schemas.causes import causes
from simulator.grammar.choices import Choices
from simulator.grammar.payment_types import PaymentTypeRow
from simulator.grammar.results import ResultCode

BEGINNING = re.compile(r"\d{3}(\.\d{0,3}){0,2}")
REASONS = ("unsuitable", "unknown", "used_up", "repeated", "at_end", "cut_off", "platform_only")


def explain_result(name: str, choices: Choices) -> Iterator[str]:
    """A code with its meaning and its causes; or every code that begins with `name`."""
    if name in RESULTS:
        yield from _code(RESULTS[name], choices)
        return
    beginning = name.rstrip("*").rstrip(".")
    if BEGINNING.fullmatch(beginning):
        yield from _list(
            beginning, [row for code, row in RESULTS.items() if code.startswith(beginning)]
        )


def _code(row: ResultCode, choices: Choices) -> Iterator[str]:
    yield f"{row.code}  (result code)"
    yield from labeled("text", row.text)
    yield f"  group       {row.group}"
    yield f"  means       {class_of(row.code)}"
    for cause in causes(choices):
        if cause.code == row.code:
            yield from labeled("answered", f"{cause.status}, {cause.stage}: {cause.when}")
    for payment_type in PAYMENT_TYPES.values():
        for reason in REASONS:
            if getattr(payment_type, reason) == row.code:
                yield from labeled("answered", _refusal(payment_type, reason, choices))


def _refusal(row: PaymentTypeRow, reason: str, choices: Choices) -> str:
    words = {
        "unsuitable": f"of a payment of another type than {', '.join(row.refers_to(choices))}, or "
        "of one that did not succeed",
        "unknown": "of a payment that does not exist",
        "used_up": "of more than is left of the payment",
        "repeated": "of a payment that had one already",
        "at_end": "of a payment that none may follow any more",
        "cut_off": "after the day of the payment",
        "platform_only": "on a channel that refuses them",
    }
    return f"a {row.code} {words[reason]}"


def _list(name: str, rows: Sequence[ResultCode]) -> Iterator[str]:
    if not rows:
        return
    yield f"{name}  ({len(rows)} result code{'s' if len(rows) > 1 else ''})"
    for group in dict.fromkeys(row.group for row in rows):
        yield f"  group       {group}: {CLASSES[group]}"
    for row in rows:
        yield from labeled(row.code, row.text)


RESULT_CODES = Subject(
    kind="a result code or its beginning",
    example="800.120",
    page="docs/reference/errors.md",
    names=lambda: RESULTS,
    explain=explain_result,
)
