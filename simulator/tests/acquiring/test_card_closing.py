"""Reconciling the ledgers of gateway and card host: what is reported of a payment that they do not
agree on, by the control API and on a terminal.
"""

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from simulator.adapters.acquiring.codec import decoded, encoded
from simulator.adapters.acquiring.connections import connected
from simulator.client import Client, Control
from simulator.domain.acquiring.host_entries import CardEntry, LostRequest
from simulator.domain.acquiring.messages import SIGN_ON, message_of, network_message
from simulator.domain.acquiring.reconciliation import (
    ANOTHER,
    NO_ENTRY,
    NO_PAYMENT,
    NOT_YET_REVERSED,
    OTHERWISE,
)
from simulator.domain.core.money import Money
from simulator.domain.core.ports import Unit, unit_of
from simulator.domain.core.records import PaymentType
from simulator.tests.acquiring.test_card_messages import NOON, ask
from simulator.tests.acquiring.test_external import FAST, Shop
from simulator.tests.kit.gateway import ORDER, Gateway
from simulator.tests.kit.running import clean_environment, serving

AGREED = {"agree": True, "lines": [], "differences": [], "under_way": []}
TOMORROW = datetime(2099, 1, 1, tzinfo=UTC)
LESS = Money(Decimal("1.00"), "EUR")


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path)
    yield made
    made.close()


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway, clock=FAST)


def reconciliation_of(shop: Shop) -> dict:
    return shop.gateway.control("GET", f"/sandboxes/{shop.identity}/books").json


def entry_of(shop: Shop, payment: str) -> CardEntry:
    return shop.ports.store.get(CardEntry, payment)


def test_what_stayed_inside_stands_in_no_book(shop: Shop) -> None:
    shop.pay("INTERNAL")

    assert reconciliation_of(shop) == AGREED


def test_the_reconciliation_counts_what_was_moved_by_type_and_currency(shop: Shop) -> None:
    first, _ = shop.pay(), shop.pay(amount="8.00")
    shop.refer(first["id"], "RF", amount="2.00", currency="EUR")
    shop.pay(**{"card.holder": "800.100.151"})
    reconciliation = reconciliation_of(shop)

    assert reconciliation["lines"] == [
        {"type": "DB", "currency": "EUR", "count": 2, "gateway": "100.00", "host": "100.00"},
        {"type": "RF", "currency": "EUR", "count": 1, "gateway": "2.00", "host": "2.00"},
    ]
    assert (reconciliation["agree"], reconciliation["differences"]) == (True, [])


def test_a_difference_names_payment_masked_card_both_amounts_and_why(shop: Shop) -> None:
    identity = shop.pay()["id"]
    entry = entry_of(shop, identity)
    shop.ports.store.commit(unit_of(replace(entry, money=LESS)))
    reconciliation = reconciliation_of(shop)

    assert reconciliation["agree"] is False
    assert reconciliation["differences"] == [
        {
            "payment": identity, "type": "DB", "card": "420000******0000", "currency": "EUR",
            "gateway": "92.00", "host": "1.00", "why": OTHERWISE,
        }
    ]  # fmt: skip


@pytest.mark.parametrize(
    "other", [{"money": Money(Decimal("92.00"), "USD")}, {"type": PaymentType.RF}], ids=str
)
def test_the_same_amount_of_something_else_is_a_difference(shop: Shop, other: dict) -> None:
    entry = entry_of(shop, shop.pay()["id"])
    shop.ports.store.commit(unit_of(replace(entry, **other)))

    assert [each["why"] for each in reconciliation_of(shop)["differences"]] == [ANOTHER]


def test_a_payment_that_one_side_does_not_know_is_a_difference(shop: Shop) -> None:
    kept, lost = shop.pay()["id"], shop.pay()["id"]
    entry = entry_of(shop, lost)
    stray = replace(entry, id="8f" * 16, version=0)
    shop.ports.store.commit(unit_of(stray))
    shop.ports.store.commit(Unit(removes=(entry,)))
    found = {each["payment"]: each["why"] for each in reconciliation_of(shop)["differences"]}

    assert found == {lost: NO_ENTRY, stray.id: NO_PAYMENT}
    assert kept not in found


def test_a_reversal_without_an_answer_is_the_reason(shop: Shop) -> None:
    shop.arm({"link": "timeout"}, times=1)
    identity = shop.pay()["id"]
    assert reconciliation_of(shop) == AGREED
    lost = LostRequest(id=identity, due=TOMORROW, message={})
    shop.ports.store.commit(unit_of(lost, replace(entry_of(shop, identity), reversed_at=None)))
    (found,) = reconciliation_of(shop)["differences"]

    assert (found["payment"], found["why"]) == (identity, NOT_YET_REVERSED)
    assert (found["gateway"], found["host"]) == ("0.00", "92.00")


def test_what_has_no_end_yet_is_under_way(shop: Shop) -> None:
    shop.gateway.control("PUT", f"/sandboxes/{shop.identity}/clock", {"mode": "frozen"})
    shop.arm({"acquirer": {"pending": {"seconds": 60, "then": {"approve": {}}}}}, times=1)
    identity = shop.pay()["id"]

    assert reconciliation_of(shop) == {**AGREED, "under_way": [identity]}


def test_a_pending_payment_without_an_answer_is_taken_back_on_both_sides(shop: Shop) -> None:
    pending = {"pending": {"seconds": 1, "then": {"approve": {}}}}
    shop.arm({"acquirer": pending, "link": "timeout"}, times=1)
    shop.pay()

    assert reconciliation_of(shop) == AGREED


def test_the_command_prints_the_reconciliation_and_its_status_says_whether_the_ledgers_agree(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "data") as running:
        facts = running.facts
        control = Control(facts["control_url"], facts["control_key"])
        sandbox = control.sandboxes()[0]["id"]
        client = Client(facts["base_url"], facts["token"], facts["entity_id"])
        client.post("v1/payments", {**ORDER, "testMode": "EXTERNAL"})
        agreed = command(facts)
        unmatched = pay_at_the_host(facts, sandbox)
        differing = command(facts)

    assert agreed.returncode == 0, agreed.stderr
    assert "92.00" in agreed.stdout
    assert "The ledgers agree." in agreed.stdout
    assert differing.returncode == 3, differing.stderr
    assert f"{unmatched}  DB" in differing.stdout
    assert f"gateway 0.00 EUR, host 92.00: {NO_PAYMENT}" in differing.stdout
    assert f"sandgate trace {unmatched}" in differing.stdout
    assert ORDER["card.number"] not in agreed.stdout + differing.stdout


def pay_at_the_host(facts: dict, sandbox: str) -> str:
    """A payment that the gateway knows nothing of, on a connection of its own; its id."""
    host, _, port = facts["card_host"].rpartition(":")
    line = connected((host, int(port)), 5)
    answers = line.frames()
    made = ask(entity=facts["entity_id"])
    sign_on = network_message(SIGN_ON, sandbox=sandbox, trace=1, at=NOON)
    for message in (sign_on, message_of(made, sandbox, at=NOON, currency="978")):
        line.send(encoded(message))
        assert decoded(next(answers))["39"] == "00"
    line.close()
    return made.payment


def command(facts: dict) -> subprocess.CompletedProcess:
    place = {
        "SANDGATE_CONTROL_URL": facts["control_url"],
        "SANDGATE_CONTROL_API_KEY": facts["control_key"],
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", "simulator", "reconcile", "ledger"],
        env={**clean_environment(), **place},
        text=True, capture_output=True, timeout=30, check=False,
    )  # fmt: skip
