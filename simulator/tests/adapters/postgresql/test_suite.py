"""The whole conformance suite, on a store that yields at every call and on PostgreSQL."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from features.target.writing import format_target_file
from simulator.client.processes import authority_in, gateway_command, python, running_server
from simulator.tests.adapters.postgresql.cluster import running_cluster

YIELDING = (
    "from gevent import monkey; monkey.patch_all();"
    " from simulator.tests.adapters.sandboxes.yielding import main; main()"
)
PASSED_LEAST = 3000


@contextmanager
def yielding_gateway() -> Iterator[tuple[list[str], Mapping[str, str]]]:
    yield python(YIELDING), {}


@contextmanager
def gateway_on_postgresql() -> Iterator[tuple[list[str], Mapping[str, str]]]:
    with running_cluster(is_durable=True) as cluster:
        yield gateway_command(), {"SANDGATE_STORE": cluster.create()}


@pytest.mark.proof
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("engine", [yielding_gateway, gateway_on_postgresql])
def test_every_case_passes_on_every_engine(engine: object, tmp_path: Path) -> None:
    with engine() as (command, more):
        settings = {
            "SANDGATE_PORT": "0", "SANDGATE_DATA": str(tmp_path / "data"),
            "SANDGATE_READY_JSON": "yes", "SANDGATE_STOP_AT_EOF": "yes", **more,
        }  # fmt: skip
        with running_server(command, environment={**os.environ, **settings}) as server:
            facts = {**server.facts, "ca_file": authority_in(tmp_path)}
            target = tmp_path / "target.toml"
            target.write_text(format_target_file(facts))
            check = python("from simulator.__main__ import main; main()")
            done = subprocess.run(
                [*check, "check", str(target), "-n", "2"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    passed = int(done.stdout.partition(" passed")[0].rpartition("\u2713 ")[2].replace(",", ""))
    assert passed >= PASSED_LEAST
