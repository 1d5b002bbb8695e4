"""A step of many long messages that is under way: those who look at it delay no others."""

from collections.abc import Sequence

import gevent
import pytest

from simulator.adapters.turns import ANSWERS
from simulator.tests.console.test_classes import LINK
from simulator.tests.console.test_stage import shown
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway
from simulator.tests.terminals.test_no_terminal import calls_of

REQUESTS = 120
# An entry of the journal with them is as long as one may be. It is refused: there is no amount.
LONG = {"paymentType": "DB", **{f"customParameters[LONG_{each}]": '"' * 180 for each in range(80)}}
# Of 1 MiB of quotes, each of which is written with five signs or more.
PAGE_LENGTH_MAX = 8 * 1024 * 1024
CUT = "/simulator/domain/masking/openings.py:cut_in_slices"


@pytest.fixture
def stage(gateway: Gateway, anna: Visitor) -> str:
    """The path of a stage whose first step is under way, with long messages."""
    anna.get("/console/lessons")
    begun = str(anna.post("/console/lessons", {"story": "first-payment"}).headers["Location"])
    anna.get(begun)
    anna.post(f"{begun}/stops", {"acquirer": "1"})
    anna.post(f"{begun}/next")
    shown(anna, begun, lambda page: "/held/" in page)
    send(gateway, begun, [LONG] * REQUESTS)
    return begun


def send(gateway: Gateway, stage: str, requests: Sequence[dict[str, str]]) -> None:
    """Send requests of the merchant of a lesson."""
    sandbox = stage.split("/")[2]
    merchant = gateway.ports(sandbox).sandbox.merchants[0]
    path = f"/sandboxes/{sandbox}/merchants/{merchant.id}/tokens"
    token = gateway.control("POST", path, {"host": "test"}).json["token"]
    who = Credentials(token, merchant.channels[0].id)
    for each in requests:
        sent = {"entityId": who.entity_id, **each}
        assert gateway.send("/v1/payments", sent, who).status_code == 400


@pytest.fixture
def eve(gateway: Gateway, anna: Visitor, stage: str) -> Visitor:
    """A spectator of that stage."""
    anna.get("/console/classes")
    sent = {"seed": "7", "stage": stage.split("/")[2]}
    found = LINK.search(anna.post("/console/classes", sent).text)
    assert found is not None
    visitor = Visitor(gateway)
    assert visitor.post(found[0], {"name": "Eve", "as": "spectator"}).status_code == 303
    return visitor


def test_a_step_under_way_shows_its_newest_messages_that_there_is_room_for(
    gateway: Gateway, anna: Visitor, stage: str
) -> None:
    send(gateway, stage, [{**LONG, "merchantTransactionId": "the-newest"}])

    page = anna.get(f"{stage}/now").text

    assert "the-newest" in page
    assert 1 < page.count("<pre") < REQUESTS
    assert len(page) < PAGE_LENGTH_MAX


@pytest.mark.parametrize("path", ["", "/now"])
def test_what_opens_something_is_cut_once_for_all_who_look(
    eve: Visitor, stage: str, path: str
) -> None:
    first = calls_of(lambda: eve.get(f"{stage}{path}"))
    again = calls_of(lambda: eve.get(f"{stage}/now"))

    assert first[CUT] > 0
    assert again[CUT] == (0 if path == "/now" else first[CUT])


def test_no_page_is_made_for_a_browser_that_has_left(anna: Visitor, stage: str) -> None:
    anna.has_left = lambda: True

    journal = stage.replace("/stage", "/journal")

    assert anna.get(journal).status_code == 503


def test_a_trace_is_made_in_turns_of_its_sandbox_and_for_no_client_that_has_left(
    gateway: Gateway, sandbox: str
) -> None:
    path = f"/sandboxes/{sandbox}/payments/{gateway.post().json['id']}/trace.json"
    with ANSWERS.taken(sandbox):
        waiting = gevent.spawn(gateway.control, "GET", path)
        assert gateway.post().status_code == 200
        assert not waiting.ready()
    assert waiting.get(timeout=5).status_code == 200

    left = gateway.client.simulate_get(
        f"/_sandbox/v1{path}",
        headers={"Authorization": f"Bearer {CONTROL_KEY}"},
        extras={"sandgate.has_left": lambda: True},
    )

    assert left.status_code == 503


def test_one_page_of_a_person_is_made_at_a_time(anna: Visitor, eve: Visitor, stage: str) -> None:
    with ANSWERS.taken("anna"):
        waiting = gevent.spawn(anna.get, stage)
        assert eve.get(stage).status_code == 200
        assert anna.get(f"{stage}/now").status_code == 200
        assert not waiting.ready()

    assert waiting.get(timeout=5).status_code == 200
