"""Whether an order can be carried out, and what it amounts to."""

from collections.abc import Mapping
from decimal import Decimal

from iso4217 import Currency

from pos_emulator.card_numbers import has_card_number
from pos_emulator.kernel.records import CardPayment, SaleKind
from pos_emulator.terminal.records import OrderError, OrderKind, TerminalEntry, TillOrder

DIGITS_MAX = 12
GATEWAY_EXPONENT = 2
REFERENCE_MAX = 64
# What an order may refer to, by its receipt; a refund may go without, to a card.
REFERRED: Mapping[OrderKind, frozenset[OrderKind]] = {
    OrderKind.CAPTURE: frozenset({OrderKind.PRE_AUTHORIZATION}),
    OrderKind.REFUND: frozenset({OrderKind.SALE, OrderKind.CAPTURE}),
    OrderKind.VOID: frozenset({OrderKind.SALE, OrderKind.PRE_AUTHORIZATION, OrderKind.CAPTURE}),
}
MUST_REFER = frozenset({OrderKind.CAPTURE, OrderKind.VOID})


def check_order(order: TillOrder) -> None:
    """Refuse an order with a malformed amount, currency or reference. Raises OrderError."""
    if len(order.reference) > REFERENCE_MAX or not order.reference.isprintable():
        raise OrderError(f"reference: expected at most {REFERENCE_MAX} printable characters")
    for name, text in (("reference", order.reference), ("receipt", order.receipt)):
        if has_card_number(text):
            raise OrderError(f"{name}: expected a name, received the number of a card")
    exponent = _currency(order.currency).exponent or 0
    if order.amount is None and not order.receipt:
        raise OrderError("amount: expected an amount, or the name of a receipt; received neither")
    if order.amount is not None:
        _check_amount("amount", order.amount, exponent)
        if order.amount <= 0:
            raise OrderError(f"amount: expected more than zero, received {order.amount}")
    for name, added in (("cashback", order.cashback), ("tip", order.tip)):
        _check_amount(name, added, exponent)
        if added < 0 or (added and order.operation is not OrderKind.SALE):
            raise OrderError(f"{name}: expected zero or more, with a sale")
    _check_amount("amount with tip and cash", asked_amount(order), exponent)
    _check_receipt(order)


def digits_max(exponent: int) -> int:
    """How many digits an amount may have before its decimals. A card takes 12 of minor units."""
    return DIGITS_MAX - max(exponent, GATEWAY_EXPONENT)


def _check_receipt(order: TillOrder) -> None:
    if order.operation in MUST_REFER and not order.receipt:
        raise OrderError(f"receipt: expected that of the payment, for a {order.operation.value}")
    if order.receipt and order.operation not in REFERRED:
        raise OrderError(f"receipt: expected none, for a {order.operation.value}")
    if order.operation is OrderKind.VOID and order.amount is not None:
        whole = "expected none, as a void is of the whole payment"
        raise OrderError(f"amount: {whole}; received {order.amount}")


def asked_amount(order: TillOrder) -> Decimal:
    """What is charged: the amount, the tip, and what is paid out in cash."""
    return (order.amount or Decimal(0)) + order.tip + order.cashback


def charged(entry: TerminalEntry) -> tuple[Decimal, str]:
    """Amount and currency that the card is charged: the till's, or what its holder chose."""
    if entry.conversion is not None:
        return entry.conversion.amount, entry.conversion.currency
    return asked_amount(entry.order), entry.order.currency


def card_payment(entry: TerminalEntry, *, is_online: bool) -> CardPayment:
    """An order as the kernel takes it."""
    order, (amount, code) = entry.order, charged(entry)
    currency = _currency(code)
    exponent = currency.exponent or 0
    kind = SaleKind.REFUND if order.operation is OrderKind.REFUND else SaleKind.PURCHASE
    return CardPayment(
        amount=int((amount - order.cashback).scaleb(exponent)),
        currency=f"{int(currency.number):03d}",
        exponent=exponent,
        at=entry.at,
        sequence=int(entry.trace),
        kind=SaleKind.CASHBACK if order.cashback else kind,
        cashback=int(order.cashback.scaleb(exponent)),
        forced_online=order.forced_online or is_online,
    )


def _currency(code: str) -> Currency:
    try:
        return Currency(code)
    except ValueError:
        raise OrderError(f"currency: expected a code of ISO 4217, received {code[:8]!r}") from None


def _check_amount(name: str, amount: Decimal, exponent: int) -> None:
    if not amount.is_finite() or amount.adjusted() >= digits_max(exponent):
        raise OrderError(f"{name}: expected at most {digits_max(exponent)} digits")
    decimals = min(exponent, GATEWAY_EXPONENT)
    if amount != amount.quantize(Decimal(1).scaleb(-decimals)):
        raise OrderError(f"{name}: expected at most {decimals} decimals, received {amount}")
