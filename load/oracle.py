"""The throttle oracle: which answers had to be refused, and which had to be admitted. Pure.

A client knows when it sent a request and when it had the answer; somewhere between, the gateway
admitted or refused it. The order of requests that were under way together is unknown, so each is an
interval, and only what holds in every possible order is held against the gateway:

- In a window no more than the limit is admitted. Where that many others were certainly admitted in
  it, one more must be refused, whenever it came.
- A window refuses only when it is full. Where fewer than the limit can have been admitted in it
  before an answer came, that request must be admitted.
- A window that is full stays full. What was sent after another was refused must be refused, and
  what was answered before another was sent and admitted must be admitted.

A request under way across the edge of a window may belong to either, and is mostly undecidable. The
clocks of both sides differ by what the timestamps of the answers allow, found from all together.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import NamedTuple

EVERY, OBJECT = "*", "object"
MUST_REFUSE, MUST_ADMIT, UNDECIDABLE = "must be refused", "must be admitted", "undecidable"


class Limit(NamedTuple):
    """A row of a throttle table: at most `limit` admitted in each window of `window_s` seconds.

    The operation `*` stands for each one without a row of its own.
    """

    operation: str
    scope: str
    limit: int
    window_s: int


class Seen(NamedTuple):
    """A request as the client saw it, instants by its own clock. `of` is the id in the path.

    Without a right answer `answered` is infinite: nobody knows whether it counted. `stamp` is the
    second the answer shows, 0 for none.
    """

    operation: str
    of: str
    sent: float
    answered: float
    refused: bool
    stamp: int = 0


class Offset(NamedTuple):
    """How far the clock of the gateway may be ahead of the client's, in seconds."""

    low: float
    high: float


class Wrong(NamedTuple):
    """An answer that no gateway could give that keeps the table: what was asked, and its mark."""

    seen: Seen
    mark: str

    def __str__(self) -> str:
        came = "refused" if self.seen.refused else "admitted"
        return f"{self.seen.operation} sent at {self.seen.sent:.3f}: {self.mark}, was {came}"


class Findings(NamedTuple):
    """What came of it: how many answers have which mark, those that are wrong, and the clocks.

    `offset` is None where the timestamps of the answers contradict each other: then nothing has a
    mark.
    """

    marks: Mapping[str, int]
    wrong: Sequence[Wrong]
    offset: Offset | None

    @property
    def judged(self) -> int:
        """How many answers there are."""
        return sum(self.marks.values())

    @property
    def decided(self) -> int:
        """How many of them have to be as they are, or the opposite."""
        return self.judged - self.marks.get(UNDECIDABLE, 0)

    @property
    def undecidable_share(self) -> float:
        """The share of answers nothing can be said about; 0 where there are none."""
        return self.marks.get(UNDECIDABLE, 0) / self.judged if self.judged else 0.0

    @property
    def is_clean(self) -> bool:
        """Whether the table was kept, as far as anybody can tell."""
        return not self.wrong and self.offset is not None


def judge(seen: Sequence[Seen], limits: Sequence[Limit]) -> Findings:
    """Mark every answer, and compare."""
    offset = offset_of(seen)
    if offset is None:
        return Findings({}, (), None)
    gates, of_request = _gates(seen, limits, offset)
    for gate in gates:
        gate.settle()
    marks: Counter[str] = Counter()
    wrong = []
    for one, its_gates in zip(seen, of_request, strict=True):
        if one.answered == inf:
            continue
        mark = _mark(one, its_gates)
        marks[mark] += 1
        if mark == (MUST_ADMIT if one.refused else MUST_REFUSE):
            wrong.append(Wrong(one, mark))
    return Findings(marks, wrong, offset)


def offset_of(seen: Iterable[Seen]) -> Offset | None:
    """The offsets that all timestamps allow, or None where no clock would show all of them.

    The second an answer shows began before it came, and ended after the request was sent.
    """
    low, high = -inf, inf
    for one in seen:
        if one.stamp and one.answered < inf:
            low = max(low, one.stamp - one.answered)
            high = min(high, one.stamp + 1 - one.sent)
    if low > high:
        return None
    return Offset(low, high) if low > -inf else Offset(0.0, 0.0)


