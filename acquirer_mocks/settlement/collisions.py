"""Lines of one merchant whose references say no single payment: the true MULTIPLE_MATCHES.

A reference (RRN) is twelve digits of a longer id, so two payments can share it. Where a format has
no other, the file cannot say which of them a line is for. Choice: D-387.
"""

from array import array
from collections.abc import Iterable, Iterator

from acquirer_mocks.settlement.lines import FileLine
from acquirer_mocks.settlement.truth import Note, SpooledLine

WHY = "the references are those of several payments"
BITS = (1 << 64) - 1


class SharedReferences:
    """Counts references with their amounts, eight bytes each, to find those that come twice."""

    def __init__(self) -> None:
        self._seen = array("Q")
        self._repeated = frozenset[int]()

    def add(self, line: FileLine) -> None:
        """Note the reference of a transaction."""
        if line.reference:
            self._seen.append(_mark(line))

    def close(self) -> None:
        """Nothing follows: find those that come twice."""
        ordered = sorted(self._seen)
        pairs = zip(ordered, ordered[1:], strict=False)
        self._repeated = frozenset(one for one, next_ in pairs if one == next_)
        self._seen = array("Q")

    def marked(
        self, lines: Iterable[SpooledLine], again: Iterable[SpooledLine]
    ) -> Iterator[SpooledLine]:
        """The lines, those with a shared reference with a note; `again` has the same lines, and is
        read only where there are such. After `close`.
        """
        payments = _payments_by_mark(again, self._repeated) if self._repeated else {}
        for spooled in lines:
            found = payments.get(_mark(spooled.line)) if payments and spooled.line else None
            if found and len(found) > 1 and spooled.note is None and spooled.line:
                yield SpooledLine(spooled.line, _note(spooled.line, tuple(found)))
            else:
                yield spooled


def _mark(line: FileLine) -> int:
    return hash((line.reference, line.amount, line.currency)) & BITS


def _payments_by_mark(
    lines: Iterable[SpooledLine], marks: frozenset[int]
) -> dict[int, dict[str, None]]:
    """The payments of each mark, each once, in their order."""
    found: dict[int, dict[str, None]] = {}
    for spooled in lines:
        if spooled.line is not None and spooled.line.reference:
            mark = _mark(spooled.line)
            if mark in marks:
                found.setdefault(mark, {})[spooled.line.payment] = None
    return found


def _note(line: FileLine, payments: tuple[str, ...]) -> Note:
    return Note(planted=None, why=WHY, true=line, payments=payments, status="MULTIPLE_MATCHES")
