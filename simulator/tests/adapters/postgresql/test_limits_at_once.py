"""What counts stored records before it stores its own counts right for requests at once: between
count and record a database lets every other request come.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import gevent
import pytest

from simulator.service import scripts
from simulator.service.schedules import schedules
from simulator.service.terminals import terminals
from simulator.service.webhooks import endpoints
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.kit.gateway import Credentials, Gateway

AT_ONCE, MOST, WAIT_S_MAX = 16, 3, 60
OK, REFUSED = 200, 400
MAIL = {"customer.email": "jane@example.com", "customer.givenName": "J", "customer.surname": "J"}
PLACES = {
    "webhooks": (endpoints, "ENDPOINTS_MAX", {"url": "inbox", "skip_activation": True}),
    "terminals": (terminals, "TERMINALS_MAX", {}),
    "scripts": (scripts, "ARMED_MAX", {"behaviour": "approve"}),
}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with running_cluster() as cluster:
        data: Path = tmp_path_factory.mktemp("data")
        made = Gateway(data, store=cluster.create(), durability="disk", throttle="off")
        yield made
        made.close()


class Shop:
    """A merchant of a sandbox of its own."""

    def __init__(self, gateway: Gateway, **channel: object):
        self.gateway = gateway
        asked = {"merchants": [{"channels": [channel]}], "profile": "field"}
        made = gateway.control("POST", "/sandboxes", asked).json
        self.id = made["id"]
        self.who = Credentials(made["token"], made["entities"]["merchants"][0]["channels"][0]["id"])

    def pay(self, **more: str) -> dict:
        return self.gateway.post(who=self.who, **more).json

    def send(self, path: str, **sent: str) -> int:
        sent["entityId"] = self.who.entity_id
        return self.gateway.send(path, sent, self.who).status_code

    def control(self, path: str, document: object) -> int:
        return self.gateway.control("POST", f"/sandboxes/{self.id}{path}", document).status_code


def at_once(call: object, count: int = AT_ONCE) -> list:
    asked = [gevent.spawn(call) for _ in range(count)]
    return [each.get(timeout=WAIT_S_MAX) for each in asked]


def codes(answers: list[dict]) -> Counter[str]:
    return Counter(each["result"]["code"] for each in answers)


def script_counting_by(by: str) -> dict:
    velocity = {"payments": MOST, "seconds": 3600, "by": by}
    return {"behaviour": {"steps": {"risk": {"velocity": velocity}}}, "times": 1000}


@pytest.mark.parametrize("secured", [{}, {"three_d_secure": {"VISA": "2.2.0"}}], ids=["", "3ds"])
def test_a_velocity_check_lets_its_number_through(gateway: Gateway, secured: dict) -> None:
    shop = Shop(gateway, risk=["risk-velocity"], **secured)
    declined = codes(at_once(shop.pay))["800.120.101"]
    assert declined == AT_ONCE - 3


@pytest.mark.parametrize(
    ("by", "code", "sent"),
    [
        ("account", "800.120.101", {}),
        ("ip", "800.120.102", {"customer.ip": "192.0.2.7"}),
        ("email", "800.120.103", MAIL),
    ],
)
def test_so_does_one_of_a_script_by_any_key(
    gateway: Gateway, by: str, code: str, sent: dict[str, str]
) -> None:
    shop = Shop(gateway)
    assert shop.control("/scripts", script_counting_by(by)) == 201
    assert codes(at_once(lambda: shop.pay(**sent))) == {
        "000.100.110": MOST,
        code: AT_ONCE - MOST,
    }


@pytest.mark.parametrize("kind", PLACES)
def test_the_last_places_are_taken_once(
    gateway: Gateway, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, limit, document = PLACES[kind]
    monkeypatch.setattr(module, limit, MOST)
    shop = Shop(gateway)
    assert shop.control(f"/{kind}", document) == 201
    made = Counter(at_once(lambda: shop.control(f"/{kind}", document)))
    assert made == {201: MOST - 1, REFUSED: AT_ONCE - MOST + 1}


def test_the_last_schedules_of_a_registration_are_made_once(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedules, "SCHEDULES_MAX", MOST)
    shop = Shop(gateway)
    daily = {"paymentType": "DB", "amount": "9.99", "currency": "EUR", "job.hour": "12"}
    daily["registrationId"] = shop.pay(createRegistration="true")["registrationId"]
    made = Counter(at_once(lambda: shop.send("/scheduling/v1/schedules", **daily)))
    assert made == {OK: MOST, REFUSED: AT_ONCE - MOST}


def test_a_script_is_used_up_once(gateway: Gateway) -> None:
    shop = Shop(gateway)
    armed = {"behaviour": "decline", "times": MOST}
    assert shop.control("/scripts", armed) == 201
    approved = codes(at_once(shop.pay))["000.100.110"]
    assert approved == AT_ONCE - MOST


def test_captures_never_exceed_what_was_authorized(gateway: Gateway) -> None:
    shop = Shop(gateway)
    place = f"/v1/payments/{shop.pay(paymentType='PA', amount='30.00')['id']}"
    sent = {"paymentType": "CP", "amount": "10.00", "currency": "EUR"}
    assert Counter(at_once(lambda: shop.send(place, **sent)))[OK] == MOST


def test_a_reference_is_paid_once(gateway: Gateway) -> None:
    shop = Shop(gateway, repeated_merchant_transaction_id="refuse")
    answers = at_once(lambda: shop.pay(merchantTransactionId="order-1"))
    assert codes(answers)["000.100.110"] == 1
