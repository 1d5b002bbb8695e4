"""What was stored under other rules, such as those of profile `field`, can still be changed.

Choice: D-701.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.tests.kit.checkout_shop import CARD, SESSION, named_in
from simulator.tests.kit.gateway import Gateway

# What only profile `field` takes. Source: E53, and the tables behind E50.
TOLERATED = {
    "customer.email": "jane@example.com",
    "customer.phone": "(?!?)555-5555",
    "billing.postcode": "A1 2BC",
}
ORDERED = {**TOLERATED, "merchantTransactionId": "abc124"}
PATHS = {
    "registration": "/v1/registrations",
    "checkout": "/v1/checkouts",
    "schedule": "/scheduling/v1/schedules",
}
ADDED = {
    "registration": {"card.expiryMonth": "07", "card.expiryYear": "2036"},
    "checkout": {"amount": "9.00"},
    "checkout/payment": CARD,
    "schedule/reschedule": {"amount": "9.00"},
}


class Moved:
    """A gateway in profile `specification` whose records were stored in profile `field`."""

    def __init__(self, folder: Path):
        before = Gateway(folder, profile="field", durability="os")
        self.ids = {"registration": _made(before, "registration", {**CARD, **ORDERED})}
        self.ids["checkout"] = _made(before, "checkout", {**SESSION, **ORDERED})
        job = {"registrationId": self.ids["registration"], "job.dayOfMonth": "05"}
        self.ids["schedule"] = _made(before, "schedule", {**SESSION, **ORDERED, **job})
        before.close()
        self.gateway = Gateway(folder, profile="specification", durability="os")

    def add(self, place: str, sent: dict[str, str]):
        """The answer to a change of a record, or to what is paid by it."""
        kind, _, end = place.partition("/")
        path = f"{PATHS[kind]}/{self.ids[kind]}" + (f"/{end}" if end else "")
        return _sent(self.gateway, path, sent)


def _sent(gateway: Gateway, path: str, sent: dict[str, str]):
    return gateway.send(path, {"entityId": gateway.merchant.entity_id, **sent})


def _made(gateway: Gateway, kind: str, sent: dict[str, str]) -> str:
    answer = _sent(gateway, PATHS[kind], sent)
    assert answer.status_code == 200, answer.text
    return answer.json["id"]


@pytest.fixture
def moved(tmp_path: Path) -> Iterator[Moved]:
    found = Moved(tmp_path / "data")
    yield found
    found.gateway.close()


@pytest.mark.parametrize("place", ADDED)
def test_what_stood_before_is_not_judged_again(moved: Moved, place: str) -> None:
    assert moved.add(place, ADDED[place]).status_code == 200


@pytest.mark.parametrize("place", ["registration", "checkout", "schedule/reschedule"])
def test_what_is_sent_is_judged_as_ever(moved: Moved, place: str) -> None:
    lacking = moved.add(place, {**ADDED[place], "customer.mobile": "5555555"})
    wrong = moved.add(place, {**ADDED[place], "billing.postcode": "A1 2BC"})

    assert {*named_in(lacking)} == {"customer.givenName", "customer.surname"}
    assert {*named_in(wrong)} == {"billing.postcode"}


def test_what_a_payment_lacks_is_named_beside_what_stood_before(moved: Moved) -> None:
    lacking = moved.add("checkout/payment", {"card.holder": "Jane Jones"})

    assert {*named_in(lacking)} == {"card.number", "card.expiryMonth", "card.expiryYear"}
