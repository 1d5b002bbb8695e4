"""The stream of verdicts: one JSON object a line, written during the run; every report reads it.

A stream is `RunStarted`, any number of `CaseVerdict`, and `RunEnded`. One that lacks its end was
cut off. What the stream shows of requests and answers was masked before it was written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from simulator.client.files.bounded import is_deeper_than
from simulator.client.shown.masking import Masking, masked_text, without_numbers
from simulator.client.shown.step_texts import masked_example, masked_step
from simulator.client.shown.writable import writable_document
from simulator.client.spelled_numbers import DIGITS_MIN

Verdict = Literal["passed", "failed", "error", "waived", "not-checkable", "not-judged"]
StepVerdict = Literal["passed", "failed", "not-reached"]
ExitStatus = Literal[0, 1, 2, 3]
WaiverState = Literal["in force", "unused", "expired", "undecided", "not judged"]


class StreamFormatError(ValueError):
    """A line that is no event, with its number and what was expected."""


class RecordedExchange(msgspec.Struct, frozen=True, omit_defaults=True):
    """One request and its answer, masked. `surface` is the merchant API or the control API.

    `body` is JSON, or the text of a body that is none. `status` is 0 where no answer came, and
    `error` says why. `ms` is the time from the first byte sent to the last one read.
    """

    surface: Literal["merchant", "control", "other"]
    method: str
    path: str
    sent: dict[str, str] = {}
    sent_headers: dict[str, str] = {}
    status: int = 0
    headers: dict[str, str] = {}
    body: Any = None
    ms: float = 0.0
    error: str = ""


class StepResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a scenario as it was executed, its examples filled in, with what it caused."""

    keyword: str
    text: str
    verdict: StepVerdict
    exchanges: list[RecordedExchange] = []


