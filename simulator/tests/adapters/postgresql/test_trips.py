"""How often a payment goes to the database: to write once, and never to read."""

from pathlib import Path

from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.engines import open_engine
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.kit.gateway import Gateway

PAYMENTS = 10


def test_a_payment_reads_nothing_and_writes_once(tmp_path: Path) -> None:
    engines: list[PostgresEngine] = []

    def opened(*given: object) -> PostgresEngine:
        engines.append(open_engine(*given))
        return engines[0]

    with running_cluster() as cluster:
        chosen = {"open_engine": opened, "durability": "disk", "store": cluster.create()}
        gateway = Gateway(tmp_path / "data", **chosen)
        # The first one loads the sandbox, and looks for scripts and endpoints.
        gateway.post()
        before = engines[0].trips
        for _ in range(PAYMENTS):
            gateway.post()
        after = engines[0].trips
        gateway.close()
    assert after.read == before.read
    assert after.written == before.written + PAYMENTS
