"""Which payment types move money, whose it is then, and what they cost; read from their table."""

from simulator.catalogue.payment_types import PAYMENT_TYPES, SALE_TYPES, types_where
from simulator.domain.ports.clearing import OF
from simulator.grammar.payment_types import PaymentEffect

# How files name a sale, with whatever payment type the merchant made it.
SALE = "DB"
# These have a transaction line.
MOVING = frozenset(types_where(lambda row: bool(row.record)))
SALES = frozenset(types_where(lambda row: row.transaction == "DEBIT"))
PAID_TO_SHOPPER = frozenset(types_where(lambda row: row.transaction in ("REFUND", "CREDIT")))
REVERSALS = frozenset(types_where(lambda row: row.effect is PaymentEffect.REVERSAL))
# These move the money of an earlier payment, in the other direction or once more.
GIVING_BACK = (PaymentEffect.REFUND, PaymentEffect.REVERSAL, PaymentEffect.CHARGEBACK)
BACK = frozenset(types_where(lambda row: row.effect in GIVING_BACK))
AGAIN = frozenset(types_where(lambda row: row.effect is PaymentEffect.CHARGEBACK_REVERSAL))


def is_moving(kind: str, about_kind: str) -> bool:
    """Whether a movement has a transaction line: a reversal only of what has one itself."""
    return kind in MOVING and (kind not in REVERSALS or about_kind in MOVING)


def is_to_merchant(kind: str, about_kind: str) -> bool:
    """Whether the money goes to the merchant: a chargeback of a refund does, as one of a sale does
    not. Choices: D-147, D-667.
    """
    about, _, beyond = about_kind.partition(OF)
    if kind in BACK:
        return not is_to_merchant(about or SALE, beyond)
    return is_to_merchant(about or SALE, beyond) if kind in AGAIN else kind in SALES


def kind_in_file(kind: str) -> str:
    """How a file names a movement."""
    return SALE if kind in SALE_TYPES else kind


def event_of(kind: str) -> str:
    """The fixed fee of a movement; empty where it has none."""
    return PAYMENT_TYPES[kind].fee


def record_type(kind: str) -> str:
    """ReconciliationType of the 36 columns."""
    return PAYMENT_TYPES[kind].record if kind in MOVING else "FEE"


def transaction_type(kind: str) -> str:
    """PaymentType of the 36 columns: that of a chargeback and of a reversal is DEBIT."""
    return (PAYMENT_TYPES[kind].transaction or "DEBIT") if kind in MOVING else kind
