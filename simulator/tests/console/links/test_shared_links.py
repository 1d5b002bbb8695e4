"""Links for others, made by a person at the machine of the gateway: of an address that works."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.tests.console.visitor import PASSWORD, Visitor
from simulator.tests.kit.gateway import Gateway

SHARED = "https://192.0.2.7:8443/"
JOIN = re.compile(r"[a-z]+://[^/\"]+/console/join/[0-9a-f]{64}")
INVITATION = re.compile(r"[a-z]+://[^/\"]+/console/invitations/[0-9a-f]{64}")
# What a person at the machine may have typed, or have had printed.
NEAR = ["127.0.0.1:8443", "localhost:8443", "[::1]:8443", "0.0.0.0:8443", "console.localhost"]
FAR = ["192.0.2.8:8443", "pay.example"]


@pytest.fixture
def public(tmp_path: Path) -> Iterator[Gateway]:
    """A gateway that listens on every address, and knows the one for others."""
    made = Gateway(tmp_path / "data", host="0.0.0.0")
    made.reach.move("http://192.0.2.7:8080/", "http://192.0.2.7:8081/", SHARED)
    yield made
    made.close()


def administrator_at(gateway: Gateway, host: str) -> Visitor:
    """The first administrator, in a browser that shows this host."""
    visitor = Visitor(gateway, f"https://{host}")
    joined = visitor.post(f"/{gateway.console_path}", {"name": "anna", "password": PASSWORD})
    assert joined.status_code == 303, joined.text
    visitor.get("/console/people")
    return visitor


def class_link_of(anna: Visitor) -> str:
    return JOIN.search(anna.post("/console/classes", {"seed": "7"}).text)[0]


@pytest.mark.parametrize("host", NEAR)
def test_links_that_are_made_at_this_machine_lead_others_to_it(public: Gateway, host: str) -> None:
    anna = administrator_at(public, host)

    invited = anna.post("/console/people", {"role": "viewer", "name": "bob"}).text

    assert class_link_of(anna).startswith(SHARED)
    assert INVITATION.search(invited)[0].startswith(SHARED)


@pytest.mark.parametrize("host", FAR)
def test_an_address_that_others_can_open_stays_as_it_is(public: Gateway, host: str) -> None:
    anna = administrator_at(public, host)

    assert class_link_of(anna).startswith(f"https://{host}/")


def test_where_only_this_machine_reaches_it_links_stay_here(gateway: Gateway) -> None:
    anna = administrator_at(gateway, "localhost:8443")

    assert class_link_of(anna).startswith("https://localhost:8443/")


def test_a_way_back_leads_to_the_same_address(public: Gateway) -> None:
    anna = administrator_at(public, "127.0.0.1:8443")
    path = class_link_of(anna).removeprefix(SHARED.rstrip("/"))
    ada = Visitor(public, SHARED.rstrip("/"))
    ada.get(path)
    assert ada.post(path, {"name": "Ada", "as": "student"}).status_code == 303
    page = re.search(r"/console/classes/[0-9a-f]{32}", anna.get("/console/classes").text)[0]
    person = re.search(r'name="person" value="([^"]+)"', anna.get(page).text)[1]

    shown = anna.post(page, {"deed": "back", "person": person}).text

    assert re.search(rf"{SHARED}console/back/[0-9a-f]{{64}}", shown)


def test_so_does_an_invitation_of_the_control_api(public: Gateway) -> None:
    made = public.control("POST", "/people", {"role": "viewer", "name": "bob"}).json

    assert made["link"].startswith(f"{SHARED}console/invitations/")


def test_the_first_link_opens_at_each_address_of_this_machine(tmp_path: Path) -> None:
    """A listener on one address is not reached at loopback at all."""
    gateway = Gateway(tmp_path / "data", host="192.0.2.7")
    try:
        path = f"/{gateway.console_path}"
        answers = [
            gateway.client.simulate_get(path, remote_addr=each, protocol="https").status_code
            for each in ("192.0.2.7", "192.0.2.8")
        ]
    finally:
        gateway.close()
    assert answers == [200, 403]
