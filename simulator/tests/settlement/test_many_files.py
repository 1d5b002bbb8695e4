"""A sandbox with many settlement files ends, and is copied to a snapshot, while others are served:
a disk takes long for them.
"""

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import gevent
import pytest

from simulator.adapters.settlement import archive
from simulator.adapters.settlement.folders import CLEARING
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_hostile_snapshots import await_removals, restore, taken_of

COUNT = 8_000
# To remove them takes a tenth of a second or more.
TURNS = 10
Ending = Callable[[Gateway, str, bytes], int]


# fmt: off
ENDS: tuple[tuple[str, Ending], ...] = (
    ("reset",   lambda to, id, taken: to.control("POST", f"/sandboxes/{id}/reset", {}).status_code),
    ("delete",  lambda to, id, taken: to.control("DELETE", f"/sandboxes/{id}").status_code),
    ("restore", lambda to, id, taken: restore(to, taken).status_code),
)
# fmt: on


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def gateway(data: Path) -> Iterator[Gateway]:
    made = Gateway(data, durability="os")
    yield made
    made.close()


def drop_of(data: Path, sandbox: str, count: int) -> Path:
    """Where an institute of this sandbox has written so many files."""
    drop = data / sandbox / CLEARING / "sandgate-clearing" / "drop"
    drop.mkdir(parents=True)
    for number in range(count):
        (drop / f"{number}.csv").touch()
    return drop


@pytest.mark.parametrize("end", [each for _, each in ENDS], ids=[name for name, _ in ENDS])
def test_others_have_their_turn_while_many_files_are_removed(
    gateway: Gateway, data: Path, end: Ending
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    taken, drop = taken_of(gateway, made), drop_of(data, made, COUNT)

    turns: list[int] = []
    others = gevent.spawn(take_turns, turns)
    gevent.sleep(0)
    status = end(gateway, made, taken)
    assert not drop.exists()
    await_removals(data)
    others.kill()

    assert status < 300
    assert len(turns) > TURNS
    assert not list(data.rglob("*.csv"))


@pytest.mark.parametrize("end", [each for _, each in ENDS], ids=[name for name, _ in ENDS])
def test_no_sandbox_waits_until_the_files_of_one_are_removed(
    gateway: Gateway, data: Path, monkeypatch: pytest.MonkeyPatch, end: Ending
) -> None:
    one, other = (gateway.control("POST", "/sandboxes", {}).json["id"] for _ in range(2))
    taken, disk = [taken_of(gateway, each) for each in (one, other)], threading.Event()
    remove = shutil.rmtree
    monkeypatch.setattr(shutil, "rmtree", lambda *more: disk.wait(30) and remove(*more))
    drops = [drop_of(data, each, 2) for each in (one, other)]

    with gevent.Timeout(20):
        statuses = [end(gateway, *each) for each in zip((one, other), taken, strict=True)]
    are_gone = not any(each.exists() for each in drops)
    disk.set()

    assert max(statuses) < 300 and are_gone
    await_removals(data)
    assert not list(data.rglob("*.csv"))


@pytest.mark.parametrize("end", [each for _, each in ENDS], ids=[name for name, _ in ENDS])
def test_what_is_not_yet_removed_at_the_end_is_removed_after_the_next_start(
    data: Path, monkeypatch: pytest.MonkeyPatch, end: Ending
) -> None:
    gateway = Gateway(data, durability="os")
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    taken, drop = taken_of(gateway, made), drop_of(data, made, 2)
    with monkeypatch.context() as killed:
        killed.setattr(shutil, "rmtree", lambda *more: None)
        assert end(gateway, made, taken) < 300
        gateway.close()
    left = data / made / "removed"
    left.mkdir(parents=True)
    (left / "of-a-gateway-of-before.csv").touch()
    kept = drop_of(data, "0" * 32, 0)

    again = Gateway(data, durability="os")
    with gevent.Timeout(20):
        while left.exists():
            gevent.sleep(0.01)
    await_removals(data)

    assert kept.exists() and not drop.exists()
    assert not list(data.rglob("*.csv"))
    again.close()


def test_others_end_an_epoch_while_one_is_restored(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (gateway.control("POST", "/sandboxes", {}).json["id"] for _ in range(2))
    taken, unpacked, unpack = taken_of(gateway, one), gevent.event.Event(), archive.unpack_archive
    monkeypatch.setattr(
        archive, "unpack_archive", lambda *more: unpacked.wait(20) and unpack(*more)
    )
    restoring = gevent.spawn(restore, gateway, taken)
    gevent.sleep(0.1)

    with gevent.Timeout(10):
        reset = gateway.control("POST", f"/sandboxes/{other}/reset", {}).status_code
        deleted = gateway.control("DELETE", f"/sandboxes/{other}").status_code
    was_restoring = not restoring.ready()
    unpacked.set()

    assert was_restoring and max(reset, deleted) < 300
    assert restoring.get(timeout=20).status_code == 200


def test_the_files_of_a_snapshot_are_looked_for_and_read_in_threads(
    gateway: Gateway, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    drop_of(data, made, 3)
    looked: list[int] = []

    def noting(found: Callable[..., object]) -> Callable[..., object]:
        def noted(*given: object) -> object:
            looked.append(threading.get_ident())
            return found(*given)

        return noted

    for name in ("_files_below", "_lines_of"):
        monkeypatch.setattr(archive, name, noting(getattr(archive, name)))
    taken = taken_of(gateway, made)

    assert taken.count(b".csv") == 3
    assert len(looked) >= 3 and threading.get_ident() not in looked


def test_the_files_of_a_snapshot_are_in_the_order_of_their_paths(data: Path) -> None:
    drop = drop_of(data, "one", 12)
    (drop.parent / "keys").mkdir()
    (drop.parent / "keys" / "k.csv").touch()
    (drop / "link.csv").symlink_to(drop / "1.csv")
    (drop / "not a name").touch()

    lines = b"".join(archive.archived(data / "one", lambda work, *more: work(*more)))

    paths = [archive.piece_in(line).path for line in lines.splitlines(keepends=True)[1:]]
    assert paths == sorted(paths) and len(paths) == 13


def take_turns(turns: list[int]) -> None:
    while True:
        turns.append(len(turns))
        gevent.sleep(0.002)
