"""No page of the console shows a card number in clear, wherever others wrote one; and none takes
long for what they wrote.
"""

import json
import re
from html import unescape
from threading import get_ident
from time import perf_counter
from urllib.parse import quote, quote_plus

import pytest
from falcon.testing import Result

from simulator.service.console.shell import COMMANDS
from simulator.tests.console.test_bad_input import PAGES
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway
from simulator.web.console import views

# Passes the check of its last digit, and is on no list.
OWN_CARD = "4539578763621486"
SPELLED = (OWN_CARD, "4539 5787 6362 1486", "4539-5787-6362-1486")
SECONDS_MAX = 3.0
SECRET = "Zm9vYmFyU2VjcmV0"


def pages_of(anna: Visitor, gateway: Gateway, root: str, made: list[Result]) -> dict[str, str]:
    """What every page of a sandbox shows, and those of these payments and their events."""
    places = [*PAGES, "journal/now", "stage/now", "stage/parties"]
    for answer in made:
        places += [f"journal/{answer.json['ndc']}", f"payments/{answer.json['id']}"]
        places.append(f"payments/{answer.json['id']}/trace.svg")
    found = {place: anna.get(f"{root}/{place}") for place in places}
    texts = " ".join(page.text for page in found.values())
    events = set(re.findall("events/[0-9a-f]{32}", texts))
    assert len(events) >= len(made)
    found |= {each: anna.get(f"{root}/webhooks/{each}") for each in events}
    anna.get(f"{root}/shell")
    for line in (each.words for each in COMMANDS if each.method == "GET" and not each.takes):
        found[line] = anna.post(f"{root}/shell", {"line": line})
    assert {
        place: page.status_code for place, page in found.items() if page.status_code != 200
    } == {}
    return {place: page.text for place, page in found.items()}


def post_to_inbox(gateway: Gateway, sandbox: str, body: str, event: str = "") -> int:
    url = gateway.control("GET", f"/sandboxes/{sandbox}/inbox").json["url"]
    headers = {"X-Event-Id": event} if event else {}
    sent = gateway.client.simulate_post("/" + url.split("/", 3)[3], body=body, headers=headers)
    return int(sent.status_code)


@pytest.mark.parametrize("text", SPELLED)
def test_a_card_number_is_masked_on_every_page(
    gateway: Gateway, anna: Visitor, sandbox: str, text: str
) -> None:
    gateway.control("POST", f"/sandboxes/{sandbox}/webhooks", {"url": "inbox"})
    made = [gateway.post(descriptor=text), gateway.post(merchantTransactionId=text)]
    approve = {"details": {"Note": text, f"N {text}": "x"}}
    script = {"behaviour": {"steps": {"acquirer": {"approve": approve}}}, "times": 1}
    assert gateway.control("POST", f"/sandboxes/{sandbox}/scripts", script).status_code == 400
    gateway.control("POST", f"/sandboxes/{sandbox}/drain", {})
    event = {"type": f"A {text}", "action": text, "payload": {"a": [text]}}
    for body in (f"is {text}", json.dumps(event)):
        post_to_inbox(gateway, sandbox, body, text)
    if text.isdigit():
        post_to_inbox(gateway, sandbox, f'{{"type": "A", "payload": {{"a": {text}}}}}')

    pages = pages_of(anna, gateway, f"/console/{sandbox}", made)

    assert {place: text for place, shown in pages.items() if text in shown} == {}
    first, last = text[:4], text[-4:]
    assert re.search(rf"{first}[^<]{{0,12}}\*+[^<]{{0,12}}{last}", pages["inbox"])


@pytest.mark.parametrize("text", SPELLED)
@pytest.mark.parametrize("field", ["search?q", "payments?reference", "journal?path"])
def test_no_answer_repeats_a_card_number_that_is_sought(
    gateway: Gateway, anna: Visitor, sandbox: str, field: str, text: str
) -> None:
    paid = gateway.post(merchantTransactionId=text).json["id"]

    answer = anna.get(f"/console/{sandbox}/{field}={quote(text)}")

    assert answer.status_code == 200
    for spelled in (text, quote(text), quote_plus(text)):
        assert spelled not in answer.text and spelled not in str(answer.headers)
    assert field.startswith("journal") or paid in answer.text, "it is found all the same"


