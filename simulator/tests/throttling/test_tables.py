"""Throttle tables as operators write them: what is taken, and how a wrong one is reported."""

from pathlib import Path

import msgspec
import pytest

from simulator.adapters.throttle_files import table_named
from simulator.catalogue.throttles import FIELD, THROTTLES, WINDOWS_S
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.throttling.tables import asked_table, document_of, read_table
from simulator.grammar.throttles import MERCHANT, OBJECT, Limit, ThrottleTable

ROW = {"operation": "read_payment", "scope": "object", "limit": 2, "window_s": 60}
TOML = """
name = "mine"

[[limits]]
operation = "read_payment"
scope = "object"
limit = 2
window_s = 60

[[limits]]
operation = "*"
scope = "merchant"
limit = 600
window_s = 3600
"""
MINE = ThrottleTable(
    "mine", (Limit("read_payment", OBJECT, 2, 60), Limit("*", MERCHANT, 600, 3600))
)


def test_a_toml_file_is_a_table(tmp_path: Path):
    (tmp_path / "any.toml").write_text(TOML)

    assert table_named(str(tmp_path / "any.toml")) == MINE


def test_a_json_file_is_a_table_and_lends_it_its_name(tmp_path: Path):
    (tmp_path / "mine.json").write_text('{"limits": []}')

    assert table_named(str(tmp_path / "mine.json")) == ThrottleTable("mine")


@pytest.mark.parametrize("table", THROTTLES.values(), ids=lambda table: table.name)
def test_a_shipped_table_is_had_by_its_name_and_by_the_document_it_is_shown_as(table):
    assert table_named(table.name) is table
    assert read_table(msgspec.json.decode(msgspec.json.encode(document_of(table)))) == table
    assert asked_table(table.name, "throttle") is table


WRONG_ROWS = [
    #  row                              where                 expected
    ("x",                               "limits[0]",          "operation, scope, limit, window_s"),
    ({},                                "limits[0].operation", "one of"),
    ({**ROW, "operation": "read_paymnt"}, "limits[0].operation", "nearest: read_payment"),
    ({**ROW, "operation": "read_secure_registration"}, "limits[0].operation", "one of"),
    ({**ROW, "operation": ["a"]},       "limits[0].operation", "one of"),
    ({**ROW, "scope": "shop"},          "limits[0].scope",    "merchant or object for read_paym"),
    ({**ROW, "scope": {}},              "limits[0].scope",    "merchant or object"),
    ({**ROW, "operation": "create_payment"}, "limits[0].scope", "merchant for create_payment"),
    ({**ROW, "operation": "*"},         "limits[0].scope",    "merchant for *"),
    ({**ROW, "limit": -1},              "limits[0].limit",    "1 to 1000000000"),
    ({**ROW, "limit": 0},               "limits[0].limit",    "1 to 1000000000"),
    ({**ROW, "limit": True},            "limits[0].limit",    "a whole number"),
    ({**ROW, "limit": 1.5},             "limits[0].limit",    "a whole number"),
    ({**ROW, "limit": 10**5000},        "limits[0].limit",    "a whole number"),
    ({**ROW, "window_s": 0},            "limits[0].window_s", "1 to 86400"),
    ({**ROW, "window_s": 86401},        "limits[0].window_s", "1 to 86400"),
    ({**ROW, "window_s": "60"},         "limits[0].window_s", "a whole number"),
    ({**ROW, "window_s": 7},            "limits[0].window_s", "divide a minute"),
    ({**ROW, "window_s": 45},           "limits[0].window_s", "divide a minute"),
    ({**ROW, "window_s": 90},           "limits[0].window_s", "minutes that divide a day"),
    ({**ROW, "window_s": 420},          "limits[0].window_s", "minutes that divide a day"),
    ({**ROW, "burst": 1},               "limits[0].burst",    "one of operation, scope"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "where", "expected"), WRONG_ROWS)
