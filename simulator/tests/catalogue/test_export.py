"""The catalogue as data and in words for a person."""

import json
from functools import cache

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.parameters import TABLES
from simulator.derive.documents.export import catalogue_as_json
from simulator.grammar.choices import choose

KEYS = [
    "name", "table", "direction", "format", "need", "min", "max", "pattern", "values", "rule",
    "origin", "operations",
]  # fmt: skip
CHOSEN = choose(CHOICES, "specification")


@cache
def exported_fields():
    return {(field["name"], field["direction"]): field for field in catalogue_as_json()}


def exported(name, direction="request"):
    return exported_fields()[name, direction]


def test_every_field_is_exported_in_order_with_every_key():
    fields = catalogue_as_json()
    assert [field["name"] for field in fields] == [
        row.name for table in TABLES for row in table.rows
    ]
    assert all(list(field)[: len(KEYS)] == KEYS for field in fields)
    assert json.loads(json.dumps(fields)) == fields


def test_a_field_is_exported_with_its_limits():
    field = exported("billing.street1")
    assert (field["format"], field["min"], field["max"]) == ("AN95", 1, 95)
    assert field["operations"][:2] == ["create_payment", "refer_payment"]
    assert "read_payment" not in field["operations"]


def test_listed_values_are_exported():
    assert exported("customer.sex")["values"] == ["M", "F"]
    assert "EUR" in exported("currency")["values"]
    assert exported("descriptor")["values"] is None


def test_a_column_is_exported_with_its_api_name():
    assert exported("PspId", "column")["api_name"] == "pspEntityId"
    assert exported("TransactionId", "mapping")["api_name"] == "merchantTransactionId"


def test_a_field_that_is_no_parameter_names_no_operation():
    assert exported("Authorization header")["operations"] == []


def test_a_field_that_few_operations_accept_names_them_alone():
    assert exported("overridePaymentType[brand]")["operations"] == ["create_checkout"]
    assert exported("date.from")["operations"] == ["query_payments", "query_pages"]


def test_the_profile_field_exports_its_own_limits():
    in_field = {field["name"]: field for field in catalogue_as_json(choose(CHOICES, "field"))}
    assert in_field["createRegistration"]["values"] == ["true", "false", "1", "0"]
