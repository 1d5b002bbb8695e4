"""What the issuer decides of a payment at a terminal: by a script, by its checks, by the account.

Choices: D-436, D-437, D-439.
"""

from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from acquirer_mocks.issuer import (
    ADVISED,
    BY_ISSUER,
    NO_ORIGINAL,
    NOT_ENOUGH,
    TOO_MUCH,
    refusal_of,
)
from acquirer_mocks.issuing.cases import ChipCase
from acquirer_mocks.issuing.checks import check_taps, examined, noticed
from acquirer_mocks.responses import APPROVED, answered_response, response_of
from scenarios.issuer_cards import ADVICE
from simulator.catalogue.messages.card_responses import (
    CONTACTLESS_RESULT_OF,
    PARTIAL,
    RESULT_OF,
    UNKNOWN_RESPONSE,
    approves,
)
from simulator.catalogue.results import RESULTS, class_of
from simulator.domain.acquiring.chip_cards import ChipCard
from simulator.domain.core.money import ZERO
from simulator.domain.core.records import Outcome
from simulator.domain.steering.order import success_code
from simulator.grammar.results import APPROVALS

BY_CARD = f"{BY_ISSUER}: approved offline by the card"
RESPONSE_DETAIL = "AcquirerResponse"
DECLINED = "05"
REASONS = {
    NOT_ENOUGH: "not enough is left on the account",
    TOO_MUCH: "more than the card may pay at once",
    NO_ORIGINAL: "no authorization of this amount is open",
}


class IssuerDecision(NamedTuple):
    """What the issuer decided: the outcome, its response code, and the card afterwards.

    `means` is the response code of what it found wrong, and `reason` says it in words.
    """

    outcome: Outcome
    response: str
    state: ChipCard
    means: str | None = None
    reason: str = ""


def advised(case: ChipCase, outcome: Outcome) -> IssuerDecision:
    """A payment that the card approved offline: it cannot be declined, only found wrong. A forged
    one counts as no tap, and no PIN that came with one was checked.
    """
    verdict = noticed(case.payment, case.state)
    state = verdict.state
    if verdict.means is None:
        state = check_taps(case.payment._replace(pin_block=None), state).state
    by = "; ".join(filter(None, (BY_CARD, verdict.reason)))
    ended = _approved(case, outcome, APPROVED, by)
    return IssuerDecision(ended, APPROVED, state, verdict.means, verdict.reason)


def scripted(case: ChipCase, outcome: Outcome, *, response: str, decided_by: str) -> IssuerDecision:
    """What a script lets the issuer answer."""
    made = _approved if approves(response) else _declined
    return IssuerDecision(made(case, outcome, response, decided_by), response, _seen(case))


def steered(case: ChipCase, outcome: Outcome) -> IssuerDecision:
    """What something else has decided, such as a script for the acquirer."""
    return IssuerDecision(outcome, answered_response(outcome), _seen(case))


def judged(case: ChipCase, outcome: Outcome) -> IssuerDecision:
    """What the issuer itself decides of an approval: its checks first, then the account."""
    verdict = examined(case.payment, case.state)
    if verdict.response is not None:
        by = f"{BY_ISSUER}: {verdict.reason}"
        ended = _declined(case, outcome, verdict.response, by)
        return IssuerDecision(ended, verdict.response, verdict.state, verdict.means, verdict.reason)
    code = refusal_of(case.account, case.ask)
    if code is None:
        return IssuerDecision(outcome, APPROVED, verdict.state)
    part = _part_of(case) if code == NOT_ENOUGH else None
    if part is not None:
        by = f"{BY_ISSUER}: {part} is left on the account"
        ended = replace(_declined(case, outcome, PARTIAL, by), approved=part)
        return IssuerDecision(ended, PARTIAL, verdict.state)
    response = response_of(code, RESULTS[code].group) or DECLINED
    ended = _declined(case, outcome, response, f"{BY_ISSUER}: {REASONS.get(code, code)}")
    return IssuerDecision(replace(ended, code=code), response, verdict.state)


def _seen(case: ChipCase) -> ChipCard:
    return noticed(case.payment, case.state).state


def _approved(case: ChipCase, outcome: Outcome, response: str, decided_by: str) -> Outcome:
    approves_already = class_of(outcome.code) in APPROVALS
    details = {} if response == APPROVED else {RESPONSE_DETAIL: response}
    return replace(
        outcome,
        code=outcome.code if approves_already else success_code(case.ask),
        details={**(outcome.details if approves_already else {}), **details},
        decided_by=decided_by,
    )


def _declined(case: ChipCase, outcome: Outcome, response: str, decided_by: str) -> Outcome:
    meaning = CONTACTLESS_RESULT_OF if case.read.is_contactless else RESULT_OF
    code = meaning.get(response, UNKNOWN_RESPONSE)
    advice = {ADVISED: ADVICE[code]} if code in ADVICE else {}
    return Outcome(
        code=code,
        risk_score=outcome.risk_score,
        details={RESPONSE_DETAIL: response, **advice},
        decided_by=decided_by,
    )


def _part_of(case: ChipCase) -> Decimal | None:
    """The part of the amount that the account has, where the profile approves one: at least half
    of the amount.
    """
    money, available = case.ask.money, case.account.available
    if not case.payment.card.issuer.in_part or money is None:
        return None
    return available if available > ZERO and money.amount <= 2 * available else None
