"""What an acquirer does with a terminal's sequence number that comes again: 94, sent twice.

Only for channels that say so; everywhere else each request is a payment. Choice: D-610.
"""

from typing import NamedTuple

from msgspec.structs import replace

from acquirer_mocks.issuing.cases import Issuer
from simulator.catalogue.messages.card_responses import RESULT_OF, SENT_TWICE
from simulator.catalogue.results import class_of
from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.acquiring.sequence_numbers import (
    KEPT_FOR,
    UsedSequenceNumber,
    sequence_id,
)
from simulator.domain.core.entities import Channel
from simulator.domain.core.ports import Store
from simulator.domain.core.records import Outcome, Payment, State
from simulator.grammar.results import APPROVALS, DEFERRALS

USING = APPROVALS | DEFERRALS


class NumberedRequest(NamedTuple):
    """A request whose sequence number counts: its use as it would be kept, and the payment that has
    used the number before.
    """

    use: UsedSequenceNumber
    used_by: str | None

    @property
    def refusal(self) -> Outcome | None:
        """The outcome of a number that came before; None for one that did not."""
        if self.used_by is None:
            return None
        return Outcome(
            code=RESULT_OF[SENT_TWICE],
            details={"AcquirerResponse": SENT_TWICE},
            decided_by=f"acquirer: payment {self.used_by} had this sequence number",
        )

    def records_of(self, outcome: Outcome) -> tuple[UsedSequenceNumber, ...]:
        """What is kept of the number once the request was answered so."""
        has_used = class_of(outcome.code) in USING or outcome.approved is not None
        return (self.use,) if has_used else ()


def numbered_request(
    ask: AcquirerRequest, channel: Channel, issuer: Issuer
) -> NumberedRequest | None:
    """The request by its sequence number, or None where the number does not count."""
    if channel.repeated_sequence_number == "accept":
        return None
    identity = sequence_id(ask)
    if identity is None:
        return None
    now, known = issuer.clock.now(), issuer.store.get(UsedSequenceNumber, identity)
    if known is None:
        return NumberedRequest(UsedSequenceNumber(id=identity, payment=ask.payment, at=now), None)
    is_over = now - known.at >= KEPT_FOR or _has_ended(known.payment, issuer.store)
    use = replace(known, payment=ask.payment, at=now)
    return NumberedRequest(use, None if is_over else known.payment)


def _has_ended(payment: str, store: Store) -> bool:
    """Whether a payment that was approved or pending came to nothing: it was declined in the end,
    its answer was lost and the card host reversed it, or it was open when the gateway stopped.
    """
    entry = store.get(CardEntry, payment)
    if entry is not None:
        is_declined = entry.ended is not None and class_of(entry.ended.code) not in USING
        return is_declined or entry.reversed_at is not None
    paid = store.get(Payment, payment)
    return paid is not None and paid.state is State.FAILED