@pytest.mark.parametrize("field", ["search?q", "payments?reference"])
def test_the_next_page_of_a_card_number_that_is_sought_goes_on_with_it(
    gateway: Gateway, anna: Visitor, sandbox: str, field: str
) -> None:
    paid = {gateway.post(merchantTransactionId=OWN_CARD).json["id"] for _ in range(26)}
    gateway.post(merchantTransactionId="another")

    first = anna.get(f"/console/{sandbox}/{field}={OWN_CARD}").text
    (older,) = re.findall(r'rel="next" href="([^"]+)"', first)
    second = anna.get(f"/console/{sandbox}/payments{unescape(older)}").text

    found = [set(re.findall("payments/([0-9a-f]{32})", page)) for page in (first, second)]
    assert found[0] | found[1] == paid and [len(each) for each in found] == [25, 1]
    assert OWN_CARD not in first + second
    (newer,) = re.findall(r'rel="prev" href="([^"]+)"', second)
    assert OWN_CARD not in newer
    assert 'rel="next"' in anna.get(f"/console/{sandbox}/payments{unescape(newer)}").text


def test_what_is_sent_from_the_workbench_is_shown_masked(anna: Visitor, sandbox: str) -> None:
    root = f"/console/{sandbox}/workbench"
    anna.get(root)
    fields = {"paymentType": "DB", "paymentBrand": "VISA", "amount": "1.00", "currency": "EUR",
              "card.number": "4200000000000000", "card.holder": "Jane Jones",
              "card.expiryMonth": "05", "card.expiryYear": "2034",
              "descriptor": OWN_CARD}  # fmt: skip
    sent = {f"v:{name}": value for name, value in fields.items()}
    page = anna.post(root, {"operation": "create_payment", "deed": "send", **sent}).text
    answer = page[page.index('id="answer"') :]
    assert "453957******1486" in answer and OWN_CARD not in answer


@pytest.mark.parametrize("name", ["token", "sig"])
def test_what_opens_a_receiver_is_on_no_page(
    gateway: Gateway, anna: Visitor, sandbox: str, name: str
) -> None:
    address = f"http://127.0.0.1:9/hooks?{name}={SECRET}"
    hook = {"url": address, "skip_activation": True}
    added = gateway.control("POST", f"/sandboxes/{sandbox}/webhooks", hook)
    assert added.status_code == 201, added.text
    paid = gateway.post(notificationUrl=address)

    pages = pages_of(anna, gateway, f"/console/{sandbox}", [paid])

    assert [place for place, shown in pages.items() if SECRET in shown] == []
    for place in ("webhooks", "webhooks endpoints"):
        assert "http://127.0.0.1:9/hooks?***" in pages[place]


# What takes a thousand times as long to look through as other texts.
SLOW = "1-" * 60_000


@pytest.mark.parametrize("place", ["inbox", "shell"])
def test_what_anyone_sends_to_an_inbox_is_shown_soon(
    gateway: Gateway, anna: Visitor, sandbox: str, place: str
) -> None:
    event = json.dumps({"type": SLOW, "action": SLOW[:100], "payload": {}})
    statuses = {post_to_inbox(gateway, sandbox, body) for body in [event, SLOW] * 25}
    assert statuses == {200, 400}
    root = f"/console/{sandbox}"
    anna.get(f"{root}/shell")

    began = perf_counter()
    shown = (
        anna.get(f"{root}/inbox")
        if place == "inbox"
        else anna.post(f"{root}/shell", {"line": "webhooks inbox"})
    )

    assert perf_counter() - began < SECONDS_MAX
    assert shown.status_code == 200 and len(shown.text) < 1_000_000


@pytest.mark.parametrize("odd", [None, 1, "x", [], [1], True, {"a": 1}])
@pytest.mark.parametrize("member", ["type", "action", "payload"])
def test_an_event_of_odd_members_is_shown(
    gateway: Gateway, anna: Visitor, sandbox: str, member: str, odd: object
) -> None:
    event = {"type": "A", "action": "B", "payload": {}, member: odd}
    post_to_inbox(gateway, sandbox, json.dumps(event))

    listed = gateway.control("GET", f"/sandboxes/{sandbox}/inbox")

    assert listed.status_code == 200 and listed.json["arrived"][0]["body"] == json.dumps(event)
    assert anna.get(f"/console/{sandbox}/inbox").status_code == 200


@pytest.mark.parametrize("place", ["", "/trace.svg"])
def test_a_trace_is_written_while_others_are_served(
    gateway: Gateway, anna: Visitor, sandbox: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_in: list[int] = []
    for name in ("trace_text", "trace_svg"):
        draw = getattr(views, name)
        monkeypatch.setattr(
            views, name, lambda trace, draw=draw: drawn_in.append(get_ident()) or draw(trace)
        )
    payment = gateway.post().json["id"]

    assert anna.get(f"/console/{sandbox}/payments/{payment}{place}").status_code == 200

    assert drawn_in and get_ident() not in drawn_in
