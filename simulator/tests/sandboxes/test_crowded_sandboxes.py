"""A sandbox with much under way: one more request is refused, and others are served meanwhile."""

from collections.abc import Callable

import gevent
import pytest
from falcon.testing import Result

from simulator.adapters.http.limits import CONNECTIONS_MAX
from simulator.adapters.sandboxes import in_flight
from simulator.tests.kit.gateway import Credentials, Gateway

MOST = 2
CLOCK = {"clock": {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}}


class CrowdedSandbox:
    """A sandbox whose clock stands, and a way to ask for what waits."""

    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        self.made = gateway.control("POST", "/sandboxes", CLOCK).json
        self.merchant = Credentials(self.made["token"], self.made["entity_id"])

    def control(self, method: str, path: str, document: object = None) -> Result:
        """A call about this sandbox."""
        return self.gateway.control(method, f"/sandboxes/{self.made['id']}{path}", document)

    def pay(self) -> Result:
        """A payment."""
        return self.gateway.post(who=self.merchant)

    def wait(self) -> Result:
        """A wait for a message that does not come."""
        return self.control("GET", "/inbox?count=1&wait=60s")


WAITS: dict[str, Callable[[CrowdedSandbox], Result]] = {
    "inbox": CrowdedSandbox.wait,
    "journal": lambda sandbox: sandbox.control("GET", "/journal?follow=60s"),
    "drain": lambda sandbox: sandbox.control("POST", "/drain", {"timeout": "60s"}),
}


@pytest.fixture
def sandbox(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> CrowdedSandbox:
    """A sandbox with room for few requests."""
    monkeypatch.setattr(in_flight, "IN_FLIGHT_MAX", MOST)
    monkeypatch.setattr(in_flight, "WAITING_MAX", MOST)
    return CrowdedSandbox(gateway)


def is_served(gateway: Gateway) -> bool:
    """Whether another sandbox is."""
    listed = gateway.control("GET", "/sandboxes").status_code
    return (gateway.post().status_code, listed) == (200, 200)


@pytest.mark.parametrize("kind", WAITS)
def test_a_wait_too_many_is_refused_at_once(sandbox: CrowdedSandbox, kind: str) -> None:
    waiting = [gevent.spawn(sandbox.wait) for _ in range(MOST)]
    gevent.sleep(0.01)
    with gevent.Timeout(5):
        refused = WAITS[kind](sandbox)
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
        assert f"at most {MOST} requests that wait" in refused.text
        assert is_served(sandbox.gateway)
        assert sandbox.control("GET", "/inbox").status_code == 200
        gevent.killall(waiting)
        assert sandbox.control("GET", "/inbox?count=1&wait=0.01s").status_code == 200


def test_a_payment_too_many_is_refused_before_anything_is_done(sandbox: CrowdedSandbox) -> None:
    sandbox.control("POST", "/scripts", {"behaviour": "slow"})
    slow = [gevent.spawn(sandbox.pay) for _ in range(MOST)]
    gevent.sleep(0.01)
    with gevent.Timeout(5):
        refused = sandbox.pay()
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
        assert f"at most {MOST} requests under way" in refused.text
        assert is_served(sandbox.gateway)
        assert sandbox.gateway.read("8" + "0" * 31, sandbox.merchant).status_code != 503
        sandbox.control("POST", "/clock/advance", {"by": "1h"})
        assert [each.get().status_code for each in slow] == [200, 200]
        [script] = sandbox.control("GET", "/scripts").json["scripts"]
        assert script["matched"] == MOST


def test_half_the_connections_are_left_to_other_sandboxes() -> None:
    assert in_flight.IN_FLIGHT_MAX + in_flight.WAITING_MAX < 0.6 * CONNECTIONS_MAX
