"""What the pages offer: no button that can only be refused, and a word on what each one did."""

import re
import socket

import pytest

from simulator.tests.console.test_hosts import choose
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

OFFERED = re.compile(r'name="type" value="(\w+)"')
PAID = re.compile(r"/payments/([0-9a-f]{32})$")


@pytest.fixture
def root(sandbox: str) -> str:
    """Where the pages of the sandbox are."""
    return f"/console/{sandbox}"


def offered_on(visitor: Visitor, path: str) -> list[str]:
    """The types of the buttons on the page of a payment."""
    return OFFERED.findall(visitor.get(path).text)


@pytest.mark.parametrize("name", ["pay", "decline"])
def test_a_first_payment_is_at_the_host_that_is_chosen(
    gateway: Gateway, anna: Visitor, root: str, name: str
) -> None:
    choose(anna, "live")
    assert f'action="{root}/start"' not in anna.get(f"{root}/start").text
    assert anna.post(f"{root}/start", {"name": name}).status_code == 403

    choose(anna, "live", changes="1")
    assert f'action="{root}/start"' in anna.get(f"{root}/start").text
    answer = anna.post(f"{root}/start", {"name": name})
    paid = PAID.search(answer.headers["Location"])
    assert paid and gateway.read(paid[1], gateway.live).json["id"] == paid[1]

    choose(anna, "test")
    answer = anna.post(f"{root}/start", {"name": name})
    paid = PAID.search(answer.headers["Location"])
    assert paid and gateway.read(paid[1]).json["id"] == paid[1]


@pytest.mark.parametrize("host", ["test", "live"])
def test_a_first_payment_without_an_active_token_leads_to_the_tokens(
    gateway: Gateway, anna: Visitor, sandbox: str, root: str, host: str
) -> None:
    choose(anna, host, changes="1")
    merchants = f"/sandboxes/{sandbox}/merchants"
    merchant = gateway.control("GET", merchants).json["merchants"][0]["id"]
    tokens = f"{merchants}/{merchant}/tokens"
    for each in gateway.control("GET", tokens).json["tokens"]:
        if each["host"] == host:
            gateway.control("POST", f"{tokens}/{each['id']}/suspend", {})

    answer = anna.post(f"{root}/start", {"name": "pay"})

    assert answer.status_code == 403
    assert "No access token is active" in answer.text
    assert f'href="{root}/tokens"' in answer.text and f'href="{root}/start"' in answer.text


def test_a_first_payment_that_is_not_answered_leads_to_the_journal(
    gateway: Gateway, anna: Visitor, sandbox: str, root: str
) -> None:
    armed = gateway.control(
        "POST", f"/sandboxes/{sandbox}/scripts", {"behaviour": "connection-reset-before"}
    )
    assert armed.status_code == 201
    anna.get(f"{root}/start")

    answer = anna.post(f"{root}/start", {"name": "pay"})

    assert (answer.status_code, answer.headers["Location"]) == (303, f"{root}/journal")


def test_what_is_captured_whole_is_neither_captured_nor_reversed(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    paid = gateway.post(paymentType="PA").json["id"]
    path = f"{root}/payments/{paid}"
    assert offered_on(anna, path) == ["CP", "RV"]
    anna.act(path, {"type": "CP", "amount": "30.00"})
    assert offered_on(anna, path) == ["CP"] and 'value="62.00"' in anna.get(path).text
    anna.act(path, {"type": "CP", "amount": "62.00"})
    assert offered_on(anna, path) == []


def test_what_is_refunded_whole_or_reversed_offers_nothing(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    refunded = gateway.post().json["id"]
    reversed_ = gateway.post(paymentType="PA").json["id"]
    path = f"{root}/payments/{refunded}"
    assert offered_on(anna, path) == ["RF"]
    anna.act(path, {"type": "RF", "amount": "92.00"})
    assert offered_on(anna, path) == []
    anna.act(f"{root}/payments/{reversed_}", {"type": "RV"})
    assert offered_on(anna, f"{root}/payments/{reversed_}") == []


def test_nothing_is_offered_of_a_payment_that_is_pending(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    url = "https://shop.example/"
    paid = gateway.post(paymentBrand="GIROPAY", shopperResultUrl=url).json["id"]
    path = f"{root}/payments/{paid}"
    assert ">pending<" in anna.get(path).text and offered_on(anna, path) == []


def test_a_call_of_an_endpoint_says_how_it_ended(
    gateway: Gateway, anna: Visitor, root: str, sandbox: str
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/hook"
        made = gateway.control(
            "POST", f"/sandboxes/{sandbox}/webhooks", {"url": url, "skip_activation": True}
        ).json
        anna.get(f"{root}/webhooks")
        answer = anna.post(f"{root}/webhooks/endpoints/{made['id']}/activate", {})
    assert answer.status_code == 200
    assert "connection refused" in answer.text and 'role="status"' in answer.text
