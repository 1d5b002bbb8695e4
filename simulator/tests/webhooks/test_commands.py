"""`sandgate webhooks`, against a gateway process."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from simulator.client import Client, Connection, Control
from simulator.commands.control.receiver import Receiver, forwarded
from simulator.derive.documents.events import events_markdown
from simulator.domain.webhooks.envelopes import seal_envelope
from simulator.domain.webhooks.targets import parse_webhook_url
from simulator.tests.kit.gateway import ORDER
from simulator.tests.kit.running import Serving, clean_environment, serving
from simulator.tests.kit.sinks import unused_port
from simulator.tests.kit.trees import ROOT

SECRET = "0123456789abcdef" * 4
CARD = {name: value for name, value in ORDER.items() if name.startswith("card.")}


class Shop:
    """A sandbox of a running gateway, and the command line that speaks of it."""

    def __init__(self, gateway: Serving):
        facts = gateway.facts
        self.control = Control(facts["control_url"], facts["control_key"])
        self.made = self.control.create_sandbox()
        self.client = Client(facts["base_url"], self.made["token"], self.made["entity_id"])
        self.environ = {
            **clean_environment(),
            "SANDGATE_CONTROL_URL": facts["control_url"],
            "SANDGATE_CONTROL_API_KEY": facts["control_key"],
            "SANDGATE_SANDBOX_ID": self.made["id"],
        }

    def command(self, *arguments: str) -> list[str]:
        """A command about webhooks."""
        return [sys.executable, "-m", "simulator", "webhooks", *arguments]

    def run(self, *arguments: str, given: str = "", **environ: str) -> subprocess.CompletedProcess:
        """What a command prints, and how it ends."""
        return subprocess.run(
            self.command(*arguments), env={**self.environ, **environ}, cwd=ROOT, input=given,
            capture_output=True, text=True, timeout=30,
        )  # fmt: skip

    def pay(self) -> str:
        """The id of a payment."""
        return self.client.post("v1/payments", ORDER).id


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("webhooks") / "data") as running:
        yield running


@pytest.fixture
def shop(gateway: Serving) -> Iterator[Shop]:
    made = Shop(gateway)
    yield made
    made.control.close()
    made.client.close()


class Listening:
    """`sandgate webhooks listen`, which prints JSON lines."""

    def __init__(self, shop: Shop, *options: str):
        self.process = subprocess.Popen(
            shop.command("listen", *options), env=shop.environ, cwd=ROOT,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.url = self.line()["listening"]

    def line(self) -> Any:
        """The next line."""
        return json.loads(self.process.stdout.readline())

    def end(self) -> int:
        """How it ended."""
        self.process.communicate(timeout=20)
        return self.process.returncode


def test_listen_receives_events_and_removes_its_endpoint(shop: Shop) -> None:
    listening = Listening(shop, "--count", "1")
    payment = shop.pay()
    event = listening.line()
    assert (event["type"], event["payload"]["id"], event["attempt"]) == ("PAYMENT", payment, "1")
    assert listening.end() == 0
    assert shop.control.notices(shop.made["id"])[0]["id"] == event["id"]


def test_an_event_that_is_about_no_payment_is_listed(gateway: Serving, shop: Shop) -> None:
    made = shop.control.create_sandbox(profile="field")
    client = Client(gateway.facts["base_url"], made["token"], made["entity_id"])
    shop.control.create_webhook(made["id"], "inbox")
    stored = client.post("v1/registrations", CARD).id
    monthly = {"paymentType": "DB", "amount": "3.00", "currency": "EUR", "job.dayOfMonth": "05"}
    assert (
        client.post("scheduling/v1/schedules", {"registrationId": stored, **monthly}).status == 200
    )
    listed = shop.run("list", "--sandbox", made["id"])
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "\tschedule\t\t" in listed.stdout
    client.close()


def posted(link: Connection) -> int:
    """The status, or 503 where the receiver has ended meanwhile."""
    try:
        return link.ask("POST", "", headers={}, body=b"{}").status
    except OSError:
        return 503


def test_more_than_are_counted_are_left_to_who_listens_next() -> None:
    shown: list = []
    receiver = Receiver(0, count=2, show=shown.append)
    running = threading.Thread(target=receiver.run, daemon=True)
    receiver.secrets.append(SECRET)
    links = [Connection(receiver.url) for _ in range(5)]
    running.start()
    with ThreadPoolExecutor(5) as asking:
        statuses = [*asking.map(posted, links)]
    running.join(timeout=20)
    for link in links:
        link.close()
    assert (sorted(statuses), len(shown)) == ([400, 400, 503, 503, 503], 2)


class Merchant:
    """A receiver that answers with one status, and remembers what came."""

    def __init__(self, status: int):
        self.bodies: list[bytes] = []
        merchant = self

        class Handler(BaseHTTPRequestHandler):
            """Keeps the body."""

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                merchant.bodies.append(self.rfile.read(length))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments: object) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"


def test_listen_forwards_and_answers_what_the_merchant_answers(shop: Shop) -> None:
    merchant = Merchant(500)
    listening = Listening(shop, "--count", "1", "--forward-to", merchant.url)
    shop.pay()
    assert listening.line()["forwarded"] == 500
    listening.end()
    merchant.server.shutdown()
    (body,) = merchant.bodies
    assert set(body) <= set(b"0123456789ABCDEF")


@pytest.mark.parametrize("port", ["taken", "70000"])
def test_a_port_that_cannot_be_listened_on_ends_with_one_line(
    gateway: Serving, shop: Shop, port: str
) -> None:
    # A port in use ended in a traceback.
    number = str(urlsplit(gateway.facts["base_url"]).port) if port == "taken" else port

    done = shop.run("listen", "--port", number)

    assert done.returncode == 1
    assert f"--port: expected a free port from 0 to 65535, got {number}" in done.stderr
    assert len(done.stderr.splitlines()) == 1


class Accepting(BaseHTTPRequestHandler):
    """A receiver that answers 200 to each POST."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@contextmanager
