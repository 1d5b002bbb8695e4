"""The windows of one throttle limit: which were certainly full, which certainly had room. Pure."""

from bisect import bisect_right
from collections import Counter, defaultdict
from math import inf

from load.oracle.limits import ClockOffset, ObservedRequest, ThrottleLimit


class LimitWindows:
    """One limit for one operation, or one object of it: what it admitted and what it throttled."""

    def __init__(self, limit: ThrottleLimit, offset: ClockOffset):
        self._limit = limit.limit
        self._span_s = limit.window_s
        self._offset = offset
        self._admitted: list[ObservedRequest] = []
        self._unknown: list[float] = []
        self._certain: Counter[int] = Counter()
        self._sent_at: dict[int, list[float]] = defaultdict(list)
        self._full_at: dict[int, float] = {}
        self._open_at: dict[int, float] = {}

    def add(self, request: ObservedRequest, *, is_only_limit: bool) -> None:
        """Take a request into account. `is_only_limit`: no other limit can have throttled it."""
        if request.responded_at == inf:
            self._unknown.append(request.sent_at)
        elif not request.is_throttled:
            self._admitted.append(request)
        elif is_only_limit and len(windows := self._windows(request)) == 1:
            before = self._full_at.get(windows[0], inf)
            self._full_at[windows[0]] = min(before, request.responded_at)

    def assign_windows(self) -> None:
        """Assign what was admitted to windows, once every request was added."""
        self._unknown.sort()
        for request in self._admitted:
            windows = self._possible_windows(request)
            for window in windows:
                self._sent_at[window].append(request.sent_at)
            if len(windows) == 1:
                window = windows[0]
                self._certain[window] += 1
                self._open_at[window] = max(self._open_at.get(window, -inf), request.sent_at)
        for instants in self._sent_at.values():
            instants.sort()

    def is_full(self, request: ObservedRequest) -> bool:
        """Whether this limit certainly throttled whatever arrived when `request` did."""
        return all(self._is_full_in(window, request) for window in self._windows(request))

    def is_open(self, request: ObservedRequest) -> bool:
        """Whether this limit certainly had room for what arrived when `request` did."""
        return all(self._is_open_in(window, request) for window in self._windows(request))

    def _windows(self, request: ObservedRequest) -> range:
        """Return the windows a request may have arrived in."""
        first = int((request.sent_at + self._offset.low) // self._span_s)
        last = int((request.responded_at + self._offset.high) // self._span_s)
        return range(first, last + 1)

    def _possible_windows(self, request: ObservedRequest) -> list[int]:
        """Return where an admitted request may have arrived: in no window that was full before."""
        windows = self._windows(request)
        possible = [
            window for window in windows if self._full_at.get(window, inf) >= request.sent_at
        ]
        return possible or list(windows)

    def _is_full_in(self, window: int, request: ObservedRequest) -> bool:
        if self._full_at.get(window, inf) < request.sent_at:
            return True
        itself = not request.is_throttled and self._possible_windows(request) == [window]
        return self._certain[window] - itself >= self._limit

    def _is_open_in(self, window: int, request: ObservedRequest) -> bool:
        if self._open_at.get(window, -inf) > request.responded_at:
            return True
        itself = not request.is_throttled and window in self._possible_windows(request)
        before = bisect_right(self._sent_at.get(window, []), request.responded_at) - itself
        return before + bisect_right(self._unknown, request.responded_at) < self._limit
