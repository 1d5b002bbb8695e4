"""`sandgate sandbox`, `clock`, `script`, `webhooks` and `capability`, against a gateway process."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from simulator.client import Client, Control
from simulator.client.control_calls import ControlError
from simulator.commands.control.connection import asking, sandbox_in
from simulator.tests.kit.gateway import ORDER
from simulator.tests.kit.running import Serving, clean_environment, serving


class Terminal:
    """A terminal with the export line of a gateway in it."""

    def __init__(self, gateway: Serving, folder: Path):
        self.facts = gateway.facts
        self.control = Control(self.facts["control_url"], self.facts["control_key"])
        self.made = self.control.create_sandbox()
        self.client = Client(self.facts["base_url"], self.made["token"], self.made["entity_id"])
        self.folder = folder
        self.environ = {
            **clean_environment(),
            "SANDGATE_CONTROL_URL": self.facts["control_url"],
            "SANDGATE_CONTROL_API_KEY": self.facts["control_key"],
            "SANDGATE_SANDBOX_ID": self.made["id"],
        }

    def call(self, *words: str, given: str = "") -> subprocess.CompletedProcess:
        """A command, and how it ended."""
        return subprocess.run(
            [sys.executable, "-m", "simulator", *words], env=self.environ, cwd=self.folder,
            input=given, capture_output=True, text=True, timeout=30,
        )  # fmt: skip

    def said(self, *words: str, given: str = "") -> str:
        """What a command prints that succeeds."""
        done = self.call(*words, given=given)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def read(self, *words: str, given: str = "") -> Any:
        """The document that it prints with --format json."""
        return json.loads(self.said(*words, "--format", "json", given=given))


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("steering") / "data") as running:
        yield running


@pytest.fixture
def terminal(gateway: Serving, tmp_path: Path) -> Terminal:
    return Terminal(gateway, tmp_path)


def test_a_sandbox_is_created_with_what_the_options_say(terminal: Terminal) -> None:
    options = (
        "--profile", "field", "--override", "D-13=404", "--seed", "7", "--clock", "frozen",
        "--at", "2027-01-31T12:00:00Z", "--throttle", "field", "--merchant", "Tea",
        "--channel", '{"name": "Web", "three_d_secure": {"VISA": "2.2.0"}}',
    )  # fmt: skip

    made = terminal.read("sandbox", "create", *options)

    found = terminal.control.sandbox(made["id"])
    (merchant,) = found["merchants"]
    assert (found["profile"], found["overrides"], found["seed"]) == ("field", {"D-13": "404"}, 7)
    assert merchant["name"] == "Tea"
    assert [each["name"] for each in merchant["channels"]] == ["Web"]
    assert merchant["channels"][0]["three_d_secure"] == {"VISA": "2.2.0"}
    assert terminal.control.clock(made["id"])["now"] == "2027-01-31T12:00:00Z"
    assert terminal.control.throttles(made["id"])["throttle"]["name"] == "field"


def test_a_sandbox_is_created_from_a_document(terminal: Terminal) -> None:
    made = terminal.read("sandbox", "create", "--from", "-", given='{"merchants": [{"name": "A"}]}')

    assert terminal.control.sandbox(made["id"])["merchants"][0]["name"] == "A"


def test_the_export_line_of_a_new_sandbox_leads_a_shell_to_it(terminal: Terminal) -> None:
    line = terminal.said("sandbox", "create", "--format", "export")
    shown = subprocess.run(
        ["sh", "-c", f'{line}echo "$SANDGATE_SANDBOX_ID $SANDGATE_TOKEN $SANDGATE_ENTITY_ID"; '
         'echo "$SANDGATE_CONTROL_API_KEY"'],
        env=terminal.environ, capture_output=True, text=True, timeout=30,
    ).stdout  # fmt: skip

    (identity, token, entity), (key,) = (row.split() for row in shown.splitlines())
    paid = Client(terminal.facts["base_url"], token, entity).post("v1/payments", ORDER)
    assert paid.code == "000.100.110"
    assert identity in [each["id"] for each in terminal.control.sandboxes()]
    assert key == terminal.facts["control_key"]


def test_sandboxes_are_listed_and_one_is_shown(terminal: Terminal) -> None:
    identity = terminal.made["id"]

    assert identity in terminal.said("sandbox", "list")
    assert identity in [each["id"] for each in terminal.read("sandbox", "list")]
    assert terminal.read("sandbox", "show")["id"] == identity
    assert identity in terminal.said("sandbox", "show", "--sandbox", identity)
    other = terminal.control.create_sandbox()["id"]
    assert terminal.read("sandbox", "show", other)["id"] == other


class KnownSandboxes:
    """A control API that knows these sandboxes."""

    def __init__(self, *known: str):
        self._known = known

    def sandboxes(self) -> list[dict[str, str]]:
        """Every sandbox, oldest first."""
        return [{"id": each} for each in self._known]


@pytest.mark.parametrize(
    ("known", "named", "taken", "note"),
    [
        (("8a",), None, "8a", ""),
        (("8a", "8b", "8c"), "8b", "8b", ""),
        (("8a", "8b", "8c"), None, "8a", "sandbox 8a was taken, the oldest of 3; choose another"),
        (("8a", "8b"), "", "8a", "with --sandbox or SANDGATE_SANDBOX_ID"),
    ],
)
def test_a_command_that_names_no_sandbox_says_which_one_it_took(
    capsys: pytest.CaptureFixture, known: tuple[str, ...], named: str | None, taken: str, note: str
) -> None:
    assert sandbox_in(KnownSandboxes(*known), named) == taken
    printed = capsys.readouterr()
    assert printed.out == ""
    assert note in printed.err if note else printed.err == ""


def test_where_there_is_no_sandbox_a_command_says_how_to_make_one(
    capsys: pytest.CaptureFixture,
) -> None:
    with pytest.raises(typer.Exit):
        sandbox_in(KnownSandboxes(), None)
    assert "`sandgate sandbox create`" in capsys.readouterr().err


def test_every_command_takes_a_sandbox_by_the_same_rule(terminal: Terminal) -> None:
    terminal.environ.pop("SANDGATE_SANDBOX_ID")
    for words in (("webhooks", "endpoints"), ("clock", "show"), ("journal", "tail", "--no-follow")):
        assert "was taken, the oldest of" in terminal.call(*words).stderr


def test_a_sandbox_is_reset_and_deleted(terminal: Terminal) -> None:
    identity = terminal.made["id"]

    assert "epoch 2" in terminal.said("sandbox", "reset", identity)
    assert terminal.said("sandbox", "delete", identity) == f"{identity} is deleted\n"
    assert identity not in [each["id"] for each in terminal.control.sandboxes()]
    again = terminal.call("sandbox", "delete", identity)
    assert again.returncode == 1
    assert "which was deleted" in again.stderr


def test_a_snapshot_brings_a_sandbox_back(terminal: Terminal) -> None:
    paid = terminal.client.post("v1/payments", ORDER)
    terminal.said("sandbox", "snapshot", "kept.snapshot", "--passphrase", "correct horse")
    terminal.control.delete(terminal.made["id"])

    restored = terminal.call("sandbox", "restore", "kept.snapshot", "--passphrase", "correct horse")

    assert terminal.made["id"] in restored.stdout and not restored.stderr
    assert terminal.client.get(f"v1/payments/{paid.id}").code == "000.100.110"


def test_a_clock_is_shown_set_and_advanced(terminal: Terminal) -> None:
    assert terminal.said("clock", "show").startswith("real  ")
    terminal.said("clock", "set", "frozen", "--at", "2100-01-01T00:00:00Z")

    assert terminal.read("clock", "advance", "30m")["now"] == "2100-01-01T00:30:00Z"
    assert terminal.said("clock", "advance", "--to", "2100-02-01T00:00:00Z") == (
        "frozen  2100-02-01T00:00:00Z\n"
    )
    assert terminal.said("clock", "drain") == "no work is in progress\n"


@pytest.mark.parametrize("words", [(), ("1m", "--next"), ("1m", "--to", "2100-01-01T00:00:00Z")])
def test_an_advance_takes_one_way_of_saying_how_far(
    terminal: Terminal, words: tuple[str, ...]
) -> None:
    done = terminal.call("clock", "advance", *words)

    assert done.returncode == 2
    assert done.stderr == "sandgate: clock advance: expected one of SPAN, --to and --next\n"


def test_a_script_is_armed_listed_and_disarmed(terminal: Terminal) -> None:
    armed = terminal.read(
        "script", "arm", "insufficient-funds", "--match", "amount=92.00", "--times", "1"
    )

    declined = terminal.client.post("v1/payments", {**ORDER, "amount": "92.00"})
    assert declined.code == "800.100.203"
    assert f"{armed['id']}  insufficient-funds  matches amount=92.00, 1 times: matched 1" in (
        terminal.said("script", "list")
    )
    assert terminal.said("script", "disarm", armed["id"]) == f"{armed['id']} is disarmed\n"
    limits = {"behaviour": "insufficient-funds", "match": {"amount": {"min": "100.00"}}}
    made = terminal.read("script", "arm", "--from", "-", given=json.dumps(limits))
    assert "matches amount min 100.00, " in terminal.said("script", "list")
    terminal.said("script", "disarm", made["id"])
    assert terminal.said("script", "list") == "no script is armed\n"


def test_a_script_takes_steps_and_ranges_as_json(terminal: Terminal) -> None:
    armed = terminal.read(
        "script", "arm", '{"steps": {"acs": "reject"}}', "--match", 'amount={"min": "100.00"}'
    )

    assert armed["behaviour"]["steps"] == {"acs": "reject"}
    assert armed["match"] == {"amount": {"min": "100.00"}}
    assert armed["id"] in terminal.said("script", "list")
    assert terminal.read("script", "arm", "pending", "--match", "nth=2")["match"] == {"nth": 2}


SLOW_DECLINE = """
name: slow-decline
title: The limit is exceeded
description: The acquirer declines large amounts.
match: {amount: {min: "100.00"}}
steps: {acquirer: {decline: {code: "800.100.155"}}}
"""


def test_a_behaviour_of_a_file_is_armed(terminal: Terminal) -> None:
    (terminal.folder / "slow-decline.yaml").write_text(SLOW_DECLINE)
    terminal.said("script", "arm", "slow-decline.yaml", "--times", "1")
    answers = [terminal.client.post("v1/payments", {**ORDER, "amount": each}).code
               for each in ("92.00", "100.00")]  # fmt: skip
    assert answers == ["000.100.110", "800.100.155"]

    (terminal.folder / "wrong.yaml").write_text(SLOW_DECLINE.replace("acquirer", "acquire"))
    for name, said, status in (("wrong.yaml", "acquirer", 1), ("none.yaml", "none.yaml", 2)):
        refused = terminal.call("script", "arm", name)
        assert (refused.returncode, "Traceback" in refused.stderr) == (status, False)
        assert said in refused.stderr


def test_a_script_is_armed_from_a_document_and_all_are_disarmed(terminal: Terminal) -> None:
    document = terminal.folder / "script.json"
    document.write_text('{"behaviour": {"steps": {"acs": "reject"}}, "times": 2}')
    armed = terminal.read("script", "arm", "--from", "script.json")

    assert armed["times"] == 2
    assert armed["behaviour"]["steps"] == {"acs": "reject"}
    assert armed["id"] in terminal.said("script", "disarm", "--all")
    assert terminal.control.scripts(terminal.made["id"]) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("script", "arm"), "expected a BEHAVIOUR, or --from with one"),
        (("script", "arm", "{"), "BEHAVIOUR: expected a JSON object"),
        (("script", "arm", "decline", "--match", "amount={"), "--match: expected a JSON object"),
        (("script", "arm", "decline", "--match", "amount"), "--match: expected NAME=VALUE"),
        (("script", "disarm"), "expected one of ID and --all"),
        (("sandbox", "create", "--from", "none.json"), "none.json: No such file"),
        (("sandbox", "create", "--channel", "[]"), "--channel: expected a JSON object"),
        (("sandbox", "create", "--override", "D-13"), "--override: expected NAME=VALUE"),
        (("sandbox", "restore", "none"), "none: expected a file to read"),
        (("settle", "fault", "none"), "PLAN: expected a file to read, got none: No such file"),
        (("settle", "fault", sys.executable), "PLAN: expected text in UTF-8"),
        (("settle", "fault", "-"), "PLAN: expected a fault plan in YAML, got nothing"),
        (("settle", "show", "--svg", "run.svg"), "--svg: expected RUN beside it"),
        (("sandbox", "create", "--clock", "scaled"), "above 0, at most 1000000; got none"),
        (("capability", "unknown"), "404"),
        (("webhooks", "remove", "übung a"), "404"),
        (("script", "arm", "decline", "--times", "x"), "expected a valid integer, got 'x'"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_a_wrong_call_says_what_was_expected(
    terminal: Terminal, words: tuple[str, ...], message: str
) -> None:
    done = terminal.call(*words)

    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_endpoints_are_added_listed_and_removed(terminal: Terminal) -> None:
    added = terminal.read("webhooks", "add", "inbox", "--type", "PAYMENT")
    terminal.client.post("v1/payments", ORDER)

    (arrived,) = terminal.read("webhooks", "inbox", "--count", "1")
    assert arrived["type"] == "PAYMENT"
    assert added["id"] in terminal.said("webhooks", "endpoints")
    assert terminal.said("webhooks", "remove", added["id"]) == f"{added['id']} is removed\n"
    assert terminal.said("webhooks", "endpoints") == "no endpoint is set up\n"


def test_the_secret_of_an_endpoint_is_shown_where_it_is_added(terminal: Terminal) -> None:
    shown = terminal.said("webhooks", "add", "inbox", "--secret", "ab" * 32)

    assert "secret    " + "ab" * 32 in shown


def test_a_form_offers_what_commands_choose(terminal: Terminal) -> None:
    sent = {"amount": "92.00", "currency": "EUR", "paymentType": "DB"}
    checkout = terminal.client.post("v1/checkouts", sent).id
    channel = terminal.made["entities"]["merchants"][0]["channels"][0]["id"]
    rule = '{"brands": ["JCB"], "countries": ["DE"], "amount_min": "10.00", "override": true}'

    offered = terminal.said("form", "offer", checkout, "VISA", "AMEX")
    ruled = terminal.said("form", "rules", channel, rule, '{"brands": ["DINERS"]}')

    assert offered == f"{checkout} offers VISA, AMEX\n"
    assert ruled.splitlines() == [
        "countries=DE amount_min=10.00: only JCB", "always: at most DINERS",
    ]  # fmt: skip
    assert terminal.said("form", "rules", channel) == ruled
    assert "no rule" in terminal.said("form", "rules", channel, "--clear")
    assert terminal.call("form", "rules", "0" * 32).returncode == 2
    assert terminal.call("form", "offer", checkout, "NONE").returncode != 0


def test_a_capability_pays_in_a_checkout(terminal: Terminal) -> None:
    order = {"amount": "92.00", "currency": "EUR", "paymentType": "DB"}
    checkout = terminal.client.post("v1/checkouts", order)

    printed = terminal.said("capability", checkout.id)

    assert terminal.read("capability", checkout.id)["capability"] != printed.strip()
    assert len(printed.split()) == 1


@pytest.mark.parametrize(
    ("path", "printed"),
    [("id", "8a"), ("result.code", "000.100.110"), ("cart.items[0]", '{"name": "tea"}')],
)
def test_a_member_of_a_document_is_printed(terminal: Terminal, path: str, printed: str) -> None:
    document = {
        "id": "8a", "result": {"code": "000.100.110"}, "cart": {"items": [{"name": "tea"}]}
    }  # fmt: skip

    assert terminal.said("member", path, given=json.dumps(document)) == f"{printed}\n"


@pytest.mark.parametrize(("given", "status"), [("{}", 1), ("no JSON", 2), ("", 2)])
def test_a_member_that_is_not_there_ends_the_command(
    terminal: Terminal, given: str, status: int
) -> None:
    done = terminal.call("member", "id", given=given)

    assert (done.returncode, done.stdout) == (status, "")
    assert "expected" in done.stderr


@pytest.mark.parametrize(
    "words",
    [("sandbox", "list"), ("clock", "show"), ("journal", "tail", "--no-follow"),
     ("webhooks", "list"), ("reconcile", "ledger"), ("script", "list"), ("wallet", "token")],
    ids=" ".join,
)  # fmt: skip
def test_a_reader_that_ends_first_is_not_taken_for_the_gateway(
    terminal: Terminal, words: tuple[str, ...]
) -> None:
    terminal.client.post("v1/payments", ORDER)
    terminal.said("webhooks", "add", "inbox")
    terminal.said("webhooks", "trigger", "payment.updated", "--payment", paid_in(terminal))
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run(
        [sys.executable, "-m", "simulator", *words], env=terminal.environ, cwd=terminal.folder,
        stdout=writing, stderr=subprocess.PIPE, text=True, timeout=30,
    )  # fmt: skip
    os.close(writing)

    assert (done.returncode, done.stderr) == (141, "")


def paid_in(terminal: Terminal) -> str:
    """The id of a payment."""
    return terminal.client.post("v1/payments", ORDER).id


def test_what_another_server_repeats_is_masked(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit), asking("http://127.0.0.1:1/", "key", None):
        raise ControlError("expected a gateway, got 4200000000000000")
    said = "".join(capsys.readouterr())
    assert "expected a gateway" in said and "4200000000000000" not in said
