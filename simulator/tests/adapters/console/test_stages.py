"""Many who wait for one stage: one greenlet looks for all, and all go on once it is another."""

from pathlib import Path

import gevent
import pytest

from simulator.adapters.console.stages import LOOK_EACH_S, StageBoard
from simulator.adapters.store.files import LocalDisk

WAITERS = 200


class ChangingStage:
    """What can be seen of a stage, and how often it was looked at."""

    def __init__(self) -> None:
        self.version, self.looks = "1", 0

    def read(self) -> str:
        self.looks += 1
        return self.version


@pytest.fixture
def board(tmp_path: Path) -> StageBoard:
    return StageBoard(tmp_path, LocalDisk())


def test_many_who_wait_look_as_often_as_one(board: StageBoard) -> None:
    stage, seconds = ChangingStage(), 5 * LOOK_EACH_S
    waiting = [
        gevent.spawn(board.wait_for_other, "sandbox", "1", stage.read, 30) for _ in range(WAITERS)
    ]
    gevent.sleep(0)
    before = stage.looks

    gevent.sleep(seconds)

    assert stage.looks - before <= 2 * seconds / LOOK_EACH_S
    assert not any(each.ready() for each in waiting)
    stage.version = "2"
    assert len(gevent.joinall(waiting, timeout=5)) == WAITERS


def test_who_waits_sees_a_notice_at_once_and_goes_on_after_a_while(board: StageBoard) -> None:
    stage = ChangingStage()
    noticed = gevent.spawn(board.wait_for_other, "sandbox", "1", stage.read, 30)
    waited = gevent.spawn(board.wait_for_other, "other", "1", ChangingStage().read, 0.05)
    gevent.sleep(0)
    stage.version = "2"
    board.notify("sandbox")

    assert len(gevent.joinall([noticed, waited], timeout=5)) == 2


def test_who_knows_an_older_version_does_not_wait(board: StageBoard) -> None:
    stage = ChangingStage()
    waiting = gevent.spawn(board.wait_for_other, "sandbox", "1", stage.read, 30)
    gevent.sleep(0)

    board.wait_for_other("sandbox", "0", stage.read, 30)

    assert not waiting.ready()
    waiting.kill()
