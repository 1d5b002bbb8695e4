"""Changes of one sandbox that come at once: each is answered, and none destroys the other."""

from pathlib import Path

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.simulators import Acs, AcsSurroundings, load_simulators
from simulator.app import build
from simulator.domain.core.errors import ConflictError
from simulator.domain.ports.server import Registry
from simulator.settings import Settings
from simulator.tests.kit.gateway import Gateway

CHANGES = {
    "reset": ("POST", "/reset", None),
    "delete": ("DELETE", "", None),
    "add a merchant": ("POST", "/merchants", {"name": "second"}),
}


@pytest.mark.parametrize("second", CHANGES)
@pytest.mark.parametrize("first", CHANGES)
def test_two_changes_at_once_are_both_answered(tmp_path: Path, first: str, second: str) -> None:
    gateway = Gateway(tmp_path, durability="disk", is_described=False)
    sandbox = gateway.control("POST", "/sandboxes", {}).json["id"]

    def change(name: str) -> int:
        method, path, document = CHANGES[name]
        return gateway.control(method, f"/sandboxes/{sandbox}{path}", document).status_code

    jobs = [gevent.spawn(change, name) for name in (first, second)]
    gevent.joinall(jobs)
    gateway.close()

    assert {job.value for job in jobs} <= {200, 201, 404}


def test_a_stale_change_of_the_epoch_leaves_the_log_of_the_present_one(tmp_path: Path) -> None:
    found: list[Registry] = []
    simulators = load_simulators()

    def create_acs(around: AcsSurroundings) -> Acs:
        found.append(around.registry)
        return simulators.create_acs(around)

    gateway = build(Settings(data=tmp_path), simulators._replace(create_acs=create_acs))
    (registry,) = found
    sandbox = registry.sandbox(registry.default())
    next_epoch = replace(sandbox, epoch=sandbox.epoch + 1)
    snapshot = registry.snapshot(sandbox, b"sandbox\n")

    restoring = gevent.spawn(registry.restore, next_epoch, snapshot)
    while not [*(tmp_path / sandbox.id).glob(f"{next_epoch.epoch}.log*")]:
        gevent.sleep(0)
    resetting = gevent.spawn(registry.save, next_epoch)
    gevent.joinall([restoring, resetting])

    assert isinstance(resetting.exception, ConflictError)
    assert restoring.exception is None
    assert (tmp_path / sandbox.id / f"{next_epoch.epoch}.log").exists()
    gateway.close()
