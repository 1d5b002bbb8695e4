"""The double-entry ledger: each payment type moves its money between two accounts, by one row.

A merchant's books therefore always close: `reserve` holds what is authorised and not yet captured,
`merchant` what the clearing institute owes for it, `clearing` is the other side of both.
Settlement charges `fees`. Choice: D-35.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal

from simulator.domain.money import ZERO
from simulator.domain.records import Payment, PaymentType, Posting

CLEARING, RESERVE, MERCHANT, FEES = "clearing", "reserve", "merchant", "fees"

# fmt: off
POSTINGS: Mapping[PaymentType, tuple[str, str]] = {
    #                  debit     credit
    PaymentType.PA:    (CLEARING, RESERVE),
    PaymentType.DB:    (CLEARING, MERCHANT),
    PaymentType.PA_CP: (CLEARING, MERCHANT),
    PaymentType.RB:    (CLEARING, MERCHANT),
    PaymentType.CP:    (RESERVE,  MERCHANT),
    PaymentType.RC:    (RESERVE,  MERCHANT),
    PaymentType.RF:    (MERCHANT, CLEARING),
    PaymentType.CD:    (MERCHANT, CLEARING),
}
# fmt: on


def postings_of(
    payment: Payment, reversed_type: PaymentType | None, now: datetime
) -> tuple[Posting, ...]:
    """The ledger entries of an approved payment: one, or none where no money moves, as by a
    registration.

    A reversal posts the row of what it reverses backwards.
    """
    if payment.type is PaymentType.RV:
        assert reversed_type is not None, "a reversal refers to what it reverses"
        credit, debit = POSTINGS[reversed_type]
    elif payment.type in POSTINGS:
        debit, credit = POSTINGS[payment.type]
    else:
        return ()
    identity = f"{payment.id}.1"
    return (
        Posting(
            id=identity, payment=payment.id, debit=debit, credit=credit, money=payment.moved, at=now
        ),
    )


def balances(postings: Iterable[Posting]) -> dict[str, Decimal]:
    """What stands on each account, credits less debits; the sum over all accounts is zero."""
    totals: dict[str, Decimal] = dict.fromkeys((CLEARING, RESERVE, MERCHANT, FEES), ZERO)
    for posting in postings:
        totals[posting.debit] -= posting.money.amount
        totals[posting.credit] += posting.money.amount
    return totals
