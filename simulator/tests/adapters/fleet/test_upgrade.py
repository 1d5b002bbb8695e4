"""A fleet of processes whose release changes one by one: one writes at most at the former level."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import psycopg
import pytest

from simulator.adapters.postgresql.schema import LEVEL
from simulator.client import GatewayAccess
from simulator.client.sandbox import SandboxClient
from simulator.tests.kit.running import Serving, clean_environment, command_of, serving

APPROVED = "000.100.110"
ENDED = 75
WAIT_S_MAX = 40.0
FORMER = ("--write-level", str(LEVEL - 1))


def member_of(address: str) -> tuple[str, ...]:
    return "--store", address, "--peer-key", "the-key-of-the-fleet-of-tests"


def level_in(address: str) -> int:
    with psycopg.connect(address) as connection:
        return connection.execute("select level from sandgate.server").fetchone()[0]


def wait_until(is_so: Callable[[], bool]) -> None:
    until = monotonic() + WAIT_S_MAX
    while not is_so():
        assert monotonic() < until
        sleep(0.05)


def access_to(server: Serving) -> GatewayAccess:
    facts = server.facts
    return GatewayAccess(facts["base_url"], facts["control_url"], facts["control_key"])


def at(shop: SandboxClient, server: Serving) -> SandboxClient:
    """The same sandbox at another member."""
    access = access_to(server)
    return SandboxClient(shop.facts, access.url, access.control())


def paid_and_captured(members: tuple[SandboxClient, SandboxClient], number: int) -> tuple[str, str]:
    """The ids of a payment at one member and of its capture at the other one."""
    paid = members[number % 2].pay("92.00", payment_type="PA")
    captured = members[(number + 1) % 2].refer(paid.id, "CP", "60.00")
    assert (paid.code, captured.code) == (APPROVED, APPROVED)
    return paid.id, captured.id


def assert_refused(data: Path, *options: str) -> None:
    """A member that is too old does not start, and says what to do in one line."""
    refused = subprocess.run(
        command_of(data, *options),
        capture_output=True, env=clean_environment(), text=True, check=False,
    )  # fmt: skip
    assert refused.returncode == 1
    assert f"is written at level {LEVEL} by a newer release" in refused.stderr
    assert "start that release, or restore a backup" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


@pytest.mark.proof
def test_members_of_two_releases_serve_together_until_the_former_one_has_gone(
    address: str, tmp_path: Path
) -> None:
    data, options = tmp_path / "data", member_of(address)
    with serving(data, *options, *FORMER) as former, serving(data, *options) as newer:
        shop = access_to(former).create_sandbox()
        both = at(shop, former), at(shop, newer)
        ids = [each for number in range(8) for each in paid_and_captured(both, number)]
        assert level_in(address) == LEVEL - 1

        former.process.terminate()
        wait_until(lambda: level_in(address) == LEVEL)
        assert both[1].pay("1.00").code == APPROVED
        assert_refused(data, *options, *FORMER)
        with serving(data, *options) as again:
            codes = [at(shop, again).merchant.get(f"v1/payments/{each}").code for each in ids]
            assert codes == [APPROVED] * len(ids)


def test_a_member_ends_where_the_level_is_above_its_own(address: str, tmp_path: Path) -> None:
    log, options = tmp_path / "log", (*member_of(address), *FORMER)
    with (
        log.open("wb") as written,
        serving(tmp_path / "data", *options, log=written) as member,
    ):
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"update sandgate.server set level = {LEVEL}")
        assert member.process.wait(WAIT_S_MAX) == ENDED
    assert f"is written at level {LEVEL} by a newer release" in log.read_text()
    assert_refused(tmp_path / "data", *options)


def test_a_level_that_this_release_does_not_know_is_refused(address: str, tmp_path: Path) -> None:
    refused = subprocess.run(
        command_of(tmp_path / "data", "--store", address, "--write-level", str(LEVEL + 1)),
        capture_output=True, env=clean_environment(), text=True, check=False,
    )  # fmt: skip
    assert refused.returncode != 0
    assert f"write-level: expected at most {LEVEL}" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
