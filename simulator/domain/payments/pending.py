"""Pending payments: what becomes of one, and when. Source: States and transitions, asynchronous
payment.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from simulator.catalogue.results import class_of
from simulator.domain.acquiring.host_entries import final_outcome
from simulator.domain.acquiring.requests import AcquirerResponse, Visit
from simulator.domain.core.records import Outcome, Payment, State
from simulator.domain.payments.transitions import Waiting
from simulator.domain.three_d_secure.authentications import Authentication, AuthenticationStage
from simulator.grammar.results import PENDING_DELAYED

# Source: the limit of a checkout; nothing else is shown. Choice: D-47.
LIFETIME = timedelta(minutes=30)
# A direct debit may be due on any day. Choice: D-144.
LAST_DAY = datetime.max.replace(tzinfo=UTC)
EXPIRED = Outcome(code="100.396.103", decided_by="pending for 30 minutes")


class ShopperChoice(StrEnum):
    """What a shopper may do on the redirect page. Choice: D-137."""

    PAY = "pay"
    CANCEL = "cancel"
    FAIL = "fail"
    LEAVE = "leave"


ENDS: Mapping[ShopperChoice, Outcome] = {
    ShopperChoice.CANCEL: Outcome(code="100.396.101", decided_by="the shopper cancelled"),
    ShopperChoice.FAIL: Outcome(code="100.396.104", decided_by="it failed on the redirect page"),
}


class Awaited(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The final outcome of the pending payment of the same id, and the instant it comes about.

    `paid` comes about instead once the shopper pays on the redirect page; without it his paying
    hurries nothing. `visit` is what a script lets him do there.
    """

    id: str
    version: int = 0
    due: datetime
    outcome: Outcome
    paid: Outcome | None = None
    visit: Visit | None = None

    @property
    def end(self) -> Outcome:
        """How it ends at that instant."""
        return final_outcome(self.outcome)


def waiting_for(payment: Payment, authentication: Authentication | None = None) -> Waiting | None:
    """What a payment waits for, by its records; None where it is not pending."""
    if payment.state is not State.PENDING:
        return None
    if authentication is not None:
        if payment.attempt is not None or _has_passed(payment, authentication):
            return Waiting.ACQUIRER
        if authentication.stage is AuthenticationStage.METHOD:
            return Waiting.METHOD
        if authentication.stage is AuthenticationStage.ANSWERED:
            return Waiting.COMPARISON if authentication.returned else Waiting.BROWSER
        return Waiting.RESULT if authentication.returned else Waiting.CHALLENGE
    is_redirected = payment.redirect is not None and payment.attempt is None
    return Waiting.REDIRECT if is_redirected else Waiting.ACQUIRER


def _has_passed(payment: Payment, authentication: Authentication) -> bool:
    """Whether a pending payment went on to the acquirer. Earlier builds left its authentication
    ANSWERED then; its outcome says who decided it, as none does before.
    """
    if authentication.stage is not AuthenticationStage.ANSWERED:
        return authentication.stage is AuthenticationStage.PASSED
    return payment.outcome is not None and bool(payment.outcome.decided_by)


def awaited_of(payment: Payment, plan: AcquirerResponse | None, now: datetime) -> Awaited:
    """What a payment that is pending now waits for: what was planned for it, or its expiry."""
    paid, visit = (None, None) if plan is None else (plan.paid, plan.visit)
    last = _last_instant(payment, now)
    if plan is None or plan.then is None or now + plan.then_after > last:
        due, outcome = min(last, now + LIFETIME), EXPIRED
    else:
        due, outcome = now + plan.then_after, plan.then
    return Awaited(id=payment.id, due=due, outcome=outcome, paid=paid, visit=visit)


def end_of(
    awaited: Awaited, choice: ShopperChoice, now: datetime, *, decided_by: str = ""
) -> Outcome | None:
    """How a pending payment ends by a choice on the redirect page; None where it stays pending.

    A choice that comes too late changes nothing. `decided_by` names the script that made it.
    """
    if now >= awaited.due:
        return awaited.end
    outcome = awaited.paid if choice is ShopperChoice.PAY else ENDS.get(choice)
    if outcome is None or not decided_by:
        return outcome
    return replace(outcome, decided_by=decided_by)


def _last_instant(payment: Payment, now: datetime) -> datetime:
    """Until when it may wait for what was planned: for any day where its result code says so, else
    no longer than its checkout lives (D-47).
    """
    if payment.outcome is not None and class_of(payment.outcome.code) == PENDING_DELAYED:
        return LAST_DAY
    last = now + LIFETIME
    return last if payment.until is None else min(last, payment.until)
