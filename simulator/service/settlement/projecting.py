"""What a clearing institute knows of a payment: what passed over the connection to the acquirer."""

from datetime import datetime, tzinfo

from msgspec.structs import replace

from simulator.catalogue.results import class_of
from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.acquiring.institutes import is_of_bank_account
from simulator.domain.acquiring.messages import E_COMMERCE_ENTRY, reference_of
from simulator.domain.core.money import Money
from simulator.domain.core.records import Payment, State
from simulator.domain.ports.clearing import ClearingEntry
from simulator.domain.settlement.booking import last4_of
from simulator.domain.settlement.match_keys import MatchCandidate
from simulator.domain.settlement.numbers import number_of
from simulator.domain.terminals.reading import ENTRY_MODE
from simulator.grammar.results import APPROVALS

SUB_MERCHANT, MERCHANT_NAME = "merchant.submerchantId", "merchant.name"
NOT_APPROVED = frozenset({State.OPEN, State.PENDING, State.FAILED})


def clearing_entry(payment: Payment, posted_at: datetime, about_kind: str = "") -> ClearingEntry:
    """The movement of an approved payment, whose money moved at `posted_at`."""
    is_bank = is_of_bank_account(payment)
    outcome = payment.outcome
    return ClearingEntry(
        kind=payment.type.value,
        payment=payment.id,
        merchant_number=number_of(payment),
        money=payment.moved,
        instant=posted_at,
        about=payment.referenced or "",
        about_kind=about_kind,
        reference=reference_of(payment.id),
        last4=last4_of(payment),
        brand=payment.card_brand or "",
        account="bank" if is_bank else "card",
        merchant_transaction_id=payment.sent.get("merchantTransactionId", ""),
        entry_mode=payment.sent.get(ENTRY_MODE, "" if is_bank else E_COMMERCE_ENTRY)[:3],
        reason=outcome.code if outcome is not None and payment.dispute is not None else "",
        sub_merchant=payment.sent.get(SUB_MERCHANT, ""),
        facilitator=payment.sent.get(MERCHANT_NAME, "") if SUB_MERCHANT in payment.sent else "",
        is_part=False,
    )


def host_clearing_entry(
    payment: Payment, entry: CardEntry, at: datetime, about_kind: str = ""
) -> ClearingEntry | None:
    """The movement at an instant as the card host has it: what it approved and did not take back,
    and how much, whatever the gateway made of it. None where nothing is left of it.
    """
    outcome, money = entry.end, entry.money or payment.money
    if entry.reversed_at is not None or money is None:
        return None
    if outcome.approved is not None:
        # A part, whose code at the host is not that of an approval (D-185).
        money = Money(outcome.approved, money.currency)
    elif class_of(outcome.code) not in APPROVALS:
        return None
    known = clearing_entry(replace(payment, money=money), at, about_kind)
    return replace(known, kind=entry.type.value)


def candidate_of(payment: Payment, posted_at: datetime, zone: tzinfo) -> MatchCandidate:
    """The payment as lines are compared with it."""
    return MatchCandidate(
        payment=payment.id,
        kind=payment.type.value,
        merchant_account=number_of(payment),
        money=payment.moved,
        day=posted_at.astimezone(zone).date(),
        reference=reference_of(payment.id),
        merchant_transaction_id=payment.sent.get("merchantTransactionId", ""),
        last4=last4_of(payment),
        is_approved=payment.state not in NOT_APPROVED,
    )
