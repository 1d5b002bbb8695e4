"""The entries of the card host, and requests without an answer.

The host keeps an entry for each request it decided, by the id of the payment; the gateway keeps a
request without an answer until its reversal is answered. Choices: D-186, D-187, D-188.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from simulator.catalogue.results import RESULTS, class_of
from simulator.domain.acquiring.messages import ADVICE, REVERSAL, REVERSAL_REPEATED
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.core.money import Money
from simulator.domain.core.records import Outcome, Payment, PaymentType
from simulator.grammar.results import DEFERRALS

# World time after which the gateway no longer waits for an answer, and sends a reversal again.
TIME_OUT = timedelta(seconds=30)
REPEATED_AFTER = timedelta(seconds=60)

# Source: result codes 900.100.200, 900.100.300, 900.100.301, 900.100.600, 900.100.100.
NO_END = Outcome(code="900.100.200", decided_by="its script ends it with no final result code")
UNANSWERED = Outcome(code="900.100.300", decided_by="card link: no answer")
REVERSED = Outcome(code="900.100.301", decided_by="card link: no answer, reversed")
NO_LINE = Outcome(code="900.100.600", decided_by="card link: no line")
NOT_SENDABLE = Outcome(code="900.100.100", decided_by="card link: too long for a message")


class CardEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the card host decided of one payment, and when. Reversed, it never was.

    One that is pending gets its end, `ended`, and the instant of it. `silent` is how many of its
    reversals a script leaves unanswered; one that `is_late` is answered after its reversal. By its
    `mark` its request is known again, and nothing of the card.
    """

    id: str
    version: int = 0
    type: PaymentType
    at: datetime
    money: Money | None = None
    original: str | None = None
    trace: int
    mark: str = ""
    response: str
    plan: AcquirerResponse
    ended: Outcome | None = None
    reversed_at: datetime | None = None
    silent: int = 0
    is_late: bool = False

    @property
    def is_pending(self) -> bool:
        """Whether it has no end yet."""
        return self.ended is None and class_of(self.plan.outcome.code) in DEFERRALS

    @property
    def end(self) -> Outcome:
        """What became of it, or of a pending one will as it was planned."""
        if self.is_pending and self.plan.then is not None:
            return final_outcome(self.plan.then)
        return self.ended or self.plan.outcome


def final_outcome(outcome: Outcome) -> Outcome:
    """The outcome a payment ends with. A script that an earlier build took may name a code that is
    none, or that ends nothing: that is an error of the acquirer. Choice: D-47.
    """
    is_end = outcome.code in RESULTS and class_of(outcome.code) not in DEFERRALS
    return outcome if is_end else NO_END


class LostRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request without an answer, by the id of its payment: its reversal is sent until it is
    answers. `message` names it and holds no secret.

    One that was found open at start is reported by an advice.
    """

    id: str
    version: int = 0
    ndc: str = ""
    due: datetime
    message: Mapping[str, str]
    tries: int = 0
    found_at_start: bool = False

    @property
    def kind(self) -> str:
        """The type of its next reversal."""
        if self.found_at_start:
            return ADVICE
        return REVERSAL_REPEATED if self.tries else REVERSAL


def bare_ask(payment: Payment) -> AcquirerRequest:
    """What an open payment asked for, without card and parameters: enough to take it back."""
    assert payment.attempt is not None, "a reversal has an open attempt"
    return AcquirerRequest(
        type=payment.type,
        payment=payment.id,
        entity=payment.stamp.channel,
        trace=payment.attempt.trace,
        money=payment.money,
        brand=payment.brand,
        original=payment.referenced,
    )
