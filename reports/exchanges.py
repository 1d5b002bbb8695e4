"""Requests and answers as text, as they stand in reports for people."""

import json
from collections.abc import Mapping
from typing import Any

from reports.events import CaseVerdict, RecordedExchange
from reports.words import duration

SURFACES = {"merchant": "merchant API", "control": "control API", "other": ""}


def request_text(exchange: RecordedExchange, *, most: int) -> str:
    """Method and path, headers, a blank line, parameters; at most `most` characters."""
    sent = [f"{name}={value}" for name, value in exchange.sent.items()]
    parts = [f"{exchange.method} {exchange.path}", *_headers(exchange.sent_headers)]
    return cut("\n".join([*parts, *([""] if sent else []), *sent]), most)


def answer_text(exchange: RecordedExchange, *, most: int) -> str:
    """Status, headers, a blank line, body; or why none came. At most `most` characters."""
    if not exchange.status:
        return cut(f"no answer: {exchange.error or 'no reason is known'}", most)
    head = "\n".join([str(exchange.status), *_headers(exchange.headers)])
    body = body_text(exchange.body)
    return cut(f"{head}\n\n{body}" if body else head, most)


def body_text(body: Any) -> str:
    """A body: text as it came, JSON on lines of its own."""
    if body is None or isinstance(body, str):
        return body or ""
    return json.dumps(body, indent=2, ensure_ascii=False)


def line_of(exchange: RecordedExchange) -> str:
    """One exchange on one line: `POST /v1/payments: 200 in 12 ms`."""
    came = exchange.status or f"no answer ({exchange.error or 'no reason is known'})"
    return f"{exchange.method} {exchange.path}: {came} in {duration(exchange.ms / 1000)}"


def protocol_of(case: CaseVerdict, *, most: int) -> str:
    """All steps of a case with what they sent and got, each text at most `most` characters."""
    lines: list[str] = []
    for step in case.steps:
        lines.append(f"{step.keyword} {step.text} [{step.verdict}]")
        for exchange in step.exchanges:
            lines += [f"-> {SURFACES[exchange.surface]}".rstrip(),
                      request_text(exchange, most=most),
                      f"<- after {duration(exchange.ms / 1000)}",
                      answer_text(exchange, most=most)]  # fmt: skip
    return "\n".join(lines)


def cut(text: str, most: int) -> str:
    """The first `most` characters, and how many there were."""
    if len(text) <= most:
        return text
    return f"{text[:most]}\n[{most:,} of {len(text):,} characters; the JSON report has all]"


def _headers(headers: Mapping[str, str]) -> list[str]:
    return [f"{name}: {value}" for name, value in headers.items()]
