"""A gateway on a disk that refuses writes when it is asked to."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.tests.acquiring.test_external import Shop
from simulator.tests.kit.gateway import Gateway
from simulator.tests.lost_writes.faulty_disk import FaultyDisk, engine_on

# Twenty seconds last half of one: long enough for a disk to be full and to have room.
FAST = {"mode": "scaled", "rate": 40}


@pytest.fixture
def disk() -> FaultyDisk:
    return FaultyDisk()


@pytest.fixture
def shop(tmp_path: Path, disk: FaultyDisk) -> Iterator[Shop]:
    gateway = Gateway(tmp_path, durability="disk", open_engine=engine_on(disk))
    yield Shop(gateway, clock=FAST)
    gateway.close()
