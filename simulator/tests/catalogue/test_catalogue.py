"""The catalogue is the specification's table of fields: name by name, and limit by limit."""

import re
from collections import Counter
from collections.abc import Mapping

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.parameters import RELATIONS, TABLES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.grammar.formats import Format
from simulator.grammar.parameters import SPECIFICATION, Param
from simulator.tests.kit.specification import (
    OPEN,
    Limits,
    fields,
    limits_in,
    rows_of,
    values_in_rule,
)

BARE = ("A1", "A9", "A12", "AN21", "AN30, uppercase and underscore, 5-30", "AN32")
NO_VALUES = {"Authorization header", "other structures", "payload"}
SPECIFIED = fields()
ROWS: Mapping[tuple[str, str], tuple[str, Param]] = {
    (row.direction, row.name): (table.title, row) for table in TABLES for row in table.rows
}


def agrees(format: Format, limits: Limits) -> bool:
    if limits.values:
        return frozenset(format.values) == limits.values
    if format.values:
        return limits.most is None or max(map(len, format.values)) <= limits.most
    same_least = limits.least is None or format.min == limits.least
    return same_least and (limits.most is None or format.max == limits.most)


def test_every_field_of_the_specification_has_its_row_and_no_other_has():
    assert sorted(ROWS) == sorted(SPECIFIED)


def test_no_field_has_two_rows():
    named = Counter((row.direction, row.name) for table in TABLES for row in table.rows)
    assert [name for name, count in named.items() if count > 1] == []


def test_every_row_keeps_the_limits_of_the_specification():
    stated = {field: limits_in(row["format"]) for field, row in SPECIFIED.items()}
    limited = {field: limits for field, limits in stated.items() if limits is not None}
    wrong = [
        field for field, limits in limited.items() if not agrees(ROWS[field][1].format, limits)
    ]
    assert wrong == []


def test_every_format_in_words_states_limits_or_is_known_to_state_none():
    open_formats = {
        name
        for (_, name), row in SPECIFIED.items()
        if limits_in(row["format"]) is None and not OPEN.match(row["format"])
    }
    assert open_formats == NO_VALUES


def need_in(specified: Mapping[str, str]) -> str:
    """The need of a field; where its row states none, what the text above its table says."""
    need = specified["requirement"].split(";")[0]
    unstated = "Conditional" if specified["section"].startswith("Airline") else "Optional"
    return {"": unstated, "Mandatory": "Required"}.get(need, need.capitalize())


def test_a_row_stands_in_its_table_with_its_need_and_api_name():
    for field, specified in SPECIFIED.items():
        title, row = ROWS[field]
        expected = (specified["section"], need_in(specified), specified["api_name"])
        assert (title, row.need, row.api_name) == expected, field


def test_values_listed_in_the_rule_of_a_bare_format_are_its_values():
    bare = {field: row for field, row in SPECIFIED.items() if row["format"] in BARE}
    listed = {field: values for field, row in bare.items() if (values := values_in_rule(row))}
    assert len(listed) == 7
    for field, values in listed.items():
        _, row = ROWS[field]
        assert row.format.values == values, field


def test_a_shipping_customer_takes_what_a_customer_takes():
    rows = {name: row for (direction, name), (_, row) in ROWS.items() if direction == "request"}
    for name, row in rows.items():
        if name.startswith("shipping.customer."):
            assert row.format == rows[name.removeprefix("shipping.")].format
            assert row.need == "Optional"


def test_every_relation_is_named_by_a_requirement():
    known = {row["id"] for row in rows_of("requirements.csv")}
    own = [relation for operation in OPERATIONS.values() for relation in operation.relations]
    assert {relation.id for relation in (*RELATIONS, *own)} <= known


def test_every_relation_is_about_fields_of_the_catalogue():
    names = {name for _, (_, row) in ROWS.items() for name in row.concrete_names}
    lists = {"cart.items"}
    for relation in RELATIONS:
        assert set(relation.names) <= names | lists, relation.id


def test_the_origin_of_a_row_is_the_specification_or_a_decision():
    origins = {row.origin for _, row in ROWS.values()}
    assert all(re.fullmatch(rf"{SPECIFICATION}|D-[0-9]{{2}}", origin) for origin in origins)


def test_every_switch_of_a_format_is_a_decision():
    names = {choice.name for choice in CHOICES}
    switches = {name for _, row in ROWS.values() for name, _ in row.format.switches}
    assert switches <= names


@pytest.mark.parametrize(
    "name",
    [
        "card.number",
        "card.cvv",
        "mobileWallet.paymentToken",
        "pos.encryptedPin.data",
        "pos.encryptedSred.data",
        "threeDSecure.v1.<scheme>.password",
    ],
)
def test_a_secret_is_neither_shown_nor_echoed(name):
    _, row = ROWS["request", name]
    assert row.secret
    assert not row.echo


@pytest.mark.parametrize(
    "identity",
    [
        "create_checkout", "update_checkout", "create_schedule", "create_schedule_old",
        "reschedule", "update_registration",
    ],
)  # fmt: skip
def test_what_is_kept_for_later_payments_takes_no_secret(identity: str) -> None:
    rows = [row for table in OPERATIONS[identity].tables for row in table.rows]

    assert [row.name for row in rows if row.secret] == []
