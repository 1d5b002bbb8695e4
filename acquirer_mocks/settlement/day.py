"""The run of a bank day: from the movements to the files of an institute, and their answer keys.

Movements come in any order and are read once; lines wait in a spool until their batch is written,
so memory grows with the number of merchants alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import date
from itertools import chain

from msgspec.structs import replace

from acquirer_mocks.settlement.batches import Batches
from acquirer_mocks.settlement.calendars import is_bank_day, is_first_of_month
from acquirer_mocks.settlement.fault_plan import LATE, FaultDraw
from acquirer_mocks.settlement.files import Beside, DayFiles, at_once
from acquirer_mocks.settlement.institutes import Institute
from acquirer_mocks.settlement.planting import Planting
from acquirer_mocks.settlement.pricing import DayTerms, fee_lines, monthly_line, terms_of
from acquirer_mocks.settlement.spool import LineSpool
from acquirer_mocks.settlement.truth import SpooledLine
from simulator.domain.ports.clearing import (
    CarriedOver,
    ClearingContract,
    ClearingEntry,
    DayOrder,
    DeferredEntry,
    SettlementOrderError,
    WrittenDay,
)

MERCHANT_NUMBER = re.compile(r"[A-Za-z0-9]{5,32}")
PAUSE_EVERY = 200


def write_day(
    institute: Institute,
    day: date,
    entries: Iterable[ClearingEntry],
    order: DayOrder,
    *,
    beside: Beside = at_once,
) -> WrittenDay:
    """Write the files of a bank day, and their keys `beside` them. Raises SettlementOrderError."""
    _check(institute, day, order.contracts)
    order = _with_open_currencies(order)
    terms = terms_of(institute, day)
    with closing(LineSpool(SpooledLine)) as spool:
        charge_back = order.charge_back and order.faults.file != LATE
        draw = FaultDraw(order.faults, day)
        batches, planting = Batches(terms, spool), Planting(terms, draw, charge_back=charge_back)
        waiting = _collect(terms, entries, order, (batches, planting))
        files = DayFiles(terms, order)
        files.write(batches, beside)
    carried = CarriedOver(
        entries=tuple(chain(waiting, planting.deferred)),
        payouts=tuple(files.open_payouts),
        late=files.late,
    )
    return WrittenDay(
        files=files.files,
        released=files.released,
        keys=tuple(files.keys),
        lines=files.lines,
        payouts=tuple(files.payouts),
        carried=carried,
        charged_back=planting.charged_back,
    )


def _with_open_currencies(order: DayOrder) -> DayOrder:
    """The order, in which a merchant number with an open payout is paid in the currency of that,
    whatever its contract says by now: a batch has one currency. Choice: D-665.
    """
    kept = {
        late.merchant_number: replace(
            _contract(order, late.merchant_number), settlement_currency=late.currency
        )
        for late in order.carried.payouts
    }
    return replace(order, contracts={**order.contracts, **kept}) if kept else order


def _collect(
    terms: DayTerms,
    entries: Iterable[ClearingEntry],
    order: DayOrder,
    into: tuple[Batches, Planting],
) -> list[DeferredEntry]:
    """Put every line into its batch; what is left are entries that a later run delivers."""
    batches, planting = into
    for late in order.carried.payouts:
        contract = _contract(order, late.merchant_number)
        batches.sheet(contract).open_payouts.append(late)
    waiting = [late for late in order.carried.entries if late.due > terms.day]
    lines = chain(
        _deferred_lines(terms, order, planting),
        _lines(terms, entries, order, planting),
        ((_contract(order, number), line) for number, line in planting.rest()),
        _monthly_lines(terms, order, batches),
    )
    for count, (contract, line) in enumerate(lines, 1):
        batches.add(contract, line)
        if count % PAUSE_EVERY == 0:
            order.pause()
    return waiting


Line = tuple[ClearingContract, SpooledLine]


def _deferred_lines(terms: DayTerms, order: DayOrder, planting: Planting) -> Iterator[Line]:
    for late in order.carried.entries:
        if late.due <= terms.day:
            contract = _contract(order, late.entry.merchant_number)
            for line in planting.deferred_lines_of(late, contract.settlement_currency):
                yield contract, line


def _lines(
    terms: DayTerms, entries: Iterable[ClearingEntry], order: DayOrder, planting: Planting
) -> Iterator[Line]:
    for entry in entries:
        contract = _contract(order, entry.merchant_number)
        currency = contract.settlement_currency
        for line in planting.lines_of(entry, currency):
            yield contract, line
        for fee in fee_lines(terms, entry, currency):
            yield contract, SpooledLine(fee)


def _monthly_lines(terms: DayTerms, order: DayOrder, batches: Batches) -> Iterator[Line]:
    if is_first_of_month(terms.institute.calendar, terms.day):
        standing = {each.merchant_number for each in order.contracts.values() if each.is_standing}
        for number in sorted(standing | batches.merchant_numbers()):
            contract = _contract(order, number)
            line = monthly_line(terms, contract.settlement_currency)
            if line.gross:
                yield contract, SpooledLine(line)


def _contract(order: DayOrder, merchant_number: str) -> ClearingContract:
    found = order.contracts.get(merchant_number)
    if found is None and order.others is not None:
        found = replace(order.others, merchant_number=merchant_number)
    if found is None:
        raise SettlementOrderError(
            f"expected a contract for each merchant number; received {merchant_number[:32]!r} "
            "without one"
        )
    return replace(found, fails_payout=True) if order.faults.rejects_payouts else found


def _check(institute: Institute, day: date, contracts: Mapping[str, ClearingContract]) -> None:
    if not is_bank_day(institute.calendar, day):
        raise SettlementOrderError(
            f"expected a bank day of {institute.calendar}; received {day.isoformat()}"
        )
    for number in contracts:
        # It is also the name of a file.
        if not MERCHANT_NUMBER.fullmatch(number):
            raise SettlementOrderError(
                "expected a merchant number of 5 to 32 letters and digits; "
                f"received {number[:64]!r}"
            )
