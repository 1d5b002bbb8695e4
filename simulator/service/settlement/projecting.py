"""What a clearing institute knows of a payment: what passed over the connection to the acquirer."""

from datetime import datetime, tzinfo

from simulator.domain.acquiring.messages import E_COMMERCE_ENTRY, reference_of
from simulator.domain.core.records import Payment
from simulator.domain.ports.clearing import ClearingEntry
from simulator.domain.settlement.booking import last4_of
from simulator.domain.settlement.matching import MatchCandidate
from simulator.domain.terminals.reading import ENTRY_MODE


def is_of_bank_account(payment: Payment) -> bool:
    """Whether a bank account pays it, and no card."""
    return payment.card is None and any(name.startswith("bankAccount.") for name in payment.sent)


def clearing_entry(payment: Payment, posted_at: datetime) -> ClearingEntry:
    """The movement of an approved payment, whose money moved at `posted_at`."""
    is_bank = is_of_bank_account(payment)
    outcome = payment.outcome
    return ClearingEntry(
        kind=payment.type.value,
        payment=payment.id,
        merchant_number=payment.stamp.merchant_account,
        money=payment.moved,
        instant=posted_at,
        about=payment.referenced or "",
        reference=reference_of(payment.id),
        last4=last4_of(payment),
        brand=payment.brand or "",
        account="bank" if is_bank else "card",
        merchant_transaction_id=payment.sent.get("merchantTransactionId", ""),
        entry_mode=payment.sent.get(ENTRY_MODE, "" if is_bank else E_COMMERCE_ENTRY)[:3],
        reason=outcome.code if outcome is not None and payment.dispute is not None else "",
        sub_merchant=payment.sent.get("merchant.submerchantId", ""),
        is_part=False,
    )


def candidate_of(entry: ClearingEntry, zone: tzinfo) -> MatchCandidate:
    """The payment as lines are compared with it."""
    return MatchCandidate(
        payment=entry.payment,
        kind=entry.kind,
        merchant_account=entry.merchant_number,
        money=entry.money,
        day=entry.instant.astimezone(zone).date(),
        reference=entry.reference,
        merchant_transaction_id=entry.merchant_transaction_id,
        last4=entry.last4,
    )
