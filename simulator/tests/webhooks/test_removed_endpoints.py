"""Endpoints that are removed while events are on their way to them. Choice: D-360."""

import pytest

from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.sinks import Sink, sink, status, unused_port
from simulator.tests.kit.webhooks import WebhookSandbox

REMOVED = "the endpoint was removed"


@pytest.fixture
def sandbox(gateway: Gateway) -> WebhookSandbox:
    return WebhookSandbox(gateway, with_endpoint=False)


class Leaving:
    """A merchant that removes its endpoint while it handles the first event, then responds."""

    def __init__(self, sandbox: WebhookSandbox, code: int):
        self._sandbox = sandbox
        self._code = code
        self.endpoint = ""

    def answer(self, number: int) -> bytes:
        """Remove the endpoint; the response."""
        if number == 1:
            removed = self._sandbox.ask("DELETE", f"/webhooks/{self.endpoint}")
            assert removed.status_code == 200
        return status(self._code)

    def receive(self, count: int) -> Sink:
        """What arrives of so many payments."""
        with sink(self.answer) as server:
            made = self._sandbox.webhook(server.url, skip_activation=True)
            self.endpoint = made["id"]
            for _ in range(count):
                self._sandbox.pay()
            self._sandbox.ask("POST", "/drain", {"timeout": "5s"})
            self._sandbox.advance("1d")
        return server


def deliveries(sandbox: WebhookSandbox) -> list[tuple[str, int, str]]:
    """State, attempts and error of each delivery, oldest first."""
    found = [each["deliveries"][0] for each in reversed(sandbox.notices())]
    return [(each["state"], each["attempts"], each["error"]) for each in found]


@pytest.mark.parametrize(("code", "state"), [(200, "delivered"), (500, "given up")])
def test_the_result_of_an_attempt_under_way_is_stored(
    sandbox: WebhookSandbox, code: int, state: str
) -> None:
    server = Leaving(sandbox, code).receive(1)
    (notice,) = sandbox.notices()
    (delivery,) = notice["deliveries"]
    assert (delivery["state"], delivery["attempts"], delivery["status"]) == (state, 1, code)
    assert notice["id"] == server.requests[0].headers["x-event-id"]


def test_an_event_that_waits_behind_the_attempt_is_not_sent(sandbox: WebhookSandbox) -> None:
    server = Leaving(sandbox, 200).receive(3)
    assert len(server.requests) == 1
    first, *others = deliveries(sandbox)
    assert first[:2] == ("delivered", 1)
    assert others == [("given up", 0, REMOVED)] * 2


# What a delivery waits for, and the attempts before the removal.
WAITING = (("", 1), ("webhook-late", 0), ("webhook-swapped", 0))


@pytest.mark.parametrize(("behaviour", "attempts"), WAITING)
def test_a_delivery_that_waits_is_given_up(
    sandbox: WebhookSandbox, behaviour: str, attempts: int
) -> None:
    if behaviour:
        sandbox.arm(behaviour)
    made = sandbox.webhook(f"http://127.0.0.1:{unused_port()}/", skip_activation=True)
    sandbox.pay()
    sandbox.ask("POST", "/drain", {"timeout": "5s"})
    assert deliveries(sandbox)[0][:2] == ("waiting", attempts)
    assert sandbox.ask("DELETE", f"/webhooks/{made['id']}").json["deleted"]
    assert deliveries(sandbox) == [("given up", attempts, REMOVED)]
    sandbox.advance("30d")
    assert deliveries(sandbox) == [("given up", attempts, REMOVED)]


def test_a_delivery_shows_the_url_of_its_endpoint_as_long_as_there_is_one(
    sandbox: WebhookSandbox,
) -> None:
    with sink() as server:
        made = sandbox.webhook(server.url, skip_activation=True)
        sandbox.pay()
    for shown in (server.url, None):
        (delivery,) = sandbox.notices()[0]["deliveries"]
        assert (delivery["webhook"], delivery["url"]) == (made["id"], shown)
        sandbox.ask("DELETE", f"/webhooks/{made['id']}")


def test_an_event_sent_again_reaches_the_endpoints_that_are_left(sandbox: WebhookSandbox) -> None:
    with sink() as left, sink() as gone:
        sandbox.webhook(left.url, skip_activation=True)
        made = sandbox.webhook(gone.url, skip_activation=True)
        sandbox.pay()
        sandbox.ask("POST", "/drain", {"timeout": "5s"})
        sandbox.ask("DELETE", f"/webhooks/{made['id']}")
        (notice,) = sandbox.notices()
        assert {each["state"] for each in notice["deliveries"]} == {"delivered"}
        sandbox.ask("POST", f"/notices/{notice['id']}/resend", {})
        sandbox.ask("POST", "/drain", {"timeout": "5s"})
        sandbox.advance("1d")
        assert (len(left.requests), len(gone.requests)) == (2, 1)
    states = {each["state"]: each["error"] for each in sandbox.notices()[0]["deliveries"]}
    assert states == {"delivered": "", "given up": REMOVED}
