"""`explain` knows every name of the catalogue, and says what to see also."""

import csv

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.decisions import DECISIONS
from simulator.catalogue.engineering import ENGINEERING
from simulator.catalogue.fields.parameters import TABLES
from simulator.catalogue.fields.reconciliation import RECONCILIATION
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.catalogue.results import RESULTS
from simulator.catalogue.sources.expectations import EXPECTATIONS
from simulator.catalogue.sources.requirements import REQUIREMENTS
from simulator.catalogue.sources.statements import Statement, read_statements
from simulator.commands.explained_behaviours import BEHAVIOURS
from simulator.derive.explain.lines import WIDTH, explanations_in
from simulator.derive.explain.lookup import SUBJECTS, explain
from simulator.derive.explain.results import REASONS
from simulator.grammar.choices import choose
from simulator.tests.kit.trees import ROOT

CHOSEN = choose(CHOICES, "specification")
TAKEN = [table for operation in OPERATIONS.values() for table in operation.tables]
FIELDS = list(dict.fromkeys(row for table in (*TABLES, *TAKEN) for row in table.rows))


def lines_about(name: str) -> list[str]:
    lines, is_known = explain(name, CHOSEN)
    assert is_known, lines
    return lines


def words_about(name: str) -> str:
    return " ".join(" ".join(lines_about(name)).split())


def test_every_field_is_explained_in_short_lines() -> None:
    for row in FIELDS:
        lines = lines_about(row.name)

        assert lines[0].startswith(row.name)
        assert all(len(line) < 400 for line in lines), row.name


@pytest.mark.parametrize(
    "names",
    [RESULTS, PAYMENT_TYPES, DECISIONS, ENGINEERING, REQUIREMENTS, EXPECTATIONS],
    ids=["results", "payment types", "decisions", "engineering", "requirements", "expectations"],
)
def test_every_name_is_explained_and_leads_to_a_page(names) -> None:
    for name in names:
        lines = lines_about(name)
        assert lines[0].startswith(name)
        assert "  see also    " in "\n".join(lines)
        assert [line for line in lines if len(line) > WIDTH] == []


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.kind)
def test_the_example_of_a_subject_is_known_and_its_page_exists(subject) -> None:
    assert [*subject.explain(subject.example, CHOSEN)]
    assert (ROOT / subject.page).is_file()


def test_a_field_is_explained_with_limits_relations_and_samples() -> None:
    text = "\n".join(lines_about("billing.houseNumber2"))

    assert text.startswith("billing.houseNumber2  (Billing address, request)\n")
    for part in ("ADDR-03", "AN100", "billing.houseNumber2='x'", "too long"):
        assert part in text
    assert "create_payment, refer_payment" in text


def test_a_concrete_name_is_explained_by_its_row() -> None:
    assert lines_about("cart.items[3].quantity")[0].startswith("cart.items[n].quantity ")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("authentication.entityId", "entityId (Authentication parameters, request)"),
        ("Authorization", "Authorization header (Authentication parameters, request)"),
        ("authorization", "PA (payment type: authorization)"),
        ("3D", "accounts card 3-D Secure"),
        ("800.100.152", "declined"),
        ("800.120.100", "answered 429, throttle"),
        ("CP", "refused 700.400.510 (type)"),
        ("refund", "RF (payment type: refund)"),
        ("RV", "switched by D-14 (reverse_debit)"),
        ("D-14", "values refuse, accept (--override D-14=accept)"),
        ("d-84", "Delivery and retries (decision) area Webhooks"),
        ("D-100", "record 1. Keep payments in an append-only log: docs/adr/0001-append-only-log"),
        ("ADDR-03", "rule ADDR-03: billing.houseNumber2 requires billing.houseNumber1"),
        ("PAY-08", "see also merchantTransactionId"),
        ("E09", "(expectation of existing clients, paths and methods)"),
    ],
)
def test_a_name_is_explained_in_the_words_of_its_row(name: str, words: str) -> None:
    assert words in words_about(name)


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("settlement.fxRate", "SettlementFxRate"),
        ("settlement.FXRATE", "SettlementFxRate"),
        ("recordType", "ReconciliationType"),
        ("matchedTransactions.payment[0].id", "MatchedTransactions"),
        ("bankAccount.last4Digits", "AccountNumberLast4"),
    ],
)
def test_what_reports_call_a_column_is_explained_by_the_column(name: str, column: str) -> None:
    lines = lines_about(name)

    assert lines[0].startswith(f"{column} ")
    assert any(line.startswith("  in reports  ") for line in lines)


def test_every_column_is_known_by_its_name_in_reports() -> None:
    for row in RECONCILIATION.rows:
        for name in row.api_name.split(" or "):
            assert name == "none" or lines_about(name), name


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("resultDetails.ConnectorTxID1", "resultDetails[name] "),
        ("customParameters.shop", "customParameters[name] "),
        ("resultDetails.AcquirerResponse", "resultDetails.AcquirerResponse "),
    ],
)
def test_a_member_of_a_map_is_explained_by_its_row(name: str, row: str) -> None:
    assert lines_about(name)[0].startswith(row)


