"""Who decides how the acquirer answers: one order, from the script down to the channel's default.

Choice: D-34.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from scenarios.codes import APPROVING, code_problem
from scenarios.known import Result
from scenarios.latency import NONE, delay_of
from scenarios.records import (
    AcquirerSteps,
    Approve,
    Behaviour,
    BehaviourAnswer,
    Decline,
    IssuerSteps,
    behaviour_of,
    is_silent,
    pending_in,
    said,
)
from simulator.catalogue.payment_types import INITIAL_TYPES, REGISTRATION_TYPES
from simulator.domain.acquiring.host_entries import REVERSED, TIME_OUT, final_outcome
from simulator.domain.acquiring.requests import AcquirerRequest, Visit
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Look, Outcome, PaymentType, Returned, Script
from simulator.domain.steering.issuer import NO_ISSUER_STEPS, IssuerSteering, issuer_steering
from simulator.domain.steering.link import NO_LINK_FAULT, link_steering
from simulator.domain.steering.matching_scripts import (
    NO_MATCH,
    ScriptMatch,
    match_scripts,
    steers_acquirer,
)
from simulator.domain.steering.shopper import NO_SHOPPER, shopper_of

FORCED_CODE = "customParameters[forceResultCode]"
HOLDER = "card.holder"
WRONG_FORCED_CODE = "600.200.810"
UNSTEERED = "channel default"
PENDING_CODE = "000.200.000"

# Source: Hosts, Test modes; Choices: D-16, D-88.
SUCCESS_CODES = {"INTERNAL": "000.100.110", "EXTERNAL": "000.100.112"}
LIVE_SUCCESS_CODE = "000.000.000"

RISK_SCORE_INITIAL = 100
RISK_SCORE_REFERENCING = 0

# What a behaviour without an acquirer says in its place, where one is asked for all the same.
LOST_ON_THE_LINK = "timeout"
APPROVAL = AcquirerSteps(approve=Approve())

_CODE = re.compile(r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}")


class SteeringRules(NamedTuple):
    """What steering looks things up in, the same for every request.

    `test_cards` maps a card number to the name of a behaviour, `amounts` the decimals of an amount.
    """

    behaviours: Mapping[str, Behaviour]
    results: Mapping[str, Result]
    test_cards: Mapping[str, str] = {}
    amounts: Mapping[str, str] = {}


class Question(NamedTuple):
    """One request as the levels of the order see it; `number` is its place at the acquirer."""

    ask: AcquirerRequest
    rules: SteeringRules
    channel: Channel
    script_match: ScriptMatch
    number: int


class Found(NamedTuple):
    """The answer a level has found: what, who says so, and what seeds a drawn latency. `bank` is
    what its behaviour lets the shopper do on a redirect page, `link` what happens on the line,
    `issuer` what a card at a terminal is answered.
    """

    answer: BehaviourAnswer | AcquirerSteps
    decided_by: str
    name: str = ""
    turn: int = 0
    code: str | None = None
    bank: str | None = None
    link: str | None = None
    issuer: IssuerSteps | None = None


class Steering(NamedTuple):
    """The outcome, after a delay, who decided it, the scripts that counted, their near misses.

    For an ask that redirects, `paid` is the outcome once the shopper pays, `visit` what he does;
    for one at a terminal `issuer` is what a script lets the issuer answer.
    """

    outcome: Outcome
    delay: timedelta
    decided_by: str
    scripts: tuple[Script | Look, ...] = ()
    near_misses: tuple[str, ...] = ()
    then: Outcome | None = None
    then_after: timedelta = NONE
    paid: Outcome | None = None
    visit: Visit | None = None
    link: str | None = None
    issuer: IssuerSteering = NO_ISSUER_STEPS


class Level(NamedTuple):
    """One level of the order: its name, the function that looks for an answer, its meaning."""

    name: str
    find: Callable[[Question], Found | None]
    means: str


def steer(
    ask: AcquirerRequest,
    rules: SteeringRules,
    *,
    channel: Channel,
    scripts: Sequence[Script] = (),
    count: int = 0,
) -> Steering:
    """How the acquirer answers `ask`: the first level of ORDER that has an answer decides.

    `scripts` are the armed ones, newest first; those that were asked come back counted, to be
    stored. `count` numbers the asks of this acquirer from 0.
    Raises Refusal for a forced result code that is unknown or cannot be forced.
    """
    speaking = [each for each in scripts if steers_acquirer(each)] if scripts else ()
    script_match = match_scripts(ask, speaking) if speaking else NO_MATCH
    question = Question(ask, rules, channel, script_match, count)
    found = _first_answer(question)
    delay = NONE
    if found.answer.latency is not None:
        delay = delay_of(found.answer.latency, name=found.name, count=found.turn)
    if is_silent(found.answer):
        found, delay = _unanswered(found, ask)
    outcome, then, then_after = _outcomes(found, ask)
    paid = None
    if ask.redirects and outcome.code != PENDING_CODE:
        outcome, paid = Outcome(code=PENDING_CODE, decided_by=found.decided_by), outcome
    shopper, line, issuer = NO_SHOPPER, NO_LINK_FAULT, NO_ISSUER_STEPS
    if ask.redirects:
        shopper = shopper_of(ask, scripts, bank=found.bank, decided_by=found.decided_by)
    if ask.by_link:
        line = link_steering(ask, scripts, fault=found.link)
    if ask.terminal is not None:
        by = found.decided_by
        issuer = issuer_steering(ask, scripts, steps=found.issuer, decided_by=by)
    return Steering(
        outcome,
        delay,
        found.decided_by,
        script_match.counted + shopper.counted + line.counted + issuer.counted,
        script_match.near_misses,
        then=then,
        then_after=then_after,
        paid=paid,
        visit=shopper.visit,
        link=line.fault,
        issuer=issuer,
    )


def _first_answer(question: Question) -> Found:
    for level in ORDER:
        found = level.find(question)
        if found is not None:
            return found
    raise LookupError("the last level of the order answers every request")


def by_script(question: Question) -> Found | None:
    """The newest armed script that fits."""
    script = question.script_match.answers
    if script is None:
        return None
    behaviour = behaviour_of(script.behaviour)
    answer = _answer_at(behaviour.steps.acquirer or APPROVAL, script.matched)
    return Found(
        answer,
        f"script {script.id}",
        behaviour.name,
        script.matched,
        bank=behaviour.steps.bank,
        link=behaviour.steps.link,
        issuer=behaviour.steps.issuer,
    )


def by_parameter(question: Question) -> Found | None:
    """The result code of the custom parameter. Raises Refusal where it cannot be forced."""
    code = forced_code(question.ask.parameters, question.rules.results)
    if code is None:
        return None
    return _forced(code, question.rules.results[code].group, FORCED_CODE)


def forced_code(sent: Mapping[str, str], results: Mapping[str, Result]) -> str | None:
    """The result code of the custom parameter. Raises Refusal where it cannot be forced."""
    code = sent.get(FORCED_CODE)
    problem = None if code is None else code_problem(code, results, where=FORCED_CODE)
    if problem is not None:
        raise Refusal(WRONG_FORCED_CODE, str(problem))
    return code


def by_holder(question: Question) -> Found | None:
    """The result code that stands as card holder of an initial payment. Raises Refusal likewise."""
    holder = question.ask.parameters.get(HOLDER)
    if holder is None or len(holder) != 11 or not _CODE.fullmatch(holder):
        return None
    if question.ask.type not in INITIAL_TYPES:
        return None
    if holder.startswith("000."):
        detail = f"{HOLDER}: expected a code that declines, got {holder} ({FORCED_CODE} takes it)"
        raise Refusal(WRONG_FORCED_CODE, detail)
    problem = code_problem(holder, question.rules.results, where=HOLDER)
    if problem is not None:
        raise Refusal(WRONG_FORCED_CODE, str(problem))
    return _forced(holder, question.rules.results[holder].group, HOLDER)


def by_test_card(question: Question) -> Found | None:
    """The behaviour of a test card number."""
    name = question.rules.test_cards.get(question.ask.number or "")
    return None if name is None else _named(question, name, "test card")


def by_amount(question: Question) -> Found | None:
    """The behaviour of the two decimals of an initial payment, where the channel switched it on."""
    if not question.channel.amount_behaviours:
        return None
    money = question.ask.money
    if money is None or question.ask.type not in INITIAL_TYPES:
        return None
    name = question.rules.amounts.get(str(money.amount)[-2:])
    return None if name is None else _named(question, name, "amount")


def by_default(question: Question) -> Found:
    """What the channel is set to: `approve`, unless the channel has another behaviour."""
    return _named(question, question.channel.default_behaviour, UNSTEERED)


def _named(question: Question, name: str, decided_by: str) -> Found:
    steps = question.rules.behaviours[name].steps
    answer = steps.acquirer or APPROVAL
    return Found(
        answer,
        decided_by,
        name,
        question.number,
        bank=steps.bank,
        link=steps.link,
        issuer=steps.issuer,
    )


def _forced(code: str, group: str, decided_by: str) -> Found:
    if group in APPROVING:
        return Found(BehaviourAnswer(approve=Approve()), decided_by, code=code)
    return Found(BehaviourAnswer(decline=Decline(code)), decided_by)


def _answer_at(steps: AcquirerSteps, answered: int) -> BehaviourAnswer | AcquirerSteps:
    """The answer that is due after `answered` earlier ones."""
    if steps.fail_times is None or steps.then is None or answered < steps.fail_times:
        return steps
    return steps.then


def _unanswered(found: Found, ask: AcquirerRequest) -> tuple[Found, timedelta]:
    """What becomes of a request without an answer, and when: over a link the answer is lost there,
    and the gateway notices it itself. Choice: D-327.
    """
    if ask.by_link:
        return found._replace(answer=APPROVAL, link=LOST_ON_THE_LINK), NONE
    return found._replace(answer=BehaviourAnswer(decline=Decline(REVERSED.code))), TIME_OUT


def _outcomes(found: Found, ask: AcquirerRequest) -> tuple[Outcome, Outcome | None, timedelta]:
    """What the answer is now, what it becomes, and after which time."""
    pending = pending_in(found.answer)
    if pending is None:
        return _outcome(found, said(found.answer), ask), None, NONE
    now = Outcome(code=PENDING_CODE, decided_by=found.decided_by)
    if pending.then is None:
        return now, None, NONE
    then = final_outcome(_outcome(found, said(pending.then), ask))
    return now, then, timedelta(seconds=pending.seconds)


def _outcome(found: Found, answer: Approve | Decline, ask: AcquirerRequest) -> Outcome:
    details: Mapping[str, str] = {}
    coming = None
    if isinstance(answer, Decline):
        code = answer.code
    else:
        code, details = found.code or success_code(ask), answer.details
        coming = answer.returned
    score = answer.risk_score
    return Outcome(
        code=code,
        avs=answer.avs,
        cvv=answer.cvv,
        risk_score=_usual_score(ask.type) if score is None else score,
        details=details,
        decided_by=found.decided_by,
        returned=None if coming is None else Returned(coming.days, coming.code),
        status_text=answer.status_text,
    )


def success_code(ask: AcquirerRequest) -> str:
    """The result code of an approval: of the test mode, or of the live host."""
    if ask.live:
        return LIVE_SUCCESS_CODE
    if ask.by_link:
        return SUCCESS_CODES["EXTERNAL"]
    return SUCCESS_CODES[ask.parameters.get("testMode") or "INTERNAL"]


def _usual_score(kind: PaymentType) -> int | None:
    if kind in INITIAL_TYPES:
        return RISK_SCORE_INITIAL
    return None if kind in REGISTRATION_TYPES else RISK_SCORE_REFERENCING


# fmt: off
ORDER = (
    Level("script",          by_script,    "The newest script that fits; one for a payment first."),
    Level("forceResultCode", by_parameter, "The code of customParameters[forceResultCode]."),
    Level("card.holder",     by_holder,    "A result code as card holder, for PA, DB and CD."),
    Level("test card",       by_test_card, "The behaviour of a test card number."),
    Level("amount",          by_amount,    "The decimals of the amount, if the channel wants it."),
    Level("channel default", by_default,   "The channel's behaviour: approve, unless changed."),
)
# fmt: on
