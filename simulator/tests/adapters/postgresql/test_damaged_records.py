"""A record damaged in the database: what needs it is answered 503, and the log names it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from simulator.client import GatewayAccess
from simulator.client.control_calls import ControlError
from simulator.tests.adapters.postgresql.cluster import Cluster
from simulator.tests.kit.running import serving

DAMAGES: dict[str, Callable[[dict], Any]] = {
    "empty": lambda body: {},
    "list": lambda body: [1],
    "null": lambda body: None,
    "member missing": lambda body: {name: body[name] for name in body if name != "created_at"},
    "number": lambda body: {**body, "money": 10**40},
    "escape": lambda body: {**body, "state": "\x1b[31m4200000000000000"},
    "surrogate": lambda body: {**body, "brand": "\ud800"},
}


class DamagedGateway:
    """A gateway with one payment, whose record a test damages, and another sandbox."""

    def __init__(self, access: GatewayAccess, address: str, log: Path):
        self.shop, self.other = access.create_sandbox(), access.create_sandbox()
        self.payment = self.shop.pay("92.00", payment_type="DB").id
        self.address, self.log = address, log

    def body(self) -> dict:
        """The record of the payment as it is stored."""
        with psycopg.connect(self.address) as connection:
            question = "select body from sandgate.payments where id = %s"
            return connection.execute(question, (self.payment,)).fetchone()[0]

    def store(self, body: object) -> None:
        """Put another body in its place."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            change = "update sandgate.payments set body = %s where id = %s"
            connection.execute(change, (json.dumps(body), self.payment))

    def statuses(self) -> list[int]:
        """What is answered to a read of the payment, to a refund of it, and to a query and the
        balance of all payments of its sandbox.
        """
        dates = {"date.from": "2026-01-01", "date.to": "2028-12-31"}
        return [
            self.shop.merchant.get(f"v1/payments/{self.payment}").status,
            self.shop.refer(self.payment, "RF", "1.00").status,
            self.shop.merchant.get("v3/query", dates).status,
            status_of(lambda: self.shop.control.books(self.shop.id)),
        ]


def status_of(ask: Callable[[], object]) -> int:
    try:
        ask()
    except ControlError as refused:
        return refused.status
    return 200


@pytest.fixture(scope="module")
def gateway(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DamagedGateway]:
    folder, address = tmp_path_factory.mktemp("damaged"), cluster.create()
    log = folder / "log.txt"
    with (
        log.open("wb") as written,
        serving(folder / "data", "--store", address, log=written) as running,
    ):
        facts = running.facts
        access = GatewayAccess(facts["base_url"], facts["control_url"], facts["control_key"])
        yield DamagedGateway(access, address, log)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_record_is_answered_503_and_the_log_names_it_until_it_is_repaired(
    gateway: DamagedGateway, damage: str
) -> None:
    whole = gateway.body()
    gateway.store(DAMAGES[damage](whole))
    try:
        statuses = gateway.statuses()
    finally:
        gateway.store(whole)
    log = gateway.log.read_text()

    assert statuses == [503] * 4
    assert f"table sandgate.payments, id {gateway.payment}, world " in log
    assert "What to do: put the body of that row of sandgate.payments back" in log
    assert "Traceback" not in log and "4200000000000000" not in log
    assert gateway.other.pay("1.00").status == 200
    assert gateway.statuses() == [200] * 4


@pytest.mark.parametrize("table", ["sandboxes"])
def test_a_start_names_the_record_that_it_cannot_read(
    cluster: Cluster, tmp_path: Path, table: str
) -> None:
    address, log = cluster.create(), tmp_path / "log.txt"
    with serving(tmp_path / "data", "--store", address):
        pass
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"update sandgate.{table} set body = '{{}}'")

    with (
        log.open("wb") as written,
        pytest.raises(AssertionError, match="ended with status 1"),
        serving(tmp_path / "data", "--store", address, log=written),
    ):
        pass

    said = log.read_text()
    assert f"sandgate: table sandgate.{table}, id " in said and "Traceback" not in said
