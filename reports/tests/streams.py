"""Streams for the tests, as a run of the suite writes them, and commands called over them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer
from click.testing import Result
from msgspec.structs import replace
from typer.testing import CliRunner

from reports.events import (
    CaseFailure,
    CaseVerdict,
    Event,
    RecordedExchange,
    RunEnded,
    RunStarted,
    StepResult,
    WaiverStatus,
    exit_status_of,
    line_of,
)
from reports.run import VERDICTS

BEGAN = RunStarted(
    at="2026-11-22T09:30:00Z",
    base_url="http://127.0.0.1:8080/",
    source="target.toml",
    version="0.2.0",
    cases=0,
    profile="specification",
    offers=["clock", "control", "scripts"],
    seconds_a_request=0.0,
)
WAIVERS = [
    WaiverStatus("PAY-10", "the memo is shown from release 4 on", "2027-02-28", "in force", 5),
    WaiverStatus("CARD-05", "agreed with the acquirer", "2026-10-31", "expired", 1),
]
# What no report can hold as it is, or a careless one would obey.
HOSTILE = (
    "<script>alert(1)</script>\"'&amp;<!-- ]]> {{ 7 * 7 }} {% raw %} [red]"
    "\x00\x08\x0b\x1b[2J\x7f\x85\ufffe\uffff\u202egnp.exe \U0001f4b3 \U0001fffe \r\n\ttext"
)


def exchange(**more: Any) -> RecordedExchange:
    """One payment request and its answer."""
    sent = {"entityId": "8a8294174b7ecb28014b9699220015ca", "amount": "92.00", "currency": "EUR",
            "paymentType": "CP"}  # fmt: skip
    result = {"code": "000.100.110", "description": "request processed in test mode"}
    body = {"id": "8ac7a4a2" * 4, "amount": "92.00", "currency": "EUR", "result": result}
    kept = {
        "surface": "merchant", "method": "POST", "path": "/v1/payments/" + "8ac7a4a2" * 4,
        "sent": sent, "sent_headers": {"Authorization": "***"}, "status": 200,
        "headers": {"Content-Type": "application/json;charset=UTF-8"}, "body": body, "ms": 11.4,
    }  # fmt: skip
    return RecordedExchange(**{**kept, **more})


def passed(number: int = 1, **more: Any) -> CaseVerdict:
    """A case that passed, with the step that asked and the one that looked."""
    kept: dict[str, Any] = {
        "id": f"A payment is created [{number}]",
        "title": "A payment is created",
        "file": "features/payments.feature",
        "line": 12,
        "verdict": "passed",
        "seconds": 0.031,
        "requirements": ["END-01"],
        "steps": [StepResult("When", "the merchant pays 92.00 EUR", "passed", [exchange()]),
                  StepResult("Then", "the payment succeeds", "passed")],
    }  # fmt: skip
    return CaseVerdict(**{**kept, **more})


def failed(**more: Any) -> CaseVerdict:
    """A capture over the sum that was not refused."""
    steps = [
        StepResult("Given", "a merchant who has reserved 92.00 EUR", "passed", [exchange()]),
        StepResult("When", "the merchant captures 92.01 EUR of it", "passed", [exchange()]),
        StepResult("Then", "it is refused", "failed"),
        StepResult("And", "92.00 EUR are still reserved", "not-reached"),
    ]
    failure = CaseFailure(
        what="result of the capture", expected="a refusal", came="'000.100.110'",
        text="result of the capture\n  expected:    a refusal\n  came:        '000.100.110'",
    )  # fmt: skip
    kept: dict[str, Any] = {
        "id": "A capture may not exceed what is reserved",
        "title": "A capture may not exceed what is reserved",
        "file": "features/back_office.feature",
        "line": 31,
        "verdict": "failed",
        "seconds": 0.052,
        "requirements": ["END-08", "ERR-01"],
        "decisions": ["D-07"],
        "steps": steps,
        "failure": failure,
        "repeat": "sandgate check target.toml --only 'A capture may not exceed what is reserved'",
        "server_wrote": "warning: nothing of interest",
    }
    return CaseVerdict(**{**kept, **more})


def errored(**more: Any) -> CaseVerdict:
    """A case whose own step read what no answer has."""
    text = "KeyError: 'points'"
    failure = CaseFailure("the step could not be carried out", came=text, text=text)
    kept: dict[str, Any] = {
        "id": "A debit earns points", "title": "A debit earns points",
        "file": "own/shop.feature", "line": 7, "verdict": "error", "seconds": 0.02,
        "requirements": ["END-08"], "failure": failure,
        "steps": [StepResult("Then", "it earns points", "failed")],
    }  # fmt: skip
    return CaseVerdict(**{**kept, **more})


def aside(verdict: str, reason: str, **more: Any) -> CaseVerdict:
    """A case that was waived, not checkable or not judged."""
    kept: dict[str, Any] = {
        "id": f"A case that was {verdict}",
        "title": f"A case that was {verdict}",
        "file": "features/webhooks.feature",
        "verdict": verdict,
        "seconds": 0.0,
        "reason": reason,
        "requirements": ["EVT-01"],
    }
    return CaseVerdict(**{**kept, **more})


def one_of_each() -> list[CaseVerdict]:
    """One case of every verdict on the target."""
    lacks = "not checkable: the target does not offer webhooks"
    return [
        passed(),
        failed(),
        failed(
            id="The memo is shown", title="The memo is shown", verdict="waived", repeat="",
            reason=f"{WAIVERS[0].reason} (until {WAIVERS[0].until})",
            requirements=["PAY-10"],
        ),
        aside("not-checkable", lacks, needs=["webhooks"]),
        aside("not-judged", "not judged: D-41 are decisions of another gateway",
              decisions=["D-41"], requirements=["ERR-02"]),
    ]  # fmt: skip


def events_of(judged: Sequence[CaseVerdict], /, *, ends: bool = True, **began: Any) -> list[Event]:
    """The whole stream of some cases, or one that was cut off before its end."""
    counts = {v: sum(case.verdict == v for case in judged) for v in VERDICTS}
    given = [replace(waiver, state="undecided") for waiver in WAIVERS]
    start = {f: getattr(BEGAN, f) for f in BEGAN.__struct_fields__} | {"cases": len(judged)}
    start["waivers"] = given
    end = RunEnded(
        at="2026-11-22T09:31:12Z", seconds=72.4, counts=counts,
        exit_status=exit_status_of(counts), waivers=WAIVERS, paced_s=4.5,
    )  # fmt: skip
    return [RunStarted(**{**start, **began}), *judged, *([end] if ends else [])]


def stream_of(events: Sequence[Event], folder: Path) -> Path:
    """A file with these events."""
    path = folder / "stream.jsonl"
    path.write_bytes(b"".join(map(line_of, events)))
    return path


def deep_stream(levels: int, folder: Path) -> Path:
    """A stream with a body of so many levels."""
    deep = passed(steps=[StepResult("When", "x", "passed", [exchange(body="DEEP")])])
    stream = stream_of(events_of([deep]), folder)
    stream.write_text(stream.read_text().replace('"DEEP"', "[" * levels + "]" * levels))
    return stream


def called(command: Callable[..., None], *words: str | Path) -> Result:
    """One command on its own."""
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [str(word) for word in words])
