"""Checks that a shop reads a checkout no more often than it may."""

from collections.abc import Sequence

from features.merchant_side.context import CheckContext, CheckFinding, NotCheckableError
from features.merchant_side.shop import WINDOW_S, PollingObservation
from features.merchant_side.stub_gateway import StubRequest

# Source: the published throttle table of a test system: a checkout's status, per checkout.
READS_MAX = 2
THROTTLED = 429


def polls_while_shopper_waits(context: CheckContext) -> CheckFinding:
    """The requests while a shopper waits on the page."""
    watched = _watched(context)
    return within_limit(watched.waiting, watched.seconds, watched.window_s)


def polls_while_shopper_reloads(context: CheckContext) -> CheckFinding:
    """The requests while a shopper reloads the page again and again."""
    watched = _watched(context)
    return within_limit(watched.reloaded, watched.seconds, watched.window_s)


def observes_retry_after(context: CheckContext) -> CheckFinding:
    """After 800.120.100 the shop sends no request before Retry-After is over."""
    watched = _watched(context)
    early = too_early(_some(watched.throttled), watched.retry_after_s)
    expected = f"no request in the {watched.retry_after_s} s of Retry-After"
    return CheckFinding(not early, expected, f"{len(early)} requests in that time")


def too_early(reads: Sequence[StubRequest], retry_after_s: float) -> list[StubRequest]:
    """The reads that came before Retry-After was over: counted from the first that was throttled.

    Those before it were free to come. Raises NotCheckableError where none was throttled.
    """
    first = next((at for at, read in enumerate(reads) if read.status == THROTTLED), None)
    if first is None:
        raise NotCheckableError("the shop sent no request while it would have been throttled")
    return [read for read in reads[first + 1 :] if read.at - reads[first].at < retry_after_s]


def most_in_window(reads: Sequence[StubRequest], window_s: float = WINDOW_S) -> int:
    """The most reads within a minute, wherever that begins: a shop cannot know where it does."""
    return max(
        (sum(0 <= read.at - first.at < window_s for read in reads) for first in reads), default=0
    )


def within_limit(
    reads: Sequence[StubRequest], seconds: float, window_s: float = WINDOW_S
) -> CheckFinding:
    """Whether reads that were watched for so long stay within the limit.

    Too many are too many after any time; that they were few enough, only a whole window shows.
    Raises NotCheckableError where the watch was shorter.
    """
    most = most_in_window(_some(reads), window_s)
    if most <= READS_MAX and seconds < window_s:
        raise NotCheckableError(
            f"watched for {seconds:g} s, and the limit is one of {window_s:g} s: "
            f"expected --watch {window_s:g} or more"
        )
    came = f"{most} requests in {min(seconds, window_s):g} s"
    return CheckFinding(
        most <= READS_MAX, f"at most {READS_MAX} requests a minute for a checkout", came
    )


def _watched(context: CheckContext) -> PollingObservation:
    return context.demand_shop().watched


def _some(reads: Sequence[StubRequest]) -> Sequence[StubRequest]:
    if not reads:
        raise NotCheckableError("the shop sent no request, so nothing can be counted")
    return reads
