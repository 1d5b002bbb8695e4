"""A gateway that is served with its records in PostgreSQL."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.client import GatewayAccess
from simulator.tests.adapters.postgresql.cluster import Cluster, running_cluster
from simulator.tests.kit.running import clean_environment, command_of, serving

APPROVED = "000.100.110"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster(is_durable=True) as cluster:
        yield cluster


def access_to(facts: dict[str, str]) -> GatewayAccess:
    return GatewayAccess(facts["base_url"], facts["control_url"], facts["control_key"])


def test_what_was_answered_is_there_after_a_kill(cluster: Cluster, tmp_path: Path) -> None:
    store = ("--store", cluster.create())
    with serving(tmp_path / "data", *store) as first:
        shop = access_to(first.facts).create_sandbox()
        paid = shop.pay("92.00", payment_type="PA")
        captured = shop.refer(paid.id, "CP", "60.00")
        assert (paid.code, captured.code) == (APPROVED, APPROVED)
        first.process.kill()

    with serving(tmp_path / "data", *store) as second:
        shop.merchant.close()
        again = access_to(second.facts)
        shop = type(shop)(shop.facts, again.url, again.control())
        assert shop.merchant.get(f"v1/payments/{captured.id}").code == APPROVED
        assert not shop.refer(paid.id, "CP", "32.01").code.startswith("000.")
        assert shop.refer(paid.id, "CP", "32.00").code == APPROVED
        shop.arm("insufficient-funds", times=1)
        assert [shop.pay("1.00").code.startswith("000.") for _ in range(2)] == [False, True]


def test_a_sandbox_moves_to_a_database_and_back_by_snapshot(
    cluster: Cluster, tmp_path: Path
) -> None:
    with serving(tmp_path / "embedded") as embedded:
        with serving(tmp_path / "data", "--store", cluster.create()) as stored:
            here, there = access_to(embedded.facts), access_to(stored.facts)
            shop = here.create_sandbox()
            ids = [shop.pay(f"{number}.00", payment_type="PA").id for number in range(1, 4)]
            there.control().restore(here.control().snapshot(shop.id, "pass phrase"), "pass phrase")
            moved = type(shop)(shop.facts, there.url, there.control())
            assert moved.refer(ids[0], "CP", "1.00").code == APPROVED
            ids.append(moved.pay("4.00", payment_type="PA").id)
            back = there.control().snapshot(shop.id, "pass phrase")
        here.control().restore(back, "pass phrase")
        assert not shop.refer(ids[0], "CP", "1.00").code.startswith("000.")
        assert shop.refer(ids[3], "CP", "4.00").code == APPROVED


def test_a_database_that_cannot_be_used_ends_the_start_with_one_line(tmp_path: Path) -> None:
    ended = subprocess.run(
        command_of(tmp_path / "data", "--store", "postgresql://127.0.0.1:1/nothing"),
        capture_output=True, env=clean_environment(), text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 1
    assert ended.stderr.startswith("sandgate: the database of --store: ")
    assert "Connection refused" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
