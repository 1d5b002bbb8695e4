"""What others write is text on every page, and what they do to a stage loses nothing."""

import re
import socket
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlencode, urlsplit

import gevent
import pytest
from falcon.testing import Result

from features.support.console import ConsolePerson
from simulator.client import VISA, Client, Connection
from simulator.tests.console.test_pages import HOSTILE, assert_harmless
from simulator.tests.console.test_stage import shown
from simulator.tests.console.visitor import PASSWORD, Visitor, administrator_of
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.kit.running import serving
from simulator.web.console.rendering import POLICY
from simulator.web.console.routes import ROWS
from simulator.web.console.views import find_anything
from simulator.web.console.visits import FORM_BYTES_MAX

READERS, BYTES_EACH_MAX = 300, 200_000
SECONDS_MAX = 5
MARKED = '"><img src=x onerror=alert(1)>'
# What a merchant may write, and its shopper.
FIELDS = (
    "merchantMemo", "customer.givenName", "customer.surname", "customer.companyName",
    "billing.street1", "billing.city", "shipping.street1", "cart.items[0].name",
    "customer.browser.userAgent", "card.holder",
)  # fmt: skip
# What forms send, of all pages.
TYPED = (
    "line", "behaviour", "times", "mode", "at", "by", "type", "amount", "action", "answer", "deed",
    "operation", "about", "more", "name", "title", "role", "story", "seed", "stage", "like", "host",
    "onward", "state", "sandbox", "person",
)  # fmt: skip
PAGES = (
    "payments", "checkouts", "registrations", "schedules", "risk", "journal", "stage", "webhooks",
    "inbox", "scripts", "clock", "settlements", "ledger", "throttles", "merchants", "terminals",
    "tokens", "start", "workbench", "shell",
)  # fmt: skip


def every_page(visitor: Visitor, root: str) -> dict[str, Result]:
    """The pages of a sandbox, and what is put into one of them later."""
    found = {path: visitor.get(f"{root}/{path}") for path in (*PAGES, "journal/now", "stage/now")}
    return {**found, "home": visitor.get("/console"), "lessons": visitor.get("/console/lessons")}


def assert_text(pages: dict[str, Result]) -> None:
    """Nothing of what was written became a part of a page."""
    for path, page in pages.items():
        assert_harmless(page)
        assert page.status_code == 200, path
        assert MARKED not in page.text and "<img src=x" not in page.text, path


@pytest.mark.parametrize("text", [HOSTILE, MARKED])
def test_what_a_merchant_and_a_shopper_write_is_text_everywhere(
    gateway: Gateway, anna: Visitor, text: str
) -> None:
    channel = {"name": text, "risk": ["risk-amount"]}
    asked = {"merchants": [{"name": text, "channels": [channel]}], "profile": "field"}
    made = gateway.control("POST", "/sandboxes", asked).json
    who, root = Credentials(made["token"], made["entity_id"]), f"/console/{made['id']}"
    sandbox = f"/sandboxes/{made['id']}"
    gateway.control("POST", f"{sandbox}/webhooks", {"url": "inbox"})
    taken: list[Any] = []
    for name in FIELDS:
        sent = {name: text, "merchantTransactionId": f"order {text}"[:40]}
        taken.append((name, gateway.post(who=who, createRegistration="true", **sent).json))
    gateway.control("POST", f"{sandbox}/drain", {})
    merchant = gateway.control("GET", f"{sandbox}/merchants").json["merchants"][0]
    tokens = f"{sandbox}/merchants/{merchant['id']}/tokens"
    gateway.control("POST", tokens, {"host": "test", "alias": text})

    assert_text(every_page(anna, root))

    accepted = [name for name, answer in taken if "registrationId" in answer]
    assert len(accepted) >= len(FIELDS) - 3, accepted
    for _, answer in taken:
        exchange = anna.get(f"{root}/journal/{answer['ndc']}")
        assert_text({"exchange": exchange})
        if "id" in answer:
            assert_text({"payment": anna.get(f"{root}/payments/{answer['id']}")})
            event = re.search(
                r"/webhooks/events/([0-9a-f]+)", anna.get(f"{root}/payments/{answer['id']}").text
            )
            assert event is not None
            assert_text({"event": anna.get(f"{root}/webhooks/events/{event[1]}")})


