"""The ledger of a run: what was asked and answered, written down as it happens, one JSON line each.

Users write lines into the book of their process. The process that leads a run keeps all of them in
one file; certificate, oracle, thresholds and report are computed from that file alone.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

Verdict = Literal["kept", "refused", "throttled", "failed", "unanswered", "cut off"]
KEPT: Verdict = "kept"
REFUSED: Verdict = "refused"
THROTTLED: Verdict = "throttled"
FAILED: Verdict = "failed"
UNANSWERED: Verdict = "unanswered"
# We did not wait for the answer: the user was taken away meanwhile. No fault of the gateway.
CUT_OFF: Verdict = "cut off"


class Told(msgspec.Struct, frozen=True, array_like=True, tag_field="line", tag="told"):
    """One request and its answer. Instants are seconds since 1970 by the clock of the client.

    `due` is when an open arrival wanted it sent, else when it was sent. `stamp` is the second that
    the answer shows, 0 for none; `of` the id in the path, `id` what the answer made, empty where it
    made nothing; `root` the merchantTransactionId of the tree of payments it belongs to.
    """

    operation: str
    verdict: Verdict
    due: float
    sent: float
    answered: float
    took_s: float
    status: int
    code: str
    stamp: int = 0
    of: str = ""
    id: str = ""
    type: str = ""
    cents: int = 0
    root: str = ""
    reason: str = ""

    @property
    def latency_ms(self) -> float:
        """How long whoever wanted the answer waited: from when it was due."""
        return (self.took_s + self.sent - self.due) * 1000

    @property
    def has_answer(self) -> bool:
        """Whether the gateway answered at all."""
        return self.status != 0

    @property
    def is_open(self) -> bool:
        """Whether nobody knows what became of a request: no answer, or one that is wrong."""
        return self.verdict == FAILED or not self.has_answer


class Pulse(msgspec.Struct, frozen=True, array_like=True, tag_field="line", tag="pulse"):
    """A second of a process that makes load: its users, and the share of a core it used, 0 to 1.

    `warned` says that Locust itself found its processor time too short. `machine` is the share of
    its whole machine that was used, by whatever runs there.
    """

    process: str
    at: float
    users: int
    cpu: float
    warned: bool = False
    machine: float = 0.0


class Heard(NamedTuple):
    """A notification: its identity, what it tells of, and when it came (seconds since 1970)."""

    event_id: str
    type: str
    action: str
    id: str
    at: float


Line = Told | Pulse
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Line)


class Book:
    """The lines of one process that nobody has taken yet."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def write(self, line: Line) -> None:
        """Write one line."""
        self._lines.append(_ENCODER.encode(line))

    def take(self) -> bytes:
        """All lines since the last time, and forget them."""
        taken, self._lines = self._lines, []
        return b"".join(line + b"\n" for line in taken)


class BadLedger(ValueError):
    """A line of a ledger that is none, with its number."""


def lines_of(path: Path) -> Iterator[Line]:
    """The lines of a ledger, in the order they were kept. Raises BadLedger."""
    with path.open("rb") as kept:
        yield from read_lines(kept)


def read_lines(lines: Iterable[bytes]) -> Iterator[Line]:
    """The lines of a ledger that is read already. Raises BadLedger."""
    for number, line in enumerate(lines, start=1):
        try:
            yield _DECODER.decode(line)
        except msgspec.MsgspecError as error:
            raise BadLedger(f"line {number}: expected a line of a ledger, got: {error}") from None
