"""Commands at a gateway that appends the number of a card to every text that it answers."""

import http.client
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from simulator.client import Client, Control
from simulator.client.control_calls import SAID_LENGTH_MAX
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening
from simulator.commands.surface.shown import masked_for_use, masked_line_for_use
from simulator.tests.commands.test_other_servers import answering, status_of
from simulator.tests.kit.gateway import ORDER
from simulator.tests.kit.running import serving

NUMBER, SPELLED, LATER = "4111111111111111", "5105-1051 0510.5100", 4012888888881881
ADDED = f" {NUMBER}, {SPELLED}"
LEAKED = (NUMBER, SPELLED, str(LATER), "5105105105105100")
COMMANDS = (
    "sandbox list", "sandbox show", "sandbox create", "sandbox create --format export",
    "clock show", "clock set frozen", "clock advance 1s",
    "script arm approve", "script list", "hold at acquirer",
    "webhooks add inbox", "webhooks endpoints", "webhooks inbox", "webhooks list",
    "wallet token", "wallet token --protocol ECv2", "console invite jane",
    "terminal new", "terminal list", "settle show", "settle show {run}",
    "journal tail --no-follow", "journal show {ndc}", "trace {payment}", "reconcile key {run}",
    "reconcile ledger --format json", "capability {checkout}",
)  # fmt: skip
WITH_FORMAT = ("reconcile", "sandbox create --format")
# What a program sends on, or compares with what it has itself.
USED = (
    "sandbox create", "webhooks add inbox", "webhooks inbox", "wallet token", "terminal new",
    "wallet token --protocol ECv2", "capability {checkout}", "console invite joe",
)  # fmt: skip


class Hostile(NamedTuple):
    """A gateway, a sandbox of it with payments that were settled, and what stands in front."""

    facts: dict[str, str]
    known: dict[str, str]
    url: str

    def run(self, command: str, url: str = "") -> int:
        """The status of a command at the hostile address, or at another."""
        words = command.format(**self.known).split()
        is_about_all = words[0] == "console" or words[:2] == ["sandbox", "list"]
        is_about_all |= words[:2] == ["sandbox", "create"]
        place = [] if is_about_all else ["--sandbox", self.known["sandbox"]]
        place += ["--control-url", url or self.url, "--control-key", self.facts["control_key"]]
        return status_of(*words, *place)


def altered(value: Any) -> Any:
    """A document with a number behind each text, and one in the place of each figure."""
    if isinstance(value, dict):
        return {name: altered(each) for name, each in value.items()} | {f"x{ADDED}": LATER}
    if isinstance(value, list):
        return [*map(altered, value)]
    return f"{value}{ADDED}" if isinstance(value, str) else value


def altered_body(content: bytes) -> bytes:
    """An answer of a gateway likewise, JSON or not."""
    lines = content.decode().splitlines()
    try:
        return "\n".join(json.dumps(altered(json.loads(line))) for line in lines).encode()
    except ValueError:
        return "\n".join(f"{line}{ADDED}" for line in lines).encode()


def in_front_of(upstream: str) -> Callable[[ReceivedRequest], ListenerResponse]:
    """Answers as the gateway at an address does, with numbers in the answers."""

    def respond(request: ReceivedRequest) -> ListenerResponse:
        link = http.client.HTTPConnection(urlsplit(upstream).netloc, timeout=20)
        sent = {"Authorization": request.headers.get("authorization", "")}
        link.request(request.method, request.path, request.body or None, sent)
        answer = link.getresponse()
        content = altered_body(answer.read())
        link.close()
        kind = answer.headers.get("Content-Type", "text/plain")
        return ListenerResponse(answer.status, {"Content-Type": kind}, content)

    return respond


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    with serving(tmp_path_factory.mktemp("hostile") / "data") as gateway:
        facts = gateway.facts
        client = Client(facts["base_url"], facts["token"], facts["entity_id"])
        control = Control(facts["control_url"], facts["control_key"])
        sandbox = facts["sandbox_id"]
        control.create_webhook(sandbox, "inbox")
        control.arm_script(sandbox, "approve")
        control.create_terminal(sandbox)
        paid = client.post("v1/payments", {**ORDER, "merchantTransactionId": "order-0001"})
        control.advance_clock(sandbox, by="7d")
        (run, *_) = [each for each in control.settle(sandbox) if each["lines"]]
        checkout = client.post("v1/checkouts", {"paymentType": "DB", "amount": "1.00",
                                                "currency": "EUR"})  # fmt: skip
        control.inbox(sandbox, count=1, wait="5s")
        known = {"sandbox": sandbox, "payment": paid.id, "ndc": paid.body["ndc"],
                 "checkout": checkout.id, "run": run["id"]}  # fmt: skip
        with listening(in_front_of(facts["control_url"])) as url:
            yield Hostile(dict(facts), known, f"{url}_sandbox/v1/")
        client.close()
        control.close()


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_shows_a_card_number_that_a_gateway_answers(command, form, hostile, capsys):
    more = "" if command.startswith(WITH_FORMAT) else f" --format {form}"
    hostile.run(command + more)

    shown = "".join(capsys.readouterr())
    assert "411111******1111" in shown
    assert not [number for number in LEAKED if number in shown]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_refusal_shows_a_part_of_the_key_that_it_repeats(command, hostile, capsys):
    """An error has the beginning of what was answered: a key may stand where that ends."""
    key = "kx7-wolf.quartz-93x"
    asking = hostile._replace(facts={"control_key": key})
    for before in (0, *range(SAID_LENGTH_MAX - 40, SAID_LENGTH_MAX, 5)):
        said = {"where": "a", "expected": "b", "got": f"{'x' * before} {key} x"}
        content = json.dumps({"error": said}).encode()
        with answering(content, status=400) as url:
            assert asking.run(command, url) in (1, 2)
        shown = "".join(capsys.readouterr())
        assert "sandgate: " in shown and key[: len(key) // 3] not in shown


CODED = {
    "request": {"card.cvv": "zq739", "memo": "cvv=zq7391", "customParameters[pin]": "zq73912"},
    "answer": {"note": "password: zq73913"},
}


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "command",
    ["journal tail --no-follow --count 2", "journal show {ndc}", "trace {payment}"],
)  # fmt: skip
def test_no_command_shows_a_code_that_a_gateway_repeats(command, form, hostile, capsys):
    def respond(request: ReceivedRequest) -> ListenerResponse:
        answered = in_front_of(hostile.facts["control_url"])(request)
        text = answered.body.decode()
        if not text.startswith("{"):
            text = text.replace("card.", "cvv=zq7391 password: zq73913 card.")
            return replace(answered, body=text.encode())
        document = json.loads(text)
        for each in document.get("entries", [document]):
            each.update(CODED)
        return replace(answered, body=json.dumps(document).encode())

    with listening(respond) as url:
        hostile.run(f"{command} --format {form}", f"{url}_sandbox/v1/")

    shown = "".join(capsys.readouterr())
    assert "***" in shown
    assert "zq7" not in shown


