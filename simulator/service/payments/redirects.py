"""The redirect page: who comes, what the shopper chooses there, and how the payment ends by it.

A choice, a release and the clock may come at once: the first to store wins, the others find the
payment finished. Source: States and transitions, asynchronous payment. Choices: D-136,
D-137, D-138.
"""

from contextlib import suppress
from enum import Enum
from typing import Protocol

from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.errors import Refusal
from simulator.domain.core.hosts import Host
from simulator.domain.core.records import Payment
from simulator.domain.holding import HoldPorts, Stop, about, hold_at
from simulator.domain.journal.entries import Party
from simulator.domain.journal.trace import SENT_BACK
from simulator.domain.payments.pending import Awaited, ShopperChoice, end_of
from simulator.domain.payments.redirects import opens
from simulator.service.journal import record_step
from simulator.service.payments.responses import ResponsePorts, apply_late_response

TO_BANK, FROM_BANK = (Party.SHOPPER, Party.BANK), (Party.BANK, Party.SHOPPER)
ASKED = "opens the redirect page"
SHOWN = "the page, with its choices"
CHOSEN = {
    ShopperChoice.PAY: "pays",
    ShopperChoice.CANCEL: "cancels",
    ShopperChoice.FAIL: "lets it fail",
    ShopperChoice.LEAVE: "leaves without a choice",
}


class RedirectPorts(ResponsePorts, HoldPorts, Protocol):
    """What the redirect page needs."""


class VisitResult(Enum):
    """What a visit of the page came to: the shopper is asked, a script chose for him, or the
    payment was settled already.
    """

    ASKED = "asked"
    CHOSEN = "chosen"
    OVER = "over"


class UnknownRedirectPageError(Exception):
    """No redirect page has this address."""


def redirected_payment(ports: RedirectPorts, identity: str, token: str, host: Host) -> Payment:
    """The payment whose redirect page is opened by `token` on `host`. Raises
    UnknownRedirectPageError.
    """
    payment = ports.store.get(Payment, identity)
    if payment is None or payment.host != host or not opens(token, payment):
        raise UnknownRedirectPageError(
            "no redirect page has this address, or the sandbox was reset"
        )
    return payment


def visit_page(ports: RedirectPorts, payment: Payment) -> tuple[Payment, VisitResult]:
    """The payment after the shopper opened its page, and what became of his visit."""
    _record_visit(ports, payment, ASKED)
    awaited = ports.store.get(Awaited, payment.id)
    if awaited is None:
        return _send_back(ports, payment), VisitResult.OVER
    if awaited.visit is None:
        record_step(ports, payment, FROM_BANK, SHOWN)
        return payment, VisitResult.ASKED
    choice = ShopperChoice(awaited.visit.choice)
    return apply_choice(
        ports, payment, choice, decided_by=awaited.visit.decided_by
    ), VisitResult.CHOSEN


def apply_choice(
    ports: RedirectPorts, payment: Payment, choice: ShopperChoice, *, decided_by: str = ""
) -> Payment:
    """The payment after the shopper chose; a second choice changes nothing.

    `decided_by` names the script that chose for him.
    """
    _record_visit(ports, payment, CHOSEN[choice])
    with ports.in_flight:
        let = hold_at(ports, Stop.BANK, about(payment), CHOSEN[choice])
        if let.is_dropped:
            return _send_back(ports, payment)
        choice = ShopperChoice(let.word or choice)
        awaited = ports.store.get(Awaited, payment.id)
        end = None
        if awaited is not None:
            end = end_of(awaited, choice, ports.clock.now(), decided_by=decided_by)
        if awaited is not None and end is not None:
            with suppress(Refusal):
                apply_late_response(ports, payment.id, AcquirerResponse(outcome=end), to=awaited)
    return _send_back(ports, payment)


def _record_visit(ports: RedirectPorts, payment: Payment, label: str) -> None:
    record_step(ports, payment, TO_BANK, label)


def _send_back(ports: RedirectPorts, payment: Payment) -> Payment:
    """The payment as it stands now; the shopper sees nothing that a power cut could undo (D-36)."""
    now = ports.store.get(Payment, payment.id) or payment
    ports.store.wait_durable()
    record_step(ports, now, FROM_BANK, SENT_BACK)
    return now
