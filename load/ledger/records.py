"""The records of a ledger: each request with its response as a JSON line, written when it ends.

Users add lines to the buffer of their process. The leading process writes all of them to one file;
closing check, oracle, thresholds and report are computed from that file alone.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

Verdict = Literal[
    "succeeded", "expected decline", "throttled", "failed", "no response", "aborted"
]  # fmt: skip
SUCCEEDED: Verdict = "succeeded"
EXPECTED_DECLINE: Verdict = "expected decline"
THROTTLED: Verdict = "throttled"
FAILED: Verdict = "failed"
NO_RESPONSE: Verdict = "no response"
# The run stopped the user before the response arrived. This is no fault of the gateway.
ABORTED: Verdict = "aborted"
REQUEST_LINE = b'["request"'


class RequestRecord(msgspec.Struct, frozen=True, array_like=True, tag_field="line", tag="request"):
    """One request and its response. Instants are seconds since 1970 by the clock of the client.

    `due_at` is when an open arrival was due, otherwise when the request was sent. `server_second`
    is the second in the timestamp of the response, 0 if it has none. `path_id` is the id in the
    path, `id` the id of what was created, empty if nothing was; `root` is the
    merchantTransactionId of the payment tree the request belongs to.
    """

    operation: str
    verdict: Verdict
    due_at: float
    sent_at: float
    responded_at: float
    duration_s: float
    status: int
    code: str
    server_second: int = 0
    path_id: str = ""
    id: str = ""
    type: str = ""
    cents: int = 0
    root: str = ""
    reason: str = ""

    @property
    def latency_ms(self) -> float:
        """The time from when the request was due until its response, in milliseconds."""
        return (self.duration_s + self.sent_at - self.due_at) * 1000

    @property
    def has_response(self) -> bool:
        """Whether the gateway responded at all."""
        return self.status != 0

    @property
    def has_unknown_effect(self) -> bool:
        """Whether the gateway may or may not have executed the request: no or a wrong response."""
        return self.verdict == FAILED or not self.has_response


class ProcessSample(msgspec.Struct, frozen=True, array_like=True, tag_field="line", tag="process"):
    """One second of a process that makes load: its users, and the share of a core it used, 0 to 1.

    `warned` says that Locust itself measured too little processor time. `machine` is the share of
    the whole machine in use, by all programs that run on it.
    """

    process: str
    at: float
    users: int
    cpu: float
    warned: bool = False
    machine: float = 0.0


class ReceivedEvent(NamedTuple):
    """A notification the receiver accepted: its event id, its content, and when it arrived."""

    event_id: str
    type: str
    action: str
    id: str
    at: float


LedgerLine = RequestRecord | ProcessSample
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(LedgerLine)


class LedgerBuffer:
    """The lines of one process that are not yet in the ledger file."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def add(self, line: LedgerLine) -> None:
        """Add one line."""
        self._lines.append(_ENCODER.encode(line))

    def take_lines(self) -> bytes:
        """Return all lines since the last call, and remove them."""
        taken, self._lines = self._lines, []
        return b"".join(line + b"\n" for line in taken)


class LedgerFormatError(ValueError):
    """A line of a ledger that cannot be decoded, with its number."""


def read_ledger(path: Path) -> Iterator[LedgerLine]:
    """Yield the lines of a ledger file in their order. Raises LedgerFormatError."""
    with path.open("rb") as stored:
        yield from decode_lines(stored)


def decode_lines(lines: Iterable[bytes]) -> Iterator[LedgerLine]:
    """Yield the decoded lines of a ledger. Raises LedgerFormatError."""
    for number, line in enumerate(lines, start=1):
        try:
            yield _DECODER.decode(line)
        except msgspec.MsgspecError as error:
            raise LedgerFormatError(
                f"line {number}: expected a line of a ledger, got: {error}"
            ) from None
