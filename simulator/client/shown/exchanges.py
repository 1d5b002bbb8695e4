"""Exchanges of a journal as lines to print. Another server may be there, which masks nothing and
answers anything: nothing of it takes effect on a terminal, and no type of it is an error.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simulator.client.shown.masking import Masking, masked_text
from simulator.client.wire import Answer

LENGTH_MAX = 2000
# A text is masked before it is cut, for a part of a number is no number: so much more of it.
READ_BEYOND = 1000


def lines_of(entries: Sequence[Any]) -> str:
    """The newest entries of a journal, oldest first, one line each and refused parameters below."""
    exchanges = [each for each in entries if isinstance(each, Mapping)
                 and each.get("kind") == "exchange"]  # fmt: skip
    return "\n".join(map(_lines_of_one, reversed(exchanges))) or "no request was received"


def shown(value: Any) -> str:
    """A value in one line, masked, and with a code in place of each sign that does not print."""
    text = masked_text(str("" if value is None else value)[: LENGTH_MAX + READ_BEYOND])
    return "".join(map(_printable, text[:LENGTH_MAX]))


def _lines_of_one(entry: Mapping[str, Any]) -> str:
    answer = Answer(0, {}, Masking().body(entry.get("answer")))
    head = f"{shown(entry.get('method'))} {shown(entry.get('path'))} -> "
    said = f"{shown(entry.get('status'))} {shown(answer.code)} {shown(answer.reason)}".strip()
    asked = json.dumps(Masking().body(entry.get("request") or {}), ensure_ascii=True)
    return f"{head}{said}\n    {shown(asked)}{''.join(_errors_in(answer))}"


def _errors_in(answer: Answer) -> Iterable[str]:
    errors = answer.at("result.parameterErrors")
    for error in errors if isinstance(errors, list) else ():
        if isinstance(error, Mapping):
            yield f"\n    {shown(error.get('name'))}: {shown(error.get('message'))}"


def _printable(sign: str) -> str:
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode()
