"""A sandbox as full as its limits allow, filled behind the API where that is quicker."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Registration
from simulator.domain.schedules.schedules import Schedule
from simulator.domain.webhooks.records import Delivery, WebhookEvent
from simulator.tests.measured.held_loop.driving import status_of
from simulator.tests.measured.held_loop.filling import CARD, MONEY, Filled
from simulator.tests.measured.many_payments import store_copies

# Events with a delivery to each endpoint there can be, and of these those about one payment.
WITH_MANY, ABOUT_ONE, DELIVERIES = 640, 64, 100
# As many as the settings of a sandbox may be long, with the tokens of some.
MERCHANTS, CHANNELS, WITH_TOKENS = 25, 100, 3
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def fill(filled: Filled, share: float = 1.0) -> None:
    """Fill it with this share of what it may have."""
    for step in STEPS:
        step(filled, share)


def _payments(filled: Filled, share: float) -> None:
    ports: Any = filled.gateway.ports(filled.ids["id"])
    store_copies(ports.store, int(10_000 * share))


def _long_payments(filled: Filled, share: float) -> None:
    more = {f"customParameters[{'a' * 20}{number}]": "b" * 40 for number in range(9000)}
    for _ in range(int(60 * share) + 1):
        filled.post("/v1/payments", paymentType="DB", **MONEY, **CARD, **more)


def _events(filled: Filled, share: float) -> None:
    store: Any = filled.gateway.ports(filled.ids["id"]).store
    payload = msgspec.Raw(b'{"a":"%b"}' % (b"x" * 3000))
    for number in range(int(6400 * share)):
        about = filled.ids["payment"] if number < ABOUT_ONE else "8" * 32
        at = NOON + timedelta(seconds=number)
        event = WebhookEvent(id=f"{number * 7919 % 10**9:032x}", type="PAYMENT", payment=about,
                             payload=payload, created_at=at)  # fmt: skip
        many = DELIVERIES if number < WITH_MANY else 1
        made = [
            Delivery(id=f"{number:06x}{each:026x}", event_id=event.id, began_at=at,
                     attempts=1, held="endpoint", error="refused")
            for each in range(many)
        ]  # fmt: skip
        store.commit_unflushed(unit_of(event, *made))
    store.wait_durable()


def _endpoints(filled: Filled, share: float) -> None:
    for _ in range(int(98 * share)):
        filled.control("POST", "/webhooks", {"url": "inbox"})


def _scripts(filled: Filled, share: float) -> None:
    many = {f"name{number}": "v" * 60 for number in range(30)}
    for _ in range(int(499 * share)):
        document = {"behaviour": "decline", "match": {"customParameters": many}}
        filled.control("POST", "/scripts", document)


def _terminals(filled: Filled, share: float) -> None:
    for _ in range(int(998 * share)):
        filled.control("POST", "/terminals", {"model": "SANDGATE_COUNTERTOP", "method": "AES"})


def _merchants(filled: Filled, share: float) -> None:
    channels = [{"name": f"Channel {number} {'n' * 40}"} for number in range(CHANNELS)]
    for number in range(int(MERCHANTS * share)):
        document = {"name": f"M{number}{'m' * 40}", "channels": channels}
        made = filled.control("POST", "/merchants", document)
        for _ in range(int(99 * share) if number < WITH_TOKENS else 0):
            filled.control("POST", f"/merchants/{made['id']}/tokens", {"alias": "a" * 60})


def _inbox(filled: Filled, share: float) -> None:
    path = f"/_sandbox/v1/sandboxes/{filled.ids['id']}/inbox/{filled.ids['key']}"
    body = b'{"a":"%b"}' % (b"x" * 127_000)
    for _ in range(int(130 * share)):
        status_of(filled.gateway.client.app, ("POST", path, ""), headers={}, body=body)
    small = b'{"a":"%b"}' % (b"x" * 40)
    for _ in range(int(900 * share)):
        status_of(filled.gateway.client.app, ("POST", path, ""), headers={}, body=small)


def _records(filled: Filled, share: float) -> None:
    store: Any = filled.gateway.ports(filled.ids["id"]).store
    for kind, name, most in RECORDS:
        one = store.get(kind, filled.ids[name])
        for number in range(int(most * share)):
            store.commit_unflushed(unit_of(replace(one, id=f"8{number:031x}", version=0)))
    store.wait_durable()


def _journal(filled: Filled, share: float) -> None:
    more = {f"customParameters[name{number}]": "b" * 60 for number in range(190)}
    for _ in range(int(1000 * share)):
        filled.post("/v1/payments", paymentType="XX", **MONEY, **CARD, **more)


RECORDS = ((Registration, "registration", 3000), (Checkout, "checkout", 3000),
           (Schedule, "schedule", 990))  # fmt: skip
STEPS = (_payments, _long_payments, _events, _endpoints, _scripts, _terminals, _merchants, _inbox,
         _records, _journal)  # fmt: skip
