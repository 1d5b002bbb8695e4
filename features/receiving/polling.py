"""Checks that a shop asks the gateway no more often than it may."""

from collections.abc import Sequence

from features.receiving.bench import Bench, Finding, NotCheckable
from features.receiving.gateway import Read
from features.receiving.shop import Watched

# Source: the published throttle table of a test system: a checkout's status, per checkout.
READS_MAX = 2
WINDOW_S = 60.0


def waits(bench: Bench) -> Finding:
    """A shopper waits on the page, and the shop asks now and then."""
    watched = _watched(bench)
    return _within_limit(watched.waiting, watched.seconds)


def bears_reloading(bench: Bench) -> Finding:
    """A shopper reloads the page again and again, and the shop does not ask each time."""
    watched = _watched(bench)
    return _within_limit(watched.reloaded, watched.seconds)


def backs_off(bench: Bench) -> Finding:
    """A shop that was told 800.120.100 does not ask again before Retry-After is over."""
    watched = _watched(bench)
    reads = _some(watched.throttled)
    early = [read for read in reads[1:] if read.at - reads[0].at < watched.retry_after_s]
    expected = f"no request in the {watched.retry_after_s} s of Retry-After"
    return Finding(not early, expected, f"{len(early)} requests in that time")


def most_in_window(reads: Sequence[Read]) -> int:
    """The most reads within a minute, wherever that begins: a shop cannot know where it does."""
    return max(
        (sum(0 <= read.at - first.at < WINDOW_S for read in reads) for first in reads), default=0
    )


def _within_limit(reads: Sequence[Read], seconds: float) -> Finding:
    most = most_in_window(_some(reads))
    came = f"{most} requests in {min(seconds, WINDOW_S):g} s"
    return Finding(most <= READS_MAX, f"at most {READS_MAX} requests a minute for a checkout", came)


def _watched(bench: Bench) -> Watched:
    return bench.demand_shop().watched


def _some(reads: Sequence[Read]) -> Sequence[Read]:
    if not reads:
        raise NotCheckable("the shop did not ask at all, so nothing can be counted")
    return reads
