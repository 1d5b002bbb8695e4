"""The throttle oracle: which requests had to be throttled, and which had to be admitted. Pure.

A client knows when it sent a request and when it had the response; somewhere between, the gateway
admitted or throttled it. The order of requests in flight together is unknown, so each is an
interval, and only what holds in every possible order counts against the gateway:

- In a window no more than the limit is admitted. If that many others were certainly admitted in
  it, one more must be throttled, whenever it arrived.
- A window throttles only when it is full. If fewer than the limit can have been admitted in it
  before a response arrived, that request must be admitted.
- A window that is full stays full. What was sent after another was throttled must be throttled,
  and what was answered before another was sent and admitted must be admitted.

A request in flight across the edge of a window may belong to either, and is mostly undecidable.
The clocks of both sides differ by what the timestamps of the responses allow, computed from all.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

from load.ledger.records import THROTTLED, RequestRecord
from load.oracle.limits import (
    OBJECT,
    ClockOffset,
    ObservedRequest,
    ThrottleLimit,
    limits_for,
    offset_of,
)
from load.oracle.windows import LimitWindows

MUST_REFUSE, MUST_ADMIT, UNDECIDABLE = "must be refused", "must be admitted", "undecidable"


class OracleMismatch(NamedTuple):
    """A response that a gateway which keeps the table could not give, and the mark it violates."""

    request: ObservedRequest
    mark: str

    def __str__(self) -> str:
        was = "refused" if self.request.is_throttled else "admitted"
        return (
            f"{self.request.operation} sent at {self.request.sent_at:.3f}: {self.mark}, was {was}"
        )


class OracleFindings(NamedTuple):
    """How many responses have which mark, those that violate theirs, and the clock offset.

    `offset` is None if the timestamps of the responses contradict each other: then nothing has a
    mark.
    """

    marks: Mapping[str, int]
    mismatches: Sequence[OracleMismatch]
    offset: ClockOffset | None

    @property
    def marked(self) -> int:
        """How many responses have a mark."""
        return sum(self.marks.values())

    @property
    def undecidable_share(self) -> float:
        """The share of undecidable responses; 0 if there are none."""
        return self.marks.get(UNDECIDABLE, 0) / self.marked if self.marked else 0.0

    @property
    def is_clean(self) -> bool:
        """Whether no violation of the table was found."""
        return not self.mismatches and self.offset is not None


def check_throttling(
    records: Sequence[RequestRecord], limits: Sequence[ThrottleLimit]
) -> OracleFindings | None:
    """Return what the oracle finds in the records of a run; None without limits."""
    return mark_requests([_observed(each) for each in records], limits) if limits else None


def mark_requests(
    requests: Sequence[ObservedRequest], limits: Sequence[ThrottleLimit]
) -> OracleFindings:
    """Mark every request, and compare the mark with the response."""
    offset = offset_of(requests)
    if offset is None:
        return OracleFindings({}, (), None)
    windows_of_requests = _windows_of_requests(requests, limits, offset)
    marks: Counter[str] = Counter()
    mismatches = []
    for request, windows in zip(requests, windows_of_requests, strict=True):
        if request.responded_at == inf:
            continue
        mark = _mark(request, windows)
        marks[mark] += 1
        if mark == (MUST_ADMIT if request.is_throttled else MUST_REFUSE):
            mismatches.append(OracleMismatch(request, mark))
    return OracleFindings(marks, mismatches, offset)


def _observed(record: RequestRecord) -> ObservedRequest:
    # A wrong response does not show whether the throttle counted the request.
    responded_at = inf if record.has_unknown_effect else record.responded_at
    return ObservedRequest(
        record.operation, record.path_id, record.sent_at, responded_at,
        record.verdict == THROTTLED, record.server_second,
    )  # fmt: skip


def _windows_of_requests(
    requests: Sequence[ObservedRequest], limits: Sequence[ThrottleLimit], offset: ClockOffset
) -> list[list[LimitWindows]]:
    """Return the windows of each limit that applies to each request, with all requests assigned."""
    windows: dict[tuple[str, ThrottleLimit, str], LimitWindows] = {}
    rows = {
        operation: limits_for(operation, limits) for operation in {r.operation for r in requests}
    }
    of_requests = []
    for request in requests:
        keys = [
            (request.operation, row, request.path_id if row.scope == OBJECT else "")
            for row in rows[request.operation]
        ]
        for key in keys:
            windows.setdefault(key, LimitWindows(key[1], offset))
        own = [windows[key] for key in keys]
        for each in own:
            each.add(request, is_only_limit=len(own) == 1)
        of_requests.append(own)
    for each in windows.values():
        each.assign_windows()
    return of_requests


def _mark(request: ObservedRequest, windows: Sequence[LimitWindows]) -> str:
    """Return the mark of a request. If both marks are proven, take the one it violates."""
    must_refuse = any(each.is_full(request) for each in windows)
    must_admit = all(each.is_open(request) for each in windows)
    if must_refuse and must_admit:
        return MUST_ADMIT if request.is_throttled else MUST_REFUSE
    if must_refuse:
        return MUST_REFUSE
    return MUST_ADMIT if must_admit else UNDECIDABLE
