"""A change that conflicts is tried again, as often as the bound says, and others get their turn."""

import ast
from collections.abc import Iterator

import gevent
import pytest

from simulator.adapters.turns import pause
from simulator.domain.core.errors import ConflictError, ContentionError, Refusal
from simulator.domain.core.transact import TRIES_MAX, transact
from simulator.tests.kit.trees import sources

# These keep a queue of their own in memory while the store refuses; a member of a fleet beats on.
OWN_LOOPS = (
    "simulator/adapters/postgresql/members.py", "simulator/adapters/webhooks/",
    "simulator/service/webhooks/",
)  # fmt: skip


class Turns:
    """A store that notes how often a change has failed before each pause."""

    def __init__(self) -> None:
        self.failures: list[int] = []

    def pause(self, failures: int) -> None:
        self.failures.append(failures)


def conflicting(times: int) -> Iterator[int]:
    """A change that conflicts so often, as the values it would answer."""
    for _ in range(times):
        yield 0
    yield 1


@pytest.mark.parametrize("times", [0, 1, TRIES_MAX - 1])
def test_a_change_is_tried_until_it_is_stored(times: int) -> None:
    store, answers = Turns(), conflicting(times)

    def change() -> int:
        answer = next(answers)
        if not answer:
            raise ConflictError
        return answer

    assert transact(store, change) == 1
    assert store.failures == [*range(1, times + 1)]


def test_a_change_that_always_conflicts_ends_with_an_error_that_says_so() -> None:
    store = Turns()

    def change() -> None:
        raise ConflictError

    with pytest.raises(ContentionError, match=f"{TRIES_MAX} times"):
        transact(store, change)
    assert len(store.failures) == TRIES_MAX


def test_a_refusal_is_not_tried_again() -> None:
    store = Turns()

    def change() -> None:
        raise Refusal("700.400.200")

    with pytest.raises(Refusal):
        transact(store, change)
    assert store.failures == []


@pytest.mark.parametrize("failures", [1, 4, TRIES_MAX])
def test_a_pause_gives_others_their_turn_and_is_short(failures: int) -> None:
    turns: list[str] = []
    other = gevent.spawn(turns.append, "other")
    with gevent.Timeout(1):
        pause(failures)
        other.join()
    assert turns == ["other"]


def test_every_other_loop_on_a_conflict_is_gone() -> None:
    found = [
        f"{source.path}:{loop.lineno}"
        for source in sources()
        if source.package in ("simulator", "acquirer_mocks") and not source.is_test
        if source.path != "simulator/domain/core/transact.py"
        if not source.path.startswith(OWN_LOOPS)
        for loop in ast.walk(source.tree)
        if isinstance(loop, ast.While | ast.For) and _catches_conflict(loop)
    ]
    assert not found, f"use transact: {', '.join(found)}"


def _catches_conflict(loop: ast.AST) -> bool:
    caught = [node.type for node in ast.walk(loop) if isinstance(node, ast.ExceptHandler)]
    return any("ConflictError" in ast.unparse(each) for each in caught if each is not None)
