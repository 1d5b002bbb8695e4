"""Attempts to deliver that are held at a breakpoint while their endpoint changes. Choice: D-719."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import gevent
import pytest

from simulator.domain.webhooks.envelopes import open_envelope
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.sinks import Sink, sink
from simulator.tests.kit.webhooks import WebhookSandbox

SECRET, OTHER = "0f" * 32, "1e" * 32
EMAIL = "jane@doe.example"
JANE = {"customer.givenName": "Jane", "customer.surname": "Doe", "customer.email": EMAIL}


class Holding(NamedTuple):
    """A sandbox whose attempts are held, and the path of its endpoint."""

    sandbox: WebhookSandbox
    path: str

    def ask(self, method: str, path: str, document: object = None) -> dict:
        """What the control API answers about the sandbox."""
        return self.sandbox.ask(method, path, document).json

    def held(self) -> str:
        """The id of the message that is held, once one is."""
        with gevent.Timeout(5):
            while not (found := self.ask("GET", "/held")["held"]):
                gevent.sleep(0.005)
        return found[0]["id"]

    def deliver(self, changing: Callable[["Holding"], object], **let: str) -> dict:
        """The delivery of an event whose endpoint changes while its attempt is held."""
        self.sandbox.pay(**JANE)
        held = self.held()
        changing(self)
        self.ask("POST", f"/held/{held}", {"action": "release", **let})
        self.ask("POST", "/drain", {"timeout": "5s"})
        return self.sandbox.notices()[0]["deliveries"][0]


@pytest.fixture
def server() -> Iterator[Sink]:
    with sink() as server:
        yield server


@pytest.fixture
def sandbox(gateway: Gateway, server: Sink) -> Holding:
    made = WebhookSandbox(gateway, with_endpoint=False)
    made.ask("PUT", "/breakpoints", {"parties": ["webhooks"]})
    endpoint = made.webhook(server.url, secret=SECRET, skip_activation=True)
    return Holding(made, f"/webhooks/{endpoint['id']}")


def patched(**fields: object) -> Callable[[Holding], object]:
    return lambda sandbox: sandbox.ask("PATCH", sandbox.path, fields)


def rotated(sandbox: Holding) -> None:
    sandbox.ask("POST", f"{sandbox.path}/rotate", {"secret": OTHER})
    sandbox.ask("POST", f"{sandbox.path}/rotate/finish", {})


def removed(sandbox: Holding) -> None:
    sandbox.ask("DELETE", sandbox.path)


def unchanged(sandbox: Holding) -> None:
    """Leave the endpoint as it is."""


def body_of(server: Sink, secret: str) -> str:
    (request,) = server.requests
    return str(open_envelope(request.headers, request.body, [secret]))


def test_the_event_has_the_fields_that_the_endpoint_gets_by_now(sandbox, server):
    assert sandbox.deliver(unchanged)["state"] == "delivered"
    assert EMAIL in body_of(server, SECRET)
    server.requests.clear()
    sandbox.deliver(patched(fields="NON_CUSTOMER_DATA"))
    assert EMAIL not in body_of(server, SECRET)


def test_the_event_goes_to_the_url_of_now(sandbox, server):
    with sink() as other:
        delivered = sandbox.deliver(patched(url=other.url, skip_activation=True))
    assert (delivered["state"], len(other.requests), server.requests) == ("delivered", 1, [])


def test_the_event_is_encrypted_with_the_secret_of_now(sandbox, server):
    sandbox.deliver(rotated)
    assert EMAIL in body_of(server, OTHER)


def test_the_attempt_fails_where_the_endpoint_is_not_active_any_more(sandbox, server):
    delivery = sandbox.deliver(patched(active=False))
    assert (delivery["state"], delivery["error"]) == ("waiting", "the endpoint is not active")
    assert server.requests == []


def test_nothing_is_sent_to_an_endpoint_that_was_removed(sandbox, server):
    delivery = sandbox.deliver(removed)
    assert (delivery["state"], delivery["error"]) == ("given up", "the endpoint was removed")
    assert server.requests == []


def test_the_fault_that_was_chosen_is_kept(sandbox, server):
    with sink() as other:
        twice = {"action": "answer", "answer": "webhook-twice"}
        sandbox.deliver(patched(url=other.url, skip_activation=True), **twice)
        assert (len(other.requests), server.requests) == (2, [])


def test_a_fault_that_was_chosen_moves_no_event_to_an_endpoint_that_is_gone(sandbox, server):
    delivery = sandbox.deliver(removed, action="answer", answer="webhook-twice")
    assert (delivery["state"], server.requests) == ("given up", [])
