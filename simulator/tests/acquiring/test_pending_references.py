"""What refers to a payment and is pending holds its amount until it ends: what is open is never
less than nothing, whenever and however the answer comes.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.domain.core.records import Payment
from simulator.tests.acquiring.test_external import Shop
from simulator.tests.kit.gateway import Gateway

APPROVED, PENDING = "000.100.110", "000.200.000"
ABOVE_OPEN = {"CP": "700.400.100", "RF": "700.400.200"}
# What is referred to, and by what.
PAIRS = [("DB", "RF"), ("PA", "CP"), ("CP", "RF")]
LATER = {"approve": {}}, {"decline": {"code": "800.100.152"}}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Gateway(tmp_path)
    yield Shop(made, clock={"mode": "frozen"})
    made.close()


def paid(shop: Shop, kind: str) -> str:
    """A payment of 10.00 of this type."""
    first = shop.pay("INTERNAL", paymentType="PA" if kind == "CP" else kind, amount="10.00")
    return refer(shop, first["id"], "CP", "10.00")["id"] if kind == "CP" else first["id"]


def refer(shop: Shop, to: str, kind: str, amount: str) -> dict:
    return shop.refer(to, kind, amount=amount, currency="EUR", testMode="INTERNAL")


def pending(shop: Shop, to: str, kind: str, amount: str, then: dict) -> None:
    """A payment that refers to another, whose answer comes after a minute."""
    shop.arm({"acquirer": {"pending": {"seconds": 60, "then": then}}}, times=1)
    assert refer(shop, to, kind, amount)["result"]["code"] == PENDING


def advance(shop: Shop) -> None:
    path = f"/sandboxes/{shop.identity}/clock/advance"
    assert shop.gateway.control("POST", path, {"by": "2m"}).status_code == 200


def code(shop: Shop, to: str, kind: str, amount: str) -> str:
    return refer(shop, to, kind, amount)["result"]["code"]


def open_of(shop: Shop, identity: str) -> tuple[str, str]:
    """What was taken of a payment, and what is held."""
    stored = shop.ports.store.get(Payment, identity)
    return str(stored.taken), str(stored.reserved)


@pytest.mark.parametrize(("kind", "by"), PAIRS)
def test_what_is_pending_is_held_and_then_taken(shop: Shop, kind: str, by: str) -> None:
    to = paid(shop, kind)
    pending(shop, to, by, "8.00", LATER[0])
    assert open_of(shop, to) == ("0.00", "8.00")
    assert code(shop, to, by, "2.01") == ABOVE_OPEN[by]
    advance(shop)
    assert open_of(shop, to) == ("8.00", "0.00")
    assert code(shop, to, by, "2.01") == ABOVE_OPEN[by]
    assert code(shop, to, by, "2.00") == APPROVED


@pytest.mark.parametrize(("kind", "by"), PAIRS)
def test_what_was_pending_and_is_declined_is_open_again(shop: Shop, kind: str, by: str) -> None:
    to = paid(shop, kind)
    pending(shop, to, by, "8.00", LATER[1])
    assert code(shop, to, by, "8.00") == ABOVE_OPEN[by]
    advance(shop)
    assert open_of(shop, to) == ("0.00", "0.00")
    assert code(shop, to, by, "10.01") == ABOVE_OPEN[by]
    assert code(shop, to, by, "10.00") == APPROVED


@pytest.mark.parametrize(("kind", "by"), PAIRS)
def test_two_that_are_pending_at_once_hold_both(shop: Shop, kind: str, by: str) -> None:
    to = paid(shop, kind)
    for amount in ("4.00", "5.00"):
        pending(shop, to, by, amount, LATER[0])
    assert open_of(shop, to) == ("0.00", "9.00")
    assert code(shop, to, by, "1.01") == ABOVE_OPEN[by]
    advance(shop)
    assert open_of(shop, to) == ("9.00", "0.00")


def test_a_reversal_that_is_pending_lets_nothing_be_captured(shop: Shop) -> None:
    to = paid(shop, "PA")
    shop.arm({"acquirer": {"pending": {"seconds": 60, "then": LATER[1]}}}, times=1)
    assert shop.refer(to, "RV", testMode="INTERNAL")["result"]["code"] == PENDING
    assert code(shop, to, "CP", "0.01") != APPROVED
    advance(shop)
    assert open_of(shop, to) == ("0.00", "0.00")
    assert code(shop, to, "CP", "10.00") == APPROVED
