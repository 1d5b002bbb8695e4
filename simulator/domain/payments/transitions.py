"""The states of a payment and what may follow: a literal table, and the one function that reads it.

Source: States and transitions; the specification shows no payment states, see D-41.
"""

from collections.abc import Mapping
from enum import StrEnum

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import State
from simulator.grammar.payment_types import PaymentEffect


class Event(StrEnum):
    """What can happen to a payment: the first five answer it, the others are done to it later."""

    DEFERRED = "deferred"
    AUTHORIZED = "authorized"
    COMPLETED = "completed"
    REGISTERED = "registered"
    DECLINED = "declined"
    PARTLY_USED = "partly captured or refunded"
    WHOLLY_USED = "wholly captured or refunded"
    REVERSED = "reversed"
    CHARGED_BACK = "charged back"
    CHARGEBACK_REVERSED = "chargeback reversed"
    CHARGEBACK_REVERSED_REFUNDED = "chargeback reversed, partly refunded"
    CHARGEBACK_PARTLY_REVERSED = "chargeback partly reversed"


class Waiting(StrEnum):
    """What a pending payment waits for: the sub-states of PENDING.

    They are not stored but follow from the records of the payment: see `pending.waiting_for`.
    """

    ACQUIRER = "acquirer"
    REDIRECT = "shopper on the redirect page"
    METHOD = "3-D Secure method"
    CHALLENGE = "3-D Secure challenge"
    RESULT = "result of the challenge"
    BROWSER = "return from the challenge"
    COMPARISON = "comparison of result and return"


class PendingStep(StrEnum):
    """What moves a pending payment from one sub-state to another."""

    CHALLENGE_REQUIRED = "challenge required"
    RESULT_RECEIVED = "RReq received"
    BROWSER_RETURNED = "CRes received"
    TIME_OUT = "challenge timed out"
    AUTHENTICATED = "authenticated"


# fmt: off
TRANSITIONS: Mapping[State, Mapping[Event, State]] = {
    State.OPEN: {
        Event.DEFERRED: State.PENDING,
        Event.AUTHORIZED: State.AUTHORIZED,
        Event.COMPLETED: State.COMPLETED,
        Event.REGISTERED: State.REGISTERED,
        Event.DECLINED: State.FAILED,
    },
    State.PENDING: {
        Event.DEFERRED: State.PENDING,
        Event.AUTHORIZED: State.AUTHORIZED,
        Event.COMPLETED: State.COMPLETED,
        Event.REGISTERED: State.REGISTERED,
        Event.DECLINED: State.FAILED,
    },
    State.AUTHORIZED: {
        Event.PARTLY_USED: State.PARTLY_CAPTURED,
        Event.WHOLLY_USED: State.CAPTURED,
        Event.REVERSED: State.REVERSED,
    },
    State.PARTLY_CAPTURED: {
        Event.PARTLY_USED: State.PARTLY_CAPTURED,
        Event.WHOLLY_USED: State.CAPTURED,
    },
    State.COMPLETED: {
        Event.PARTLY_USED: State.PARTLY_REFUNDED,
        Event.WHOLLY_USED: State.REFUNDED,
        Event.REVERSED: State.REVERSED,
        Event.CHARGED_BACK: State.CHARGED_BACK,
    },
    State.PARTLY_REFUNDED: {
        Event.PARTLY_USED: State.PARTLY_REFUNDED,
        Event.WHOLLY_USED: State.REFUNDED,
        Event.CHARGED_BACK: State.CHARGED_BACK,
    },
    State.CHARGED_BACK: {
        Event.PARTLY_USED: State.CHARGED_BACK,
        Event.WHOLLY_USED: State.CHARGED_BACK,
        Event.CHARGED_BACK: State.CHARGED_BACK,
        Event.CHARGEBACK_REVERSED: State.COMPLETED,
        Event.CHARGEBACK_REVERSED_REFUNDED: State.PARTLY_REFUNDED,
        Event.CHARGEBACK_PARTLY_REVERSED: State.CHARGED_BACK,
    },
    State.CAPTURED:   {},
    State.REFUNDED:   {},
    State.REVERSED:   {},
    State.REGISTERED: {},
    State.FAILED:     {},
}

# Sub-states of PENDING. What ends the payment, an approval or a decline, may come in each of them.
WAITING_TRANSITIONS: Mapping[Waiting, Mapping[PendingStep, Waiting]] = {
    Waiting.ACQUIRER: {},
    Waiting.REDIRECT: {},
    Waiting.METHOD: {
        PendingStep.CHALLENGE_REQUIRED: Waiting.CHALLENGE,
        PendingStep.AUTHENTICATED:      Waiting.ACQUIRER,
    },
    Waiting.CHALLENGE: {
        PendingStep.BROWSER_RETURNED:   Waiting.RESULT,
        PendingStep.RESULT_RECEIVED:    Waiting.BROWSER,
        PendingStep.TIME_OUT:           Waiting.BROWSER,
    },
    Waiting.RESULT: {
        PendingStep.BROWSER_RETURNED:   Waiting.RESULT,
        PendingStep.RESULT_RECEIVED:    Waiting.COMPARISON,
    },
    Waiting.BROWSER: {
        PendingStep.BROWSER_RETURNED:   Waiting.COMPARISON,
    },
    Waiting.COMPARISON: {
        PendingStep.BROWSER_RETURNED:   Waiting.COMPARISON,
        PendingStep.AUTHENTICATED:      Waiting.ACQUIRER,
    },
}

# What an approval does to the payment itself; all other effects complete it.
APPROVALS: Mapping[PaymentEffect, Event] = {
    PaymentEffect.AUTHORIZATION: Event.AUTHORIZED,
    PaymentEffect.REGISTRATION:  Event.REGISTERED,
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


def allows_step(waiting: Waiting | None, step: PendingStep) -> bool:
    """Whether a payment that waits so may take `step`; None: it is not pending."""
    return waiting is not None and step in WAITING_TRANSITIONS[waiting]


def allows(state: State, event: Event) -> bool:
    """Whether `event` may happen to a payment in `state`."""
    return event in TRANSITIONS[state]
