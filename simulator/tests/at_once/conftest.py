"""A sandbox on a store that lets others run at every call, as one behind a connection does."""

from collections.abc import Callable, Iterator
from pathlib import Path

import gevent
import pytest
from falcon.testing import Result

from simulator.tests.adapters.sandboxes.yielding import open_yielding
from simulator.tests.kit.gateway import Credentials, Gateway

WAIT_S_MAX = 20


class Box:
    """A sandbox whose clock stands, its merchant, and the calls that change it."""

    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        clock = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}
        made = gateway.control("POST", "/sandboxes", {"clock": clock}).json
        self.id = made["id"]
        self.who = Credentials(made["token"], made["entity_id"])
        (self.merchant,) = made["entities"]["merchants"]
        self.ports = gateway.ports(self.id)

    def control(self, method: str, path: str, document: object = None) -> Result:
        """A call of the control API, below the sandbox."""
        return self.gateway.control(method, f"/sandboxes/{self.id}{path}", document)

    def made(self, path: str, document: object) -> str:
        """The id of what such a call made."""
        answer = self.control("POST", path, document)
        assert answer.status_code < 300, answer.text
        return answer.json["id"]

    def pay(self, **more: str) -> dict:
        """The answer to a payment."""
        return self.gateway.post(who=self.who, **more).json

    def send(self, path: str, **sent: str) -> Result:
        """A request of the merchant with the entity and these parameters."""
        return self.gateway.send(path, {"entityId": self.who.entity_id, **sent}, self.who)


def at_once(*calls: Callable[[], Result]) -> list[Result]:
    """What is answered to calls that are made at once."""
    asked = [gevent.spawn(call) for call in calls]
    return [each.get(timeout=WAIT_S_MAX) for each in asked]


def statuses(answers: list[Result]) -> list[int]:
    """Their statuses, the lowest first."""
    return sorted(each.status_code for each in answers)


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path / "data", open_engine=open_yielding)
    yield made
    made.close()


@pytest.fixture
def box(gateway: Gateway) -> Box:
    return Box(gateway)
