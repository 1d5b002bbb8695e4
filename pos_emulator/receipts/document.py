"""What a receipt says, line by line, before it is printed on anything.

What the acquirer said (pos.statusText) stands where other receipts say approved or declined.
Source: specification, POS terminal, response parameters.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import Enum

from iso4217 import Currency

from pos_emulator.receipts.conversion import Conversion

LAST_DIGITS = 4
MASK = "**** "


class ReceiptError(ValueError):
    """A receipt cannot be printed as asked. No message holds a card number."""


class ReceiptCopy(Enum):
    """Whom a copy is for; the text is printed at its end."""

    MERCHANT = "MERCHANT COPY"
    CARDHOLDER = "CARDHOLDER COPY"


class Verification(Enum):
    """How the cardholder was verified, as it is printed."""

    PIN = "PIN VERIFIED"
    SIGNATURE = "SIGNATURE"
    ON_DEVICE = "VERIFIED ON DEVICE"
    NONE = "NO VERIFICATION"


class Style(Enum):
    """How a line is set."""

    PLAIN = "plain"
    BOLD = "bold"
    TITLE = "title"
    RULE = "rule"
    BLANK = "blank"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentReceipt:
    """The facts of one receipt. Chip data are hex; what the card does not have is empty.

    `amount` is in units of the currency, with `tip` and `cashback` in it; `card` are the last four
    digits of the number, and `status` is pos.statusText.
    """

    merchant: str
    terminal_id: str
    merchant_id: str
    receipt_number: str
    trace_number: str
    at: datetime
    kind: str
    entry_mode: str
    brand: str
    card: str = field(repr=False)
    amount: Decimal
    currency: str
    status: str
    verification: Verification
    label: str = ""
    aid: str = ""
    sequence: str = ""
    cryptogram: str = ""
    tvr: str = ""
    tsi: str = ""
    authorization_code: str = ""
    tip: Decimal = Decimal(0)
    cashback: Decimal = Decimal(0)
    conversion: Conversion | None = None


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line: a text on the left, a text on the right, and how it is set."""

    left: str = ""
    right: str = ""
    style: Style = Style.PLAIN


RULE, BLANK = PrintedLine(style=Style.RULE), PrintedLine(style=Style.BLANK)


def document_of(receipt: PaymentReceipt, copy: ReceiptCopy) -> tuple[PrintedLine, ...]:
    """Return the lines of one copy; only the merchant's asks for a signature.

    Raises ReceiptError for an unknown currency, for an amount with more decimals than it has, and
    for anything but four digits of a card.
    """
    if not re.fullmatch(f"[0-9]{{{LAST_DIGITS}}}", receipt.card):
        raise ReceiptError(f"a receipt shows the last {LAST_DIGITS} digits of a card")
    lines = (
        *_head(receipt),
        *_card(receipt),
        *_parts(receipt),
        PrintedLine(receipt.kind, amount_text(receipt.amount, receipt.currency), Style.BOLD),
        *_conversion(receipt),
        BLANK,
        *_verification(receipt, copy),
        PrintedLine(receipt.status, style=Style.TITLE),
        *_facts(("AUTHORIZATION", receipt.authorization_code)),
        BLANK,
        PrintedLine(copy.value, style=Style.TITLE),
    )
    return tuple(
        PrintedLine(_printable(line.left), _printable(line.right), line.style) for line in lines
    )


def amount_text(amount: Decimal, currency: str) -> str:
    """Return an amount with its currency, in the decimals that the currency has.

    Raises ReceiptError.
    """
    try:
        exponent = Currency(currency).exponent or 0
    except ValueError:
        raise ReceiptError(f"{currency!r} is no currency of ISO 4217") from None
    exact = amount.quantize(Decimal(1).scaleb(-exponent)) if amount.is_finite() else amount
    if exact != amount:
        raise ReceiptError(f"{currency} has {exponent} decimals")
    return f"{currency} {exact:,f}"


def _head(receipt: PaymentReceipt) -> tuple[PrintedLine, ...]:
    return (
        PrintedLine(receipt.merchant, style=Style.TITLE),
        BLANK,
        *_facts(
            ("TERMINAL", receipt.terminal_id),
            ("MERCHANT", receipt.merchant_id),
            ("RECEIPT", receipt.receipt_number),
            ("TRACE", receipt.trace_number),
            (f"{receipt.at:%Y-%m-%d}", f"{receipt.at:%H:%M:%S}"),
        ),
        RULE,
    )


def _card(receipt: PaymentReceipt) -> tuple[PrintedLine, ...]:
    return (
        *_facts(
            (receipt.label or receipt.brand, receipt.entry_mode),
            ("BRAND", receipt.brand if receipt.label else ""),
            ("CARD", MASK + receipt.card),
            ("SEQUENCE", receipt.sequence),
            ("AID", receipt.aid),
            ("CRYPTOGRAM", receipt.cryptogram),
            ("TVR", receipt.tvr),
            ("TSI", receipt.tsi),
        ),
        RULE,
    )


def _parts(receipt: PaymentReceipt) -> tuple[PrintedLine, ...]:
    """What the amount is made of, where it is more than the price of the goods."""
    added = (("TIP", receipt.tip), ("PAID OUT IN CASH", receipt.cashback))
    if not any(amount for _, amount in added):
        return ()
    goods = receipt.amount - receipt.tip - receipt.cashback
    lines = (("GOODS", goods), *(line for line in added if line[1]))
    return tuple(PrintedLine(name, amount_text(each, receipt.currency)) for name, each in lines)


def _conversion(receipt: PaymentReceipt) -> tuple[PrintedLine, ...]:
    """What was charged in the currency that the cardholder chose, at which rate."""
    chosen = receipt.conversion
    if chosen is None:
        return ()
    rate = f"{chosen.rate.normalize():f} {chosen.currency}"
    return (
        PrintedLine("CHARGED", amount_text(chosen.amount, chosen.currency), Style.BOLD),
        *_facts((f"1 {receipt.currency} =", rate), ("MARKUP IN IT", f"{chosen.markup:f} %")),
        PrintedLine(f"I CHOSE TO PAY IN {chosen.currency}"),
    )


def _verification(receipt: PaymentReceipt, copy: ReceiptCopy) -> tuple[PrintedLine, ...]:
    if receipt.verification is not Verification.SIGNATURE:
        return (PrintedLine(receipt.verification.value), BLANK)
    if copy is ReceiptCopy.CARDHOLDER:
        return ()
    return (PrintedLine(receipt.verification.value), BLANK, BLANK, RULE)


def _facts(*facts: tuple[str, str]) -> tuple[PrintedLine, ...]:
    """Return a line for each fact that has a value."""
    return tuple(PrintedLine(name, value) for name, value in facts if value)


def _printable(text: str) -> str:
    """Return text without control characters and marks, which would steer a printer."""
    return "".join(each if each.isprintable() else " " for each in text)
