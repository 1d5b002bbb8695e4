"""A reconciliation record: one line of the file that a merchant fetches, with the 36 columns.

What the API alone shows is here too. Source: Reconciliation record; Choice: D-422.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

import msgspec

from simulator.catalogue.fields.reconciliation import RECONCILIATION
from simulator.domain.core.money import CENT, Money
from simulator.grammar.parameters import COLUMN

RecordType = Literal["SETTLED", "CHARGEBACK", "CHARGEBACK REVERSAL", "FEE"]
TransactionType = Literal[
    "DEBIT", "CREDIT", "REFUND", "BATCH", "MONTHLY", "SUBMERCHANT", "PAYMENT_FACILITATOR",
    "AUTH_FEE", "CAPTURE_FEE", "CANCEL_FEE", "REFUND_FEE",
]  # fmt: skip
Cashflow = Literal["POS", "NEG"]
Matching = Literal["MATCHED", "MULTIPLE_MATCHES", "NOT_MATCHED"]
# Ids of payments in one column have a comma between them.
BETWEEN_IDS = ","
# The characters of an instant up to its seconds.
SECONDS = 19


class AccountOnRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The account of the payer: of a card its brand and last four digits, of a bank account its
    bank code or BIC.
    """

    brand: str = ""
    last4: str = ""
    bank_code: str = ""
    holder: str = ""


class MerchantOnRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whom the record is for: the hierarchy above a merchant account, and its number at the
    institute.
    """

    psp: str
    merchant: str
    merchant_account: str
    number: str
    division: str = ""
    merchant_account_name: str = ""


class ReconciliationRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line. Amounts are never below zero: `cashflow` says which way the money goes.

    `requested_at` is in the institute's zone. `connector_ids` are up to three ids of the
    institute. A `fee` of None leaves its column empty. `matched` are ids of payments; `why` says
    in words what a match rests on, or what differs; it stands in no column.
    """

    type: RecordType
    transaction_type: TransactionType
    cashflow: Cashflow
    to: MerchantOnRecord
    money: Money
    settled: Money
    rate: Decimal
    settlement_date: date
    file_format: str
    institute: str
    settlement_id: str = ""
    payment: str = ""
    short_id: str = ""
    connector_ids: tuple[str, ...] = ()
    account: AccountOnRecord = AccountOnRecord()
    requested_at: datetime | None = None
    fee: Money | None = None
    has_failed: bool = False
    descriptor: str = ""
    reason_code: str = ""
    reason_text: str = ""
    matching: Matching | None = None
    matched: tuple[str, ...] = ()
    chargeback: str = ""
    merchant_transaction_id: str = ""
    merchant_invoice_id: str = ""
    why: str = ""


def header() -> tuple[str, ...]:
    """The names of the columns, in their order and as the specification spells them."""
    return tuple(row.name for row in RECONCILIATION.rows if row.direction is COLUMN)


def cells_of(record: ReconciliationRecord) -> tuple[str, ...]:
    """The columns of a record in the order of `header`; none holds a control character."""
    cells = [read(record) for read in COLUMNS.values()]
    return tuple(cells if "".join(cells).isprintable() else map(_printable, cells))


def _nth(ids: tuple[str, ...], place: int) -> str:
    return ids[place] if place < len(ids) else ""


def _time(instant: datetime | None) -> str:
    return "" if instant is None else instant.isoformat(" ")[:SECONDS]


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else " " for each in text)


# fmt: off
COLUMNS: Mapping[str, Callable[[ReconciliationRecord], str]] = {
    "ReconciliationType":          lambda record: record.type,
    "PaymentType":                 lambda record: record.transaction_type,
    "Cashflow":                    lambda record: record.cashflow,
    "ClearingInstituteMerchantId": lambda record: record.to.number,
    "MerchantAccountId":           lambda record: record.to.merchant_account,
    "MerchantAccountName":         lambda record: record.to.merchant_account_name,
    "PspId":                       lambda record: record.to.psp,
    "DivisionId":                  lambda record: record.to.division,
    "MerchantId":                  lambda record: record.to.merchant,
    "SettlementTxId":              lambda record: record.settlement_id,
    "UniqueID":                    lambda record: record.payment,
    "ShortId":                     lambda record: record.short_id,
    "ConnectorTxId1":              lambda record: _nth(record.connector_ids, 0),
    "ConnectorTxId2":              lambda record: _nth(record.connector_ids, 1),
    "ConnectorTxId3":              lambda record: _nth(record.connector_ids, 2),
    "Amount":                      lambda record: str(record.money.amount),
    "Currency":                    lambda record: record.money.currency,
    "Brand":                       lambda record: record.account.brand,
    "TxRequestTime":               lambda record: _time(record.requested_at),
    "SettlementAmount":            lambda record: str(record.settled.amount),
    "SettlementCurrency":          lambda record: record.settled.currency,
    "SettlementFee":               lambda record: str(record.fee.amount) if record.fee else "",
    "SettlementFxRate":            lambda record: str(record.rate.quantize(CENT, ROUND_HALF_UP)),
    "SettlementDate":              lambda record: record.settlement_date.isoformat(),
    "SettlementStatus":            lambda record: "FAILED" if record.has_failed else "SUCCESS",
    "Descriptor":                  lambda record: record.descriptor,
    "AccountNumberLast4":          lambda record: record.account.last4,
    "BankCode":                    lambda record: record.account.bank_code,
    "AccountHolder":               lambda record: record.account.holder,
    "ReasonCode":                  lambda record: record.reason_code,
    "ReasonDesc":                  lambda record: record.reason_text,
    "SettlementFileFormat":        lambda record: record.file_format,
    "ClearingInsitituteName":      lambda record: record.institute,
    "MatchingStatus":              lambda record: record.matching or "",
    "MatchedTransactions":         lambda record: BETWEEN_IDS.join(record.matched),
    "ChargebackId":                lambda record: record.chargeback,
}
# fmt: on