def accepting(port: int) -> Iterator[None]:
    with HTTPServer(("127.0.0.1", port), Accepting) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield
        server.shutdown()


def test_an_endpoint_that_does_not_answer_says_why_and_is_activated_later(shop: Shop) -> None:
    # "not active" alone left a newcomer without events, and without a reason.
    port = unused_port()

    shown = shop.run("add", f"http://127.0.0.1:{port}/hook").stdout
    (endpoint,) = (each["id"] for each in shop.control.webhooks(shop.made["id"]))
    asked_too_early = shop.run("activate", endpoint)
    with accepting(port):
        activated = shop.run("activate", endpoint)

    assert "not active: expected an answer of 2xx, got connection refused" in shown
    assert f"sandgate webhooks activate {endpoint}" in shown
    assert asked_too_early.returncode == 1 and "connection refused" in asked_too_early.stdout
    assert activated.stdout.splitlines()[1].split() == ["state", "active"]


def test_listen_with_a_secret_leaves_the_endpoint_to_its_owner(shop: Shop) -> None:
    listening = Listening(shop, "--count", "2", "--secret", SECRET)
    made = shop.control.create_webhook(shop.made["id"], listening.url, secret=SECRET)
    assert made["active"]
    assert listening.line()["type"] == "test"
    shop.pay()
    assert listening.line()["type"] == "PAYMENT"
    assert listening.end() == 0


def test_what_failed_is_listed_and_sent_again(shop: Shop) -> None:
    url = f"http://127.0.0.1:{unused_port()}/"
    shop.control.create_webhook(shop.made["id"], url, skip_activation=True)
    payment = shop.pay()
    assert shop.control.drain(shop.made["id"])
    heading, line = shop.run("list", "--failed").stdout.splitlines()
    assert heading.split("\t")[:3] == ["id", "event", "payment"]
    identity, event, about, _, state, attempts, why = line.split("\t")
    assert (event, about, state) == ("payment.created", payment, "waiting")
    assert (attempts, why) == ("1", "connection refused")
    assert shop.run("resend", identity).stdout == f"{identity} is delivered again\n"
    assert shop.control.drain(shop.made["id"])
    assert shop.run("list").stdout.splitlines()[1].split("\t")[5] == "2"
    assert shop.run("list", "--failed").stdout.count("\n") == 2


def test_an_inbox_with_less_than_was_waited_for_is_no_success(shop: Shop) -> None:
    shop.control.create_webhook(shop.made["id"], "inbox")
    shop.pay()

    assert shop.run("inbox", "--count", "1", "--wait", "5s").returncode == 0
    ended = shop.run("inbox", "--count", "2", "--wait", "1s")

    assert (ended.returncode, ended.stdout.count("\n")) == (3, 1)
    assert ended.stderr == "sandgate: events: expected 2 after 1s, got 1\n"


