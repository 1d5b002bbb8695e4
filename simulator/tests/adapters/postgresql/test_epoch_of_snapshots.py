"""A snapshot is of one epoch, also where its sandbox is reset or restored while it is taken."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simulator.adapters.settlement import archive
from simulator.tests.adapters.postgresql.cluster import Cluster
from simulator.tests.kit.gateway import CONTROL_KEY
from simulator.tests.settlement.test_control import RUN, Shop
from simulator.tests.settlement.test_snapshots import files, restore, snapshot

Change = Callable[[Shop, bytes], object]

CHANGES: dict[str, Change] = {
    "reset": lambda shop, empty: shop.call("POST", "/reset", {}),
    "restored": restore,
}


@pytest.fixture(params=["files", "postgresql"])
def shop(request: pytest.FixtureRequest, cluster: Cluster, tmp_path: Path) -> Iterator[Shop]:
    more = {"store": cluster.create()} if request.param == "postgresql" else {}
    made = Shop(tmp_path, **more)
    yield made
    made.gateway.close()


def settle(shop: Shop) -> None:
    shop.pay()
    shop.advance("1d")
    shop.call("POST", "/settlements", {"institute": "Sandgate Clearing"})


@pytest.fixture
def change_before_files(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Has something done once, after the records of a snapshot were read and before its files."""
    archived = archive.archived

    def arrange(change: Callable[[], object]) -> None:
        changes = [change]

        def changed(*arguments: object) -> Iterator[bytes]:
            while changes:
                changes.pop()()
            yield from archived(*arguments)

        monkeypatch.setattr(archive, "archived", changed)

    return arrange


@pytest.mark.parametrize("change", CHANGES)
def test_a_snapshot_has_records_and_files_of_one_epoch(
    shop: Shop, change: str, change_before_files: Callable[[Callable[[], object]], None]
) -> None:
    empty = snapshot(shop)
    settle(shop)
    change_before_files(lambda: CHANGES[change](shop, empty))

    taken = snapshot(shop)

    assert restore(shop, taken) == 200
    names = {name for run in shop.call("GET", "/settlements")["runs"] for name in run["delivered"]}
    assert names == {Path(each).name for each in files(shop) if each.endswith(".csv")} == set()
    settle(shop)
    assert shop.call("GET", f"/settlements/{RUN}")["run"]["state"] == "delivered"


def test_of_a_sandbox_that_is_deleted_meanwhile_there_is_no_snapshot(
    shop: Shop, change_before_files: Callable[[Callable[[], object]], None]
) -> None:
    path = f"/sandboxes/{shop.id}"
    change_before_files(lambda: shop.gateway.control("DELETE", path))
    key = {"Authorization": f"Bearer {CONTROL_KEY}"}

    answer = shop.gateway.client.simulate_get(f"/_sandbox/v1{path}/snapshot", headers=key)

    assert answer.status_code == 404
