"""Reports of settlement: sums of bank days, their records, in pages and by type."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import Result

from simulator.tests.kit.gateway import Credentials
from simulator.tests.settlement.test_control import RUN, Shop

SUMS = "/reports/v1/reconciliations/aggregations"
PAGES = "/reports/v2/reconciliations/aggregations"
DAYS = {"date.from": "2030-01-04", "date.to": "2030-01-04"}
PAYMENTS = 101


def ask(shop: Shop, path: str = SUMS, who: Credentials | None = None, **query: str) -> Result:
    """A report."""
    who = who or shop.who
    return shop.gateway.client.simulate_get(
        path,
        params={"entityId": who.entity_id, **query},
        headers={"Authorization": f"Bearer {who.token}"},
        extras={"sandgate.listener": who.listener},
    )


class Settled:
    """A shop with more payments of a bank day than a page has records."""

    def __init__(self, folder: Path):
        self.shop = shop = Shop(folder)
        self.payments = [shop.pay(merchantTransactionId=f"order-{n:04}") for n in range(PAYMENTS)]
        shop.gateway.post(who=shop.who, paymentType="PA")
        shop.advance("1d")
        (run, *_) = shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"]
        (self.file,) = run["delivered"]

    def body(self, path: str = SUMS, **query: str) -> dict[str, Any]:
        """The body of one that is found."""
        answer = ask(self.shop, path, **query)
        assert (answer.status_code, answer.json["result"]["code"]) == (200, "000.000.100")
        return dict(answer.json)

    def entry(self) -> dict[str, Any]:
        """The only sum."""
        (entry,) = self.body(**DAYS)["aggregations"]
        return dict(entry)


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settled]:
    made = Settled(tmp_path_factory.mktemp("settled"))
    yield made
    made.shop.gateway.close()


def settled_ids(records: list[dict[str, Any]]) -> list[str]:
    return [each["settlement"]["id"] for each in records]


def test_a_bank_day_is_summed_as_its_file(settled: Settled) -> None:
    rows = [row for row in settled.shop.fetched(settled.file) if row["PaymentType"] != "BATCH"]
    signs = {"POS": 1, "NEG": -1}
    amount = sum(Decimal(row["SettlementAmount"]) * signs[row["Cashflow"]] for row in rows)
    fee = sum(Decimal(row["SettlementFee"] or 0) for row in rows)

    entry = settled.entry()

    assert entry["id"].startswith(RUN)
    assert entry["clearingInstitute"] == {"name": "Sandgate Clearing"}
    assert entry["settlement"] == {"date": "2030-01-04", "currency": "EUR"}
    assert entry["count"] == len(rows) + 1
    assert [Decimal(entry[name]) for name in ("amount", "fee", "net")] == [
        amount, fee, amount - fee]  # fmt: skip


def test_the_records_are_the_lines_of_the_file_in_their_order(settled: Settled) -> None:
    rows = settled.shop.fetched(settled.file)

    records = settled.body(f"{SUMS}/{settled.entry()['id']}")["records"]

    assert settled_ids(records) == [row["SettlementTxId"] for row in rows]
    for record, row in zip(records, rows, strict=True):
        assert record["recordType"] == row["ReconciliationType"]
        assert record["settlement"]["amount"] == row["SettlementAmount"]
        assert record.get("payment", {}).get("id", "") == row["UniqueID"]
        assert record.get("card", {}).get("last4Digits", "") == row["AccountNumberLast4"]


def test_a_record_names_order_and_payment(settled: Settled) -> None:
    records = settled.body(f"{SUMS}/{settled.entry()['id']}")["records"]

    (first,) = [each for each in records if each.get("payment") == {"id": settled.payments[0]}]

    assert first["merchantTransactionId"] == "order-0000"
    assert first["matchedTransactions"]["status"] == "MATCHED"
    assert first["matchedTransactions"]["payment"] == [{"id": settled.payments[0]}]
    assert first["matchedTransactions"]["reason"]


@pytest.mark.parametrize("order", ["DESC", "desc"])
def test_records_are_read_from_the_last_to_the_first(settled: Settled, order: str) -> None:
    path = f"{SUMS}/{settled.entry()['id']}"
    forwards = settled.body(path, sortValue="SettlementTxDate", sortOrder="asc")["records"]

    backwards = settled.body(path, sortValue="SettlementTxDate", sortOrder=order)["records"]

    assert backwards == forwards[::-1]


def test_pages_have_a_hundred_records_each(settled: Settled) -> None:
    identity = settled.entry()["id"]
    whole = settled.body(f"{SUMS}/{identity}")["records"]

    pages = [settled.body(f"{PAGES}/{identity}", pageNo=f"{n}") for n in (1, 2, 3)]
    last = settled.body(f"{PAGES}/{identity}", sortOrder="DESC", pageNo="2")["records"]

    assert [len(page["records"]) for page in pages] == [100, len(whole) - 100, 0]
    assert {page["pages"] for page in pages} == {2}
    assert sum((page["records"] for page in pages), []) == whole
    assert last == whole[: len(whole) - 100][::-1]


@pytest.mark.parametrize(("kind", "least"), [("SETTLED", PAYMENTS), ("FEE", 1), ("CHARGEBACK", 0)])
def test_pages_of_a_type_hold_that_type_alone(settled: Settled, kind: str, least: int) -> None:
    identity = settled.entry()["id"]
    whole = settled.body(f"{SUMS}/{identity}")["records"]
    wanted = [each for each in whole if each["recordType"] == kind]

    first = settled.body(f"{PAGES}/{identity}", reconciliationType=kind)

    assert first["records"] == wanted[:100] and len(wanted) >= least
    assert first["pages"] == -(-len(wanted) // 100)


@pytest.mark.parametrize(
    "query",
    [
        {"date.from": "2030-01-05", "date.to": "2030-02-01"},
        {"date.from": "2029-01-05", "date.to": "2030-01-03"},
        {**DAYS, "currency": "USD"},
    ],
)
def test_other_days_and_currencies_have_no_sum(settled: Settled, query: dict[str, str]) -> None:
    assert settled.body(**query)["aggregations"] == []


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ({"date.from": "2030-01-04"}, "date.to"),
        ({"date.to": "2030-01-04"}, "date.from"),
        ({"date.from": "2030-01-04", "date.to": "2030-01-03"}, "date.to"),
        ({"date.from": "2030-01-04", "date.to": "2030-02-30"}, "date.to"),
        ({**DAYS, "currency": "XXY"}, "currency"),
    ],
)
def test_wrong_days_are_refused(settled: Settled, query: dict[str, str], wrong: str) -> None:
    answer = ask(settled.shop, **query)

    assert answer.status_code == 400
    assert [each["name"] for each in answer.json["result"]["parameterErrors"]] == [wrong]


@pytest.mark.parametrize(
    "query", [{"pageNo": "0"}, {"reconciliationType": "DEBIT"}, {"sortOrder": "up"}]
)
def test_wrong_pages_are_refused(settled: Settled, query: dict[str, str]) -> None:
    answer = ask(settled.shop, f"{PAGES}/{settled.entry()['id']}", **query)

    assert answer.status_code == 400
    assert [each["name"] for each in answer.json["result"]["parameterErrors"]] == list(query)


def test_another_merchant_sees_neither_sums_nor_records(settled: Settled) -> None:
    made = settled.shop.call("POST", "/merchants", {})
    other = Credentials(made["token"], made["channels"][0]["id"])
    identity = settled.entry()["id"]

    sums = ask(settled.shop, who=other, **DAYS)
    records = ask(settled.shop, f"{SUMS}/{identity}", who=other)

    assert sums.json["aggregations"] == []
    assert (records.status_code, records.json["result"]["code"]) == (404, "700.400.580")


def test_a_settled_payment_names_its_settlement(settled: Settled) -> None:
    shop, entry = settled.shop, settled.entry()

    shown, open_one = (shown_payment(shop, each) for each in (settled.payments[0], shop.pay()))

    assert shown["resultDetails"]["reconciliationId"] == entry["id"]
    assert settled.payments[0] in {
        each.get("payment", {}).get("id")
        for each in settled.body(f"{SUMS}/{shown['resultDetails']['reconciliationId']}")["records"]
    }
    assert "reconciliationId" not in open_one["resultDetails"]


def shown_payment(shop: Shop, payment: str) -> dict[str, Any]:
    return dict(ask(shop, f"/v1/payments/{payment}").json)


def test_sums_survive_a_restart(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.pay()
    shop.advance("1d")
    shop.call("POST", "/settlements", {})
    before = ask(shop, **DAYS).json["aggregations"]
    shop.restart()

    assert len(before) == 1
    assert ask(shop, **DAYS).json["aggregations"] == before
    shop.gateway.close()


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path)
    yield made
    made.gateway.close()


def test_each_host_has_its_own_settlement(shop: Shop) -> None:
    live = shop.live
    paid = {
        who.listener: shop.gateway.post(who=who, paymentType="DB", amount=amount).json["id"]
        for who, amount in ((shop.who, "92.00"), (live, "77.00"))
    }
    shop.advance("1d")
    (run,) = shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})["runs"]
    found = {}
    for who in (shop.who, live):
        (entry,) = ask(shop, who=who, **DAYS).json["aggregations"]
        assert entry["merchantAccount"]["id"] == shop.merchant["channels"][0]["merchant_account"]
        body = ask(shop, f"{SUMS}/{entry['id']}", who=who).json
        named = {each["payment"]["id"] for each in body["records"] if "payment" in each}
        assert named == {paid[who.listener]}
        found[who.listener] = entry
    assert [Decimal(each["amount"]) for each in found.values()] == [92, 77]
    for who, other in ((shop.who, "live"), (live, "plain")):
        assert ask(shop, f"{SUMS}/{found[other]['id']}", who=who).status_code == 404
    files = {frozenset(row["UniqueID"] for row in shop.fetched(name)) for name in run["delivered"]}
    assert files == {frozenset({"", each}) for each in paid.values()}
    shown = shop.call("GET", f"/settlements/{RUN}")["accounts"]
    assert [(each["agrees"], each["matched"]) for each in shown] == [(True, 1)] * 2
    for who in (shop.who, live):
        body = shop.gateway.read(paid[who.listener], who).json
        assert body["resultDetails"]["reconciliationId"] == found[who.listener]["id"]
