"""Answers as card messages: which field says what, written by the card host, read by the gateway.

Choices: D-184, D-185.
"""

from decimal import Decimal

import msgspec
from msgspec.structs import replace

from simulator.catalogue.messages.card_responses import (
    CONTACTLESS_RESULT_OF,
    IN_PROGRESS,
    PARTIAL,
    RESULT_OF,
    UNKNOWN_RESPONSE,
    approves,
)
from simulator.catalogue.results import class_of
from simulator.domain.acquiring.messages import ANSWERS, Message
from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.money import CENT
from simulator.domain.core.records import Outcome
from simulator.grammar.results import DECLINED, DEFERRALS

NEAR_MISSES_MAX = 10
# What an answer repeats of its request.
ECHOED = ("3", "4", "11", "37", "41", "70")


def answer_of(request: Message, plan: AcquirerResponse, response: str) -> dict[str, str]:
    """The answer to `request`: what its fields can say, and the plan itself in field 63."""
    outcome = plan.outcome
    answer = answer_to(request, response)
    code = outcome.details.get("AuthCode", "")
    if len(code) == 6 and code.isascii() and code.isalnum():
        answer["38"] = code
    if outcome.avs is not None or outcome.cvv is not None:
        answer["44"] = (outcome.avs or " ") + (outcome.cvv or " ")
    if outcome.chip is not None:
        answer["55"] = outcome.chip
    if response == PARTIAL and outcome.approved is not None:
        answer["4"] = f"{int(outcome.approved / CENT):012d}"
    shown = replace(
        plan,
        outcome=replace(outcome, avs=None, cvv=None, chip=None, approved=None),
        scripts=(),
        books=(),
        near_misses=plan.near_misses[:NEAR_MISSES_MAX],
        link=None,
    )
    answer["63"] = msgspec.json.encode(shown).decode()
    return answer


def answer_to(request: Message, response: str) -> dict[str, str]:
    """An answer with nothing but its response code."""
    kept = {key: request[key] for key in ECHOED if key in request}
    return {"t": ANSWERS[request["t"]], **kept, "39": response}


def plan_in(answer: Message, *, is_contactless: bool = False) -> AcquirerResponse:
    """What an answer says. The response code has the last word over what stands beside it: nothing
    approves that it does not. Of a contactless payment some codes mean something else. Choices:
    D-185, D-407.
    """
    response = answer.get("39", "")
    meaning = CONTACTLESS_RESULT_OF if is_contactless else RESULT_OF
    code = meaning.get(response, UNKNOWN_RESPONSE)
    try:
        plan = PLANS.decode(answer["63"])
        is_known = _agrees(class_of(plan.outcome.code), response)
        for later in (plan.then, plan.paid):
            is_known = is_known and (later is None or bool(class_of(later.code)))
    except (KeyError, msgspec.DecodeError):
        is_known = False
    if not is_known:
        return AcquirerResponse(outcome=_with_terminal(_plain(answer, code), answer))
    letters = answer.get("44", "").ljust(2)
    avs, cvv = (each if each != " " else None for each in letters[:2])
    outcome = _with_terminal(replace(plan.outcome, avs=avs, cvv=cvv), answer)
    return replace(plan, outcome=outcome)


def _with_terminal(outcome: Outcome, answer: Message) -> Outcome:
    """The outcome with what a terminal needs of the answer: chip data, and a part of the amount."""
    approved = None
    if answer.get("39") == PARTIAL and "4" in answer:
        approved = Decimal(answer["4"]) * CENT
    return replace(outcome, chip=answer.get("55"), approved=approved)


def _agrees(kind: str, response: str) -> bool:
    """Whether what a plan says is no more than the response code says."""
    if kind in DEFERRALS:
        return response == IN_PROGRESS
    return kind == DECLINED or approves(response)


def _plain(answer: Message, code: str) -> Outcome:
    details = {"AcquirerResponse": answer.get("39", "")}
    if "38" in answer:
        details["AuthCode"] = answer["38"]
    return Outcome(code=code, details=details, decided_by="card host")


PLANS = msgspec.json.Decoder(AcquirerResponse)
