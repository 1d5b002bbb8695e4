"""Ids in a path that name no registration: their codes and status. Choices: D-13, D-119."""

import pytest
from falcon.testing import Result

from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.recurring.test_api_registrations import CARD, MONEY, UNKNOWN, ask, send


def asked_of(gateway: Gateway, identity: str, who: Credentials) -> list[Result]:
    """The answers of what can be asked of a registration."""
    path = f"/v1/registrations/{identity}"
    return [
        ask(gateway, "GET", path, who),
        ask(gateway, "DELETE", path, who),
        send(gateway, f"/{identity}", {"billing.city": "Graz"}, who),
        send(gateway, f"/{identity}/payments", MONEY, who),
    ]


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize(("identity", "code"), [(UNKNOWN, "100.150.200"), ("short", "100.150.101")])
def test_an_unknown_id_has_the_status_of_unknown_ids(
    gateway: Gateway, profile: str, identity: str, code: str
) -> None:
    who = gateway.sandbox(profile=profile)
    status = 400 if profile == "field" else 404
    asked = asked_of(gateway, identity, who)
    assert {(each.status_code, each.json["result"]["code"]) for each in asked} == {(status, code)}


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize(
    ("behaviour", "code"), [("decline", "100.150.203"), ("pending", "100.150.201")]
)
def test_what_made_no_registration_has_the_status_of_unknown_ids(
    gateway: Gateway, profile: str, behaviour: str, code: str
) -> None:
    made = gateway.control("POST", "/sandboxes", {"profile": profile}).json
    who = Credentials(made["token"], made["entity_id"])
    gateway.control("POST", f"/sandboxes/{made['id']}/scripts", {"behaviour": behaviour})
    identity = send(gateway, "", CARD, who).json["id"]
    status = 400 if profile == "field" else 404
    asked = asked_of(gateway, identity, who)
    assert {(each.status_code, each.json["result"]["code"]) for each in asked} == {(status, code)}
