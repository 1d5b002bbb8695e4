"""What due work waits for: passed over once, looked at again when that has ended."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from simulator.adapters.sandboxes import set_aside
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.sandboxes.scheduler import DueWorkScheduler
from simulator.domain.chargebacks import Return
from simulator.domain.core.agenda import Agenda, name_of
from simulator.domain.core.ports import unit_of
from simulator.domain.payments.pending import Awaited
from simulator.tests.kit.making import NOON
from simulator.tests.kit.twins import HandClock

SECOND = timedelta(seconds=1)


def a_return(identity: str, due: datetime = NOON) -> Return:
    return Return(id=identity, due=due, code="000.100.203")


@pytest.fixture
def agenda() -> Agenda:
    made = Agenda()
    with made.looking(NOON, 0):
        made.pass_over(Return)
        made.wait("b", a_return("b"))
    return made


def ready(agenda: Agenda) -> list[str]:
    passed = agenda.passed(Return)
    return [] if passed is None else [each.id for each in sorted(passed.ready)]


def test_what_ends_lets_the_first_go_that_waits_for_it(agenda: Agenda) -> None:
    for identity, due in (("x", NOON), ("y", NOON - SECOND), ("z", NOON)):
        agenda.wait("job", a_return(identity, due))
    agenda.let_go("job")
    assert ready(agenda) == ["y"] and len(agenda) == 3
    agenda.let_go("nothing")
    assert ready(agenda) == ["y"]


@pytest.mark.parametrize(("waits_for", "expected"), [("", ["y"]), ("it", ["y"]), ("job", [])])
def test_the_next_one_goes_where_the_first_does_not_take_its_place(
    agenda: Agenda, waits_for: str, expected: list[str]
) -> None:
    for identity in ("x", "y"):
        agenda.wait("job", a_return(identity))
    agenda.let_go("job")
    passed: Any = agenda.passed(Return)
    agenda.drop(passed, passed.ready[0], waits_for=waits_for)
    assert ready(agenda) == expected


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (a_return("a", NOON - SECOND), ["a"]),
        (a_return("a", NOON), ["a"]),
        (a_return("a", NOON + SECOND), []),
        (a_return("b", NOON + SECOND), ["b"]),
        (Awaited(id="a", due=NOON, outcome=None), []),
        (Awaited(id="b", due=NOON, outcome=None), ["b"]),
    ],
)
def test_what_is_due_already_is_noticed_and_what_waits_for_the_record(
    agenda: Agenda, stored: Any, expected: list[str]
) -> None:
    agenda.notice(unit_of(stored).puts)
    assert ready(agenda) == expected


def test_a_kind_of_which_nothing_waits_is_read_from_its_beginning(agenda: Agenda) -> None:
    with agenda.looking(NOON, 0):
        pass
    assert agenda.passed(Return) is not None
    agenda.let_go("b")
    passed: Any = agenda.passed(Return)
    agenda.drop(passed, passed.ready[0])
    with agenda.looking(NOON, 0):
        assert agenda.passed(Return) is not None
    assert agenda.passed(Return) is None


def test_after_a_write_that_was_taken_back_everything_is_looked_at_again(agenda: Agenda) -> None:
    with agenda.looking(NOON, 1):
        assert agenda.passed(Return) is None and len(agenda) == 0
    agenda.let_go("b")
    agenda.notice([a_return("b")])
    assert agenda.passed(Return) is None


def test_what_waits_for_a_pause_is_looked_at_also_where_many_others_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scheduler = DueWorkScheduler(
        HandClock(NOON), GreenletCounter(lambda: 0), next_due=lambda: None, run=lambda: None
    )
    now = 0.0
    monkeypatch.setattr(set_aside, "monotonic", lambda: now)
    scheduler.set_aside(a_return("x"), "it fails")
    with scheduler.looking(0) as agenda:
        agenda.pass_over(Return)
        agenda.wait(name_of(a_return("x")), a_return("x"))
    now = 1.5
    for number in range(set_aside.SET_ASIDE_MAX):
        scheduler.set_aside(a_return(f"other {number}"), "it fails")

    with scheduler.looking(0) as agenda:
        assert ready(agenda) == ["x"]