def test_what_a_receiver_and_a_path_say_is_text(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    root = f"/console/{sandbox}"
    head = {"Authorization": f"Bearer {gateway.merchant.token}", "User-Agent": MARKED}
    gateway.client.simulate_get(f"/v1/payments/{MARKED}", headers=head)
    hooks = f"/sandboxes/{sandbox}/webhooks"
    endpoint = {"url": f"http://127.0.0.1:9/?q={HOSTILE}", "skip_activation": True}
    assert gateway.control("POST", hooks, endpoint).status_code in (201, 400)
    gateway.post()
    inbox = gateway.control("GET", f"/sandboxes/{sandbox}/inbox").json["url"]
    path = "/" + inbox.split("/", 3)[3]
    gateway.client.simulate_post(path, body=f'{{"x":"{HOSTILE}"}}', headers={"X-Event-Id": MARKED})

    pages = every_page(anna, root)

    assert_text(pages)
    assert "&lt;script&gt;" in pages["inbox"].text or "x" in pages["inbox"].text


def test_the_texts_of_a_story_are_text(gateway: Gateway, anna: Visitor, sandbox: str) -> None:
    root = f"/console/{sandbox}"
    anna.get(f"{root}/stage")
    anna.post(f"{root}/recording", {"deed": "begin"})
    anna.get(f"{root}/workbench")
    sent = {"operation": "create_payment", "deed": "send", "v:merchantMemo": HOSTILE,
            "more": f"{MARKED}=1", "about": MARKED}  # fmt: skip
    assert_text({"workbench": anna.post(f"{root}/workbench", sent)})
    kept = anna.post(f"{root}/recording/keep", {"title": f"{HOSTILE}{MARKED}"})
    assert kept.status_code == 303, kept.text
    pages = every_page(anna, root)
    assert_text(pages)
    assert "&lt;script&gt;" in pages["lessons"].text
    name = re.search("/console/lessons/([^/]+)/", pages["lessons"].text)
    assert name is not None
    begun = anna.post("/console/lessons", {"story": name[1]})
    stage = anna.get(begun.headers["Location"])
    assert_text({"stage": stage})
    assert "&lt;script&gt;" in stage.text


@pytest.mark.parametrize("word", ["command", "line"])
def test_what_is_typed_into_the_shell_is_text(anna: Visitor, sandbox: str, word: str) -> None:
    root = f"/console/{sandbox}"
    anna.get(f"{root}/shell")
    for line in (HOSTILE, f"script arm {MARKED}", f"journal show {HOSTILE}", f"'{MARKED}"):
        page = anna.post(f"{root}/shell", {"line": line})
        assert MARKED not in page.text and HOSTILE not in page.text


FORMS = sorted({each.path for each in ROWS if each.method == "POST"})
OTHER_FORMS = ["/console/sign-in", "/console/sign-out", "/console/join/x", "/console/back/x"]


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"a=" + b"x" * FORM_BYTES_MAX, {}, 413),
        (b"a=b", {"Content-Encoding": "gzip"}, 415),
    ],
    ids=["too long", "compressed"],
)
def test_a_form_that_is_not_read_is_refused_on_a_page(
    anna: Visitor, sandbox: str, body: bytes, headers: dict[str, str], status: int
) -> None:
    for path in [*FORMS, *OTHER_FORMS]:
        place = re.sub(r"{\w+}", "x", path.replace("{sandbox}", sandbox))
        page = anna.post_raw(place, body.decode(), **headers)
        assert page.status_code == status, path
        assert page.headers["Content-Type"].startswith("text/html"), path
        assert "Back to the console" in page.text
        assert page.headers["Content-Security-Policy"] == POLICY


def test_a_form_that_is_as_long_as_one_may_be_is_read(anna: Visitor, sandbox: str) -> None:
    path = f"/console/{sandbox}/inbox"
    anna.get(path)
    start = f"form_token={anna.form_token}&a="
    assert anna.post_raw(path, start + "x" * (FORM_BYTES_MAX - len(start))).status_code == 303


