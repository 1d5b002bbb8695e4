"""The lines that a movement has in a file: its transaction, and its fixed fees."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from acquirer_mocks.settlement import fx
from acquirer_mocks.settlement.calendars import previous_bank_day, settlement_date
from acquirer_mocks.settlement.institutes import Institute
from acquirer_mocks.settlement.kinds import is_moving, is_to_merchant, kind_in_file
from acquirer_mocks.settlement.lines import MONTHLY, FileLine
from acquirer_mocks.settlement.tariffs import fee_of, fixed_fee, fixed_fees
from simulator.domain.ports.clearing import ClearingEntry

BRAND_MAX = 16
# What ends a line, or stands in no XML.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")


class DayTerms(NamedTuple):
    """What holds for all lines of a run."""

    institute: Institute
    day: date
    settlement_date: date

    def rate(self, source: str, target: str) -> int:
        """The day's rate in millionths."""
        return fx.rate(source, target, day=self.day, seed=self.institute.fx_seed)

    def rate_before(self, source: str, target: str) -> int:
        """The rate of the bank day before."""
        before = previous_bank_day(self.institute.calendar, self.day)
        return fx.rate(source, target, day=before, seed=self.institute.fx_seed)


def terms_of(institute: Institute, day: date) -> DayTerms:
    """The terms of a bank day."""
    return DayTerms(institute, day, settlement_date(institute, day))


def transaction_line(terms: DayTerms, entry: ClearingEntry, currency: str) -> FileLine | None:
    """The transaction of a movement, settled in `currency`; None where nothing moves."""
    if not is_moving(entry.kind, entry.about_kind):
        return None
    amount, source = fx.units_of(entry.money), entry.money.currency
    rate = terms.rate(source, currency)
    gross = fx.exchanged(amount, source, currency, rate=rate)
    return FileLine(
        type=kind_in_file(entry.kind),
        is_credit=is_to_merchant(entry.kind, entry.about_kind),
        amount=amount,
        currency=source,
        gross=gross,
        settlement_currency=currency,
        settlement_date=terms.settlement_date,
        rate=rate,
        fee=fee_of(terms.institute, entry, gross, currency),
        acquirer_reference=entry.acquirer_reference,
        entry_mode=entry.entry_mode,
        reason=entry.reason,
        reason_text=entry.reason_text,
        is_part=entry.is_part,
        **_about(entry),
    )


def fee_lines(terms: DayTerms, entry: ClearingEntry, currency: str) -> Iterator[FileLine]:
    """The fixed fees of a movement, one line each."""
    for name, units in fixed_fees(terms.institute, entry, currency):
        yield FileLine(
            type=name,
            is_credit=False,
            amount=units,
            currency=currency,
            gross=units,
            settlement_currency=currency,
            settlement_date=terms.settlement_date,
            **_about(entry),
        )


def _about(entry: ClearingEntry) -> dict[str, Any]:
    """What a line says of the payment it is about, as far as the files of an institute take it: of
    a long brand the beginning, and no reference that would break a line.
    """
    sent = entry.merchant_transaction_id
    return {
        "payment": entry.payment,
        "merchant_transaction_id": "" if CONTROLS.search(sent) else sent,
        "reference": entry.reference,
        "auth_code": entry.auth_code,
        "brand": entry.brand[:BRAND_MAX],
        "last4": entry.last4,
        "account": entry.account,
        "instant": entry.instant,
    }


def monthly_line(terms: DayTerms, currency: str) -> FileLine:
    """The monthly fee of a merchant number."""
    return plain_fee(terms, MONTHLY, fixed_fee(terms.institute, MONTHLY, currency), currency)


def plain_fee(terms: DayTerms, name: str, units: int, currency: str) -> FileLine:
    """A fee that belongs to no payment."""
    return FileLine(
        type=name,
        is_credit=False,
        amount=units,
        currency=currency,
        gross=units,
        settlement_currency=currency,
        settlement_date=terms.settlement_date,
    )
