"""EXTERNAL payments settle from the card host's own entries, also where an answer was lost."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from simulator.domain.acquiring.host_entries import UNANSWERED, CardEntry
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment, State
from simulator.tests.settlement.test_control import Shop
from simulator.tests.settlement.test_reports import DAYS, PAGES, ask


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    made.gateway.close()


def settled(shop: Shop) -> list[dict[str, str]]:
    """The lines of the next day that are of payments."""
    shop.advance("1d")
    (run,) = shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"]
    rows = [row for name in run["delivered"] for row in shop.fetched(name)]
    return [row for row in rows if row["PaymentType"] in ("DEBIT", "REFUND")]


def refund(shop: Shop, payment: str) -> str:
    sent = {"entityId": shop.who.entity_id, "paymentType": "RF", "currency": "EUR"}
    path = f"/v1/payments/{payment}"
    return str(shop.gateway.send(path, {**sent, "amount": "2.00"}, shop.who).json["id"])


def test_what_the_host_approved_settles(shop: Shop) -> None:
    sale = shop.pay(testMode="EXTERNAL")
    other = shop.pay()
    back = refund(shop, sale)

    rows = settled(shop)

    assert {row["UniqueID"] for row in rows} == {sale, other, back}
    assert {row["MatchingStatus"] for row in rows} == {"MATCHED"}


def test_what_the_host_never_had_does_not_settle(shop: Shop) -> None:
    sale = shop.pay(testMode="EXTERNAL")
    store = shop.gateway.ports(shop.id).store
    store.commit(unit_of(removes=(store.get(CardEntry, sale),)))

    assert settled(shop) == []


def test_what_was_approved_without_an_answer_shows_up_in_settlement(shop: Shop) -> None:
    """The host has approved it; the answer was lost, and the reversal has not come yet."""
    lost = shop.pay(testMode="EXTERNAL")
    store = shop.gateway.ports(shop.id).store
    payment = store.get(Payment, lost)
    failed = {"state": State.FAILED, "outcome": UNANSWERED, "posted": None, "posted_at": None}
    store.commit(unit_of(replace(payment, **failed)))

    (row,) = settled(shop)

    assert (row["UniqueID"], row["MatchingStatus"], row["Amount"]) == (lost, "MATCHED", "92.00")
    (record,) = records(shop, "SETTLED")
    assert "the gateway has not approved it" in record["matchedTransactions"]["reason"]


def test_what_the_host_took_back_does_not_settle(shop: Shop) -> None:
    sale = shop.pay(testMode="EXTERNAL")
    store = shop.gateway.ports(shop.id).store
    entry = store.get(CardEntry, sale)
    store.commit(unit_of(replace(entry, reversed_at=entry.at)))

    assert settled(shop) == []


def test_a_part_that_the_host_approved_settles_as_that_part(shop: Shop) -> None:
    sale = shop.pay(testMode="EXTERNAL")
    store = shop.gateway.ports(shop.id).store
    entry = store.get(CardEntry, sale)
    outcome = replace(entry.plan.outcome, approved=Decimal("40.00"))
    store.commit(unit_of(replace(entry, plan=replace(entry.plan, outcome=outcome))))

    (row,) = settled(shop)

    assert row["Amount"] == "40.00"
    (record,) = records(shop, "SETTLED")
    assert "amount 40.00 instead of 92.00" in record["matchedTransactions"]["reason"]


def records(shop: Shop, kind: str) -> list[dict]:
    """What the reports API shows of the only run."""
    (entry,) = ask(shop, **DAYS).json["aggregations"]
    path = f"{PAGES}/{entry['id']}"
    return list(ask(shop, path, reconciliationType=kind).json["records"])
