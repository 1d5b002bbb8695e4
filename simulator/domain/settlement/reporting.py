"""What reports show of settlement: the sums of a run, and its records under their API names.

Source: Reconciliation record; Choices: D-392, D-393.
"""

from typing import Any

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.fields.reconciliation import RECONCILIATION
from simulator.domain.settlement.numbers import account_of
from simulator.domain.settlement.records import COLUMNS, ReconciliationRecord
from simulator.domain.settlement.runs import Aggregation
from simulator.grammar.brands import BANK
from simulator.grammar.parameters import MAPPING

NOT_SHOWN = "none"
OR = " or "
MATCHED_IDS = "matchedTransactions.payment[n].id"


def reported_aggregation(aggregation: Aggregation) -> dict[str, Any]:
    """The sums of a merchant account in a run, nested."""
    settled = aggregation.settlement_date.isoformat()
    return {
        "id": aggregation.id,
        "merchantAccount": {"id": account_of(aggregation.merchant_account)},
        "clearingInstitute": {"name": aggregation.institute},
        "settlement": {"date": settled, "currency": aggregation.currency},
        "count": aggregation.lines,
        "amount": str(aggregation.amount),
        "fee": str(aggregation.fee),
        "net": str(aggregation.net),
    }


def reported_record(record: ReconciliationRecord) -> dict[str, Any]:
    """A record, nested; what is empty is left out. Its match says in words what it rests on."""
    shown: dict[str, Any] = {}
    for name, value in _values_of(record).items():
        if value:
            _put(shown, name.split("."), value)
    if record.why:
        _put(shown, ["matchedTransactions", "reason"], record.why)
    if record.matched:
        found = [{"id": each} for each in record.matched]
        _put(shown, ["matchedTransactions", "payment"], found)
    return shown


def _values_of(record: ReconciliationRecord) -> dict[str, str]:
    """The values by the API names of their columns."""
    mapped = {
        "TransactionId": record.merchant_transaction_id,
        "InvoiceId": record.merchant_invoice_id,
    }
    is_bank = record.account.brand in BRANDS and BRANDS[record.account.brand].account == BANK
    return {
        _of_account(row.api_name, is_bank=is_bank): mapped[row.name]
        if row.direction is MAPPING
        else COLUMNS[row.name](record)
        for row in RECONCILIATION.rows
        if row.api_name not in (NOT_SHOWN, MATCHED_IDS)
    }


def _of_account(name: str, *, is_bank: bool) -> str:
    """Of `card.holder or bankAccount.holder` the one that fits."""
    of_card, between, of_bank = name.partition(OR)
    return of_bank if between and is_bank else of_card


def _put(shown: dict[str, Any], path: list[str], value: object) -> None:
    *around, last = path
    for name in around:
        shown = shown.setdefault(name, {})
    shown[last] = value