def rows_of(operation: str, limits: Iterable[Limit]) -> tuple[Limit, ...]:
    """The rows an operation has to pass, all of them; none where nothing limits it."""
    limits = tuple(limits)
    own = tuple(row for row in limits if row.operation == operation)
    return own or tuple(row for row in limits if row.operation == EVERY)


class Gate:
    """One limit for one operation, or one object of it: who passed, and who was refused here."""

    def __init__(self, limit: Limit, offset: Offset):
        self._limit = limit.limit
        self._span = limit.window_s
        self._offset = offset
        self._passed: list[Seen] = []
        self._unanswered: list[float] = []
        self._certain: Counter[int] = Counter()
        self._starts: dict[int, list[float]] = defaultdict(list)
        self._full_at: dict[int, float] = {}
        self._open_at: dict[int, float] = {}

    def windows(self, seen: Seen) -> range:
        """The windows a request may have come in."""
        first = int((seen.sent + self._offset.low) // self._span)
        last = int((seen.answered + self._offset.high) // self._span)
        return range(first, last + 1)

    def note(self, seen: Seen, *, refused_here: bool) -> None:
        """Take a request into account. `refused_here` says that no other gate can have done it."""
        if seen.answered == inf:
            self._unanswered.append(seen.sent)
        elif not seen.refused:
            self._passed.append(seen)
        elif refused_here and len(windows := self.windows(seen)) == 1:
            before = self._full_at.get(windows[0], inf)
            self._full_at[windows[0]] = min(before, seen.answered)

    def settle(self) -> None:
        """Place what passed into windows, once everything was noted."""
        self._unanswered.sort()
        for seen in self._passed:
            windows = self._possible(seen)
            for window in windows:
                self._starts[window].append(seen.sent)
            if len(windows) == 1:
                window = windows[0]
                self._certain[window] += 1
                self._open_at[window] = max(self._open_at.get(window, -inf), seen.sent)
        for starts in self._starts.values():
            starts.sort()

    def is_full(self, seen: Seen) -> bool:
        """Whether this gate certainly refused whatever came when `seen` did."""
        return all(self._is_full_in(window, seen) for window in self.windows(seen))

    def is_open(self, seen: Seen) -> bool:
        """Whether this gate certainly had room for what came when `seen` did."""
        return all(self._is_open_in(window, seen) for window in self.windows(seen))

    def _possible(self, seen: Seen) -> list[int]:
        """Where something that passed may have come: in no window that was full before it."""
        windows = self.windows(seen)
        left = [window for window in windows if self._full_at.get(window, inf) >= seen.sent]
        return left or list(windows)

    def _is_full_in(self, window: int, seen: Seen) -> bool:
        if self._full_at.get(window, inf) < seen.sent:
            return True
        itself = not seen.refused and self._possible(seen) == [window]
        return self._certain[window] - itself >= self._limit

    def _is_open_in(self, window: int, seen: Seen) -> bool:
        if self._open_at.get(window, -inf) > seen.answered:
            return True
        itself = not seen.refused and window in self._possible(seen)
        before = bisect_right(self._starts.get(window, []), seen.answered) - itself
        return before + bisect_right(self._unanswered, seen.answered) < self._limit


def _gates(
    seen: Sequence[Seen], limits: Sequence[Limit], offset: Offset
) -> tuple[list[Gate], list[list[Gate]]]:
    """Every gate, and the gates of each request."""
    gates: dict[tuple[str, Limit, str], Gate] = {}
    rows = {operation: rows_of(operation, limits) for operation in {one.operation for one in seen}}
    of_request = []
    for one in seen:
        its_rows = rows[one.operation]
        keys = [(one.operation, row, one.of if row.scope == OBJECT else "") for row in its_rows]
        for key in keys:
            gates.setdefault(key, Gate(key[1], offset))
        its_gates = [gates[key] for key in keys]
        for gate in its_gates:
            gate.note(one, refused_here=len(its_gates) == 1)
        of_request.append(its_gates)
    return list(gates.values()), of_request


def _mark(seen: Seen, gates: Sequence[Gate]) -> str:
    """The mark of an answer. Where there is proof against either answer, there is against this."""
    must_refuse = any(gate.is_full(seen) for gate in gates)
    must_admit = all(gate.is_open(seen) for gate in gates)
    if must_refuse and must_admit:
        return MUST_ADMIT if seen.refused else MUST_REFUSE
    if must_refuse:
        return MUST_REFUSE
    return MUST_ADMIT if must_admit else UNDECIDABLE
