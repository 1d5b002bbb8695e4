"""The workbench: the form of an operation, its answer, its copies."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
import yaml
from pytest_bdd.feature import get_features

from features.gherkin.step_catalogue import definitions, matching
from features.steps import NOUNS
from features.support.console import ConsolePerson, text_of
from scenarios.story import Story, read_story
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.client import Answer, Connection
from simulator.domain.story_run import StoryCall, StoryRun
from simulator.service.console.lessons import CLOCK
from simulator.tests.console.visitor import PASSWORD, Visitor, person_of
from simulator.tests.kit.gateway import ORDER, Gateway
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


def test_what_was_sent_before_has_the_time_of_the_sandbox(
    anna: Visitor, gateway: Gateway, bench: str, sandbox: str
) -> None:
    stopped = {"mode": "frozen", "at": "2030-03-01T09:00:00Z"}
    gateway.control("PUT", f"/sandboxes/{sandbox}/clock", stopped)
    fields = typed(anna.get(bench).text)
    page = anna.post(bench, {**fields, "operation": "create_payment", "deed": "send"}).text
    assert "2030-03-01 09:00:00" in page.partition("Sent before")[2]


def test_what_is_typed_is_checked_by_the_rules_of_the_gateway(anna: Visitor, bench: str) -> None:
    fields = {**typed(anna.get(bench).text), "operation": "create_payment"}
    wrong = {**fields, "v:amount": "92.001", "more": "card.expiryMonth=13"}
    page = anna.post(f"{bench}/check", wrong).text
    assert "amount" in page and "card.expiryMonth" in page
    assert not re.search(r"<small>(amount|card.expiryMonth)</small>", page)
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


def copied(page: str, begins: str) -> str:
    """The copy on the page of an answer that begins so; empty where there is none."""
    found = re.search(rf"<pre[^>]*>({begins}: .*?)</pre>", page, re.S)
    return unescape(found[1]) if found else ""


@pytest.mark.parametrize("operation", ["create_payment", "refer_payment", "read_checkout"])
def test_a_feature_has_sentences_of_the_suite_alone(
    anna: Visitor, gateway: Gateway, bench: str, operation: str, tmp_path: Path
) -> None:
    sentences = definitions(tuple(NOUNS))
    page = anna.get(f"{bench}?operation={operation}&example=capture").text
    about = MAKERS["checkout" if operation == "read_checkout" else "authorized"](gateway)
    sent = {**typed(page), "operation": operation, "deed": "send"}
    sent |= {"about": about} if 'name="about"' in page else {}
    sent |= {"v:descriptor": "a|b"} if operation == "create_payment" else {}
    feature_text = copied(anna.post(bench, sent).text, "Feature")

    file = tmp_path / "bench.feature"
    file.write_text(feature_text)
    (feature,) = get_features([str(file)])
    (found,) = feature.scenarios.values()
    kinds = [each.type for each in found.steps]
    assert kinds[-2:] == ["then", "then"] and kinds.count("when") == 1
    for step in found.steps:
        assert len(matching(sentences, step.type, step.name)) == 1, step.name
    if operation == "create_payment":
        assert "| descriptor | a\\|b |" in feature_text


def checkout_of(gateway: Gateway, **more: str) -> str:
    """An open checkout."""
    sent = {"paymentType": "DB", "amount": "9.00", "currency": "EUR", **more}
    whole = {"entityId": gateway.merchant.entity_id, **sent}
    return str(gateway.send("/v1/checkouts", whole).json["id"])


def paid_checkout_of(gateway: Gateway) -> str:
    """A checkout that was paid."""
    checkout = checkout_of(gateway)
    kept = {name: ORDER[name] for name in ORDER if "card" in name or name == "paymentBrand"}
    paid = {"entityId": gateway.merchant.entity_id, **kept}
    assert gateway.send(f"/v1/checkouts/{checkout}/payment", paid).status_code == 200
    return checkout


def captured_of(gateway: Gateway) -> str:
    """A payment of which a part was captured."""
    payment = str(gateway.post(paymentType="PA").json["id"])
    gateway.refer(payment, "CP", amount="60.00", currency="EUR")
    return payment


def stored_of(gateway: Gateway) -> str:
    """A stored card."""
    left_out = dict.fromkeys(("paymentType", "amount", "currency"))
    return str(gateway.post("/v1/registrations", **left_out).json["id"])


MAKERS = {
    "none": lambda gateway: "",
    "unknown": lambda gateway: "8a8294174b7ecb28014b9699220015ca",
    "authorized": lambda gateway: str(gateway.post(paymentType="PA").json["id"]),
    "captured": captured_of,
    "checkout": checkout_of,
    "checkout with braces": lambda gateway: checkout_of(gateway, descriptor="a {b} c"),
    "paid checkout": paid_checkout_of,
    "stored": stored_of,
}
CAPTURE = {"v:paymentType": "CP", "v:amount": "42.00", "v:currency": "EUR"}
DEBIT = {f"v:{name}": value for name, value in ORDER.items()}
#  operation, what there is before it, what is sent; whether it is a feature too
COPIED = [
    ("create_payment", "none", DEBIT, True),
    ("create_payment", "none", DEBIT | {"v:card.holder": "800.100.152"}, True),
    ("create_payment", "none", {"v:amount": "1"}, True),
    ("create_payment", "none", {**DEBIT, "more": "merchantTransactionId=a{b}c12345"}, True),
    ("delete_checkout", "checkout with braces", {}, False),
    ("read_payment", "unknown", {}, True),
    ("refer_payment", "authorized", CAPTURE, True),
    # It was said to be answered as if nothing were captured yet.
    ("refer_payment", "captured", CAPTURE, True),
    ("refer_payment", "unknown", CAPTURE, True),
    ("delete_checkout", "checkout", {}, True),
    ("read_checkout_payment", "paid checkout", {}, False),
    ("pay_registration", "stored", {n: DEBIT[n] for n in list(DEBIT)[:3]}, True),
]  # fmt: skip


def sent_from(visitor: Visitor, bench: str, operation: str, about: str, sent: dict) -> str:
    """The page of an answer."""
    asked = {"operation": operation, "deed": "send", "about": about, **sent}
    return visitor.post(bench, asked).text


@pytest.mark.parametrize(("operation", "before", "sent", "has_feature"), COPIED)
def test_a_copied_story_is_whole_and_plays_in_a_sandbox_of_its_own(
    anna: Visitor, gateway: Gateway, bench: str, *, operation: str, before: str, sent: dict,
    has_feature: bool,
) -> None:  # fmt: skip
    anna.get(bench)
    page = sent_from(anna, bench, operation, MAKERS[before](gateway), sent)
    text = copied(page, "title")
    assert text, page

    story = read_story(yaml.safe_load(text), "copied")
    player = in_process(gateway, story)
    for number, step in enumerate(story.steps):
        player.play(step, story.steps[:number])

    assert bool(copied(page, "Feature")) is has_feature


def in_process(gateway: Gateway, story: Story) -> StoryRun:
    """What plays a story in a new sandbox of a gateway in this process."""
    options = {"profile": "specification", "clock": CLOCK, **story.sandbox}
    made = gateway.control("POST", "/sandboxes", options).json
    facts = {name: made[name] for name in ("token", "entity_id", "control_key")}
    facts |= {"base_url": "/", "control_url": "/_sandbox/v1/", "sandbox_id": made["id"]}

    def ask(call: StoryCall) -> Answer:
        path, _, query = (call.base + call.target).partition("?")
        came = gateway.client.simulate_request(
            call.method, path, query_string=query, headers=dict(call.headers), body=call.body
        )
        return Answer(came.status_code, {}, came.json)

    return StoryRun(facts, ask, Quiet())


class Quiet:
    """Shows nothing of a story. Implements story_run.Watcher."""

    def sent(self, line: str, sent: object) -> None:
        """A request leaves."""

    def answered(self, answer: Answer) -> None:
        """Its answer came."""

    def fulfilled(self) -> None:
        """It is as expected."""

    def received(self) -> None:
        """The shop receives a call."""

    def shown(self, payment: str) -> None:
        """Something is shown."""


def test_what_other_sandboxes_would_answer_otherwise_is_no_file(
    anna: Visitor, gateway: Gateway, bench: str
) -> None:
    anna.get(bench)
    declined = str(gateway.post(**{"card.holder": "800.100.152"}).json["id"])
    gateway.control("POST", f"/sandboxes/{bench.split('/')[2]}/scripts", {"behaviour": "lost-card"})
    for operation, about, sent in (
        ("refer_payment", declined, CAPTURE),
        ("create_payment", "", DEBIT),
        # Masked in a copy, as it may be a card number.
        ("create_payment", "", DEBIT | {"v:merchantMemo": "4539578763621486"}),
    ):
        page = sent_from(anna, bench, operation, about, sent)
        assert copied(page, "title") == copied(page, "Feature") == ""
        assert "would be answered otherwise in another sandbox" in page


def test_the_settings_of_a_sandbox_go_into_the_story(anna: Visitor, gateway: Gateway) -> None:
    options = {"overrides": {"D-07": "field"}, "merchants": [{"channels": [{"cvv": "required"}]}]}
    made = gateway.control("POST", "/sandboxes", {"clock": CLOCK, **options}).json
    own = f"/console/{made['id']}/workbench"
    anna.get(own)
    page = sent_from(anna, own, "create_payment", "", DEBIT | {"v:card.cvv": ""})
    story = yaml.safe_load(copied(page, "title"))
    assert story["sandbox"]["merchants"][0]["channels"][0]["cvv"] == "required"
    assert story["sandbox"]["clock"] == CLOCK
    assert copied(page, "Feature") == ""


@pytest.mark.proof
def test_what_the_workbench_copies_runs_as_it_is(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        person = ConsolePerson(Connection(server.facts["base_url"]))
        path = f"/console/{server.facts['console_url'].partition('/console/')[2]}"
        person.send(path, {"name": "anna", "password": PASSWORD})
        bench = f"/console/{server.facts['sandbox_id']}/workbench"
        person.open(bench)
        texts = []
        for sent in (DEBIT, {**DEBIT, "v:card.holder": "800.100.152"}, {"v:amount": "1"}):
            asked = {"operation": "create_payment", "deed": "send", **sent}
            texts.append(text_of(person.send(bench, asked)))
    (tmp_path / "own").mkdir()
    for number, text in enumerate(texts):
        (tmp_path / "own" / f"{number}.feature").write_text(copied(text, "Feature"))
    (tmp_path / "own.yaml").write_text(copied(texts[0], "title"))
    assert "3 passed" in ran(tmp_path, "check", "--features", "own")
    assert "as expected" in ran(tmp_path, "demo", "own.yaml", "--fast")


def ran(folder: Path, *arguments: str) -> str:
    """What a command of sandgate printed, which ended well."""
    command = [sys.executable, "-m", "simulator", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=clean_environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_viewer_sends_nothing(gateway: Gateway, bench: str, anna: Visitor) -> None:
    viewer = person_of(gateway, "viewer", "vera")
    assert viewer.get(bench).status_code == 403
