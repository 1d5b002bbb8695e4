"""The workbench: the form of an operation, its answer, its copies."""

import re

import pytest

from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.tests.console.visitor import Visitor, person_of
from simulator.tests.kit.gateway import Gateway

FIELD = re.compile(r'name="(v:[^"]+)" value="([^"]*)"')


@pytest.fixture
def bench(sandbox: str) -> str:
    """The path of the workbench of the default sandbox."""
    return f"/console/{sandbox}/workbench"


def typed(page: str) -> dict[str, str]:
    """The fields of the form with their values."""
    return {name: value for name, value in FIELD.findall(page) if value}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_operation_has_a_form(anna: Visitor, bench: str, operation: str) -> None:
    page = anna.get(f"{bench}?operation={operation}")
    assert page.status_code == 200
    assert OPERATIONS[operation].path in page.text.replace("&#39;", "'")


def test_an_example_is_sent_and_written_down(anna: Visitor, gateway: Gateway, bench: str) -> None:
    fields = typed(anna.get(bench).text)

    page = anna.post(bench, {**fields, "operation": "create_payment", "deed": "send"}).text

    assert "Answer 200" in page
    assert "000.100.110" in page
    assert "$SANDGATE_TOKEN" in page
    assert gateway.merchant.token not in page
    assert "from simulator.client import Client" in page


def test_what_is_typed_is_checked_by_the_rules_of_the_gateway(anna: Visitor, bench: str) -> None:
    fields = {**typed(anna.get(bench).text), "operation": "create_payment"}
    wrong = {**fields, "v:amount": "92.001", "more": "card.expiryMonth=13"}
    page = anna.post(f"{bench}/check", wrong).text
    assert "amount" in page and "card.expiryMonth" in page
    assert "would take" in anna.post(f"{bench}/check", fields).text


@pytest.mark.parametrize(
    "sent",
    [
        {"operation": "everything"},
        {"operation": "create_payment", "more": "no equals sign"},
        {"operation": "read_payment", "about": "../../x", "deed": "send"},
        {"operation": "create_payment", "deed": "send", "more": "\n".join(
            f"customParameters[a{number}]=1" for number in range(250))},
    ],
)  # fmt: skip
def test_what_cannot_be_sent_is_refused(anna: Visitor, bench: str, sent: dict[str, str]) -> None:
    anna.get(bench)
    assert anna.post(bench, sent).status_code == 400


def test_markup_in_a_value_shows_as_text(anna: Visitor, bench: str) -> None:
    anna.get(bench)
    hostile = {"operation": "create_payment", "v:card.holder": '"><script>alert(1)</script>'}
    page = anna.post(bench, {**hostile, "deed": "send"}).text
    assert "<script>alert(1)" not in page


def test_a_viewer_sends_nothing(gateway: Gateway, bench: str, anna: Visitor) -> None:
    viewer = person_of(gateway, "viewer", "vera")
    assert viewer.get(bench).status_code == 403
