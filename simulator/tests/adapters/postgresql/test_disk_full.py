"""A database whose disk is full, for real: what is refused, what is kept, and how it goes on."""

from pathlib import Path
from time import monotonic, sleep
from urllib.error import HTTPError
from urllib.request import urlopen

import gevent
import pytest

from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.client import GatewayAccess
from simulator.client.sandbox import SandboxClient
from simulator.domain.core.errors import UnreachableStoreError
from simulator.domain.core.ports import unit_of
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.adapters.postgresql.small_disk import NEEDS_ROOT, mounted_disk
from simulator.tests.adapters.store.engines import a_sandbox
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, a_parcel
from simulator.tests.kit.running import serving

pytestmark = NEEDS_ROOT
APPROVED, UNAVAILABLE = "000.100.110", 503
WAIT_S_MAX = 20.0
TABLES_MB, LOG_MB = 32, 24
# A body that soon fills a page, and a file of the log.
LONG = "x" * 4000
STORED_MAX = 20_000


def test_payments_are_refused_while_the_disk_is_full_and_none_is_lost(tmp_path: Path) -> None:
    with (
        running_cluster(is_durable=True) as cluster,
        mounted_disk(TABLES_MB) as disk,
        (tmp_path / "log").open("wb") as log,
        serving(
            tmp_path / "data", "--store", cluster.create(disk=disk.folder), "--throttle", "off",
            log=log,
        ) as server,
    ):  # fmt: skip
        facts = server.facts
        access = GatewayAccess(facts["base_url"], facts["control_url"], facts["control_key"])
        shop = access.create_sandbox()
        first = shop.pay("92.00", payment_type="PA").id
        disk.fill()
        kept = [first, *paid_until_refused(shop)]

        refused = shop.pay("3.00")
        assert (refused.status, refused.code) == (UNAVAILABLE, "999.999.888")
        assert "nothing was stored; send it again later" in refused.reason
        assert states_of(shop, kept) == [APPROVED] * len(kept)
        with pytest.raises(HTTPError, match=str(UNAVAILABLE)) as ready:
            urlopen(facts["base_url"] + "_sandbox/ready")
        assert b"No space left on device" in ready.value.read()

        disk.make_room()
        wait_until_paid(shop)
        assert shop.refer(first, "CP", "92.00").code == APPROVED
        assert not shop.refer(first, "CP", "0.01").code.startswith("000.")
        assert states_of(shop, kept) == [APPROVED] * len(kept)
    assert "No space left on device" in (tmp_path / "log").read_text()


def paid_until_refused(shop: SandboxClient) -> list[str]:
    """The ids of the payments that were acknowledged before one was refused."""
    ids = []
    while (answer := shop.pay("1.00", payment_type="PA")).status != UNAVAILABLE:
        assert answer.code == APPROVED
        ids.append(answer.id)
        assert len(ids) < STORED_MAX
    return ids


def states_of(shop: SandboxClient, ids: list[str]) -> list[str]:
    """The code of each payment, as it is read now."""
    return [shop.merchant.get(f"v1/payments/{each}").code for each in ids]


def wait_until_paid(shop: SandboxClient) -> None:
    until = monotonic() + WAIT_S_MAX
    while shop.pay("1.00").status == UNAVAILABLE:
        assert monotonic() < until, "payments are taken again"
        sleep(0.05)


@pytest.mark.proof
def test_a_full_disk_of_the_log_ends_the_server_and_loses_nothing() -> None:
    with (
        mounted_disk(LOG_MB) as disk,
        running_cluster(is_durable=True, log=disk.folder / "log") as cluster,
    ):
        engine = PostgresEngine(cluster.create(), "ours", kinds=KINDS)
        engine._writer.unknown_s_max = 1.0
        store = engine.store_of(a_sandbox())
        disk.fill()
        kept = []
        with pytest.raises(UnreachableStoreError, match="outcome is unknown"):
            for number in range(STORED_MAX):
                store.commit(unit_of(a_parcel(f"{number}", 0, sender=LONG)))
                kept.append(number)
        assert engine.problem() is not None

        disk.make_room()
        cluster.stop()
        cluster.start()
        with gevent.Timeout(WAIT_S_MAX):
            while engine.problem() is not None:
                gevent.sleep(0.05)
        held = [store.get(Parcel, f"{number}") for number in kept]
        assert kept and all(each is not None and each.version == 1 for each in held)
        gevent.sleep(1.0)
        store.commit(unit_of(a_parcel("again", 0)))
        engine.close()
