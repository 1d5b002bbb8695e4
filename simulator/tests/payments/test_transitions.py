"""Every state with every event: either the table names the next state, or it is refused."""

import pytest

from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import PaymentType, State
from simulator.domain.payments.diagram import states_diagram
from simulator.domain.payments.transitions import (
    APPROVED,
    TRANSITIONS,
    UNANSWERED,
    WAITING_TRANSITIONS,
    Event,
    PendingStep,
    Waiting,
    allows,
    allows_step,
    next_state,
)
from simulator.tests.kit.trees import ROOT

PAIRS = [(state, event) for state in State for event in Event]


@pytest.mark.parametrize(("state", "event"), PAIRS, ids=lambda each: str(each))
def test_a_pair_has_a_next_state_or_is_refused(state: State, event: Event) -> None:
    if allows(state, event):
        assert next_state(state, event) is TRANSITIONS[state][event]
    else:
        with pytest.raises(Refusal, match="700.400.000"):
            next_state(state, event)


def test_every_state_has_a_row_even_when_nothing_can_follow() -> None:
    assert set(TRANSITIONS) == set(State)


def test_every_state_but_the_first_can_be_reached() -> None:
    reached = {state for row in TRANSITIONS.values() for state in row.values()}
    assert reached == set(State) - {State.OPEN}


def test_every_payment_type_says_what_an_approval_does_to_it() -> None:
    assert set(APPROVED) == set(PaymentType)


def test_only_an_unanswered_payment_can_be_answered() -> None:
    answers = {Event.AUTHORIZED, Event.COMPLETED, Event.REGISTERED, Event.DECLINED}
    assert {state for state in State if answers & TRANSITIONS[state].keys()} == UNANSWERED


def test_every_sub_state_has_a_row_and_every_step_leads_somewhere() -> None:
    assert set(WAITING_TRANSITIONS) == set(Waiting)
    assert {step for row in WAITING_TRANSITIONS.values() for step in row} == set(PendingStep)


@pytest.mark.parametrize("step", PendingStep)
def test_a_payment_that_is_not_pending_takes_no_step(step: PendingStep) -> None:
    assert not allows_step(None, step)


def test_the_page_shows_the_diagram_of_the_tables() -> None:
    page = (ROOT / "docs/explanation/payment-states.md").read_text(encoding="utf-8")
    assert f"```mermaid\n{states_diagram()}```" in page
