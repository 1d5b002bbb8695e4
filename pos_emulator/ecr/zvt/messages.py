"""What a terminal sends to a till: results of payments, totals, and lines to print."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from iso4217 import Currency

from pos_emulator.ecr.ports import TerminalIdentity
from pos_emulator.ecr.zvt.bmp import Form, bcd, variable, write_fields
from pos_emulator.ecr.zvt.codes import ZvtCommand, ZvtResult, result_of
from pos_emulator.ecr.zvt.frames import Apdu
from pos_emulator.ecr.zvt.settings import TillRegistration
from pos_emulator.receipts.document import (
    BLANK,
    RULE,
    PrintedLine,
    ReceiptCopy,
    Style,
    amount_text,
    document_of,
)
from pos_emulator.receipts.text import rows_of
from pos_emulator.terminal.orders import asked_amount
from pos_emulator.terminal.records import CurrencyTotals, TerminalEntry, Totals
from pos_emulator.tlv import build

CHARACTERS = "cp437"
TEXT_BYTES_MAX, NAME_BYTES_MAX = 200, 40
# E stands for a digit that is not shown; how many there are is not said.
MASKED = "E" * 12
# A receipt number has four digits here. An earlier build gave one of five; it is 0000.
RECEIPTS = 10_000
LAST_LINE = b"\x81"
MERCHANT, CARDHOLDER, REPORT = b"\x01", b"\x02", b"\x03"
KINDS = {ReceiptCopy.MERCHANT: MERCHANT, ReceiptCopy.CARDHOLDER: CARDHOLDER}
TECHNOLOGIES = {"MAGSTRIPE": b"\x00", "CHIP": b"\x01", "CONTACTLESS": b"\x02"}
# The groups of field 60, and the brands of the gateway in each.
BRANDS: Mapping[str, tuple[str, ...]] = {
    "girocard": (),  # The gateway has no such brand.
    "JCB": ("JCB",),
    "Eurocard": ("MASTER", "MASTERDEBIT"),
    "American Express": ("AMEX",),
    "VISA": ("VISA", "VISADEBIT", "VISAELECTRON"),
    "Diners": ("DINERS",),
}
OTHER, COUNT_MAX = "other", 255
ACKNOWLEDGED = Apdu(ZvtCommand.ACKNOWLEDGED)
COMPLETION = Apdu(ZvtCommand.COMPLETION)


def refused(result: ZvtResult) -> Apdu:
    """A message that is refused before anything is done."""
    return Apdu(ZvtCommand.REFUSED | result)


def aborted(result: int) -> Apdu:
    """The end of a command that was not carried out."""
    return Apdu(ZvtCommand.ABORTED, bytes((result,)))


def status_of(code: int) -> Apdu:
    """What the cardholder does now."""
    return Apdu(ZvtCommand.INTERMEDIATE_STATUS, bytes((code,)))


def registered(identity: TerminalIdentity, currency: str) -> Apdu:
    """The answer to a registration: who the terminal is, and its currency."""
    fields = {0x19: b"\x00", 0x29: bcd(identity.id, 4), 0x49: number_of(currency)}
    return Apdu(ZvtCommand.COMPLETION, write_fields(fields))


def state(version: str, status: int) -> Apdu:
    """The answer to a status enquiry: the version if it was asked for, and a status."""
    text = variable(version.encode(CHARACTERS, "replace"), Form.LLLVAR) if version else b""
    return Apdu(ZvtCommand.COMPLETION, text + bytes((status,)))


def payment_result(entry: TerminalEntry, identity: TerminalIdentity) -> Apdu:
    """How a payment ended, with what is known of its card: never more than four digits."""
    amount = asked_amount(entry.order) if entry.approved is None else entry.approved
    fields = {
        0x27: bytes((result_of(entry),)),
        0x04: minor_units(amount, entry.order.currency),
        0x0B: bcd(entry.trace or 0, 3),
        0x0C: bcd(f"{entry.at:%H%M%S}", 3),
        0x0D: bcd(f"{entry.at:%m%d}", 2),
        0x29: bcd(identity.id, 4),
        0x49: number_of(entry.order.currency),
        0x87: bcd(int(entry.receipt) % RECEIPTS, 2),
    }
    return Apdu(ZvtCommand.STATUS_INFORMATION, write_fields({**fields, **_card_fields(entry)}))


def totals_result(totals: Totals, currency: str) -> Apdu:
    """The sum of a batch in the till's currency, what each brand paid of it, and when it was
    taken.
    """
    at = totals.closed_at or totals.opened_at
    fields = {
        0x27: bytes((ZvtResult.SUCCESS,)),
        0x04: minor_units(max(_net(totals, currency), Decimal(0)), currency),
        0x0C: bcd(f"{at:%H%M%S}", 3),
        0x0D: bcd(f"{at:%m%d}", 2),
        0x49: number_of(currency),
        0x60: single_totals(totals, currency),
    }
    return Apdu(ZvtCommand.STATUS_INFORMATION, write_fields(fields))


def single_totals(totals: Totals, currency: str) -> bytes:
    """First and last receipt number, then count (one byte) and sum of each group of brands, in
    their order; the last group has all other brands. Choice: D-453.
    """
    groups = {name: (0, Decimal(0)) for name in (*BRANDS, OTHER)}
    for each in totals.brands:
        if each.currency == currency:
            name = next((name for name in BRANDS if each.brand in BRANDS[name]), OTHER)
            count, amount = groups[name]
            groups[name] = (count + each.payments, amount + each.amount)
    first = int(totals.first_receipt or min(1, totals.receipts))
    last = int(totals.last_receipt or totals.receipts)
    return b"".join((
        bcd(first, 2),
        bcd(last % RECEIPTS, 2),
        *(bytes((min(count, COUNT_MAX),)) + minor_units(max(amount, Decimal(0)), currency)
          for count, amount in groups.values()),
    ))  # fmt: skip


def printed_receipts(entry: TerminalEntry, registration: TillRegistration) -> Iterator[Apdu]:
    """Both copies of a receipt, for a till that prints them and does not make them itself."""
    if entry.printed is None or not registration.prints_payments or registration.makes_receipts:
        return
    for copy in (ReceiptCopy.MERCHANT, ReceiptCopy.CARDHOLDER):
        yield from printed(document_of(entry.printed, copy), KINDS[copy], registration)


def printed_totals(title: str, totals: Totals, registration: TillRegistration) -> Iterator[Apdu]:
    """The report of a batch, for a till that prints reports."""
    if registration.prints_reports:
        yield from printed(_report(title, totals), REPORT, registration)


def printed(
    lines: Iterable[PrintedLine], kind: bytes, registration: TillRegistration
) -> Iterator[Apdu]:
    """A document as one block where the till takes that, else line by line."""
    rows = [row.rstrip().encode(CHARACTERS, "replace") for line in lines for row in rows_of(line)]
    texts = build(*(("07", row) for row in rows), ("09", LAST_LINE))
    block = write_fields({0x06: build(("1F07", kind), ("25", texts))})
    if registration.takes_blocks and len(block) <= registration.apdu_bytes_max:
        yield Apdu(ZvtCommand.PRINT_BLOCK, block)
        return
    for row in rows:
        yield Apdu(ZvtCommand.PRINT_LINE, b"\x00" + row)
    yield Apdu(ZvtCommand.PRINT_LINE, LAST_LINE)


def minor_units(amount: Decimal, currency: str) -> bytes:
    """An amount as a field has it. Raises FieldError above twelve digits."""
    return bcd(int(amount.scaleb(Currency(currency).exponent or 0)), 6)


def amount_of(digits: str, currency: str) -> Decimal:
    """An amount as it is ordered."""
    return Decimal(digits).scaleb(-(Currency(currency).exponent or 0))


def number_of(currency: str) -> bytes:
    """The number of a currency as a field has it."""
    return bcd(int(Currency(currency).number), 2)


def _card_fields(entry: TerminalEntry) -> dict[int, bytes]:
    receipt = entry.printed
    if receipt is None:
        return _text(entry.reason)
    fields = {
        0x22: bytes.fromhex(MASKED + receipt.card),
        0x2A: receipt.merchant_id.encode(CHARACTERS, "replace")[:15].ljust(15),
        0x8B: (receipt.label or receipt.brand).encode(CHARACTERS, "replace")[:NAME_BYTES_MAX]
        + b"\x00",
        **_text(receipt.status),
    }
    if receipt.authorization_code:
        code = receipt.authorization_code.encode(CHARACTERS, "replace")
        fields[0x3B] = code[:8].ljust(8, b"\x00")
    if receipt.sequence.isdecimal():
        fields[0x17] = bcd(receipt.sequence, 2)
    technology = TECHNOLOGIES.get(receipt.entry_mode)
    if technology is not None:
        fields[0x06] = build(("2F", build(("1F12", technology))))
    return fields


def _text(text: str) -> dict[int, bytes]:
    return {0x3C: text.encode(CHARACTERS, "replace")[:TEXT_BYTES_MAX]} if text else {}


def _net(totals: Totals, currency: str) -> Decimal:
    return sum(
        (
            each.sales_amount - each.refunds_amount - each.voids_amount
            for each in totals.currencies
            if each.currency == currency
        ),
        Decimal(0),
    )


def _report(title: str, totals: Totals) -> Iterator[PrintedLine]:
    yield PrintedLine(title, style=Style.TITLE)
    yield BLANK
    yield PrintedLine("BATCH", totals.batch)
    yield RULE
    for each in totals.currencies:
        yield from _currency_lines(each)
    for brand in totals.brands:
        name = f"{brand.brand or OTHER.upper()} {brand.payments}"
        yield PrintedLine(name, amount_text(brand.amount, brand.currency))
    for receipt in totals.open_receipts:
        yield PrintedLine("OPEN", receipt)
    for difference in totals.differences:
        yield PrintedLine(f"DIFFERENCE {difference}")


def _currency_lines(totals: CurrencyTotals) -> Iterator[PrintedLine]:
    rows = (
        ("SALES", totals.sales, totals.sales_amount),
        ("REFUNDS", totals.refunds, totals.refunds_amount),
        ("VOIDS", totals.voids, totals.voids_amount),
    )
    for name, count, amount in rows:
        yield PrintedLine(f"{name} {count}", amount_text(amount, totals.currency))
    yield PrintedLine(f"DECLINED {totals.declined}", totals.currency)
