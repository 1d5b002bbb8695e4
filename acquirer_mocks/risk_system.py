"""The risk system behind the gateway, and the third-party screening service beside it.

Which checks run is set up per channel; a script that says what the risk system does comes first.
Source: Risk. Choices: D-164 to D-167.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta

from scenarios.records import Behaviour, RiskSteps, behaviour_of
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Clock, InFlightCounter, Store, key_of, unit_of
from simulator.domain.core.records import Payment, PaymentType, Script
from simulator.domain.core.transact import transact
from simulator.domain.risk import (
    SCORE_PASSED,
    RiskDecision,
    RiskRequest,
    Sighting,
    sighting_of,
)
from simulator.domain.steering.matching_scripts import (
    ScriptMatch,
    match_scripts,
    steers_risk_system,
)
from simulator.domain.steering.risk_checks import RiskAssessment, counted_by, verdict_of

BEGIN_OF_TIME = datetime.min.replace(tzinfo=UTC)
# A count takes a few trips to a database, also where hundreds wait for theirs.
TURN_S_MAX = 30.0
ORDERED_AT = "risk.orderTimestamp"


class SimulatedRiskSystem:
    """The risk system of one sandbox, as ports.RiskSystem."""

    def __init__(
        self,
        behaviours: Mapping[str, Behaviour],
        store: Store,
        *,
        clock: Clock,
        in_flight: InFlightCounter,
        scripts: Callable[[], Sequence[Script]],
        channel_of: Callable[[str], Channel],
    ):
        self._clock = clock
        self._in_flight = in_flight
        self._behaviours = behaviours
        self._store = store
        self._scripts = scripts
        self._channel_of = channel_of
        self._ended: set[str] = set()

    @property
    def is_scripted(self) -> bool:
        """Whether a script may say what it does."""
        return any(map(steers_risk_system, self._scripts()))

    def screen(self, request: RiskRequest) -> RiskDecision | None:
        """What it says of a payment, or None where no check is set up."""
        names = self._checks_of(request)
        if not names and not self.is_scripted:
            return None
        script_match = transact(self._store, lambda: self._match_and_count(request))
        steps = [(f"risk check {name}", self._steps(name)) for name in names]
        if script_match.answers is not None:
            script = script_match.answers
            said = behaviour_of(script.behaviour).steps.risk or RiskSteps()
            steps.insert(0, (f"script {script.id}", said))
        elif not names:
            # A script was asked and did not fit: it has counted, and nothing else is set up.
            return RiskDecision(SCORE_PASSED, None, "risk system")
        counted = counted_by(row for _, row in steps)
        if not counted:
            return RiskDecision(*self._decided(steps, request))
        with self._alone(request, counted):
            # A crash may have come between its sighting and the payment, which is tried again.
            self._count_no_more(request.payment)
            self._take_back_ended()
            score, code, decided_by = self._decided(steps, request)
            # Those that come later count it from now on: what it waits for, its shopper or its
            # acquirer, may take long. It is durable with the payment.
            self._store.commit_unflushed(unit_of(sighting_of(request)))
        return RiskDecision(score, code, decided_by)

    def take_back(self, payment: str) -> None:
        """Count a request no more that ended, unless it is stored as a payment. Raises what the
        store raises; the next count tries it again.
        """
        self._ended.add(payment)
        self._take_back_ended()

    def _take_back_ended(self) -> None:
        for payment in [*self._ended]:
            # Another count may have done so meanwhile, and the payment is tried again.
            if payment in self._ended and self._store.get(Payment, payment) is None:
                # Another count may be about to do the same.
                with suppress(ConflictError):
                    self._count_no_more(payment)
            self._ended.discard(payment)

    def _count_no_more(self, payment: str) -> None:
        seen = self._store.get(Sighting, payment)
        if seen is not None:
            self._store.commit_unflushed(unit_of(removes=(seen,)))

    @contextmanager
    def _alone(self, request: RiskRequest, counted: Collection[str]) -> Iterator[None]:
        """What is counted with this payment comes before it or after it. A sandbox has one home,
        so turns in memory order all of them. Choice: D-165.
        """
        with ExitStack() as turns:
            for by in sorted(counted):
                key = getattr(sighting_of(request), by)
                if key is not None:
                    name = key_of("risk", request.merchant, request.host, by, key)
                    turns.enter_context(self._in_flight.alone(name, TURN_S_MAX))
            yield

    def _match_and_count(self, request: RiskRequest) -> ScriptMatch:
        """The script that fits. It counts as soon as it was asked: what the payment waits for
        later, its shopper or its acquirer, may take long. Raises ConflictError. Choice: D-306.
        """
        speaking = [each for each in self._scripts() if steers_risk_system(each)]
        script_match = match_scripts(_as_ask(request), speaking)
        if script_match.counted:
            self._store.commit(unit_of(*script_match.counted))
        return script_match

    def _decided(
        self, steps: Sequence[tuple[str, RiskSteps]], request: RiskRequest
    ) -> tuple[int, str | None, str]:
        score = SCORE_PASSED
        for name, verdict in self._verdicts(steps, request):
            score = min(score, verdict.score)
            if verdict.code is not None:
                return verdict.score, verdict.code, name
        return score, None, "risk system"

    def _verdicts(
        self, steps: Sequence[tuple[str, RiskSteps]], request: RiskRequest
    ) -> Iterator[tuple[str, RiskAssessment]]:
        for name, row in steps:
            yield name, verdict_of(row, request, self._seen)

    def _checks_of(self, request: RiskRequest) -> tuple[str, ...]:
        """Another set of rules runs for the screening service. Source: RISK-01."""
        channel = self._channel_of(request.entity)
        return channel.risk if request.service is None else channel.screening

    def _steps(self, name: str) -> RiskSteps:
        return self._behaviours[name].steps.risk or RiskSteps()

    def _seen(self, request: RiskRequest, by: str, span: timedelta) -> int:
        key = getattr(sighting_of(request), by)
        if key is None:
            return 0
        # An order may be of the year 1, which nothing is before.
        begins = request.at - min(span, request.at - BEGIN_OF_TIME)
        # One that began later may have had its turn before: this one comes after it.
        ends = request.at if ORDERED_AT in request.parameters else self._clock.now()
        first, last = begins.isoformat(), max(request.at, ends).isoformat() + "~"
        within = key_of(request.merchant, request.host, key)
        bounds = key_of(within, first), key_of(within, last)
        return self._store.page(Sighting, f"host_{by}", bounds, start=0, most=0)[1]


def _as_ask(request: RiskRequest) -> AcquirerRequest:
    """The request as a match sees it; of a card number only the first digits are known."""
    return AcquirerRequest(
        type=PaymentType(request.type),
        payment=request.payment,
        entity=request.entity,
        trace=0,
        money=request.money,
        brand=request.brand,
        number=request.card_bin,
        parameters=request.parameters,
    )
