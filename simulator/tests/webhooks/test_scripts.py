"""What scripts do to notifications, and the inbox of a sandbox where that can be watched."""

import gevent
import pytest

from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.webhooks import Told

CREATED = "PAYMENT CREATED"


@pytest.fixture
def told(gateway: Gateway) -> Told:
    return Told(gateway)


def test_the_inbox_waits_for_what_is_on_its_way(gateway: Gateway) -> None:
    told = Told(gateway)
    waiting = gevent.spawn(told.ask, "GET", "/inbox?count=2&wait=5s")
    gevent.sleep(0.02)
    told.pay()
    gevent.sleep(0.02)
    assert not waiting.dead
    told.pay()
    assert waiting.get(timeout=2).json["count"] == 2


def test_the_inbox_gives_up_waiting(told: Told) -> None:
    assert told.ask("GET", "/inbox?count=1&wait=0.05s").json == {
        **told.ask("GET", "/inbox").json, "count": 0, "arrived": [],
    }  # fmt: skip


def test_the_inbox_takes_what_anybody_posts_who_knows_its_address(told: Told) -> None:
    path = told.ask("GET", "/inbox").json["url"].partition("/_sandbox")[2]
    path = f"/_sandbox{path}"
    taken = told.gateway.client.simulate_post(path, body=b'{"type":"PAYMENT","payload":{}}')
    unread = told.gateway.client.simulate_post(path, body=b"\xff", headers={"X-Test": "1"})
    assert (taken.status_code, unread.status_code) == (200, 400)
    first, second = told.inbox(2)
    assert (first["type"], first["error"]) == ("PAYMENT", "")
    assert second["error"]
    assert second["headers"]["X-Test"] == "1"
    wrong = told.gateway.client.simulate_post(path[:-1] + "x", body=b"{}")
    assert wrong.status_code == 404
    assert told.ask("DELETE", "/inbox").json == {"deleted": 2}
    assert told.inbox() == []


# fmt: off
MISBEHAVIOURS = (
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


@pytest.mark.parametrize(("behaviour", "span", "arrived"), MISBEHAVIOURS)
def test_a_shipped_behaviour_does_what_it_says_to_notifications(
    told: Told, behaviour: str, span: str, arrived: list[tuple[str, bool]]
) -> None:
    script = told.arm(behaviour, times=1)
    payment = told.pay()
    assert payment["result"]["code"] == "000.100.110"
    told.ask("POST", "/drain", {})
    if span != "0s":
        told.advance(span)
    came = told.inbox()
    assert [(each["attempt"], not each["error"]) for each in came] == arrived
    assert len({each["event_id"] for each in came}) <= 1
    assert told.ask("GET", f"/scripts/{script['id']}").json["state"] == "used up"
    told.pay()
    assert told.events(len(arrived) + 1)[len(arrived) :][-1] == CREATED


def test_a_swapped_notice_follows_the_next_one(told: Told) -> None:
    told.arm("webhook-swapped", times=1)
    first, second = told.pay(), told.pay()
    told.events(2)
    assert [each["payload"]["id"] for each in told.inbox()] == [second["id"], first["id"]]


def test_a_late_notice_is_not_there_before_its_time(told: Told) -> None:
    told.arm("webhook-late")
    told.pay()
    told.advance("4m59s")
    assert told.inbox() == []
    told.advance("1s")
    assert told.events(1) == [CREATED]


def test_a_script_for_webhooks_matches_like_any_other(told: Told) -> None:
    told.arm("webhook-never", match={"amount": "10.00"})
    told.pay(amount="10.00")
    other = told.pay()
    told.ask("POST", "/drain", {})
    assert [each["payload"]["id"] for each in told.inbox()] == [other["id"]]
    (script,) = told.ask("GET", "/scripts").json["scripts"]
    assert (script["matched"], script["asked"]) == (1, 2)


def test_a_script_may_answer_a_payment_and_spoil_its_notifications(told: Told) -> None:
    steps = {"acquirer": {"decline": {"code": "800.100.151"}}, "webhooks": {"lose": {}}}
    told.arm({"steps": steps}, times=1)
    assert told.pay()["result"]["code"] == "800.100.151"
    assert told.pay()["result"]["code"] == "000.100.110"
    told.ask("POST", "/drain", {})
    assert [each["payload"]["result"]["code"] for each in told.inbox()] == ["000.100.110"]
