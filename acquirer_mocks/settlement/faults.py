"""The faults of single lines: when one can be planted, and the line that it makes.

What a fault does beyond its line (a second line, another day) is in `planting.py`.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from acquirer_mocks.settlement.calendars import previous_holiday
from acquirer_mocks.settlement.fx import (
    exact,
    exchanged,
    is_rounded,
    settled,
    step_of,
    units_of,
)
from acquirer_mocks.settlement.institutes import WITHOUT_IDS
from acquirer_mocks.settlement.kinds import SALES
from acquirer_mocks.settlement.lines import FileLine
from acquirer_mocks.settlement.pricing import DayTerms
from simulator.domain.core.currencies import decimals_of
from simulator.domain.core.money import Money
from simulator.domain.ports.clearing import ClearingEntry

OTHER_CURRENCY = {"EUR": "USD", "USD": "EUR"}
FEE_STEPS = 10
LARGE = 10
CHANGED_MARKUP = 200
UNKNOWN_PAYMENT = "f" * 32


class FaultCase(NamedTuple):
    """A movement, its right line, and what is around it: the movement of the same merchant and
    that of another one which came before it, if there was any.
    """

    terms: DayTerms
    entry: ClearingEntry
    line: FileLine
    before: ClearingEntry | None
    other: ClearingEntry | None

    @property
    def is_exchanged(self) -> bool:
        """Whether currency and settlement currency differ."""
        return self.line.currency != self.line.settlement_currency

    @property
    def is_sale(self) -> bool:
        """Whether the merchant earns by it."""
        return self.line.type in SALES


def chargeable(terms: DayTerms, entry: ClearingEntry) -> ClearingEntry | None:
    """A movement as far as a bank can charge it back: no more than is left; None for nothing. SGFIX
    names a payment by its reference with the whole amount, and so has no part. Choice: D-404.
    """
    if entry.left is None or entry.left >= entry.money.amount:
        return entry
    part = Money(entry.left, entry.money.currency)
    if terms.institute.format == WITHOUT_IDS or not units_of(part):
        return None
    return replace(entry, money=part, is_part=True)


def with_amount(line: FileLine, amount: int, *, currency: str = "", rate: int = 0) -> FileLine:
    """The line with another amount, currency or rate, settled accordingly."""
    currency, rate = currency or line.currency, rate or line.rate
    gross = exchanged(amount, currency, line.settlement_currency, rate=rate)
    return replace(line, amount=amount, currency=currency, rate=rate, gross=gross)


def _amount_cent(case: FaultCase) -> FileLine:
    return with_amount(case.line, case.line.amount + step_of(case.line.currency))


def _amount_large(case: FaultCase) -> FileLine:
    return with_amount(case.line, case.line.amount * LARGE)


def _fee_wrong(case: FaultCase) -> FileLine:
    more = FEE_STEPS * step_of(case.line.settlement_currency)
    return _with_markup(case.line, more)


def _tariff_changed(case: FaultCase) -> FileLine:
    currency = case.line.settlement_currency
    more = settled(case.line.gross, CHANGED_MARKUP, currency)
    return _with_markup(case.line, max(step_of(currency), more))


def _with_markup(line: FileLine, more: int) -> FileLine:
    return replace(line, fee=line.fee._replace(markup=line.fee.markup + more))


def _fx_rounding(case: FaultCase) -> FileLine:
    line = case.line
    currency = line.settlement_currency
    numerator, denominator = exact(line.amount, line.currency, currency, rate=line.rate)
    step = step_of(currency)
    below = numerator // (denominator * step) * step
    return replace(line, gross=below + step if line.gross == below else below)


def _fx_yesterday(case: FaultCase) -> FileLine:
    line = case.line
    rate = case.terms.rate_before(line.currency, line.settlement_currency)
    return with_amount(line, line.amount, rate=rate)


def _exponent_jpy(case: FaultCase) -> FileLine:
    return with_amount(case.line, case.line.amount * 100)


def _exponent_kwd(case: FaultCase) -> FileLine:
    return with_amount(case.line, settled(case.line.amount, 10, case.line.currency))


def _currency_swapped(case: FaultCase) -> FileLine:
    line = case.line
    currency = OTHER_CURRENCY.get(line.currency, "EUR")
    rate = case.terms.rate(currency, line.settlement_currency)
    amount = line.amount * 10 ** decimals_of(currency) // 10 ** decimals_of(line.currency)
    return with_amount(line, amount, currency=currency, rate=rate)


def _reference_unknown(case: FaultCase) -> FileLine:
    return replace(
        case.line,
        payment=UNKNOWN_PAYMENT,
        merchant_transaction_id="unknown",
        reference="999999999999",
        auth_code="",
        last4="",
    )


def _reference_other(case: FaultCase) -> FileLine:
    assert case.before is not None, "the fault applies only where there is another payment"
    return replace(
        case.line,
        payment=case.before.payment,
        merchant_transaction_id=case.before.merchant_transaction_id,
        reference=case.before.reference,
        auth_code=case.before.auth_code,
        last4=case.before.last4,
    )


def _date_holiday(case: FaultCase) -> FileLine:
    calendar = case.terms.institute.calendar
    return replace(case.line, settlement_date=previous_holiday(calendar, case.line.settlement_date))


Change = Callable[[FaultCase], FileLine]
Condition = Callable[[FaultCase], bool]


def _always(_: FaultCase) -> bool:
    return True


def _has_fee(case: FaultCase) -> bool:
    return case.is_sale


def _is_rounded(case: FaultCase) -> bool:
    line = case.line
    return is_rounded(line.amount, line.currency, line.settlement_currency, rate=line.rate)


def _has_tenth(case: FaultCase) -> bool:
    line = case.line
    return decimals_of(line.currency) == 3 and line.amount >= 10 * step_of(line.currency)


def _rate_moved(case: FaultCase) -> bool:
    line = case.line
    return case.terms.rate_before(line.currency, line.settlement_currency) != line.rate


def _has_other(case: FaultCase) -> bool:
    return case.before is not None and case.before.payment != case.entry.payment


def _has_late_chargeback(case: FaultCase) -> bool:
    if case.is_sale:
        return _has_left(case)
    # SGFIX names a payment by its RRN alone, and the institute has that of the refund, not of the
    # payment that was refunded.
    return case.line.type == "RF" and case.terms.institute.format != WITHOUT_IDS and _has_left(case)


def _has_left(case: FaultCase) -> bool:
    return chargeable(case.terms, case.entry) is not None


# fmt: off
CHANGES: Mapping[str, tuple[Condition, Change]] = {
    "amount_cent":       (_always,                                      _amount_cent),
    "amount_large":      (_always,                                      _amount_large),
    "fee_wrong":         (_has_fee,                                     _fee_wrong),
    "tariff_changed":    (_has_fee,                                     _tariff_changed),
    "fx_rounding":       (_is_rounded,                                  _fx_rounding),
    "fx_yesterday":      (_rate_moved,                                  _fx_yesterday),
    "exponent_jpy":      (lambda case: decimals_of(case.line.currency) == 0, _exponent_jpy),
    "exponent_kwd":      (_has_tenth,                                   _exponent_kwd),
    "currency_swapped":  (_always,                                      _currency_swapped),
    "reference_unknown": (_always,                                      _reference_unknown),
    "reference_other":   (_has_other,                                   _reference_other),
    "date_holiday":      (_always,                                      _date_holiday),
}
# Faults that are more than a changed line.
BEYOND_LINES: Mapping[str, Condition] = {
    "missing":           _always,
    "line_twice":        _always,
    "settled_twice":     _always,
    "captures_summed":   lambda case: case.line.type == "CP" and bool(case.entry.about),
    "chargeback_early":  lambda case: case.is_sale and _has_left(case),
    "chargeback_late":   _has_late_chargeback,
    "other_merchant":    lambda case: case.other is not None,
    "deferred":          _always,
}
# fmt: on


def applies(fault: str, case: FaultCase) -> bool:
    """Whether a fault can be planted in a movement."""
    condition = BEYOND_LINES.get(fault) or CHANGES[fault][0]
    return condition(case)
