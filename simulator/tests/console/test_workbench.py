"""The workbench: the form of an operation, its answer, its copies."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from textwrap import indent

import pytest
from pytest_bdd.feature import get_features

from features.gherkin.step_catalogue import definitions, matching
from features.steps import NOUNS
from features.support.console import ConsolePerson, text_of
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.client import Connection
from simulator.derive.schemas.examples import CARD
from simulator.tests.console.visitor import PASSWORD, Visitor, person_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.running import clean_environment, serving

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


def scenario_in(page: str) -> str:
    """The scenario of the page of an answer."""
    found = re.search(r"<pre[^>]*>(Scenario: .*?)</pre>", page, re.S)
    assert found, page
    return unescape(found[1])


@pytest.mark.parametrize("operation", ["create_payment", "refer_payment", "read_checkout"])
def test_a_scenario_has_sentences_of_the_suite_alone(
    anna: Visitor, gateway: Gateway, bench: str, operation: str, tmp_path: Path
) -> None:
    sentences = definitions(tuple(NOUNS))
    page = anna.get(f"{bench}?operation={operation}&example=capture").text
    about = gateway.post(paymentType="PA").json["id"]
    sent = {**typed(page), "operation": operation, "deed": "send"}
    sent |= {"about": about} if "about" in page else {}
    sent |= {"v:descriptor": "a|b"} if operation == "create_payment" else {}
    scenario = scenario_in(anna.post(bench, sent).text)

    file = tmp_path / "bench.feature"
    file.write_text("Feature: Of the workbench\n\n" + indent(scenario, "  "))
    (feature,) = get_features([str(file)])
    (found,) = feature.scenarios.values()
    kinds = [each.type for each in found.steps]
    assert kinds[-2:] == ["then", "then"] and kinds.count("when") == 1
    for step in found.steps:
        assert len(matching(sentences, step.type, step.name)) == 1, step.name
    if operation == "create_payment":
        assert "| descriptor | a\\|b |" in scenario


@pytest.mark.proof
def test_scenarios_of_the_workbench_pass_in_the_suite(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        person = ConsolePerson(Connection(server.facts["base_url"]))
        path = f"/console/{server.facts['console_url'].partition('/console/')[2]}"
        person.send(path, {"name": "anna", "password": PASSWORD})
        bench = f"/console/{server.facts['sandbox_id']}/workbench"
        person.open(bench)
        fields = {"v:paymentType": "DB", "v:amount": "92.00", "v:currency": "EUR"}
        card = {f"v:{name}": value for name, value in CARD.items()}
        declined = {**card, "v:card.holder": "800.100.152"}
        texts = []
        for sent in ({**fields, **card}, {**fields, **declined}, {"v:amount": "1"}):
            asked = {"operation": "create_payment", "deed": "send", **sent}
            texts.append(scenario_in(text_of(person.send(bench, asked))))
    titled = [text.replace("Scenario: ", f"Scenario: {n} ") for n, text in enumerate(texts)]
    (tmp_path / "own").mkdir()
    feature = "Feature: Of the workbench\n\n" + indent("\n".join(titled), "  ")
    (tmp_path / "own" / "bench.feature").write_text(feature)
    command = [sys.executable, "-m", "simulator", "check", "--features", "own"]
    done = subprocess.run(
        command, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True
    )
    assert "3 passed" in done.stdout, done.stdout + done.stderr


def test_a_viewer_sends_nothing(gateway: Gateway, bench: str, anna: Visitor) -> None:
    viewer = person_of(gateway, "viewer", "vera")
    assert viewer.get(bench).status_code == 403