@pytest.mark.parametrize("command", USED)
def test_credentials_and_events_are_printed_as_the_gateway_made_them(command, hostile, capsys):
    assert hostile.run(f"{command} --format json", hostile.facts["control_url"]) == 0

    shown = capsys.readouterr().out
    assert "***" not in shown and json.loads(shown)


def test_an_answer_key_is_printed_to_the_letter(hostile, capsys):
    control = Control(hostile.facts["control_url"], hostile.facts["control_key"])
    (account,) = control.settlement(hostile.known["sandbox"], hostile.known["run"])["accounts"]
    kept: list[bytes] = []

    class Kept:
        write = staticmethod(kept.append)

    control.save_settlement_key(
        hostile.known["sandbox"], hostile.known["run"], account["merchant_account"], Kept()
    )
    control.close()
    assert hostile.run("reconcile key {run}", hostile.facts["control_url"]) == 0
    assert capsys.readouterr().out == b"".join(kept).decode()


@pytest.mark.parametrize(
    "reference",
    [
        "74200004321098765432109", "999999999999", "629999999999", "8" * 32,
        "4" * 20 + "abcdef123456",
        "9ae331a064ff1c5f2231c200369ba9fc8a724404b6abc874", "a4111111111111111" + "f" * 31,
        "2026-11-28 13:41:14.123+0000", "20261128000417", "4200000000000001",
    ],
)  # fmt: skip
def test_references_and_keys_that_programs_use_stay(reference):
    assert masked_for_use({"at": [reference]}) == {"at": [reference]}
    line = f'{{"at":"{reference}",  "amount": 12.50}}'
    assert masked_line_for_use(line) == line


@pytest.mark.parametrize(
    "spelled",
    [NUMBER, int(NUMBER), "4111 1111 1111 1111", "no. 5 4111-1111-1111-1111", "x4111111111111111y",
     "%34111111111111111", "４１１１111111111111"],
)  # fmt: skip
def test_a_card_number_is_masked_where_programs_read_it_too(spelled):
    shown = json.dumps(masked_for_use([spelled]))

    assert "411111******1111" in shown and "1111111111" not in shown


PICTURES = ("trace {payment} --svg", "settle show {run} --svg")


@pytest.mark.parametrize("command", PICTURES)
def test_a_picture_that_no_gateway_draws_is_not_written(command, hostile, tmp_path, capsys):
    kept = tmp_path / "kept.svg"
    kept.write_text("of yesterday")

    assert hostile.run(f"{command} {kept}") == 1

    said = capsys.readouterr()
    assert said.err.startswith("sandgate: expected a picture as a gateway draws it, got ")
    assert (said.err.count("\n"), said.out) == (1, "")
    assert kept.read_text() == "of yesterday" and [*tmp_path.iterdir()] == [kept]


@pytest.mark.parametrize("command", PICTURES)
def test_a_picture_of_a_gateway_is_written_as_it_drew_it(command, hostile, tmp_path):
    drawn = tmp_path / "drawn.svg"
    control = Control(hostile.facts["control_url"], hostile.facts["control_key"])
    place = hostile.known["sandbox"]
    wanted = (
        control.trace(place, hostile.known["payment"], svg=True)
        if command.startswith("trace")
        else control.settlement_picture(place, hostile.known["run"])
    )
    control.close()

    assert hostile.run(f"{command} {drawn}", hostile.facts["control_url"]) == 0
    assert drawn.read_text() == wanted


@pytest.mark.parametrize("kind", ["image/svg+xml", "text/plain", "application/xml"])
def test_the_texts_of_a_picture_are_masked(kind, hostile, tmp_path):
    drawn = tmp_path / "drawn.svg"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><text x="1" y="2">a {NUMBER}</text></svg>'
    with answering(svg.encode(), kind) as url:
        assert hostile.run(f"trace {{payment}} --svg {drawn}", url) == 0

    assert ">a 411111******1111</text>" in drawn.read_text()
