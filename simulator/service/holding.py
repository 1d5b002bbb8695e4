"""Set the breakpoints of a sandbox, and let held messages go on. Choices: D-488, D-489, D-723."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, get_args

from msgspec.structs import replace

from scenarios.errors import nearest
from scenarios.records import Behaviour, WebhookSteps
from simulator.catalogue.results import RESULTS, class_of
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.records import Script
from simulator.domain.core.transact import transact
from simulator.domain.holding import (
    DROP,
    GO_ON,
    STOPS,
    HasHolds,
    HeldMessage,
    Let,
    Stop,
    read_stops,
)
from simulator.domain.ports.server import ServerPorts
from simulator.service.held import withdraw
from simulator.service.sandboxes.sandboxes import sandbox_with
from simulator.service.scripts import ScriptPorts, arm_script

Action = Literal["release", "answer", "drop"]
ANSWER_SHOWN = 60


class HoldingPorts(ScriptPorts, HasHolds, Protocol):
    """What letting a held message go on needs."""


class UnknownHeldError(Exception):
    """No message with the id is held: it went on, or its sandbox was reset."""


def set_breakpoints(server: ServerPorts, identity: str, parties: Sequence[str]) -> Sandbox:
    """The sandbox with breakpoints at these parties alone; messages that are held stay so. Raises
    InvalidInputError, UnknownSandboxError.
    """
    stops = read_stops(parties)

    def change() -> Sandbox:
        after = replace(sandbox_with(server, identity), breakpoints=stops)
        server.registry.save(after)
        return after

    return transact(server.registry, change)


def held_with(ports: HasHolds, identity: str) -> HeldMessage:
    """The held message with the id. Raises UnknownHeldError."""
    for each in ports.holds.held():
        if each.id == identity:
            return each
    raise UnknownHeldError("no message with the id in the path is held")


def let_go(
    ports: HoldingPorts,
    identity: str,
    action: str,
    *,
    answer: str,
    behaviours: Mapping[str, Behaviour],
) -> HeldMessage:
    """Let a held message go on: as it is, answered, or not at all. Raises UnknownHeldError,
    InvalidInputError for an answer that its party cannot give.
    """
    # A script that is armed for a message which someone else let go would answer a later one.
    with ports.holds.turn:
        message = held_with(ports, identity)
        let = _decided(ports, message, action, answer=answer, behaviours=behaviours)
        if not ports.holds.let_go(identity, let):
            withdraw(ports, let)
            raise UnknownHeldError("the message has gone on meanwhile")
    return message


def _decided(
    ports: HoldingPorts,
    message: HeldMessage,
    action: str,
    *,
    answer: str,
    behaviours: Mapping[str, Behaviour],
) -> Let:
    if action not in get_args(Action):
        raise InvalidInputError(
            "action", ", ".join(get_args(Action)), beginning_of(action, ANSWER_SHOWN)
        )
    if bool(answer) is not (action == "answer"):
        expected = "an answer beside the action answer, and beside no other"
        raise InvalidInputError("answer", expected, beginning_of(answer, ANSWER_SHOWN) or "none")
    let = {"release": GO_ON, "drop": DROP}.get(action)
    return _answered(ports, message, answer, behaviours) if let is None else let


def answers_at(stop: Stop, behaviours: Mapping[str, Behaviour]) -> tuple[str, ...]:
    """What a held message at this party can be answered with; at the acquirer a result code that
    declines too.
    """
    row = STOPS[stop]
    if not row.steps:
        return row.words
    steps = {name: getattr(each.steps, row.steps) for name, each in behaviours.items()}
    return tuple(name for name, each in steps.items() if each is not None and _is_now(each))


def _is_now(steps: object) -> bool:
    """Whether steps say what happens at once: a delivery is delayed or swapped before it begins."""
    return not isinstance(steps, WebhookSteps) or not (steps.delay or steps.reorder)


def script_of(stop: Stop, answer: str, behaviours: Mapping[str, Behaviour]) -> object | None:
    """What a script would have to be armed with to give this answer; None where a person alone
    gives it. Raises InvalidInputError for an answer that the party cannot give.
    """
    if stop is Stop.ACQUIRER and answer in RESULTS and class_of(answer) == "declined":
        return _inline("acquirer", {"decline": {"code": answer}})
    known = answers_at(stop, behaviours)
    if answer not in known:
        close = nearest(answer, known)
        hint = f" (nearest: {close})" if close else ""
        expected = f"one of {', '.join(known) or 'none: this party only releases and drops'}{hint}"
        raise InvalidInputError("answer", expected, beginning_of(answer, ANSWER_SHOWN))
    if stop is Stop.DIRECTORY:
        return _inline("acs", answer)
    return answer if STOPS[stop].steps else None


def _answered(
    ports: HoldingPorts, message: HeldMessage, answer: str, behaviours: Mapping[str, Behaviour]
) -> Let:
    script = script_of(message.stop, answer, behaviours)
    if message.stop is Stop.WEBHOOKS:
        return Let(faults=behaviours[answer].steps.webhooks)
    if script is None:
        return Let(word=answer)
    return Let(script=_arm(ports, message, script, behaviours).id)


def _arm(
    ports: HoldingPorts,
    message: HeldMessage,
    behaviour: object,
    behaviours: Mapping[str, Behaviour],
) -> Script:
    """Arm what answers this message once, whatever its behaviour matches by itself."""
    document = {"behaviour": behaviour, "match": {"payment": message.payment}, "times": 1}
    if isinstance(behaviour, str):
        behaviours = {behaviour: replace(behaviours[behaviour], match={})}
    return arm_script(ports, document, behaviours)


def _inline(party: str, steps: object) -> dict[str, object]:
    return {"steps": {party: steps}}
