"""How often the gateway goes to the database: for a payment to write once, and never to read."""

from datetime import timedelta
from pathlib import Path

import pytest

from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.settlement.folders import SettlementFolders
from simulator.engines import open_engine
from simulator.service.settlement.runs import settle_until
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.adapters.store.engines import a_sandbox
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import NOON, a_context
from simulator.tests.kit.twins import HandClock
from simulator.tests.payments.test_references import paid
from simulator.tests.settlement.test_runs import INSTITUTES

PAYMENTS = 10
# Of a bank day; its records and lines are read some at a time, and a run reads some things once.
SETTLED, AT_ONCE, ONCE = 256, 16, 40


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


@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_bank_day_is_read_some_payments_at_a_time(tmp_path: Path, institute: str) -> None:
    """Once the payment of each line was read alone, and twice where the line has no id of it."""
    clock = HandClock(NOON)
    with running_cluster() as cluster:
        engine = PostgresEngine(cluster.create(), "fingerprint")
        files = SettlementFolders(tmp_path, "sandbox", lambda: None)
        context = a_context(
            clock=clock,
            store=engine.store_of(a_sandbox()),
            files=files,
            channel={"clearing_institute": institute},
        )
        for _ in range(SETTLED):
            paid(context, "DB")
        clock.advance(timedelta(days=1))
        before = engine.trips.read
        (run,) = settle_until(context.ports, institute, None)
        reads = engine.trips.read - before
        engine.close()

    assert run.state == "delivered" and run.lines > SETTLED
    assert reads <= 2 * SETTLED // AT_ONCE + ONCE
