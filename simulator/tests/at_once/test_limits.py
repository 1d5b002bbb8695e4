"""Of three that come at once for the last place one gets it, on a store that lets others run."""

from collections.abc import Callable

import pytest

from simulator.service import scripts
from simulator.service.schedules import schedules
from simulator.service.terminals import terminals
from simulator.service.webhooks import endpoints
from simulator.tests.at_once.conftest import Box, at_once, statuses

MOST = 3
SCHEDULES = "/scheduling/v1/schedules"
DAILY = {"paymentType": "DB", "amount": "9.99", "currency": "EUR", "job.hour": "12"}
CONTROL = {
    "webhooks": (endpoints, "ENDPOINTS_MAX", {"url": "inbox", "skip_activation": True}),
    "terminals": (terminals, "TERMINALS_MAX", {}),
    "scripts": (scripts, "ARMED_MAX", {"behaviour": "approve"}),
}


@pytest.mark.parametrize("kind", CONTROL)
def test_the_last_place_in_a_sandbox_is_taken_once(
    box: Box, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, limit, document = CONTROL[kind]
    monkeypatch.setattr(module, limit, MOST)
    for _ in range(MOST - 1):
        box.made(f"/{kind}", document)

    answers = at_once(*[lambda: box.control("POST", f"/{kind}", document)] * 3)

    assert statuses(answers) == [201, 400, 400]
    assert len(box.control("GET", f"/{kind}").json[kind]) == MOST


@pytest.mark.parametrize("kind", CONTROL)
def test_with_room_for_all_all_are_made_and_stand_in_their_order(box: Box, kind: str) -> None:
    document = CONTROL[kind][2]
    first = box.made(f"/{kind}", document)

    answers = at_once(*[lambda: box.control("POST", f"/{kind}", document)] * 3)

    assert statuses(answers) == [201] * 3
    listed = [each["id"] for each in box.control("GET", f"/{kind}").json[kind]]
    assert len(listed) == 4
    assert listed[-1 if kind == "scripts" else 0] == first


def registered(box: Box) -> str:
    return box.pay(createRegistration="true")["registrationId"]


def once_more(box: Box, registration: str) -> list[Callable]:
    return [lambda: box.send(SCHEDULES, registrationId=registration, **DAILY)] * 3


def again(box: Box, registration: str) -> list[Callable]:
    sent = {"registrationId": registration, **DAILY}
    first, second = (box.send(SCHEDULES, **sent).json["id"] for _ in range(2))
    replaced = {**DAILY, "job.hour": "13"}
    places = (first, second, second)
    return [
        lambda each=each: box.send(f"{SCHEDULES}/{each}/reschedule", **replaced) for each in places
    ]


@pytest.mark.parametrize("asked", [once_more, again], ids=lambda each: each.__name__)
def test_the_last_schedule_of_a_registration_is_made_once(
    box: Box, asked: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    registration = registered(box)
    calls = asked(box, registration)
    held = 2 if asked is again else 0
    monkeypatch.setattr(schedules, "SCHEDULES_MAX", held + 1)

    answers = at_once(*calls)

    assert statuses(answers) == [200, 400, 400], [each.text for each in answers]
