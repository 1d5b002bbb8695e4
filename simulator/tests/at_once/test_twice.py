"""The same change twice at once: it is done once, or twice, and the sandbox goes on."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from simulator.tests.at_once.conftest import Box, at_once, statuses

ENDPOINT = {"url": "inbox", "skip_activation": True}
LOSE = {"behaviour": {"steps": {"webhooks": {"lose": {}}}}, "times": 5}
SCHEDULES = "/scheduling/v1/schedules"
DAILY = {"paymentType": "DB", "amount": "9.99", "currency": "EUR", "job.hour": "12"}


class Change(NamedTuple):
    """A call of the control API."""

    method: str
    path: str
    document: object = None


def endpoint_of(box: Box) -> str:
    return f"/webhooks/{box.made('/webhooks', ENDPOINT)}"


def finish_rotation(box: Box) -> Change:
    place = endpoint_of(box)
    assert box.control("POST", f"{place}/rotate", {}).status_code == 200
    return Change("POST", f"{place}/rotate/finish", {})


def rotate_secret(box: Box) -> Change:
    return Change("POST", f"{endpoint_of(box)}/rotate", {})


def change_endpoint(box: Box) -> Change:
    return Change("PATCH", endpoint_of(box), {"types": ["PAYMENT"]})


def activate_endpoint(box: Box) -> Change:
    return Change("POST", f"{endpoint_of(box)}/activate", {})


def remove_endpoint(box: Box) -> Change:
    return Change("DELETE", endpoint_of(box))


def trigger_event(box: Box) -> Change:
    endpoint_of(box)
    payment = box.pay()["id"]
    box.made("/scripts", LOSE)
    return Change("POST", "/notices", {"event": "payment.created", "payment": payment})


def replay_event(box: Box) -> Change:
    endpoint_of(box)
    box.pay()
    assert box.control("POST", "/drain", {}).json["drained"]
    event = box.control("GET", "/notices").json["notices"][0]["id"]
    return Change("POST", f"/notices/{event}/resend", {})


def set_clock(box: Box) -> Change:
    return Change("PUT", "/clock", {"mode": "scaled", "rate": 2})


def advance_clock(box: Box) -> Change:
    return Change("POST", "/clock/advance", {"by": "1d"})


def release_payment(box: Box) -> Change:
    box.made("/scripts", {"behaviour": "pending", "times": 1})
    return Change("POST", f"/pending/{box.pay()['id']}", {"outcome": "success"})


def disarm_script(box: Box) -> Change:
    return Change("DELETE", f"/scripts/{box.made('/scripts', LOSE)}")


def set_throttles(box: Box) -> Change:
    return Change("PUT", "/throttle", {"throttle": "off"})


def set_breakpoints(box: Box) -> Change:
    return Change("PUT", "/breakpoints", {"parties": ["bank"]})


def create_terminal(box: Box) -> Change:
    return Change("POST", "/terminals", {})


def remove_terminal(box: Box) -> Change:
    made = box.control("POST", "/terminals", {}).json
    return Change("DELETE", f"/terminals/{made['id']}")


def token_of(box: Box) -> str:
    place = f"/merchants/{box.merchant['id']}/tokens"
    issued = box.control("POST", place, {"host": "test", "alias": "second"})
    assert issued.status_code == 201, issued.text
    return f"{place}/{issued.json['id']}"


def rotate_token(box: Box) -> Change:
    return Change("POST", f"{token_of(box)}/rotate", {})


def suspend_token(box: Box) -> Change:
    return Change("POST", f"{token_of(box)}/suspend", {})


def arm_settlement_faults(box: Box) -> Change:
    document = {"institute": "Sandgate Bank", "plan": "counts: {missing: 1}"}
    return Change("POST", "/settlement-faults", document)


def settle_daily(box: Box) -> Change:
    return Change("POST", "/settlements", {"daily": True})


def settle_no_longer(box: Box) -> Change:
    assert box.control("POST", "/settlements", {"daily": True}).status_code == 200
    return Change("POST", "/settlements", {"daily": False})


TWICE: dict[Callable[[Box], Change], list[int]] = {
    finish_rotation: [200, 400],
    rotate_secret: [200, 200],
    change_endpoint: [200, 200],
    activate_endpoint: [200, 200],
    remove_endpoint: [200, 404],
    trigger_event: [201, 201],
    replay_event: [200, 200],
    set_clock: [200, 200],
    advance_clock: [200, 200],
    release_payment: [200, 400],
    disarm_script: [200, 404],
    set_throttles: [200, 200],
    set_breakpoints: [200, 200],
    create_terminal: [201, 201],
    remove_terminal: [200, 404],
    rotate_token: [200, 404],
    suspend_token: [200, 200],
    arm_settlement_faults: [201, 201],
    settle_daily: [200, 200],
    settle_no_longer: [200, 200],
}


@pytest.mark.parametrize("prepare", TWICE, ids=lambda each: each.__name__)
def test_a_change_twice_at_once_is_answered_and_the_sandbox_goes_on(
    box: Box, prepare: Callable[[Box], Change]
) -> None:
    change = prepare(box)

    answers = at_once(*[lambda: box.control(*change)] * 2)

    assert statuses(answers) == TWICE[prepare], [each.text for each in answers]
    assert box.control("GET", "/webhooks").status_code == 200
    assert box.pay()["result"]["code"] == "000.100.110"
