"""Delivery faults by script, seen in the inbox of a sandbox."""

import gevent
import pytest

from simulator.service.webhooks import events
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.webhooks import WebhookSandbox

CREATED = "PAYMENT CREATED"


@pytest.fixture
def sandbox(gateway: Gateway) -> WebhookSandbox:
    return WebhookSandbox(gateway)


def test_the_inbox_waits_for_messages(gateway: Gateway) -> None:
    sandbox = WebhookSandbox(gateway)
    waiting = gevent.spawn(sandbox.ask, "GET", "/inbox?count=2&wait=5s")
    gevent.sleep(0.02)
    sandbox.pay()
    gevent.sleep(0.02)
    assert not waiting.dead
    sandbox.pay()
    assert waiting.get(timeout=2).json["count"] == 2


def test_waiting_for_messages_has_a_time_limit(sandbox: WebhookSandbox) -> None:
    assert sandbox.ask("GET", "/inbox?count=1&wait=0.05s").json == {
        **sandbox.ask("GET", "/inbox").json, "count": 0, "arrived": [],
    }  # fmt: skip


def test_a_client_that_knows_the_url_of_the_inbox_may_post(sandbox: WebhookSandbox) -> None:
    path = sandbox.ask("GET", "/inbox").json["url"].partition("/_sandbox")[2]
    path = f"/_sandbox{path}"
    taken = sandbox.gateway.client.simulate_post(path, body=b'{"type":"PAYMENT","payload":{}}')
    unread = sandbox.gateway.client.simulate_post(path, body=b"\xff", headers={"X-Test": "1"})
    assert (taken.status_code, unread.status_code) == (200, 400)
    first, second = sandbox.inbox(2)
    assert (first["type"], first["error"]) == ("PAYMENT", "")
    assert second["error"]
    assert second["headers"]["X-Test"] == "1"
    wrong = sandbox.gateway.client.simulate_post(path[:-1] + "x", body=b"{}")
    assert wrong.status_code == 404
    assert sandbox.ask("DELETE", "/inbox").json == {"deleted": 2}
    assert sandbox.inbox() == []


# fmt: off
FAULTS = (
    # behaviour            then        what arrived: attempt and whether it could be read
    ("webhook-lost",       "1m",       [("2", True)]),
    ("webhook-never",      "1h",       []),
    ("webhook-late",       "5m",       [("1", True)]),
    ("webhook-twice",      "0s",       [("1", True), ("1", True)]),
    ("webhook-swapped",    "1m",       [("1", True)]),
    ("webhook-corrupt",    "1m",       [("1", False), ("2", True)]),
    ("webhook-wrong-key",  "1m",       [("1", False), ("2", True)]),
)
# fmt: on


@pytest.mark.parametrize(("behaviour", "span", "arrived"), FAULTS)
def test_a_shipped_behaviour_causes_its_delivery_fault(
    sandbox: WebhookSandbox, behaviour: str, span: str, arrived: list[tuple[str, bool]]
) -> None:
    script = sandbox.arm(behaviour, times=1)
    payment = sandbox.pay()
    assert payment["result"]["code"] == "000.100.110"
    sandbox.ask("POST", "/drain", {})
    if span != "0s":
        sandbox.advance(span)
    came = sandbox.inbox()
    assert [(each["attempt"], not each["error"]) for each in came] == arrived
    assert len({each["event_id"] for each in came}) <= 1
    assert sandbox.ask("GET", f"/scripts/{script['id']}").json["state"] == "used up"
    sandbox.pay()
    assert sandbox.events(len(arrived) + 1)[len(arrived) :][-1] == CREATED


def test_a_reordered_event_follows_the_next_one(sandbox: WebhookSandbox) -> None:
    sandbox.arm("webhook-swapped", times=1)
    first, second = sandbox.pay(), sandbox.pay()
    sandbox.events(2)
    assert [each["payload"]["id"] for each in sandbox.inbox()] == [second["id"], first["id"]]


def test_events_that_are_all_reordered_swap_places_two_by_two(sandbox: WebhookSandbox) -> None:
    sandbox.arm("webhook-swapped")
    paid = [sandbox.pay()["id"] for _ in range(5)]
    sandbox.events(4)
    came = [each["payload"]["id"] for each in sandbox.inbox()]
    assert came == [paid[1], paid[0], paid[3], paid[2]]
    sandbox.advance("1m")
    sandbox.events(5)
    assert sandbox.inbox()[-1]["payload"]["id"] == paid[4]


def test_events_that_are_reordered_and_delayed_swap_places_at_once(sandbox: WebhookSandbox) -> None:
    sandbox.arm({"steps": {"webhooks": {"reorder": {}, "delay": {"seconds": 300}}}})
    first, second = sandbox.pay()["id"], sandbox.pay()["id"]
    sandbox.events(2)
    assert [each["payload"]["id"] for each in sandbox.inbox()] == [second, first]


def test_of_many_that_are_held_some_at_a_time_follow(
    sandbox: WebhookSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "RELEASED_AT_ONCE_MAX", 2)
    for _ in range(2):
        sandbox.webhook()
    sandbox.arm("webhook-swapped", times=1)
    sandbox.pay()
    for count in (3 + 2, 3 + 3 + 3):
        sandbox.pay()
        assert len(sandbox.events(count)) == count


def test_a_delayed_event_is_not_sent_before_its_time(sandbox: WebhookSandbox) -> None:
    sandbox.arm("webhook-late")
    sandbox.pay()
    sandbox.advance("4m59s")
    assert sandbox.inbox() == []
    sandbox.advance("1s")
    assert sandbox.events(1) == [CREATED]


def test_a_script_for_webhooks_matches_like_any_other(sandbox: WebhookSandbox) -> None:
    sandbox.arm("webhook-never", match={"amount": "10.00"})
    sandbox.pay(amount="10.00")
    other = sandbox.pay()
    sandbox.ask("POST", "/drain", {})
    assert [each["payload"]["id"] for each in sandbox.inbox()] == [other["id"]]
    (script,) = sandbox.ask("GET", "/scripts").json["scripts"]
    assert (script["matched"], script["asked"]) == (1, 2)


def test_a_script_may_answer_a_payment_and_cause_delivery_faults(sandbox: WebhookSandbox) -> None:
    steps = {"acquirer": {"decline": {"code": "800.100.151"}}, "webhooks": {"lose": {}}}
    sandbox.arm({"steps": steps}, times=1)
    assert sandbox.pay()["result"]["code"] == "800.100.151"
    assert sandbox.pay()["result"]["code"] == "000.100.110"
    sandbox.ask("POST", "/drain", {})
    assert [each["payload"]["result"]["code"] for each in sandbox.inbox()] == ["000.100.110"]
