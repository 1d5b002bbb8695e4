"""A sandbox takes a bounded number of scripts and endpoints; used-up scripts cost nothing."""

from time import process_time

import pytest
from falcon.testing import Result

from simulator.service.scripts import ARMED_MAX, USED_UP_KEPT_MAX
from simulator.service.webhooks.endpoints import ENDPOINTS_MAX
from simulator.tests.kit.gateway import Credentials, Gateway

PAYMENTS = 10


@pytest.fixture
def made(gateway: Gateway) -> dict:
    return gateway.control("POST", "/sandboxes", {}).json


def arm(gateway: Gateway, made: dict, **options: object) -> Result:
    document = {"behaviour": "approve", **options}
    return gateway.control("POST", f"/sandboxes/{made['id']}/scripts", document)


def pay(gateway: Gateway, made: dict, count: int) -> float:
    """The seconds of processor time that so many payments take."""
    who = Credentials(made["token"], made["entity_id"])
    began = process_time()
    for _ in range(count):
        assert gateway.post(who=who).status_code == 200
    return process_time() - began


def test_one_script_too_many_is_refused_and_says_what_to_do(gateway: Gateway, made: dict) -> None:
    armed = [arm(gateway, made, match={"amount": "1.00"}) for _ in range(ARMED_MAX)]
    assert {each.status_code for each in armed} == {201}

    refused = arm(gateway, made)

    assert refused.status_code == 400
    assert refused.json["error"] == {
        "where": "scripts",
        "expected": "at most 500 scripts that are not used up; disarm some first",
        "got": "501",
    }
    gateway.control("DELETE", f"/sandboxes/{made['id']}/scripts/{armed[0].json['id']}")
    assert arm(gateway, made).status_code == 201


def test_the_longest_scripts_delay_others_by_no_more_than_a_moment(
    gateway: Gateway, made: dict
) -> None:
    many = {f"k{number:04}": "v" for number in range(280)}
    for _ in range(ARMED_MAX):
        assert arm(gateway, made, match={"customParameters": many}).status_code == 201
    pay(gateway, made, 1)
    assert pay(gateway, made, 3) / 3 < 0.15


@pytest.mark.parametrize("member", ["match", "behaviour"])
def test_a_long_script_is_refused_unread(gateway: Gateway, made: dict, member: str) -> None:
    many = {f"k{number}": "value" for number in range(400)}
    content = {"customParameters": many} if member == "match" else many

    refused = arm(gateway, made, **{member: content})

    assert refused.status_code == 413
    assert arm(gateway, made).status_code == 201


def test_used_up_scripts_make_room_the_oldest_first(gateway: Gateway, made: dict) -> None:
    first = arm(gateway, made, times=1).json["id"]
    pay(gateway, made, 1)
    for _ in range(USED_UP_KEPT_MAX):
        arm(gateway, made, times=1)
    pay(gateway, made, USED_UP_KEPT_MAX)
    last = arm(gateway, made, times=1).json["id"]

    kept = gateway.control("GET", f"/sandboxes/{made['id']}/scripts").json["scripts"]

    identities = [each["id"] for each in kept]
    assert (len(kept), identities[0]) == (USED_UP_KEPT_MAX + 1, last)
    assert first not in identities


@pytest.mark.cost
def test_a_payment_costs_hardly_more_after_hundreds_of_scripts_were_used_up(
    gateway: Gateway, made: dict
) -> None:
    other = gateway.control("POST", "/sandboxes", {}).json
    for _ in range(300):
        arm(gateway, made, times=1)
    pay(gateway, made, 300)

    rounds = [(pay(gateway, made, PAYMENTS), pay(gateway, other, PAYMENTS)) for _ in range(5)]
    with_scripts, without = (min(times) for times in zip(*rounds, strict=True))

    assert with_scripts < 3 * without


def test_one_endpoint_too_many_is_refused_and_says_what_to_do(gateway: Gateway, made: dict) -> None:
    place = f"/sandboxes/{made['id']}/webhooks"
    asked = {"url": "inbox", "skip_activation": True}
    taken = [gateway.control("POST", place, asked) for _ in range(ENDPOINTS_MAX)]
    assert {each.status_code for each in taken} == {201}

    refused = gateway.control("POST", place, asked)

    assert refused.status_code == 400
    assert refused.json["error"] == {
        "where": "webhooks",
        "expected": "at most 100 endpoints of a sandbox; remove some first",
        "got": "101",
    }
    gateway.control("DELETE", f"{place}/{taken[0].json['id']}")
    assert gateway.control("POST", place, asked).status_code == 201
