"""What a line of a settlement file becomes: a record for the merchant, and ledger entries."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple, cast

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.catalogue.results import RESULTS
from simulator.domain.core.money import ZERO, Money, with_two_decimals
from simulator.domain.core.records import LedgerEntry, Payment
from simulator.domain.masking.card_numbers import mask_card_numbers
from simulator.domain.settlement.lines import BATCH, SettlementLine
from simulator.domain.settlement.matching import LineMatch
from simulator.domain.settlement.records import (
    AccountOnRecord,
    Matching,
    MerchantOnRecord,
    ReconciliationRecord,
    RecordType,
    TransactionType,
)
from simulator.grammar.payment_types import BANK, FEES, MERCHANT

LAST4 = 4
# Of `Brand` in a record. Choice: D-707.
BRAND_LENGTH_MAX = 16
IBAN, NUMBER = "bankAccount.iban", "bankAccount.number"


class FileFacts(NamedTuple):
    """What holds for every line of a file: its format, its institute, and when it was parsed, in
    the institute's zone.
    """

    form: str
    institute: str
    parsed_at: datetime


def record_of(
    line: SettlementLine,
    match: LineMatch | None,
    payment: Payment | None,
    payer: Payment | None,
    *,
    to: MerchantOnRecord,
    facts: FileFacts,
) -> ReconciliationRecord:
    """The record of a line; `match` is None for a line that is of no payment, `payment` the one it
    was matched with, if it is a single one, and `payer` the one with the card or bank account that
    it refers to, or itself. Source: Reconciliation record.
    """
    row = PAYMENT_TYPES.get(line.type)
    is_chargeback = row is not None and row.record == "CHARGEBACK"
    return ReconciliationRecord(
        type=cast(RecordType, "FEE" if row is None else row.record),
        transaction_type=cast(
            TransactionType, line.type if row is None else row.transaction or "DEBIT"
        ),
        cashflow="POS" if line.is_credit else "NEG",
        to=to,
        money=_two(line.money),
        settled=_two(line.gross),
        rate=line.rate,
        settlement_date=line.settlement_date,
        file_format=facts.form,
        institute=facts.institute,
        settlement_id=line.id,
        payment="" if payment is None else payment.id,
        short_id="" if payment is None else payment.short_id,
        connector_ids=(line.reference, line.auth_code, line.acquirer_reference),
        account=_account_of(line, payer),
        requested_at=line.requested_at or facts.parsed_at,
        fee=None if line.fee is None or row is None else _fee_of(line),
        has_failed=not line.is_success,
        descriptor="" if payment is None else payment.descriptor or "",
        reason_code=line.reason if is_chargeback else "",
        reason_text=_reason_in_words(line) if is_chargeback else "",
        matching=None if match is None else cast(Matching, match.status),
        matched=() if match is None else match.payments,
        merchant_transaction_id=_transaction_id_of(line, payment),
        merchant_invoice_id=_sent(payment, "merchantInvoiceId"),
        why="" if match is None else match.why,
    )


def last4_of(payment: Payment) -> str:
    """The last four characters of the card or the bank account."""
    if payment.card is not None:
        return payment.card.last4Digits
    return (payment.sent.get(IBAN) or payment.sent.get(NUMBER) or "")[-LAST4:]


class Posting(NamedTuple):
    """What a line posts: from one account to the other. `of_line` is its id where it posts alone,
    as a payout does; what is left empty is posted together with that of its block.
    """

    name: str
    debit: str
    credit: str
    money: Money
    of_line: str = ""


def postings_of(line: SettlementLine) -> Iterator[Posting]:
    """What a line posts: a payout from `merchant` to `bank`, a fee from `merchant` to `fees`, an
    exchange of currencies through `fees`. A payout that failed posts nothing.
    """
    if line.type == BATCH:
        if line.is_success:
            debit, credit = (MERCHANT, BANK) if line.is_credit else (BANK, MERCHANT)
            yield Posting("payout", debit, credit, _two(line.gross), line.id)
        return
    if line.type not in PAYMENT_TYPES:
        yield Posting("fee", MERCHANT, FEES, _two(line.gross))
        return
    if line.fee:
        yield Posting("fee", MERCHANT, FEES, _fee_of(line))
    if line.money.currency != line.gross.currency:
        giver, taker = (FEES, MERCHANT) if line.is_credit else (MERCHANT, FEES)
        yield Posting("in", giver, taker, _two(line.gross))
        yield Posting("out", taker, giver, _two(line.money))


def ledger_entries_of(
    block: str, postings: Iterable[Posting], now: datetime
) -> Iterator[LedgerEntry]:
    """The ledger entries of a block, which are about it: payouts alone, everything else summed by
    accounts and currency.
    """
    sums: dict[tuple[str, str, str, str], Decimal] = {}
    for name, debit, credit, money, line in postings:
        if line:
            yield LedgerEntry(
                id=f"{line}.{name}", payment=block, debit=debit, credit=credit, money=money, at=now
            )
        else:
            key = name, debit, credit, money.currency
            sums[key] = sums.get(key, ZERO) + money.amount
    for number, ((name, debit, credit, currency), amount) in enumerate(sums.items(), 1):
        yield LedgerEntry(
            id=f"{block}.{name}.{number}", payment=block, debit=debit, credit=credit,
            money=Money(amount, currency), at=now,
        )  # fmt: skip


def _two(money: Money) -> Money:
    return Money(with_two_decimals(money.amount), money.currency)


def _fee_of(line: SettlementLine) -> Money:
    assert line.fee is not None, "the line has a fee"
    return Money(with_two_decimals(line.fee), line.gross.currency)


def _reason_in_words(line: SettlementLine) -> str:
    known = RESULTS.get(line.reason)
    return mask_card_numbers(line.reason_text) or ("" if known is None else known.text)


def _transaction_id_of(line: SettlementLine, payment: Payment | None) -> str:
    """That of the payment where the line has none, or the same; any other is masked, for an
    institute may write the number of a card into it.
    """
    sent = _sent(payment, "merchantTransactionId")
    if line.merchant_transaction_id in ("", sent):
        return sent
    return mask_card_numbers(line.merchant_transaction_id)


def _account_of(line: SettlementLine, payer: Payment | None) -> AccountOnRecord:
    if payer is None:
        return AccountOnRecord(brand=mask_card_numbers(line.brand), last4=line.last4)
    card = payer.card
    return AccountOnRecord(
        brand=(payer.brand or mask_card_numbers(line.brand))[:BRAND_LENGTH_MAX],
        last4=last4_of(payer) or line.last4,
        bank_code=_sent(payer, "bankAccount.bankCode") or _sent(payer, "bankAccount.bic"),
        holder=(card.holder or "") if card is not None else _sent(payer, "bankAccount.holder"),
    )


def _sent(payment: Payment | None, name: str) -> str:
    return "" if payment is None else payment.sent.get(name, "")
