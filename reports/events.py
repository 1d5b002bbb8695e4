"""The stream of verdicts: one JSON object a line, written during the run; every report reads it.

A stream is `RunStarted`, any number of `CaseVerdict`, and `RunEnded`. One that lacks its end was
cut off. What the stream shows of requests and answers was masked before it was written.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

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
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Event)


def line_of(event: Event) -> bytes:
    """An event as a line of the stream, with its newline."""
    return escaped_json(_ENCODER.encode(event)) + b"\n"


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
            raise StreamFormatError(
                f"line {number}: expected an event of a stream, got: {error}"
            ) from None
        except RecursionError:
            message = f"line {number}: expected an event of a stream, got: one nested too deeply"
            raise StreamFormatError(message) from None
        yield event


def _refuse_depth(event: Event) -> None:
    """Raise RecursionError for a body that is too deep, before something else does half-way."""
    steps = event.steps if isinstance(event, CaseVerdict) else []
    level = [exchange.body for step in steps for exchange in step.exchanges]
    for _ in range(LEVELS_MAX):
        level = [within for each in level if isinstance(each, dict | list)
                 for within in (each.values() if isinstance(each, dict) else each)]  # fmt: skip
    if level:
        raise RecursionError


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
