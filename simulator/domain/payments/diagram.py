"""The states of a payment as a diagram, printed from the tables that decide."""

from collections.abc import Iterator

from simulator.domain.core.records import State
from simulator.domain.payments.transitions import TRANSITIONS, WAITING_TRANSITIONS


def states_diagram() -> str:
    """A Mermaid diagram of all states, events and sub-states, as docs/explanation keeps it."""
    return "\n".join(["stateDiagram-v2", *_states(), *_sub_states()]) + "\n"


def _states() -> Iterator[str]:
    yield f"    [*] --> {_name(State.OPEN)}"
    for state, row in TRANSITIONS.items():
        for event, following in row.items():
            yield f"    {_name(state)} --> {_name(following)}: {event}"
        if not row:
            yield f"    {_name(state)} --> [*]"


def _sub_states() -> Iterator[str]:
    yield f"    state {_name(State.PENDING)} {{"
    for waiting, steps in WAITING_TRANSITIONS.items():
        yield f'        state "waits for: {waiting}" as waits_{waiting.name.lower()}'
        for step, following in steps.items():
            yield f"        waits_{waiting.name.lower()} --> waits_{following.name.lower()}: {step}"
    yield "    }"


def _name(state: State) -> str:
    return state.value.replace(" ", "_")
