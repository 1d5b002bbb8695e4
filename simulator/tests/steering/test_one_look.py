"""A script is read once, until it changes, however many payments ask it."""

import pytest

from simulator.domain.core.records import Script
from simulator.domain.scripts import armed_scripts
from simulator.tests.kit.gateway import Gateway

ARMED = 5
NEVER = {"amount": "1.00"}
DECLINE = {"steps": {"acquirer": {"decline": {"code": "800.100.151"}}}}
BEHAVIOURS = {
    "acquirer": DECLINE,
    "webhooks": {"steps": {"webhooks": {"duplicate": {}}}},
    "risk system": {"steps": {"risk": {"decline": "800.100.151"}}},
    "connection": {"steps": {"transport": {"reset": {}}}},
}


def arm(gateway: Gateway, sandbox: str, behaviour: object, **options: object) -> None:
    document = {"behaviour": behaviour, **options}
    made = gateway.control("POST", f"/sandboxes/{sandbox}/scripts", document)
    assert made.status_code == 201


def read_anew(before: list[Script], after: list[Script]) -> int:
    """How many scripts are not the objects that were read before."""
    return sum(not any(each is known for known in before) for each in after)


@pytest.fixture
def sandbox(gateway: Gateway) -> str:
    identity = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    gateway.control("POST", f"/sandboxes/{identity}/webhooks", {"url": "inbox"})
    return identity


@pytest.mark.parametrize("behaviour", BEHAVIOURS.values(), ids=BEHAVIOURS)
def test_payments_read_no_script_again_that_none_of_them_fits(gateway, sandbox, behaviour):
    for _ in range(ARMED):
        arm(gateway, sandbox, behaviour, match=NEVER)
    assert gateway.post().status_code == 200
    before = armed(gateway, sandbox)

    assert {gateway.post().status_code for _ in range(3)} == {200}

    assert read_anew(before, armed(gateway, sandbox)) == 0


def test_a_payment_that_a_script_answers_reads_that_one_alone(gateway, sandbox):
    for _ in range(ARMED):
        arm(gateway, sandbox, DECLINE, match=NEVER)
    arm(gateway, sandbox, DECLINE)
    assert gateway.post().status_code == 400
    before = armed(gateway, sandbox)

    assert [gateway.post().status_code for _ in range(3)] == [400] * 3

    assert read_anew(before, armed(gateway, sandbox)) == 1


def test_requests_that_no_script_is_asked_about_read_none_again(gateway, sandbox):
    arm(gateway, sandbox, "shopper-cancels", match=NEVER)
    before = armed(gateway, sandbox)

    assert [gateway.read("8" * 32).status_code for _ in range(3)] == [404] * 3

    assert read_anew(before, armed(gateway, sandbox)) == 0


def test_what_is_armed_and_disarmed_is_seen_by_the_next_payment(gateway, sandbox):
    gateway.post()
    arm(gateway, sandbox, DECLINE)
    assert gateway.post().status_code == 400
    gateway.control("DELETE", f"/sandboxes/{sandbox}/scripts/{newest(gateway, sandbox).id}")
    assert gateway.post().status_code == 200


def test_a_script_for_one_payment_answers_one(gateway, sandbox):
    arm(gateway, sandbox, DECLINE, times=1)

    assert [gateway.post().status_code for _ in range(3)] == [400, 200, 200]


def newest(gateway: Gateway, sandbox: str) -> Script:
    return armed(gateway, sandbox)[0]


def armed(gateway: Gateway, sandbox: str) -> list[Script]:
    return armed_scripts(gateway.ports(sandbox).store)
