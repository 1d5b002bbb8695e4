"""What becomes of a movement in the file of a day: its lines, and what is left for later.

Choice: D-386.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal

from msgspec.structs import replace

from acquirer_mocks.settlement.calendars import next_bank_day
from acquirer_mocks.settlement.fault_plan import DEFERRED, LINE_FAULTS, FaultDraw
from acquirer_mocks.settlement.faults import CHANGES, FaultCase, applies, chargeable, with_amount
from acquirer_mocks.settlement.kinds import SALE
from acquirer_mocks.settlement.lines import FileLine
from acquirer_mocks.settlement.pricing import DayTerms, transaction_line
from acquirer_mocks.settlement.truth import Note, SpooledLine
from simulator.domain.core.money import ZERO
from simulator.domain.ports.clearing import (
    ClearingEntry,
    DeferredEntry,
    SettlementOrderError,
)

CHARGEBACK = "CB"
LATE_DAYS = timedelta(days=120)
DEFERRED_MAX = 100_000
TOO_LARGE = "its amount has more than ten digits before the dot and cannot be settled"
CHARGEBACK_REASON = ("000.100.200", "chargeback without a stated reason")


class Planting:
    """Plants the faults of one day. Movements come in one after another; `rest` has the lines of
    captures that wait for their like, `deferred` what a later run delivers, and `charged_back` how
    much the chargebacks take that the institute makes. A file that is late has none: less may be
    left by the time that it comes.
    """

    def __init__(self, terms: DayTerms, draw: FaultDraw, *, charge_back: bool = True):
        self.deferred: list[DeferredEntry] = []
        self.charged_back: dict[str, Decimal] = {}
        self._terms = terms
        self._draw = draw
        self._charge_back = charge_back
        self._before: dict[str, ClearingEntry] = {}
        self._last: ClearingEntry | None = None
        self._summed: dict[str, list[tuple[str, FileLine, ClearingEntry]]] = {}
        # Payments of which this file has a chargeback, or would have one if anything were left.
        self._disputed = set[str]()

    def lines_of(self, entry: ClearingEntry, currency: str) -> Iterator[SpooledLine]:
        """The transaction lines of a movement today: one, none, or two."""
        line = transaction_line(self._terms, entry, currency)
        if line is None:
            return
        if not line.fits:
            yield SpooledLine(None, Note(planted=None, why=TOO_LARGE, true=line))
            return
        if entry.about in self._summed and entry.kind == "CP":
            self._summed[entry.about].append((entry.merchant_number, line, entry))
            return
        case = self._case(entry, line)
        fault = self._draw.draw(entry.payment, lambda name: applies(name, case))
        if fault is None:
            yield SpooledLine(line)
        elif fault in CHANGES:
            changed = CHANGES[fault][1](case)
            # What could not be written is left as it was.
            yield SpooledLine(changed, _note(fault, line)) if changed.fits else SpooledLine(line)
        else:
            yield from BEYOND[fault](self, case)

    def deferred_lines_of(self, late: DeferredEntry, currency: str) -> Iterator[SpooledLine]:
        """The line of a movement that an earlier run left; none of a chargeback of which nothing
        is left by now, or that waits for a file in time.
        """
        if not self._charge_back and late.entry.left is not None:
            self.deferred.append(late)
            return
        entry = chargeable(self._terms, late.entry)
        line = None if entry is None else transaction_line(self._terms, entry, currency)
        if late.entry.kind == CHARGEBACK:
            self._disputed.add(late.entry.payment)
        if line is not None and entry is not None:
            if late.entry.left is not None:
                self.charged_back[entry.payment] = entry.money.amount
            yield SpooledLine(line, None if late.planted is None else _note(late.planted, line))

    def rest(self) -> Iterator[tuple[str, SpooledLine]]:
        """What was held for captures of the same payment: merchant number and line."""
        for parts in self._summed.values():
            merchant, line, _ = parts[0]
            yield merchant, SpooledLine(line) if len(parts) == 1 else _summed(parts)

    def _case(self, entry: ClearingEntry, line: FileLine) -> FaultCase:
        before, last = self._before.get(entry.merchant_number), self._last
        self._before[entry.merchant_number] = self._last = entry
        if not self._charge_back or entry.about in self._disputed:
            entry = replace(entry, left=ZERO)
        is_other = last is not None and last.merchant_number != entry.merchant_number
        return FaultCase(self._terms, entry, line, before, last if is_other else None)

    def _defer(self, entry: ClearingEntry, planted: str | None, due: date | None = None) -> None:
        if len(self.deferred) >= DEFERRED_MAX:
            raise SettlementOrderError(
                f"expected at most {DEFERRED_MAX} movements left for later runs; received more"
            )
        calendar = self._terms.institute.calendar
        # What is left is looked up again for a chargeback that comes much later, and for no other.
        entry = replace(entry, left=None if due is None else entry.money.amount)
        due = due or next_bank_day(calendar, self._terms.day)
        self.deferred.append(DeferredEntry(due=due, entry=entry, planted=planted))

    def _missing(self, case: FaultCase) -> Iterator[SpooledLine]:
        yield SpooledLine(None, _note("missing", case.line))

    def _line_twice(self, case: FaultCase) -> Iterator[SpooledLine]:
        yield SpooledLine(case.line)
        yield SpooledLine(case.line, _note("line_twice", case.line))

    def _settled_twice(self, case: FaultCase) -> Iterator[SpooledLine]:
        self._defer(case.entry, "settled_twice")
        yield SpooledLine(case.line)

    def _deferred(self, case: FaultCase) -> Iterator[SpooledLine]:
        self._defer(case.entry, None)
        yield from ()

    def _captures_summed(self, case: FaultCase) -> Iterator[SpooledLine]:
        held = (case.entry.merchant_number, case.line, case.entry)
        self._summed[case.entry.about] = [held]
        yield from ()

    def _chargeback_early(self, case: FaultCase) -> Iterator[SpooledLine]:
        self._defer(case.entry, None)
        yield self._chargeback("chargeback_early", _chargeback_of(case.entry), case.line)

    def _chargeback_late(self, case: FaultCase) -> Iterator[SpooledLine]:
        yield SpooledLine(case.line)
        if case.line.type != "RF":
            due = self._terms.day + LATE_DAYS
            self._defer(_chargeback_of(case.entry), "chargeback_late", due)
            return
        refunded = replace(case.entry, payment=case.entry.about, merchant_transaction_id="")
        yield self._chargeback("chargeback_late", _chargeback_of(refunded), case.line)

    def _chargeback(self, fault: str, entry: ClearingEntry, like: FileLine) -> SpooledLine:
        part = chargeable(self._terms, entry)
        assert part is not None, "the fault applies only where something is left"
        self._disputed.add(part.payment)
        self.charged_back[part.payment] = part.money.amount
        line = transaction_line(self._terms, part, like.settlement_currency)
        assert line is not None, "a chargeback moves money"
        return SpooledLine(line, _note(fault, line))

    def _other_merchant(self, case: FaultCase) -> Iterator[SpooledLine]:
        assert case.other is not None, "the fault applies only where there is another merchant"
        yield SpooledLine(case.line)
        currency = case.line.settlement_currency
        line = transaction_line(self._terms, case.other, currency)
        assert line is not None, "what came before had a line"
        yield SpooledLine(
            line, _note("other_merchant", line, payments=(line.payment,), status="NOT_MATCHED")
        )


BEYOND: Mapping[str, Callable[[Planting, FaultCase], Iterator[SpooledLine]]] = {
    "missing": Planting._missing,
    "line_twice": Planting._line_twice,
    "settled_twice": Planting._settled_twice,
    "captures_summed": Planting._captures_summed,
    "chargeback_early": Planting._chargeback_early,
    "chargeback_late": Planting._chargeback_late,
    "other_merchant": Planting._other_merchant,
    DEFERRED: Planting._deferred,
}


def _note(fault: str, true: FileLine, *, payments: tuple[str, ...] = (), status: str = "") -> Note:
    found = status or ("NOT_MATCHED" if fault == "reference_unknown" else "MATCHED")
    return Note(planted=fault, why=LINE_FAULTS[fault], true=true, payments=payments, status=found)


def _chargeback_of(entry: ClearingEntry) -> ClearingEntry:
    code, words = CHARGEBACK_REASON
    return replace(
        entry, kind=CHARGEBACK, about_kind=SALE, reason=code, reason_text=words, is_part=False
    )


def _summed(parts: list[tuple[str, FileLine, ClearingEntry]]) -> SpooledLine:
    lines = [line for _, line, _ in parts]
    total = with_amount(lines[0], sum(line.amount for line in lines))
    line = replace(total, fee=lines[0].fee.plus(line.fee for line in lines[1:]), is_part=True)
    payments = tuple(line.payment for line in lines)
    return SpooledLine(line, _note("captures_summed", line, payments=payments))
