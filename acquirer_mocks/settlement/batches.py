"""The batches of a file: what belongs to a merchant number, what it adds up to, what is paid.

A batch gets its number when all movements are known: in the order of merchant numbers, so the order
in which they came changes nothing. Choice: D-384.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from acquirer_mocks.settlement.collisions import SharedReferences
from acquirer_mocks.settlement.institutes import WITHOUT_IDS
from acquirer_mocks.settlement.kinds import PAID_TO_SHOPPER
from acquirer_mocks.settlement.lines import BATCH, FileBatch, FileLine, Sums, shares_of
from acquirer_mocks.settlement.pricing import DayTerms, plain_fee
from acquirer_mocks.settlement.spool import LineSpool
from acquirer_mocks.settlement.tariffs import NO_FEE
from acquirer_mocks.settlement.truth import Note, SpooledLine
from simulator.domain.ports.clearing import ClearingContract, OpenPayout, SettlementOrderError

MERCHANTS_MAX = 9_999
LINES_MAX = 10_000_000
# The format that has one fee a day for each brand, and none on a line.
DAILY_FEES = "SGFIX"
# Lines that move no money in truth.
FALSE_LINES = frozenset({"line_twice", "settled_twice", "other_merchant"})


class DailyFee:
    """A fee line of a day, type and brand: as charged, and as it should be."""

    def __init__(self) -> None:
        self.count = 0
        self.units = 0
        self.true_units = 0
        self.note: Note | None = None

    def add(self, units: int, true_units: int, note: Note | None) -> None:
        """Count a movement."""
        self.count += 1
        self.units += units
        self.true_units += true_units
        self.note = note if units != true_units else self.note


class Sheet:
    """What a merchant number has in the file: sums as written, and the net as it should be."""

    def __init__(self, contract: ClearingContract):
        self.contract = contract
        self.sums = Sums()
        self.true_net = 0
        self.references = SharedReferences()
        self.fees: dict[tuple[str, str], DailyFee] = {}
        self.open_payouts: list[OpenPayout] = []


class Numbered(NamedTuple):
    """A sheet with its batch: `spooled` reads its lines with what was planted in them. There are
    so many lines of batches `before` it.
    """

    number: str
    sheet: Sheet
    before: int
    payouts: tuple[FileLine, ...]
    spooled: Callable[[], Iterator[SpooledLine]]

    def file_batch(self, lines: Iterable[FileLine]) -> FileBatch:
        """The batch as a format writes it, with its lines as they have been numbered."""
        contract = self.sheet.contract
        return FileBatch(
            self.number,
            contract.merchant_number,
            contract.settlement_currency,
            self.sheet.sums,
            self.payouts,
            lines,
        )


class Batches:
    """Collects the lines of a day by merchant number."""

    def __init__(self, terms: DayTerms, spool: LineSpool[SpooledLine]):
        self._terms = terms
        self._spool = spool
        self._sheets: dict[str, Sheet] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def merchant_numbers(self) -> set[str]:
        """Those that have anything so far."""
        return set(self._sheets)

    def sheet(self, contract: ClearingContract) -> Sheet:
        """The sheet of a merchant number. Raises SettlementOrderError above the limit."""
        found = self._sheets.get(contract.merchant_number)
        if found is None:
            if len(self._sheets) >= MERCHANTS_MAX:
                raise SettlementOrderError(
                    f"expected at most {MERCHANTS_MAX} merchant numbers in a file; received more"
                )
            found = self._sheets[contract.merchant_number] = Sheet(contract)
        return found

    def add(self, contract: ClearingContract, spooled: SpooledLine) -> None:
        """Add a line, or what stands for a missing one. Raises SettlementOrderError above the
        limit.
        """
        self._count += 1
        if self._count > LINES_MAX:
            raise SettlementOrderError(f"expected at most {LINES_MAX} lines; received more")
        sheet, line, note = self.sheet(contract), spooled.line, spooled.note
        sheet.true_net += _true_net(spooled)
        if self._terms.institute.format == DAILY_FEES and line is not None:
            spooled = self._without_fee(sheet, line, note)
        if spooled.line is not None:
            if not spooled.line.is_moving and self._terms.institute.format == DAILY_FEES:
                return
            sheet.sums.add(spooled.line)
            if self._terms.institute.format == WITHOUT_IDS and spooled.line.is_moving:
                sheet.references.add(spooled.line)
        is_fee = spooled.line is not None and not spooled.line.is_moving
        self._spool.add(_key(contract.merchant_number, is_fee=is_fee), spooled)

    def close(self) -> list[Numbered]:
        """The batches in their order. Nothing is added any more."""
        found, before = [], 0
        for index, name in enumerate(sorted(self._sheets), 1):
            sheet = self._sheets[name]
            number = f"{self._terms.day:%y%m%d}{index:04d}"
            daily = [
                line
                for key, fee in sorted(sheet.fees.items())
                for line in self._daily_lines(key, fee, sheet)
            ]
            for each in daily:
                assert each.line is not None, "a daily fee has a line"
                sheet.sums.add(each.line)
            sheet.references.close()
            payouts = tuple(self._payouts(sheet, number))
            lines = partial(self._read, name, daily)
            found.append(Numbered(number, sheet, before, payouts, lines))
            before += sheet.sums.lines + len(payouts)
        return found

    def _read(self, name: str, daily: Iterable[SpooledLine]) -> Iterator[SpooledLine]:
        key = _key(name, is_fee=False)
        yield from self._sheets[name].references.marked(
            self._spool.read(key), self._spool.read(key)
        )
        yield from self._spool.read(_key(name, is_fee=True))
        yield from daily

    def _without_fee(self, sheet: Sheet, line: FileLine, note: Note | None) -> SpooledLine:
        """The line with its fee put into the daily one."""
        is_refund = line.type in PAID_TO_SHOPPER
        name = ("REFUND_FEE" if is_refund else "CAPTURE_FEE") if line.is_moving else line.type
        units = line.fee.total if line.is_moving else line.gross
        true_units = units if note is None else note.true.fee.total
        if units or true_units:
            fee = sheet.fees.setdefault((name, line.brand), DailyFee())
            fee.add(units, true_units, note)
        if not line.is_moving or line.fee == NO_FEE:
            return SpooledLine(line, note)
        without = replace(line, fee=NO_FEE)
        if note is None:
            return SpooledLine(without)
        true = replace(note.true, fee=NO_FEE)
        # A fault of the fee alone is one of the daily fee.
        is_of_fee = true == without and units != true_units
        return SpooledLine(without, None if is_of_fee else replace(note, true=true))

    def _daily_lines(
        self, key: tuple[str, str], fee: DailyFee, sheet: Sheet
    ) -> Iterator[SpooledLine]:
        name, brand = key
        currency = sheet.contract.settlement_currency
        shares = (shares_of(units, currency) for units in (fee.units, fee.true_units))
        count = fee.count
        for units, true_units in zip_longest(*shares, fillvalue=0):
            line = plain_fee(self._terms, name, units, currency)
            line = replace(line, brand=brand, count=count)
            true = replace(line, amount=true_units, gross=true_units)
            yield SpooledLine(line, None if fee.note is None else replace(fee.note, true=true))
            count = 0

    def _payouts(self, sheet: Sheet, number: str) -> Iterator[FileLine]:
        """Those that failed before, and that of this batch; none of zero."""
        contract = sheet.contract
        due = [(late.batch, late.units) for late in sheet.open_payouts]
        for batch, whole in (*due, (number, sheet.sums.net)):
            for units in shares_of(whole, contract.settlement_currency):
                yield self._payout(contract, batch, units)

    def _payout(self, contract: ClearingContract, batch: str, units: int) -> FileLine:
        line = plain_fee(self._terms, BATCH, abs(units), contract.settlement_currency)
        return replace(line, is_credit=units > 0, batch=batch, is_success=not contract.fails_payout)


def _key(merchant_number: str, *, is_fee: bool) -> str:
    return f"{merchant_number}{'-fees' if is_fee else ''}"


def _true_net(spooled: SpooledLine) -> int:
    line, note = spooled.line, spooled.note
    if note is not None:
        line = None if note.planted in FALSE_LINES else note.true
    if line is None:
        return 0
    return line.signed - line.fee.total
