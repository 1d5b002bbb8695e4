"""The double-entry ledger: each payment type moves its money between two accounts, by one row.

A merchant's books therefore always close: `reserve` holds what is authorised and not yet captured,
`merchant` what the clearing institute owes for it, `clearing` is the other side of both.
Settlement charges `fees`. Choice: D-35.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.money import ZERO
from simulator.domain.core.records import LedgerEntry, Payment, PaymentType
from simulator.grammar.payment_types import CLEARING, FEES, MERCHANT, RESERVE, PaymentEffect

DISPUTES = (PaymentEffect.CHARGEBACK, PaymentEffect.CHARGEBACK_REVERSAL)


def make_ledger_entries(
    payment: Payment, about: PaymentType | None, now: datetime
) -> tuple[LedgerEntry, ...]:
    """The ledger entries of an approved payment: one, or none where no money moves, as by a
    registration.

    `about` is the type of the payment it refers to, or that a dispute is about: a reversal and a
    chargeback post its entry backwards, a chargeback reversal posts it again.
    """
    row = PAYMENT_TYPES[payment.type]
    rule = row.ledger
    if rule is None or is_recorded_only(payment.type, about):
        return ()
    reverses = rule.reverses
    if not rule.debit:
        assert about is not None, "it refers to an earlier payment"
        rule = PAYMENT_TYPES[about].ledger
        assert rule is not None, "it refers to a payment that moved money"
    debit, credit = rule.debit, rule.credit
    if row.effect in DISPUTES:
        # A captured amount is no longer reserved: it goes where a refund would take it.
        debit, credit = _beyond_reserve(debit), _beyond_reserve(credit)
    if reverses:
        debit, credit = credit, debit
    return (
        LedgerEntry(
            id=f"{payment.id}.1",
            payment=payment.id,
            debit=debit,
            credit=credit,
            money=payment.moved,
            at=now,
        ),
    )


def is_recorded_only(kind: PaymentType, about: PaymentType | None) -> bool:
    """Whether a payment of this type moves nothing: a receipt for what is captured already.

    Choice: D-282.
    """
    if about is None or PAYMENT_TYPES[kind].effect is not PaymentEffect.RECEIPT:
        return False
    row, earlier = PAYMENT_TYPES[kind].ledger, PAYMENT_TYPES[about].ledger
    return row is not None and earlier is not None and earlier.credit != row.debit


def _beyond_reserve(account: str) -> str:
    return CLEARING if account == RESERVE else account


def balances(postings: Iterable[LedgerEntry]) -> dict[str, Decimal]:
    """What stands on each account, credits less debits; the sum over all accounts is zero."""
    totals: dict[str, Decimal] = dict.fromkeys((CLEARING, RESERVE, MERCHANT, FEES), ZERO)
    for posting in postings:
        # Settlement moves money to `bank`, which a payment alone never does.
        totals[posting.debit] = totals.get(posting.debit, ZERO) - posting.money.amount
        totals[posting.credit] = totals.get(posting.credit, ZERO) + posting.money.amount
    return totals