@pytest.mark.parametrize(
    ("option", "given", "said"),
    [
        ("--iv", "zz", "--iv: expected 24 hex digits, got other characters"),
        ("--iv", "00", "--iv: expected 24 hex digits, got 2 of them"),
        ("--tag", "00", "--tag: expected 32 hex digits, got 2 of them"),
        ("--tag", "z" * 32, "--tag: expected 32 hex digits, got other characters"),
        ("--secret", "abc", "--secret: expected 64 hex digits, got 3 of them"),
    ],
)
def test_an_impossible_value_of_decrypt_is_named(
    shop: Shop, option: str, given: str, said: str
) -> None:
    options = {"--iv": "0" * 24, "--tag": "0" * 32, "--secret": SECRET} | {option: given}
    ended = shop.run("decrypt", *(word for pair in options.items() for word in pair), given="00")

    assert (ended.returncode, ended.stderr) == (2, f"sandgate: {said}\n")


def test_no_one_listens_with_a_secret_that_opens_nothing(shop: Shop) -> None:
    ended = shop.run("listen", "--secret", "zz")

    said = "sandgate: --secret: expected 64 hex digits, got other characters\n"
    assert (ended.returncode, ended.stderr) == (2, said)


def test_an_event_is_triggered(shop: Shop) -> None:
    shop.control.create_webhook(shop.made["id"], "inbox")
    triggered = shop.run("trigger", "payment.updated", "--payment", shop.pay())
    assert triggered.returncode == 0, triggered.stderr
    arrived = shop.control.inbox(shop.made["id"], count=2, wait="5s")
    assert [each["action"] for each in arrived] == ["CREATED", "UPDATED"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("resend", "8" * 32),
        ("trigger", "payment.updated", "--payment", "8" * 32),
        ("trigger", "payment.invented", "--payment", "8" * 32),
    ],
)
def test_what_the_gateway_refuses_ends_with_one_line(shop: Shop, arguments: tuple) -> None:
    ended = shop.run(*arguments)
    assert ended.returncode == 1
    assert ended.stderr.startswith("sandgate: ")
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("arguments", [("list",), ("listen",), ("resend", "8")])
def test_without_a_gateway_the_command_says_what_it_needs(shop: Shop, arguments: tuple) -> None:
    ended = shop.run(*arguments, SANDGATE_CONTROL_URL="", SANDGATE_CONTROL_API_KEY="")
    assert (ended.returncode, "SANDGATE_CONTROL_URL" in ended.stderr) == (2, True)


def test_without_a_sandbox_the_oldest_is_meant(gateway: Serving, shop: Shop) -> None:
    assert shop.run("list", SANDGATE_SANDBOX_ID="").returncode == 0


@pytest.mark.parametrize("form", ["hex", "wrapped"])
def test_a_body_is_decrypted_from_standard_input_or_a_file(
    shop: Shop, tmp_path: Path, form: str
) -> None:
    envelope = seal_envelope(b'{"type":"PAYMENT","payload":{}}', form, secret=SECRET, iv="0" * 24)
    (tmp_path / "body").write_bytes(envelope.body)
    tag = envelope.headers["X-Authentication-Tag"]
    options = ("--iv", "0" * 24, "--tag", tag, "--secret", SECRET)
    for ended in (
        shop.run("decrypt", *options, given=envelope.body.decode()),
        shop.run("decrypt", *options, str(tmp_path / "body")),
    ):
        assert json.loads(ended.stdout) == {"type": "PAYMENT", "payload": {}}


def test_a_body_that_does_not_open_ends_with_one_line_without_the_secret(shop: Shop) -> None:
    options = ("--iv", "0" * 24, "--tag", "0" * 32)
    ended = shop.run("decrypt", *options, given="00", SANDGATE_WEBHOOK_SECRET=SECRET)
    assert ended.returncode == 1
    assert "no secret decrypts it" in ended.stderr
    assert SECRET not in ended.stderr + ended.stdout


def test_the_table_of_events_is_printed(shop: Shop) -> None:
    assert shop.run("events").stdout == events_markdown()


def test_a_receiver_answers_400_to_what_it_cannot_read() -> None:
    shown: list = []
    receiver = Receiver(0, show=shown.append)
    assert receiver.take({}, b"\xff") == 400
    assert shown[0]["error"]


def test_forwarding_to_a_closed_port_is_502() -> None:
    closed = parse_webhook_url(f"http://127.0.0.1:{unused_port()}/")
    assert forwarded(closed, {}, b"") == 502


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/hook", "127.0.0.1:3000/hook", "http:///hook"])
def test_forwarding_takes_http_and_https_alone(shop: Shop, url: str) -> None:
    ended = shop.run("listen", "--forward-to", url)
    said = " ".join(ended.stderr.replace("│", " ").split())
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "--forward-to" in said
    assert "expected an http or https address" in said
    assert "Traceback" not in said
