"""`sandgate check` and `sandgate load` against two members, each request at a random one."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from features.target.writing import format_target_file
from simulator.client.processes import running_gateway, without_settings
from simulator.tests.adapters.postgresql.cluster import running_cluster

KEY = "the-key-of-the-fleet-of-tests"
PASSED = 0


class Target(NamedTuple):
    """A folder with the target file of the first member, and the address of the second."""

    folder: Path
    second: str

    def run(self, command: str, *options: str) -> subprocess.CompletedProcess[str]:
        program = [sys.executable, "-m", "simulator", command, "target.toml", *options]
        environment = {**without_settings(), "PYTHONPATH": str(Path(__file__).parents[4])}
        return subprocess.run(
            program, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("target")
    with running_cluster() as cluster, ExitStack() as stack:
        options = ("--store", cluster.create(), "--data", str(folder / "data"), "--port", "0")
        members = [
            stack.enter_context(running_gateway(*options, "--peer-key", KEY)) for _ in range(2)
        ]
        (folder / "target.toml").write_text(format_target_file(members[0].facts))
        yield Target(folder, members[1].base_url)


@pytest.mark.proof
def test_cases_pass_at_random_members(target: Target) -> None:
    wanted = ("--only", "A card message has amount, currency and type of the payment")
    ran = target.run("check", "--member", target.second, *wanted, "--events", "events.jsonl")
    assert ran.returncode == PASSED, ran.stdout + ran.stderr
    lines = (target.folder / "events.jsonl").read_text().splitlines()
    repeats = [each["repeat"] for each in map(json.loads, lines) if "repeat" in each]
    assert repeats and all(f"--member {target.second}" in each for each in repeats)


@pytest.mark.proof
def test_the_ledger_of_a_load_on_both_members_is_proven(target: Target) -> None:
    file = target.folder / "target.toml"
    # Before the first table, where a member of the whole file stands.
    file.write_text(f'members = ["{target.second}"]\n{file.read_text()}')
    users = ("--users", "merchant,receiver", "-u", "4", "-t", "2s", "--think", "0.1")
    ran = target.run("load", *users, "--json", "load.json")
    assert ran.returncode == PASSED, ran.stdout + ran.stderr
    report = json.loads((target.folder / "load.json").read_text())
    assert report["plan"]["members"] == [target.second]
    assert {each["verdict"] for each in report["certificate"]["clauses"]} == {"passed"}


def test_an_address_that_is_none_is_refused(tmp_path: Path) -> None:
    facts = {"base_url": "http://127.0.0.1:1/", "token": "t", "entity_id": "e"}
    (tmp_path / "target.toml").write_text(format_target_file(facts))
    ran = Target(tmp_path, "").run("load", "--member", "ftp://127.0.0.1/")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--member: expected http:// or https://, got 'ftp://127.0.0.1/'" in ran.stderr
