"""Requests to a fleet go to a member that is drawn, to the same path and with the same body."""

from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPException
from typing import Any

import pytest

from simulator.client import Client, Connection, Control
from simulator.client import spread as spread_module
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening
from simulator.client.spread import MemberSpread

Fleet = list[tuple[str, list[ReceivedRequest]]]


@pytest.fixture
def fleet() -> Iterator[Fleet]:
    """Three listeners: the address of each, and what it received."""
    with ExitStack() as stack:
        yield [member(stack) for _ in range(3)]


def member(stack: ExitStack) -> tuple[str, list[ReceivedRequest]]:
    received: list[ReceivedRequest] = []

    def respond(request: ReceivedRequest) -> ListenerResponse:
        received.append(request)
        return ListenerResponse(headers={"Content-Type": "application/json"}, body=b"{}")

    return stack.enter_context(listening(respond)), received


def spread_over(fleet: Fleet, seed: str = "a") -> MemberSpread:
    first, *others = (url for url, _ in fleet)
    return MemberSpread(first, others, seed=seed)


def test_each_request_of_a_client_goes_to_any_member_unchanged(fleet: Fleet) -> None:
    spread = spread_over(fleet)
    client = Client(fleet[0][0], "token", "8" * 32, around=spread.around)
    control = Control(f"{fleet[0][0]}_sandbox/v1/", "key", around=spread.around)
    for number in range(30):
        client.post("v1/payments", {"amount": f"{number}.00"})
        control.delete("8a")
    client.close()
    control.close()
    spread.close()
    for _, received in fleet:
        paid = [each for each in received if each.path == "/v1/payments"]
        deleted = [each for each in received if each.path == "/_sandbox/v1/sandboxes/8a"]
        assert len(paid) > 3 and len(deleted) > 3 and len(paid) + len(deleted) == len(received)
        assert {each.headers["authorization"] for each in paid} == {"Bearer token"}
    bodies = {each.body for _, received in fleet for each in received if each.method == "POST"}
    assert len(bodies) == 30


def test_a_member_is_asked_within_the_limits_of_the_connection(fleet: Fleet) -> None:
    spread = spread_over(fleet)
    narrow = Connection(fleet[0][0], around=spread.around, bytes_max=1)
    wide = Connection(fleet[0][0], around=spread.around)
    for _ in range(20):
        with pytest.raises(HTTPException, match="at most 1 bytes"):
            narrow.ask("GET", "page", headers={})
        assert wide.ask("GET", "page", headers={}).body == {}
    narrow.close()
    wide.close()
    spread.close()
    assert all(received for _, received in fleet)


def test_a_connection_to_a_member_is_made_once(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reads the certificates that are trusted."""
    made: list[str] = []

    def connected(address: str, **options: Any) -> Connection:
        made.append(address)
        return Connection(address, **options)

    monkeypatch.setattr(spread_module, "Connection", connected)
    spread = spread_over(fleet)
    client = Connection(fleet[0][0], around=spread.around)
    for _ in range(30):
        client.ask("GET", "page", headers={})
    client.close()
    spread.close()
    assert sorted(made) == sorted(url for url, _ in fleet[1:])


def test_what_is_sent_elsewhere_is_left_alone(fleet: Fleet) -> None:
    elsewhere, received = fleet[2]
    spread = spread_over(fleet[:2])
    connection = Connection(elsewhere, around=spread.around)
    for _ in range(5):
        connection.ask("GET", "page", headers={})
    connection.close()
    assert len(received) == 5 and not fleet[0][1] and not fleet[1][1]


def test_the_console_is_that_of_the_first_member(fleet: Fleet) -> None:
    spread = spread_over(fleet)
    browser = Connection(fleet[0][0], around=spread.around)
    for path in ("console", "console/8a/tokens") * 10:
        browser.ask("GET", path, headers={"Cookie": "a=1"})
    browser.close()
    spread.close()
    assert [len(received) for _, received in fleet[1:]] == [0] * len(fleet[1:])


def test_the_same_seed_draws_the_same_members(fleet: Fleet) -> None:
    def drawn(seed: str) -> list[str]:
        spread = spread_over(fleet, seed)
        return [spread.draw() for _ in range(20)]

    assert drawn("a") == drawn("a") != drawn("b")
    assert set(drawn("a")) == {url for url, _ in fleet}
