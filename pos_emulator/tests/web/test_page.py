"""The page over HTTP: a trainer's payments, and what is refused at each of its addresses."""

import json
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from pos_emulator.card.profiles import card_file
from pos_emulator.tests.web.conftest import PageClient

JSON = {"Content-Type": "application/json"}
PAPERS = {"svg": b"<svg", "pdf": b"%PDF-", "txt": b" ", "escpos": b"\x1b@"}
SVG = "{http://www.w3.org/2000/svg}"


def test_a_dip_is_approved_and_everything_about_it_can_be_read(page: PageClient) -> None:
    entry = page.dip("60.00")

    assert (entry["ending"], entry["amount"]) == ("approved", "EUR 60.00")
    assert entry["result_code"].startswith("000.")
    steps = [each["text"] for each in page.seen if each["command"]]
    assert any("GENERATE AC" in text for text in steps)
    assert any("9F27" in line for each in page.seen for line in each["objects"])
    assert [each["copy"] for each in page.papers[-2:]] == ["MERCHANT COPY", "CARDHOLDER COPY"]
    for form, start in PAPERS.items():
        status, made = page.get(f"/papers/{page.papers[-1]['number']}.{form}")
        assert status == 200 and made.startswith(start), form
    status, drawn = page.get(f"/receipts/{entry['name']}/exchanges.svg")
    diagram = ElementTree.fromstring(drawn)
    said = [each for each in page.seen if each["command"] and each["entry"] == entry["name"]]
    assert status == 200 and len(said) > 5 and arrows_in(drawn) == 2 * len(said)
    words = " ".join(each.text or "" for each in diagram.iter(f"{SVG}text"))
    assert all(each["step"] in words for each in said) and "9F27" in words
    status, trace = page.get(f"/payments/{entry['payment']}/trace")
    assert status == 200 and len(json.loads(trace)["messages"]) >= 4


def arrows_in(drawn: bytes) -> int:
    """How many arrows a diagram has."""
    paths = ElementTree.fromstring(drawn).iter(f"{SVG}path")
    return sum(each.get("d", "").endswith("v9z") for each in paths)


def test_a_receipt_shows_nothing_of_an_earlier_batch(page: PageClient) -> None:
    page.do("close-batch")
    first = page.dip("60.00")
    page.do("close-batch")
    before = len(page.seen)
    second = page.dip("61.00")

    assert int(second["receipt"]) == int(first["receipt"]) + 1
    events = {each["entry"]: [one for one in page.seen if one["entry"] == each["entry"]]
              for each in page.seen}  # fmt: skip
    assert all(each in page.seen[before:] for each in events[second["name"]])
    assert not any(each in page.seen[before:] for each in events[first["name"]])
    for name in (first["name"], second["name"]):
        _, drawn = page.get(f"/receipts/{name}/exchanges.svg")
        said = [each for each in events[name] if each["command"]]
        assert said and arrows_in(drawn) == 2 * len(said)


def test_a_tap_over_the_limit_asks_for_the_pin(page: PageClient) -> None:
    page.do("order", operation="sale", amount="60.00")
    assert "tap" in page.until_asked("card")["readers"]
    page.do("card", card="gold", reader="tap")
    page.until_asked("pin")
    page.do("pin", pin="1234")

    assert page.until_done()["ending"] == "approved"


def test_the_third_wrong_pin_ends_it(page: PageClient) -> None:
    page.do("order", operation="sale", amount="61.00")
    page.until_asked("card")
    page.do("card", card="online-only", reader="chip")
    left = []
    for _ in range(3):
        left.append(page.until_asked("pin")["tries_left"])
        page.do("pin", pin="9999")

    entry = page.until_done()

    assert left == [None, 2, 1]
    assert entry["ending"] != "approved" and entry["tries_left"] == 0


def test_a_void_by_receipt_number_needs_no_card(page: PageClient) -> None:
    paid = page.dip("62.00")
    page.do("order", operation="void", receipt=paid["receipt"].lstrip("0"))

    entry = page.until_done()

    assert (entry["operation"], entry["ending"]) == ("void", "approved")


def test_a_void_of_a_part_is_refused_in_words(page: PageClient) -> None:
    paid = page.dip("62.00")
    page.do("order", operation="void", receipt=paid["receipt"], amount="5.00")

    page.until_done()

    assert "expected none, as a void is of the whole" in page.state["message"]


def test_the_red_key_and_the_till_end_a_payment(page: PageClient) -> None:
    page.do("order", operation="sale", amount="5.00")
    page.until_asked("card")
    page.do("red-key")
    assert page.until_done()["ending"] == "canceled by the cardholder"

    page.do("order", operation="sale", amount="5.00")
    page.until_asked("card")
    assert page.act("order", operation="sale", amount="1.00")[0] == 409
    page.do("abort")
    assert page.until_done()["ending"] == "aborted by the till"


def test_a_card_pulled_after_the_approval_is_reversed(page: PageClient) -> None:
    page.do("fault", fault="pulled-ac2")
    entry = page.dip("63.00")

    assert (entry["ending"], entry["stage"]) == ("the card was removed", "reversed")
    assert page.state["inserted"] == ""


LATER = {"order": {"operation": "sale", "amount": "abc"}, "totals": {}}


def test_the_till_says_nothing_of_an_order_before_the_last_one(page: PageClient) -> None:
    page.dip("64.00")
    for later, status in (("order", 400), ("totals", 200)):
        page.do("order", operation="sale", amount="1.234")
        page.until_done()
        assert page.counter.till.message.startswith("Not carried out: amount")

        assert page.act(later, **LATER[later])[0] == status

        assert page.look()["message"] == ""


