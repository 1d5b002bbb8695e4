"""The states of a payment and what may follow: a literal table, and the one function that reads it.

Source: States and transitions; the specification shows no payment states, see D-41.
"""

from collections.abc import Mapping
from enum import StrEnum

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import State
from simulator.grammar.payment_types import Effect


class Event(StrEnum):
    """What can happen to a payment: the first five answer it, the others are done to it later."""

    DEFERRED = "deferred"
    AUTHORIZED = "authorized"
    COMPLETED = "completed"
    REGISTERED = "registered"
    DECLINED = "declined"
    TAKEN_PARTLY = "taken partly"
    TAKEN_WHOLLY = "taken wholly"
    VOIDED = "voided"
    CHARGED_BACK = "charged back"
    RESTORED = "restored"
    RESTORED_REFUNDED = "restored, partly refunded"
    RESTORED_PARTLY = "restored partly"


# fmt: off
TRANSITIONS: Mapping[State, Mapping[Event, State]] = {
    State.OPEN: {
        Event.DEFERRED: State.PENDING,
        Event.AUTHORIZED:     State.AUTHORIZED,
        Event.COMPLETED:    State.COMPLETED,
        Event.REGISTERED:   State.REGISTERED,
        Event.DECLINED: State.FAILED,
    },
    State.PENDING: {
        Event.DEFERRED: State.PENDING,
        Event.AUTHORIZED:     State.AUTHORIZED,
        Event.COMPLETED:    State.COMPLETED,
        Event.REGISTERED:   State.REGISTERED,
        Event.DECLINED: State.FAILED,
    },
    State.AUTHORIZED: {
        Event.TAKEN_PARTLY: State.PARTLY_CAPTURED,
        Event.TAKEN_WHOLLY: State.CAPTURED,
        Event.VOIDED:       State.REVERSED,
    },
    State.PARTLY_CAPTURED: {
        Event.TAKEN_PARTLY: State.PARTLY_CAPTURED,
        Event.TAKEN_WHOLLY: State.CAPTURED,
    },
    State.COMPLETED: {
        Event.TAKEN_PARTLY: State.PARTLY_REFUNDED,
        Event.TAKEN_WHOLLY: State.REFUNDED,
        Event.VOIDED:       State.REVERSED,
        Event.CHARGED_BACK: State.CHARGED_BACK,
    },
    State.PARTLY_REFUNDED: {
        Event.TAKEN_PARTLY: State.PARTLY_REFUNDED,
        Event.TAKEN_WHOLLY: State.REFUNDED,
        Event.CHARGED_BACK: State.CHARGED_BACK,
    },
    State.CHARGED_BACK: {
        Event.TAKEN_PARTLY:      State.CHARGED_BACK,
        Event.TAKEN_WHOLLY:      State.CHARGED_BACK,
        Event.CHARGED_BACK:      State.CHARGED_BACK,
        Event.RESTORED:          State.COMPLETED,
        Event.RESTORED_REFUNDED: State.PARTLY_REFUNDED,
        Event.RESTORED_PARTLY:   State.CHARGED_BACK,
    },
    State.CAPTURED:   {},
    State.REFUNDED:   {},
    State.REVERSED:   {},
    State.REGISTERED: {},
    State.FAILED:     {},
}

# What an approval does to the payment itself; all other effects complete it.
APPROVALS: Mapping[Effect, Event] = {
    Effect.AUTHORIZATION: Event.AUTHORIZED,
    Effect.REGISTRATION:  Event.REGISTERED,
}
# fmt: on
APPROVED: Mapping[str, Event] = {
    code: APPROVALS.get(row.effect, Event.COMPLETED) for code, row in PAYMENT_TYPES.items()
}

UNANSWERED = frozenset({State.OPEN, State.PENDING})


def next_state(state: State, event: Event) -> State:
    """The state after `event`. Raises Refusal 700.400.000 where the table has no row for it."""
    following = TRANSITIONS[state].get(event)
    if following is None:
        raise Refusal("700.400.000", f"a payment that is {state} cannot be {event}")
    return following


def allows(state: State, event: Event) -> bool:
    """Whether `event` may happen to a payment in `state`."""
    return event in TRANSITIONS[state]
