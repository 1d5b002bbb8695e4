"""Copies of a sandbox take as many serials as they have records, however often they are copied."""

from pathlib import Path

import psycopg

from simulator.tests.adapters.postgresql.cluster import Cluster
from simulator.tests.settlement.test_control import Shop
from simulator.tests.settlement.test_snapshots import restore, snapshot

TURNS, PAYMENTS_MAX = 12, 400
LAST = "select last_value from sandgate.payments_serial_seq"
PAID = """
    select id from sandgate.payments
    where world = (select max(world) from sandgate.payments) order by serial
"""


def test_snapshots_that_are_restored_again_and_again_use_up_no_serials(
    cluster: Cluster, tmp_path: Path
) -> None:
    store = cluster.create()
    shop = Shop(tmp_path, store=store)
    try:
        paid = [shop.pay() for _ in range(3)]
        for _ in range(TURNS):
            assert restore(shop, snapshot(shop)) == 200
            paid.append(shop.pay())
    finally:
        shop.gateway.close()

    ids, (last,) = rows(store, PAID), rows(store, LAST)
    assert ids == [(each,) for each in paid]
    assert len(paid) <= last[0] <= PAYMENTS_MAX


def rows(store: str, sql: str) -> list[tuple]:
    with psycopg.connect(store) as connection:
        return connection.execute(sql).fetchall()