def test_a_sandbox_that_is_deleted_lets_go_of_what_is_held(gateway: Gateway, anna: Visitor) -> None:
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": "first-payment"}).headers["Location"]
    anna.get(stage)
    anna.post(f"{stage}/stops", {"acquirer": "1"})
    anna.post(f"{stage}/next")
    page = shown(anna, stage, lambda text: "Held: gateway → acquirer" in text)
    held, sandbox = page.split("/held/")[1].split('"')[0], stage.split("/")[2]

    assert gateway.control("DELETE", f"/sandboxes/{sandbox}").json["deleted"]

    go_on = anna.post(f"/console/{sandbox}/held/{held}", {"action": "release"})
    others = [anna.post(f"{stage}/{deed}") for deed in ("next", "back", "restart", "stops")]
    assert {each.status_code for each in (go_on, *others)} == {404}
    gevent.sleep(0.05)
    assert gateway.post().json["result"]["code"] == "000.100.110", "others are served"
    assert gateway.control("GET", f"/sandboxes/{sandbox}/held").status_code == 404


def test_a_first_link_is_of_no_use_to_a_page_that_guesses(gateway: Gateway) -> None:
    guesses = [Visitor(gateway).get(f"/console/invitations/{digit * 64}") for digit in "0f8"]
    assert {each.status_code for each in guesses} == {404}
    assert administrator_of(gateway).get("/console").status_code == 200


def resident_bytes(pid: int) -> int:
    """The memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


def test_readers_that_never_read_keep_no_payment_waiting(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server, ExitStack() as open_ones:
        facts = server.facts
        anna = ConsolePerson(Connection(facts["base_url"]))
        link = urlsplit(facts["console_url"]).path
        assert anna.send(link, {"name": "anna", "password": PASSWORD}).status == 303
        root = f"/console/{facts['sandbox_id']}"
        place = urlsplit(facts["base_url"])
        client = Client(facts["base_url"], token=facts["token"], entity_id=facts["entity_id"])
        sent = {**VISA, "paymentType": "DB", "amount": "92.00", "currency": "EUR"}
        for _ in range(50):
            client.post("v1/payments", sent)
        before = resident_bytes(server.process.pid)
        ask = (
            f"GET {root}/journal/now HTTP/1.1\r\nHost: {place.netloc}\r\n"
            f"Cookie: {anna._cookie}\r\n\r\n"
        ).encode()
        for _ in range(READERS):
            reader = open_ones.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect((place.hostname, place.port))
            # As many as fit: the answers to the later ones are never taken.
            reader.sendall(ask * 5)

        began = perf_counter()
        answer = client.post("v1/payments", sent)
        page = anna.open(f"{root}/payments")

        assert (answer.status, page.status) == (200, 200)
        assert perf_counter() - began < SECONDS_MAX
        assert resident_bytes(server.process.pid) - before < READERS * BYTES_EACH_MAX
        client.close()


def test_no_page_repeats_a_card_number_that_was_typed(
    gateway: Gateway, anna: Visitor, tmp_path: Path
) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    number, names = "5454545454545454", "q state type host page operation example payment below"
    repeated, seen = [], set()
    for row in ROWS:
        path = re.sub(r"\{\w+\}", number, row.path.replace("{sandbox}", sandbox))
        if path.endswith("/now") or row.view is find_anything:
            continue
        if row.method == "GET":
            page = anna.get(f"{path}?{urlencode(dict.fromkeys(names.split(), number))}")
        else:
            page = anna.post(path, dict.fromkeys(TYPED, number))
        seen.add(page.status_code)
        if number in page.text or number in str(page.headers):
            repeated.append((row.method, row.path))
    out = Visitor(gateway).get(f"/console/sign-in?next=/console%3Fq={number}")
    away = Visitor(gateway).get(f"/console?q={number}")

    assert repeated == []
    assert number not in out.text + str(away.headers)
    assert {200, 400, 404} <= seen < {200, 303, 400, 403, 404}
    assert number not in anna.get("/console/audit").text
    assert number not in (tmp_path / "data" / "audit.jsonl").read_text()
