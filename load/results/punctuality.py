"""Punctuality: whether the arrivals of an open run were sent as planned, and in time. Pure."""

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

from load.ledger.records import RequestRecord

# Arrivals sent later than this are late; at most this share of them may be.
LATE_S = 0.1
LATE_SHARE_MAX = 0.01
# This share of the planned arrivals has to be sent.
SENT_SHARE_MIN = 0.95


class Punctuality(NamedTuple):
    """How many arrivals were planned, sent and sent late, and the p99 of their delay."""

    planned: float
    sent: int
    late: int
    p99_late_ms: float

    @property
    def is_kept(self) -> bool:
        """Whether the planned rate was really sent."""
        # Random arrivals scatter by the root of their number: three times that is chance.
        sent_min = self.planned * SENT_SHARE_MIN - 3 * sqrt(self.planned)
        return self.sent >= sent_min and self.late <= self.sent * LATE_SHARE_MAX

    def __str__(self) -> str:
        counts = f"{self.sent:,} arrivals sent, {self.planned:,.0f} planned, {self.late:,} late"
        counts += f" (p99 {self.p99_late_ms:.0f} ms)"
        if self.is_kept:
            return f"rate kept: {counts}"
        return f"rate NOT kept: {counts}; use more users (-u), --processes, or a lower --rate"


def measure_punctuality(records: Iterable[RequestRecord], planned: float) -> Punctuality:
    """Compare the sent arrivals with the planned ones. Later requests of a task were never due."""
    delays_s = sorted(each.sent_at - each.due_at for each in records if each.due_at < each.sent_at)
    late = sum(delay > LATE_S for delay in delays_s)
    p99_s = delays_s[int(0.99 * (len(delays_s) - 1))] if delays_s else 0.0
    return Punctuality(planned, len(delays_s), late, p99_s * 1000)
