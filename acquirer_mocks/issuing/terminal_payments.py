"""A payment at a terminal: what its issuer answers, also to the chip, and the records that change.

Choices: D-432, D-435, D-436.
"""

from typing import Any, NamedTuple

from msgspec.structs import replace

from acquirer_mocks.issuer import books_of, movements_of
from acquirer_mocks.issuing.cases import ChipCase
from acquirer_mocks.issuing.checks import CONTACT
from acquirer_mocks.issuing.chip_data import written
from acquirer_mocks.issuing.commands import templates
from acquirer_mocks.issuing.cryptograms import Objects, issuer_authentication
from acquirer_mocks.issuing.decisions import IssuerDecision, advised, judged, scripted, steered
from acquirer_mocks.responses import answered_response
from scenarios.records import IssuerSteps
from simulator.catalogue.messages.card_responses import PARTIAL, approves
from simulator.catalogue.results import class_of
from simulator.domain.acquiring.chip_cards import ChipCard, ChipFinding
from simulator.domain.core.ports import Clock
from simulator.domain.core.records import Outcome
from simulator.domain.steering.issuer import IssuerSteering
from simulator.grammar.results import DEFERRALS

RESPONSE, AUTHENTICATION = "8A", "91"
UNBLOCK_PIN = "unblock-pin"
# As many commands as fit into field 55 beside the rest.
COMMANDS_MAX = 4


class ChipAnswer(NamedTuple):
    """Field 55 of an answer, where the request had one, and the commands in it."""

    chip: str | None = None
    commands: tuple[str, ...] = ()


def answer_at_terminal(
    case: ChipCase, outcome: Outcome, by_script: IssuerSteering, *, is_free: bool, clock: Clock
) -> tuple[Outcome, tuple[Any, ...]]:
    """The outcome of a payment at a terminal, and the records that it changes.

    `outcome` is what is decided so far; the issuer may change it where it `is_free`, and a script
    for the issuer always.
    """
    if class_of(outcome.code) in DEFERRALS:
        return outcome, _movements(case, outcome, clock)
    steps = by_script.steps or IssuerSteps()
    decision = _decision(case, outcome, by_script, is_free=is_free)
    state = decision.state
    state = replace(state, commands=(*state.commands, *steps.commands))
    answer = _answer_to_chip(case, decision.response, state.commands, steps)
    state = _after(state, answer.commands)
    records = (*_changed(case, state), *_findings(case, decision, clock))
    ended = replace(decision.outcome, chip=answer.chip)
    return ended, (*records, *_movements(case, ended, clock))


def response_to_chip(outcome: Outcome) -> str:
    """Field 55 of the answer to a chip that has no profile here: the response code alone."""
    return written({RESPONSE: answered_response(outcome).encode("ascii")})


def _decision(
    case: ChipCase, outcome: Outcome, by_script: IssuerSteering, *, is_free: bool
) -> IssuerDecision:
    response = None if by_script.steps is None else by_script.steps.response
    if case.read.is_offline:
        return advised(case, outcome)
    if response is not None:
        return scripted(case, outcome, response=response, decided_by=by_script.decided_by)
    return judged(case, outcome) if is_free else steered(case, outcome)


def _answer_to_chip(
    case: ChipCase, response: str, waiting: tuple[str, ...], steps: IssuerSteps
) -> ChipAnswer:
    """A chip in the reader is answered with all of it, if it is authentic; one that was tapped, or
    has decided itself, with the response code.
    """
    chip = case.payment.chip
    if chip is None:
        return ChipAnswer()
    code = {RESPONSE: response.encode("ascii")}
    if case.payment.read != CONTACT or case.read.is_offline or not case.payment.is_authentic:
        return ChipAnswer(written(code))
    commands = waiting[:COMMANDS_MAX]
    proof = {} if steps.authentication == "none" else {AUTHENTICATION: _proof(case, chip, response)}
    if steps.authentication == "wrong":
        proof = {tag: bytes([value[0] ^ 0xFF]) + value[1:] for tag, value in proof.items()}
    script = case.ask.trace.to_bytes(4, "big")
    scripts = templates(case.payment.keys, chip, commands, script=script)
    return ChipAnswer(written({**proof, **code, **scripts}), commands)


def _proof(case: ChipCase, chip: Objects, response: str) -> bytes:
    is_approved = approves(response) or response == PARTIAL
    return issuer_authentication(case.payment.keys, chip, response=response, approves=is_approved)


def _after(state: ChipCard, sent: tuple[str, ...]) -> ChipCard:
    """The card once commands are on their way: the issuer takes a PIN again that it unblocks."""
    wrong_pins = 0 if UNBLOCK_PIN in sent else state.wrong_pins
    return replace(state, commands=state.commands[len(sent) :], wrong_pins=wrong_pins)


def _changed(case: ChipCase, state: ChipCard) -> tuple[ChipCard, ...]:
    return () if state == case.state else (state,)


def _findings(case: ChipCase, decision: IssuerDecision, clock: Clock) -> tuple[ChipFinding, ...]:
    if decision.means is None:
        return ()
    finding = ChipFinding(
        id=case.ask.payment,
        at=clock.now(),
        card=case.state.id,
        response=decision.means,
        reason=decision.reason,
        may_be_charged_back=case.read.is_offline,
    )
    return (finding,)


def _movements(case: ChipCase, ended: Outcome, clock: Clock) -> tuple[Any, ...]:
    if ended.approved is not None:
        return movements_of(case.account, case.ask, ended.approved, clock)
    return books_of(case.account, case.ask, ended, clock)
