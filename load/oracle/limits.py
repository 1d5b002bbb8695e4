"""Throttle tables and observed requests, as the oracle knows them. Pure."""

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

EVERY_OPERATION, OBJECT = "*", "object"


class ThrottleLimit(NamedTuple):
    """A row of a throttle table: at most `limit` admitted in each window of `window_s` seconds.

    The operation `*` stands for each one without a row of its own.
    """

    operation: str
    scope: str
    limit: int
    window_s: int


class ObservedRequest(NamedTuple):
    """A request as the client saw it, instants by its own clock. `path_id` is the id in the path.

    Without a correct response `responded_at` is infinite: it is unknown whether the request
    counted. `server_second` is the second in the timestamp of the response, 0 for none.
    """

    operation: str
    path_id: str
    sent_at: float
    responded_at: float
    is_throttled: bool
    server_second: int = 0


class ClockOffset(NamedTuple):
    """How far the clock of the gateway may be ahead of the client's, in seconds."""

    low: float
    high: float


def offset_of(requests: Iterable[ObservedRequest]) -> ClockOffset | None:
    """Return the offsets that all timestamps allow, or None if they contradict each other.

    The second a response shows began before it arrived, and ended after the request was sent.
    """
    low, high = -inf, inf
    for request in requests:
        if request.server_second and request.responded_at < inf:
            low = max(low, request.server_second - request.responded_at)
            high = min(high, request.server_second + 1 - request.sent_at)
    if low > high:
        return None
    return ClockOffset(low, high) if low > -inf else ClockOffset(0.0, 0.0)


def limits_for(operation: str, limits: Iterable[ThrottleLimit]) -> tuple[ThrottleLimit, ...]:
    """Return the rows that limit an operation; all of them apply, and there may be none."""
    limits = tuple(limits)
    own = tuple(row for row in limits if row.operation == operation)
    return own or tuple(row for row in limits if row.operation == EVERY_OPERATION)
