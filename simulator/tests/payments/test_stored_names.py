"""Records whose parameters have names that no request may have any more: they are answered without
what cannot be placed, and so is everything beside them.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from falcon.testing import Result
from msgspec.structs import replace

from simulator.adapters.store.store import HIGHEST
from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment, Registration
from simulator.domain.schedules.schedules import Schedule
from simulator.tests.console.visitor import administrator_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.payments.test_reports import DAY, FROZEN, Shop
from simulator.tests.sandboxes.test_advance import card_of, schedule_of
from simulator.tests.sandboxes.test_hostile_snapshots import restore, taken_of

PERSON = {"customer.givenName": "Jane", "customer.surname": "Jones"}
ORDER = {"paymentType": "DB", "amount": "5.00", "currency": "EUR"}
CHARGED = {"standingInstruction.mode": "REPEATED", "standingInstruction.source": "MIT"}
LEGS = "airline.passengers[0].legs"
# fmt: off
SHAPES = {
    "no index":           (f"{LEGS}[].carrierCode",),
    "no index before":    ("airline.passengers[].legs[0].carrierCode",),
    "no index at all":    ("cart.items[]",),
    "text index":         (f"{LEGS}[x].carrierCode", "cart.items[one].name"),
    "negative index":     ("cart.items[-1].name",),
    "index of a dot":     ("cart.items[0.5].name",),
    "twice the same":     ("cart.items[0].name", "cart.items[00].name", "cart.items[٠].name"),
    "leaf and branch":    ("cart.items[0]", "cart.items[0].name", "cart.items[0].name.first"),
    "branch and leaf":    ("cart.items[1].name.first", "cart.items[1].name", "cart.items[1]"),
    "member of a list":   (f"{LEGS}.carrierCode", f"{LEGS}[0].carrierCode", f"{LEGS}.x[0].y"),
    "huge index":         (f"cart.items[{'9' * 5000}].name", f"cart.items[{'9' * 20}].name"),
    "empty parts":        ("cart.items[0].", "cart.items[0]..name", "customParameters[]", "", "."),
    "brackets alone":     ("[", "]", "[]", "[0]", "cart.items[", "cart.items[0", "cart.items]0["),
    "brackets in others": ("cart.items[[0]].name", "cart.items[0]]", "customParameters[a][b]"),
    "very deep":          ("cart.items[0]" + ".a" * 5000, "cart.items[0]" + "[1]" * 5000),
}
# fmt: on


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path / "data", durability="os")
    yield made
    made.close()


def put_into(shop: Shop, names: tuple[str, ...]) -> None:
    """Give each record of the sandbox these parameters as well."""
    store = shop.gateway.ports(shop.id).store
    found = [*store.between(Payment, "posted", "", "9"), *store.firsts([Registration], "due")]
    found += store.firsts([Schedule], "due")
    found += store.between(Checkout, "host_history", "", HIGHEST)
    assert len(found) == 5
    store.commit(
        unit_of(*(replace(each, sent={**each.sent, **dict.fromkeys(names, "7")}) for each in found))
    )


def send(shop: Shop, path: str, **sent: str) -> Result:
    """A request of the merchant."""
    sent = {"entityId": shop.who.entity_id, **sent}
    return shop.gateway.send(path, sent, shop.who)


def send_again(shop: Shop) -> list[Result]:
    """All that was sent to the endpoint, once more."""
    path = f"/sandboxes/{shop.id}/notices"
    sent = shop.gateway.control("GET", path).json["notices"]
    assert sent
    control = shop.gateway.control
    return [control("POST", f"{path}/{each['id']}/resend") for each in sent]


def answers_about(shop: Shop, identity: str, registered: str, prepared: str) -> list[Result]:
    """What shows the payment and the registration, beside others or not."""
    control, path = shop.gateway.control, f"/sandboxes/{shop.id}"
    return [
        *(shop.ask(f"{version}/query/{identity}") for version in ("/v1", "/v3")),
        *(shop.ask(f"{version}/query", **DAY) for version in ("/v1", "/v3")),
        shop.ask("/v1/query", merchantTransactionId="order-number-1"),
        shop.ask(f"/v1/query/{identity}", includeLinkedTransactions="true"),
        shop.ask(f"/v1/registrations/{registered}"),
        shop.ask(f"/v1/checkouts/{prepared}"),
        send(shop, f"/v1/checkouts/{prepared}"),
        send(shop, f"/v1/checkouts/{prepared}/payment", **card_of(shop.who.entity_id)),
        shop.ask("/scheduling/v1/schedules", registrationId=registered),
        send(shop, f"/v1/registrations/{registered}/payments", **ORDER, **CHARGED),
        send(shop, f"/v1/payments/{identity}", **{**ORDER, "paymentType": "RF"}),
        control("POST", f"{path}/clock/advance", {"by": "2d"}),
        control("POST", f"{path}/settlements", {}),
        control("GET", f"{path}/payments/{identity}/trace"),
        *(control("GET", f"{path}/{what}") for what in ("books", "journal", "pending", "notices")),
        *send_again(shop),
    ]  # fmt: skip


@pytest.mark.parametrize("names", SHAPES.values(), ids=SHAPES)
def test_a_stored_name_without_a_place_is_left_out(
    gateway: Gateway, names: tuple[str, ...]
) -> None:
    shop = Shop(gateway)
    path = f"/sandboxes/{shop.id}"
    gateway.control("POST", f"{path}/webhooks", {"url": "inbox", "skip_activation": True})
    identity = shop.pay(merchantTransactionId="order-number-1", **PERSON)
    registered = send(shop, "/v1/registrations", **card_of(shop.who.entity_id)).json["id"]
    scheduled = schedule_of(registered, shop.who.entity_id)
    assert send(shop, "/scheduling/v1/schedules", **scheduled).status_code == 200
    prepared = send(shop, "/v1/checkouts", **ORDER).json["id"]
    shop.pay()
    put_into(shop, names)

    answers = answers_about(shop, identity, registered, prepared)

    assert [each.status_code for each in answers if each.status_code >= 500] == []
    shown = shop.ask(f"/v1/query/{identity}").json
    assert shown["customer"] == {"givenName": "Jane", "surname": "Jones"}
    anna = administrator_of(gateway)
    for page in (f"payments/{identity}", "payments", "registrations", "checkouts", "schedules",
                 "ledger", "settlements", "workbench"):  # fmt: skip
        assert anna.get(f"/console/{shop.id}/{page}").status_code == 200, page

    restored = restore(gateway, taken_of(gateway, shop.id))

    assert restored.status_code == 200, restored.text
    assert shop.ask(f"/v1/query/{identity}").json["customer"] == shown["customer"]
    assert shop.ask("/v1/query", **DAY).status_code == 200
    assert FROZEN["mode"] == gateway.control("GET", f"{path}/clock").json["mode"]