class CaseFailure(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a failed step compared. `text` is all of it, as the terminal shows it."""

    what: str
    expected: str = ""
    came: str = ""
    text: str = ""


class WaiverStatus(msgspec.Struct, frozen=True):
    """A waiver that was handed in, how many cases it names, and whether it was needed.

    Where nothing that failed needed it, it is `unused` if all its cases passed, and else `not
    judged`. It is `undecided` until the run has ended.
    """

    id: str
    reason: str
    until: str
    state: WaiverState = "undecided"
    cases: int = 0


class RunStarted(msgspec.Struct, frozen=True, omit_defaults=True, tag="began", tag_field="event"):
    """The target, its offers, the number of selected test cases, and the waivers.

    `command` is the command that runs them.
    """

    at: str
    base_url: str
    source: str
    version: str
    cases: int
    profile: str = ""
    offers: list[str] = []
    seconds_a_request: float = 0.0
    waivers: list[WaiverStatus] = []
    command: str = "sandgate check"


class CaseVerdict(msgspec.Struct, frozen=True, omit_defaults=True, tag="case", tag_field="event"):
    """One scenario, one row of its examples, or one boundary case, and its verdict.

    `id` is what `--only` takes: `FIELD:billing.street1:too-long`, or the title of a scenario with
    the number of its row. `reason` says why it was waived, not checkable or not judged. An `error`
    is one of the suite or of a user's step; it says nothing about the target.
    """

    id: str
    title: str
    file: str
    verdict: Verdict
    seconds: float
    line: int = 0
    requirements: list[str] = []
    expectations: list[str] = []
    decisions: list[str] = []
    needs: list[str] = []
    example: dict[str, str] = {}
    reason: str = ""
    steps: list[StepResult] = []
    failure: CaseFailure | None = None
    repeat: str = ""
    server_wrote: str = ""

    @property
    def is_field_format(self) -> bool:
        """Whether it tries one value of one field; any other case is of a scenario."""
        # Scenarios are in feature files.
        return self.file.endswith(".py")


class RunEnded(msgspec.Struct, frozen=True, omit_defaults=True, tag="ended", tag_field="event"):
    """How it ended: the count of each verdict, and the exit status that follows from them."""

    at: str
    seconds: float
    counts: dict[str, int]
    exit_status: ExitStatus
    waivers: list[WaiverStatus] = []
    paced_s: float = 0.0


Event = RunStarted | CaseVerdict | RunEnded

# A body of more levels than this no report could be made of: Python itself ends at 1,000.
LEVELS_MAX = 500

# C0 is escaped in any JSON.
STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]")
READ_MAX, SAID_MAX = 1000, 200
# How JSON has what is no text, among the texts that were sent.
JSON_WORDS = ("null", "true", "false")

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Event)


def line_of(event: Event) -> bytes:
    """An event as a line of the stream, with its newline."""
    return escaped_json(encoded(event)) + b"\n"


def encoded(value: Any) -> bytes:
    """The JSON of an event, or of what holds one, whatever halves of surrogate pairs it shows."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return _ENCODER.encode(writable_document(msgspec.to_builtins(value)))


def escaped_json(encoded: bytes) -> bytes:
    """The same JSON, which cannot steer the window or turn the text that it is shown in."""
    if encoded.isascii() and b"\x7f" not in encoded:
        return encoded
    return STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", encoded.decode()).encode()


def read_events(lines: Iterable[bytes]) -> Iterator[Event]:
    """The events of a stream, in order. Raises StreamFormatError."""
    for number, line in enumerate(lines, start=1):
        try:
            event = _DECODER.decode(line)
            _refuse_depth(event)
        except msgspec.MsgspecError as error:
            # It is masked before it is cut: a part of a number is no number.
            said = masked_text(str(error)[:READ_MAX])[:SAID_MAX]
            message = f"line {number}: expected an event of a stream, got: {said}"
            raise StreamFormatError(message) from None
        except RecursionError:
            message = f"line {number}: expected an event of a stream, got: one nested too deeply"
            raise StreamFormatError(message) from None
        yield event


def _refuse_depth(event: Event) -> None:
    """Raise RecursionError for a body that is too deep, before something else does half-way."""
    steps = event.steps if isinstance(event, CaseVerdict) else []
    if is_deeper_than(LEVELS_MAX, [each.body for step in steps for each in step.exchanges]):
        raise RecursionError


def as_shown(event: Event) -> Event:
    """An event without card numbers and secrets. What the suite wrote has none, and stays."""
    match event:
        case RunStarted():
            return replace(
                event,
                at=without_numbers(event.at),
                base_url=masked_text(event.base_url),
                source=without_numbers(event.source),
                version=without_numbers(event.version),
                profile=without_numbers(event.profile),
                offers=_each(event.offers),
                waivers=_shown_waivers(event.waivers),
                command=without_numbers(event.command),
            )
        case RunEnded():
            return replace(
                event,
                at=without_numbers(event.at),
                counts={without_numbers(name): count for name, count in event.counts.items()},
                waivers=_shown_waivers(event.waivers),
            )
        case CaseVerdict():
            return _shown_case(event)


def _shown_case(case: CaseVerdict) -> CaseVerdict:
    # What names things of the suite may hold words such as `cvv:`, which hide no secret there.
    return replace(
        case,
        id=without_numbers(case.id),
        title=without_numbers(case.title),
        file=without_numbers(case.file),
        requirements=_each(case.requirements),
        expectations=_each(case.expectations),
        decisions=_each(case.decisions),
        needs=_each(case.needs),
        example=masked_example(_shown_values(case.example)),
        reason=masked_text(case.reason),
        steps=[_shown_step(step) for step in case.steps],
        failure=case.failure and _shown_failure(case.failure),
        repeat=without_numbers(case.repeat),
        server_wrote=masked_text(case.server_wrote),
    )


def _shown_step(step: StepResult) -> StepResult:
    exchanges = [_shown_exchange(each) for each in step.exchanges]
    return StepResult(
        without_numbers(step.keyword), masked_step(masked_text(step.text)), step.verdict, exchanges
    )


def _shown_exchange(exchange: RecordedExchange) -> RecordedExchange:
    return replace(
        exchange,
        method=without_numbers(exchange.method),
        path=masked_text(exchange.path),
        sent=_shown_values(exchange.sent),
        sent_headers=_shown_values(exchange.sent_headers),
        headers=_shown_values(exchange.headers),
        body=Masking().body(exchange.body),
        error=masked_text(exchange.error),
    )


def _shown_failure(failure: CaseFailure) -> CaseFailure:
    parts = (failure.what, failure.expected, failure.came, failure.text)
    return CaseFailure(*map(masked_text, parts))


def _shown_waivers(waivers: Iterable[WaiverStatus]) -> list[WaiverStatus]:
    return [
        replace(
            each,
            id=without_numbers(each.id),
            reason=masked_text(each.reason),
            until=without_numbers(each.until),
        )
        for each in waivers
    ]


def _shown_values(values: Mapping[str, str]) -> dict[str, str]:
    """What travelled under names. The suite has numbers and words of JSON as texts there."""
    masking = Masking()
    return {
        masked_text(name): value
        if value in JSON_WORDS or (value.isdigit() and len(value) < DIGITS_MIN)
        else masking.value(name, value)
        for name, value in values.items()
    }


def _each(texts: Iterable[str]) -> list[str]:
    return [without_numbers(text) for text in texts]


def exit_status_of(counts: dict[str, int]) -> ExitStatus:
    """1 where a case failed; 2 where none did, but one ended in an error of a step; 3 where one was
    not checkable or none was passed.

    What was waived or is a decision of another gateway changes nothing.
    """
    if counts.get("failed"):
        return 1
    if counts.get("error"):
        return 2
    return 3 if counts.get("not-checkable") or not counts.get("passed") else 0