def test_a_wrong_row_is_reported_with_its_place_and_what_was_expected(row, where, expected):
    with pytest.raises(InvalidInputError) as refused:
        read_table({"name": "mine", "limits": [row]})

    assert (refused.value.where, expected in refused.value.expected) == (where, True)
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("window_s", [1, 2, 15, 30, 60, 120, 900, 3600, 43200, 86400])
def test_windows_that_can_be_aligned_are_taken(window_s):
    table = read_table({"name": "mine", "limits": [{**ROW, "window_s": window_s}]})

    assert table.limits[0].window_s == window_s


def test_every_window_begins_with_a_minute_or_divides_one_and_one_begins_each_day():
    assert all(not 60 % each or not each % 60 for each in WINDOWS_S)
    assert all(not 86_400 % each for each in WINDOWS_S)
    assert {row.window_s for table in THROTTLES.values() for row in table.limits} <= {*WINDOWS_S}


WRONG_TABLES = [
    #  document                                   where        expected
    ({"limits": []},                              "name",      "a name"),
    ({"name": "", "limits": []},                  "name",      "1 to 64 characters"),
    ({"name": "a\nb", "limits": []},              "name",      "a name"),
    ({"name": 1, "limits": []},                   "name",      "a name"),
    ({"name": "mine"},                            "limits",    "a list"),
    ({"name": "mine", "limits": {}},              "limits",    "a list"),
    ({"name": "mine", "limits": [ROW] * 101},     "limits",    "at most 100"),
    ({"name": "mine", "limits": [ROW, ROW]},      "limits[1]", "one row for an operation"),
    ({"name": "mine", "limits": [], "rows": []},  "rows",      "one of name, limits"),
    ({"name": "field", "limits": []},             "name",      "another name"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "where", "expected"), WRONG_TABLES)
def test_a_wrong_table_is_reported_likewise(document, where, expected):
    with pytest.raises(InvalidInputError) as refused:
        read_table(document)

    assert (refused.value.where, expected in refused.value.expected) == (where, True)


@pytest.mark.parametrize("asked", [None, 5, True, [], "nonsense", "field.toml", "x" * 5000])
def test_the_error_for_what_is_no_table_names_the_known_tables(asked):
    with pytest.raises(
        InvalidInputError, match="throttle: expected off, sandbox, field, or a table"
    ) as caught:
        asked_table(asked, "throttle")

    assert len(str(caught.value)) < 200


WRONG_FILES = [
    #  name          content               expected
    ("a.toml",       "limits = [",         "a TOML document"),
    ("a.toml",       "a = " + "[" * 9000,  "a TOML document"),
    ("a.json",       "{",                  "a JSON document"),
    ("a.json",       "[" * 90_000,         "a JSON document"),
    ("a.json",       "[]",                 "a table with name and limits"),
    ("a.json",       '{"limits": [1]}',    "a limit with operation"),
    ("a.txt",        "",                   "off, sandbox, field, or a file that ends in .toml"),
    ("a.toml",       None,                 "a file that can be read"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "expected"), WRONG_FILES)
def test_a_wrong_file_is_reported_by_its_name(tmp_path: Path, name, content, expected):
    if content is not None:
        (tmp_path / name).write_text(content)

    with pytest.raises(InvalidInputError) as refused:
        table_named(str(tmp_path / name))

    assert name in str(refused.value)
    assert f"expected {expected}" in str(refused.value)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path):
    (tmp_path / "a.json").write_bytes(b"\xff\xfe")

    with pytest.raises(InvalidInputError, match="a JSON document"):
        table_named(str(tmp_path / "a.json"))


def test_a_table_of_the_server_may_be_named_too():
    assert asked_table("mine", "throttle", {**THROTTLES, "mine": MINE}) is MINE
    assert (
        asked_table(msgspec.json.decode(msgspec.json.encode(document_of(FIELD))), "throttle")
        == FIELD
    )