def test_without_a_network_a_card_may_approve_and_the_payment_is_uploaded(page: PageClient) -> None:
    page.do("network", up=False)
    page.do("order", operation="sale", amount="9.00")
    page.until_asked("card")
    page.do("card", card="offline", reader="chip")
    entry = page.until_done()
    assert (entry["ending"], entry["is_offline"]) == ("approved", True)
    assert page.state["waiting"] == 1

    assert page.do("work") == {"remain": 1}
    said = page.counter.till.message
    page.do("network", up=True)

    assert page.do("work") == {"remain": 0}
    assert said == "Tried again: 1 still open: the network is unplugged."
    assert page.counter.till.message == "Tried again: nothing is open any more."


def test_the_batch_is_counted_and_closed(page: PageClient) -> None:
    page.dip("65.00")
    so_far = page.do("totals")
    assert not so_far["is_closed"] and so_far["currencies"][0]["currency"] == "EUR"

    closed = page.do("close-batch")

    assert closed["is_closed"] and closed["differences"] == []
    assert page.counter.terminal.entries() == ()


def test_no_number_no_pin_and_no_token_stands_in_what_the_page_shows(page: PageClient) -> None:
    page.dip("64.00", pin="1234")
    everything = json.dumps([page.seen, page.papers, page.state])

    for profile in card_file().cards.values():
        assert profile.number not in everything
    assert page.token not in everything and page.counter.place.token not in everything
    assert '"1234"' not in everything
    kept = b"".join(each.read_bytes() for each in _files(page.counter.folder))
    assert card_file().cards["gold"].number.encode() not in kept


def _files(folder: Path) -> list[Path]:
    return [each for each in folder.rglob("*") if each.is_file()]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/static/../cli.py", 404),
        ("GET", "/static/page.css", 200),
        ("GET", "/papers/999999.svg", 404),
        ("GET", "/papers/9999999.svg", 404),
        ("GET", "/papers/1.exe", 404),
        ("GET", "/papers/999999.pdf", 404),
        ("GET", "/receipts/0001-999999/exchanges.svg", 404),
        ("GET", "/receipts/1/exchanges.svg", 404),
        ("GET", f"/payments/{'0' * 32}/trace", 404),
        ("GET", "/payments/../trace", 404),
        ("GET", "/do/pin", 404),
        ("POST", "/", 404),
        ("POST", "/do/", 404),
        ("POST", "/do/everything", 404),
        ("DELETE", "/do/pin", 404),
        ("PUT", "/state", 404),
    ],
)
def test_what_the_page_does_not_have(page: PageClient, method: str, path: str, status: int) -> None:
    assert page.ask(method, path)[0] == status


@pytest.mark.parametrize(
    "query", ["version=x&notice=-1", "version=%FF", "a&" * 50, "version=" + "9" * 400]
)
def test_a_state_that_is_asked_for_wrongly_is_the_present_one(page: PageClient, query: str) -> None:
    status, body = page.get(f"/state?{query}")

    assert status == 200 and json.loads(body)["version"] > 0


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({}, b"{}", 403),
        (JSON, b"{}", 403),
        ({**JSON, "X-Terminal-Page": "guess"}, b"{}", 403),
        ({**JSON, "Origin": "http://evil.example"}, b"{}", 403),
        ({**JSON, "Host": "evil.example"}, b"{}", 421),
        (JSON, b"x" * 5000, 413),
    ],
)
def test_another_page_presses_no_key(
    page: PageClient, headers: dict, body: bytes, status: int
) -> None:
    assert page.ask("POST", "/do/red-key", body, **headers)[0] == status
    with_token = {"X-Terminal-Page": page.token, **headers}
    if "Origin" in headers:
        assert page.ask("POST", "/do/red-key", body, **with_token)[0] == 403


@pytest.mark.parametrize(
    ("action", "body", "status"),
    [
        ("pin", {"pin": "1234"}, 409),
        ("pin", {"pin": "12ab"}, 400),
        ("pin", {"pins": "1234"}, 400),
        ("card", {"card": "gold", "reader": "chip"}, 409),
        ("card", {"card": "gold"}, 400),
        ("choice", {"place": 0}, 409),
        ("choice", {"place": -1}, 400),
        ("signature", {"accepted": "yes"}, 400),
        ("red-key", {}, 409),
        ("pull", {"now": True}, 400),
        ("fault", {"fault": "fire"}, 400),
        ("network", {"up": 1}, 400),
        ("position", {"position": "52.5,13.4"}, 400),
        ("position", {"position": 1}, 400),
        ("position", {}, 400),
        ("order", {"operation": "gift"}, 400),
        ("order", {"operation": "sale", "amount": "minus one"}, 400),
        ("typed-card", {"number": "4242", "expiry": "3112"}, 409),
    ],
)
def test_what_cannot_be_done_now_is_refused_with_a_reason(
    page: PageClient, action: str, body: dict, status: int
) -> None:
    refused = page.act(action, **body)

    assert refused[0] == status
    assert len(refused[1]["problem"]) > 10 and "1234" not in refused[1]["problem"]


def test_the_page_has_a_strict_policy_and_no_script_in_it(page: PageClient) -> None:
    link = HTTPConnection(urlsplit(page.url).netloc, timeout=10)
    link.request("GET", "/")
    answer = link.getresponse()
    text = answer.read().decode()
    link.close()

    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert "<style" not in text and " style=" not in text and "onclick" not in text
    assert text.count("<script") == text.count('<script type="module" src=') == 1
