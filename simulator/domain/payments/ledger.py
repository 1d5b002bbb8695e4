"""The double-entry ledger: each payment type moves its money between two accounts, by one row.

A merchant's books therefore always close: `reserve` holds what is authorised and not yet captured,
`merchant` what the clearing institute owes for it, `clearing` is the other side of both.
Settlement charges `fees`. Choice: D-35.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal

from simulator.domain.core.money import ZERO
from simulator.domain.core.records import LedgerEntry, Payment, PaymentType

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


# These post the row of the payment they are about, backwards or again.
BACKWARDS = frozenset({PaymentType.RV, PaymentType.CB})
AGAIN = frozenset({PaymentType.CR})
DISPUTES = frozenset({PaymentType.CB, PaymentType.CR})


def postings_of(
    payment: Payment, about: PaymentType | None, now: datetime
) -> tuple[LedgerEntry, ...]:
    """The ledger entries of an approved payment: one, or none where no money moves, as by a
    registration.

    `about` is the type of the payment it refers to, or that a dispute is about: a reversal and a
    chargeback post its row backwards, what takes a chargeback back posts it again.
    """
    row = POSTINGS.get(payment.type)
    if payment.type in BACKWARDS or payment.type in AGAIN:
        assert about is not None, "it is about an earlier payment"
        row = POSTINGS[about]
    if row is None:
        return ()
    if payment.type in DISPUTES:
        # What was captured is reserved no more: the money goes where a refund would take it.
        row = (_beyond_reserve(row[0]), _beyond_reserve(row[1]))
    debit, credit = reversed(row) if payment.type in BACKWARDS else row
    identity = f"{payment.id}.1"
    return (
        LedgerEntry(
            id=identity, payment=payment.id, debit=debit, credit=credit, money=payment.moved, at=now
        ),
    )


def _beyond_reserve(account: str) -> str:
    return CLEARING if account == RESERVE else account


def balances(postings: Iterable[LedgerEntry]) -> dict[str, Decimal]:
    """What stands on each account, credits less debits; the sum over all accounts is zero."""
    totals: dict[str, Decimal] = dict.fromkeys((CLEARING, RESERVE, MERCHANT, FEES), ZERO)
    for posting in postings:
        totals[posting.debit] -= posting.money.amount
        totals[posting.credit] += posting.money.amount
    return totals
