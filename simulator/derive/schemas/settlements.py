"""JSON Schema of reports of settlement, and one as it comes. Choices: D-392, D-393."""

from typing import Any

from simulator.catalogue.fields.reconciliation import RECONCILIATION
from simulator.derive.checks.structures import nested_schema
from simulator.derive.schemas.examples import result_example
from simulator.derive.schemas.patterns import value_schema
from simulator.derive.schemas.responses import result_schema
from simulator.grammar.choices import Choices
from simulator.grammar.formats import currency, date
from simulator.grammar.parameters import COLUMN, REQUIRED, Param

FOUND = "000.000.100"
ID = {"type": "string", "maxLength": 128}
NOT_SHOWN, OR = "none", " or "
TEXTS = frozenset({"text", "timestamp"})
# The columns that every record has; a record of no payment has no TransactionId.
REQUIRED_MEMBERS = frozenset(
    row.api_name.partition(".")[0]
    for row in RECONCILIATION.rows
    if row.need is REQUIRED and row.direction is COLUMN
)
# What no column has: a sum may lie below zero.
SUM = {"type": "string", "pattern": r"^-?[0-9]{1,18}\.[0-9]{2}$(?!\n)"}
ACCOUNT = "5f2c8e1ba94d4e7f8c03d16ab27e9a01"
AGGREGATION = {
    "id": f"2026-11-20.sandgate-clearing.{ACCOUNT}",
    "merchantAccount": {"id": ACCOUNT},
    "clearingInstitute": {"name": "Sandgate Clearing"},
    "settlement": {"date": "2026-11-23", "currency": "EUR"},
    "count": 2,
    "amount": "92.00",
    "fee": "1.37",
    "net": "90.63",
}
RECORD = {
    "recordType": "SETTLED",
    "transactionType": "DEBIT",
    "settlement": {
        "cashflow": "POS", "id": "20261120-000001", "amount": "92.00", "currency": "EUR",
        "fee": "1.37", "fxRate": "1.00", "date": "2026-11-23", "status": "SUCCESS",
        "format": "SGFIX",
    },
    "clearingInstitute": {"merchantId": ACCOUNT, "name": "Sandgate Clearing"},
    "merchantAccount": {"id": ACCOUNT},
    "pspEntityId": "5f2c8e1ba94d4e7f8c03d16ab27e9a03",
    "merchantEntityId": "5f2c8e1ba94d4e7f8c03d16ab27e9a04",
    "payment": {"id": "5f2c8e1ba94d4e7f8c03d16ab27e9a02"},
    "amount": "92.00",
    "currency": "EUR",
    "paymentBrand": "VISA",
    "card": {"last4Digits": "0000", "holder": "Jane Jones"},
    "matchedTransactions": {
        "status": "MATCHED",
        "payment": [{"id": "5f2c8e1ba94d4e7f8c03d16ab27e9a02"}],
    },
}  # fmt: skip


def settlement_id_schema(_: Choices) -> dict[str, Any]:
    """The id of a bank day of a merchant account at an institute."""
    return dict(ID)


def settlements_schema(choices: Choices) -> dict[str, Any]:
    """What runs add up to."""
    schema = _enveloped(choices)
    schema["properties"]["aggregations"] = {"type": "array", "items": _sums_schema()}
    schema["required"] = [*schema["required"], "aggregations"]
    return {**schema, "description": "Sums of settlement files, by settlement date."}


def settlement_schema(choices: Choices) -> dict[str, Any]:
    """One of them with its records."""
    schema, sums = _enveloped(choices), _sums_schema()
    schema["properties"] |= sums["properties"]
    schema["properties"]["records"] = {"type": "array", "items": _record_schema()}
    schema["required"] = [*schema["required"], *sums["required"], "records"]
    return {**schema, "description": "A settlement and its records."}


def settlement_page_schema(choices: Choices) -> dict[str, Any]:
    """One of them with a page of its records."""
    schema = settlement_schema(choices)
    schema["properties"]["pages"] = {"type": "integer", "minimum": 0}
    return {**schema, "required": [*schema["required"], "pages"]}


def settlements_example(choices: Choices) -> dict[str, Any]:
    """A single bank day."""
    return {**result_example(FOUND, choices, with_entity=True), "aggregations": [AGGREGATION]}


def settlement_example(choices: Choices) -> dict[str, Any]:
    """That bank day."""
    envelope = result_example(FOUND, choices, with_entity=True)
    return {**envelope, **AGGREGATION, "records": [RECORD]}


def settlement_page_example(choices: Choices) -> dict[str, Any]:
    """Its only page."""
    return {**settlement_example(choices), "pages": 1}


def _enveloped(choices: Choices) -> dict[str, Any]:
    schema = result_schema(choices)
    del schema["properties"]["result"]["properties"]["parameterErrors"]
    return schema


def _sums_schema() -> dict[str, Any]:
    leaves: dict[str, dict[str, Any]] = {
        "id": dict(ID),
        "merchantAccount.id": {"type": "string"},
        "clearingInstitute.name": {"type": "string"},
        "settlement.date": value_schema(date()),
        "settlement.currency": value_schema(currency()),
        "count": {"type": "integer", "minimum": 0},
        **{name: dict(SUM) for name in ("amount", "fee", "net")},
    }
    schema = nested_schema(leaves)
    return {**schema, "required": list(schema["properties"])}


def _record_schema() -> dict[str, Any]:
    """A record: every column under its API name; those that are required are always there."""
    leaves = {
        name: _value_schema(row)
        for row in RECONCILIATION.rows
        for name in row.api_name.split(OR)
        if name != NOT_SHOWN
    }
    leaves["matchedTransactions.reason"] = {"type": "string"}
    return {**nested_schema(leaves), "required": sorted(REQUIRED_MEMBERS)}


def _value_schema(row: Param) -> dict[str, Any]:
    """A text is what the institute or the merchant sent, so that only its length is said."""
    is_text = row.format.kind in TEXTS
    return {"type": "string", "maxLength": row.format.max} if is_text else value_schema(row.format)
