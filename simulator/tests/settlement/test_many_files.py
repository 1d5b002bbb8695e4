"""A sandbox with many settlement files ends while others are served: removing takes a disk long."""

from collections.abc import Callable
from pathlib import Path

import gevent
import pytest

from simulator.adapters.settlement.folders import CLEARING
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_hostile_snapshots import restore, taken_of

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


@pytest.mark.parametrize("end", [each for _, each in ENDS], ids=[name for name, _ in ENDS])
def test_others_have_their_turn_while_many_files_are_removed(tmp_path: Path, end: Ending) -> None:
    gateway = Gateway(tmp_path / "data", durability="os")
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    taken = taken_of(gateway, made)
    drop = tmp_path / "data" / made / CLEARING / "sandgate-clearing" / "drop"
    drop.mkdir(parents=True)
    for number in range(COUNT):
        (drop / f"{number}.csv").touch()

    turns: list[int] = []
    others = gevent.spawn(take_turns, turns)
    gevent.sleep(0)
    status = end(gateway, made, taken)
    others.kill()

    assert status < 300
    assert len(turns) > TURNS
    assert not drop.exists()
    assert not list((tmp_path / "data").rglob("*.csv"))
    gateway.close()


def take_turns(turns: list[int]) -> None:
    while True:
        turns.append(len(turns))
        gevent.sleep(0.002)