@pytest.mark.parametrize("written", ["800.120", "800.120.", "800.120.*"])
def test_the_beginning_of_a_result_code_lists_every_code(written: str) -> None:
    lines = lines_about(written)
    listed = {line.split()[0] for line in lines} & RESULTS.keys()

    assert listed == {code for code in RESULTS if code.startswith("800.120.")}
    assert lines[0] == f"800.120  ({len(listed)} result codes)"


def test_a_refusal_names_the_payment_type_that_meets_it() -> None:
    for row in PAYMENT_TYPES.values():
        for reason in REASONS:
            if code := getattr(row, reason):
                assert f" {row.code} " in words_about(code).partition("answered")[2]


@pytest.mark.parametrize("name", ["AMEX", "AMERICANEXPRESS"])
def test_another_name_of_a_brand_is_found_and_said_to_be_in_no_request(name: str) -> None:
    assert "known as AMERICANEXPRESS; requests name AMEX only" in words_about(name)


def test_what_mentions_a_name_is_shown_to_see_also() -> None:
    assert "D-89" in lines_about("800.120.100")[-1]
    assert "D-19" in words_about("card.cvv").partition("see also")[2]


def test_an_ordinary_word_is_not_looked_for_in_every_text() -> None:
    assert "D-" not in lines_about("amount")[-1]


def test_an_unknown_name_is_answered_with_the_nearest_and_what_is_expected() -> None:
    lines, is_known = explain("billing.hosNumber", CHOSEN)

    assert not is_known
    assert lines[0] == "billing.hosNumber: unknown name"
    assert any("billing.houseNumber1" in line for line in lines[1:])
    assert "a requirement (PAY-08)" in " ".join(" ".join(lines).split())


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("iban", "bankAccount.iban"),
        ("IBAN", "bankAccount.iban"),
        ("expiry", "card.expiryYear"),
        ("P", "PA"),
        ("DBB", "DB"),
        ("D-2", "D-20"),
        ("paymenttyp", "paymentType"),
        ("currancy", "currency"),
        ("insufficient", "insufficient-funds"),
    ],
)
def test_the_nearest_names_of_an_unknown_word_are_useful(asked: str, near: str) -> None:
    lines, is_known = explain(asked, CHOSEN, (*SUBJECTS, BEHAVIOURS))

    assert not is_known
    shown = [line.split()[1] for line in lines if line.startswith("  nearest")]
    assert [name for name in shown if name.startswith(near)], lines


@pytest.mark.parametrize("asked", ["xy", "q", "zzzzzz", "?", "x" * 5000])
def test_a_word_that_nothing_is_near_has_no_nearest(asked: str) -> None:
    lines, _ = explain(asked, CHOSEN)

    assert [line for line in lines if line.startswith("  nearest")] == []


@pytest.mark.parametrize(
    ("group", "member"),
    [("card", "card.number"), ("customParameters", "customParameters[name]"),
     ("customer.browser", "customer.browser.language"), ("cart.items[n]", "cart.items[n].name"),
     ("threeDSecure.", "threeDSecure.eci")],
)  # fmt: skip
def test_a_group_lists_its_members(group: str, member: str) -> None:
    lines = lines_about(group)

    assert [line for line in lines if line.startswith(f"  {member} ")]


def test_every_beginning_of_a_field_is_a_group() -> None:
    for row in FIELDS:
        for number, letter in enumerate(row.name):
            if letter in ".[":
                assert lines_about(row.name[:number])


@pytest.mark.parametrize("name", ["paymenttype", "CUSTOMPARAMETERS", "pay-08", "CARD.NUMBER"])
def test_capitals_do_not_matter(name: str) -> None:
    assert lines_about(name)[0].lower().startswith(name.lower())


def test_the_requirements_are_those_that_the_conformance_suite_transcribed() -> None:
    """Each program has its own transcription; only this test sees both."""
    with (ROOT / "features" / "spec" / "requirements.csv").open(encoding="utf-8") as file:
        rows = [Statement(row["id"], row["section"], row["statement"])
                for row in csv.DictReader(file)]  # fmt: skip

    assert rows == [*REQUIREMENTS.values()]


def test_the_expectations_include_those_that_scenarios_show() -> None:
    with (ROOT / "features" / "spec" / "expectations.csv").open(encoding="utf-8") as file:
        shown = [row["id"] for row in csv.DictReader(file)]

    assert set(shown) <= EXPECTATIONS.keys()
    assert [f"E{number:02}" for number in range(1, 71)] == [
        name for name in EXPECTATIONS if name.startswith("E")
    ]


def test_statements_are_read_over_several_lines_under_their_heading() -> None:
    text = "First section\n\nPAY-01  One and\n        two.\nE02  Three.\n\nSecond\n\nW1  Four.\n"

    assert [*read_statements(text).values()] == [
        Statement("PAY-01", "First section", "One and two."),
        Statement("E02", "First section", "Three."),
        Statement("W1", "Second", "Four."),
    ]


@pytest.mark.parametrize("name", ["RF", "800.100", "card", "D-84", "PAY-08", "billing.street1"])
def test_the_facts_for_programs_are_those_of_the_lines(name: str) -> None:
    lines = lines_about(name)

    found = explanations_in(lines)
    words = " ".join(
        word for each in found
        for word in (each["title"], *(f"{row['label']} {row['text']}" for row in each["facts"]))
    )  # fmt: skip
    assert words.split() == " ".join(lines).split()
    assert all(row["label"] and row["text"] for each in found for row in each["facts"])
