"""The simulator in the process: answers at once, as the order of steering decides."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any
from zlib import crc32

from msgspec.structs import replace

from acquirer_mocks.issuer import books_of, case_of, has_profile, judged
from acquirer_mocks.issuing.cases import Issuer, chip_case_of
from acquirer_mocks.issuing.terminal_payments import answer_at_terminal, response_to_chip
from acquirer_mocks.responses import APPROVED, response_of
from acquirer_mocks.sequence_numbers import USING, numbered_request
from acquirer_mocks.settlement.limits import ALWAYS_SETTLED, refused_as_too_large
from scenarios.codes import APPROVING
from simulator.catalogue.results import class_of
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.acquiring.terminal_data import TerminalData
from simulator.domain.core.entities import Channel
from simulator.domain.core.ports import Clock, Store
from simulator.domain.core.records import Outcome, Script
from simulator.domain.recurring import ISSUED, begins_agreement
from simulator.domain.steering.order import (
    UNSTEERED,
    Steering,
    SteeringRules,
    steer,
    success_code,
)
from simulator.grammar.results import APPROVALS, DEFERRALS


class InternalAcquirer:
    """The acquirer of one sandbox, as ports.Acquirer, and the issuer of its cards behind it.

    `scripts` gives those armed, newest first; `channel_of` the channel of an entity; `zone_key` the
    key of PIN blocks, None while there is none. What lives on
    between calls is the number of asks so far: it seeds drawn latencies that no script counts. In a
    seeded sandbox the trace numbers do, which a pause does not begin anew.
    """

    def __init__(
        self,
        rules: SteeringRules,
        *,
        scripts: Callable[[], Sequence[Script]],
        channel_of: Callable[[str], Channel],
        store: Store,
        clock: Clock,
        zone_key: Callable[[], bytes | None] = lambda: None,
        seeded: bool = False,
    ):
        self._rules = rules
        self._issuer = Issuer(store, clock, zone_key)
        self._scripts = scripts
        self._channel_of = channel_of
        self._numbers = None if seeded else count()

    def plan(self, ask: AcquirerRequest) -> AcquirerResponse:
        """How this ask will be answered, when, and the scripts that counted it."""
        channel = self._channel_of(ask.entity)
        steering = steer(
            ask,
            self._rules,
            channel=channel,
            scripts=self._scripts(),
            count=ask.trace if self._numbers is None else next(self._numbers),
        )
        numbered = numbered_request(ask, channel, self._issuer) if ask.terminal else None
        refusal = None if numbered is None else numbered.refusal
        is_large = ask.money is not None and ask.money.amount > ALWAYS_SETTLED
        if is_large and refusal is None and class_of(steering.outcome.code) in USING:
            refusal = refused_as_too_large(ask, channel.settlement_currency)
        if refusal is not None:
            return self._refused(refusal, steering, ask, channel)
        then, paid = steering.then, steering.paid
        outcome, books = self._issued(steering, ask)
        if then is not None and class_of(outcome.code) not in DEFERRALS:
            then = None
        if numbered is not None:
            books = (*books, *numbered.records_of(outcome))
        return AcquirerResponse(
            outcome=self._with_details(outcome, ask, channel),
            delay=steering.delay,
            then=None if then is None else self._with_details(then, ask, channel),
            then_after=steering.then_after,
            redirects=ask.redirects,
            paid=None if paid is None else self._with_details(paid, ask, channel),
            visit=steering.visit,
            scripts=steering.scripts,
            near_misses=steering.near_misses,
            link=steering.link,
            books=books,
        )

    def _refused(
        self, outcome: Outcome, steering: Steering, ask: AcquirerRequest, channel: Channel
    ) -> AcquirerResponse:
        """The answer of the acquirer alone: neither issuer nor card account get to know of it."""
        answered = outcome if ask.terminal is None else _with_response(outcome, ask.terminal)
        return AcquirerResponse(
            outcome=self._with_details(answered, ask, channel),
            delay=steering.delay,
            scripts=steering.scripts,
            near_misses=steering.near_misses,
            link=steering.link,
        )

    def _issued(self, steering: Steering, ask: AcquirerRequest) -> tuple[Outcome, tuple[Any, ...]]:
        """The outcome as the issuer has it, and what that changes in its accounts."""
        outcome = steering.outcome
        if ask.terminal is not None:
            outcome = _offline_approval(outcome, ask.terminal, ask)
        if ask.number is not None and not has_profile(ask.number):
            # A card without a profile, as nearly all are.
            return outcome if ask.terminal is None else _with_response(outcome, ask.terminal), ()
        case = case_of(ask, self._issuer.store)
        if case is None:
            return outcome, ()
        is_free = steering.decided_by == UNSTEERED and class_of(outcome.code) in APPROVALS
        at_terminal = chip_case_of(case, ask, self._issuer)
        clock = self._issuer.clock
        if at_terminal is not None:
            return answer_at_terminal(
                at_terminal, outcome, steering.issuer, is_free=is_free, clock=clock
            )
        if is_free:
            outcome = judged(case, ask, outcome)
        return outcome, books_of(case, ask, outcome, clock)

    def _with_details(self, bare: Outcome, ask: AcquirerRequest, channel: Channel) -> Outcome:
        group = self._rules.results[bare.code].group
        institute = ask.institute or channel.clearing_institute
        details = details_of(bare, ask, group=group, institute=institute)
        return replace(bare, details=details)


def _offline_approval(outcome: Outcome, terminal: TerminalData, ask: AcquirerRequest) -> Outcome:
    """What the card approved offline stays approved. Choice: D-436."""
    if not terminal.is_offline or class_of(outcome.code) in APPROVALS:
        return outcome
    return Outcome(
        code=success_code(ask),
        risk_score=outcome.risk_score,
        decided_by=f"approved offline by the card, in place of {outcome.decided_by}",
    )


def _with_response(outcome: Outcome, terminal: TerminalData) -> Outcome:
    """The outcome of a card without a profile; its chip is answered by the response code alone."""
    if terminal.chip is None:
        return outcome
    return replace(outcome, chip=response_to_chip(outcome))


def details_of(
    outcome: Outcome, ask: AcquirerRequest, *, group: str, institute: str
) -> dict[str, str]:
    """The resultDetails of an answer; the trace number alone decides the generated ones.

    Members a behaviour names itself win. Source: Payment response, resultDetails; Choice: D-64.
    """
    details = {"ConnectorTxID1": ask.payment, "clearingInstituteName": institute}
    response = APPROVED if group in APPROVING else response_of(outcome.code, group)
    if response is not None:
        details["AcquirerResponse"] = response
    if response == APPROVED or outcome.approved is not None:
        details["AuthCode"] = f"{crc32(b'%d' % ask.trace) % 1_000_000:06d}"
    if response == APPROVED and begins_agreement(ask.parameters, ask.type):
        details[ISSUED] = reference_of(ask)
    if outcome.details:
        details.update(outcome.details)
    return details


def reference_of(ask: AcquirerRequest) -> str:
    """The reference of a shopper's first payment: 14 digits, no two payments share them, and a
    letter in their middle, without which one in five would be masked as a card number.

    It follows the id of the payment, as no scheme's own rule does. Choice: D-123.
    """
    digits = f"{int(ask.payment, 16) % 10**14:014d}"
    return f"{digits[:7]}T{digits[7:]}"
