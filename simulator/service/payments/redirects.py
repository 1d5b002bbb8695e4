"""The redirect page: who comes, what the shopper chooses there, and how the payment ends by it.

A choice, a release and the clock may come at once: the first to store wins, the others find the
payment finished. Source: States and transitions, asynchronous payment. Choices: D-136,
D-137, D-138.
"""

from contextlib import suppress
from enum import Enum

from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.errors import Refusal
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import Ports
from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import create_page_request_entry, create_page_response_entry
from simulator.domain.payments.pending import Awaited, ShopperChoice, end_of
from simulator.domain.payments.redirects import opens
from simulator.service.payments.responses import apply_late_response

ASKED = "opens the redirect page"
SHOWN = "the page, with its choices"
CHOSEN = {
    ShopperChoice.PAY: "pays",
    ShopperChoice.CANCEL: "cancels",
    ShopperChoice.FAIL: "lets it fail",
    ShopperChoice.LEAVE: "leaves without a choice",
}
SENT_BACK = "sent back to shopperResultUrl"


class VisitResult(Enum):
    """What a visit of the page came to: the shopper is asked, a script chose for him, or the
    payment was settled already.
    """

    ASKED = "asked"
    CHOSEN = "chosen"
    OVER = "over"


class UnknownRedirectPageError(Exception):
    """No redirect page has this address."""


def redirected_payment(ports: Ports, identity: str, token: str, host: Host) -> Payment:
    """The payment whose redirect page is opened by `token` on `host`. Raises UnknownPage."""
    payment = ports.store.get(Payment, identity)
    if payment is None or payment.host != host or not opens(token, payment):
        raise UnknownRedirectPageError(
            "no redirect page has this address, or the sandbox was reset"
        )
    return payment


def visit_page(ports: Ports, payment: Payment) -> tuple[Payment, VisitResult]:
    """The payment after the shopper opened its page, and what became of his visit."""
    _record_visit(ports, payment, ASKED)
    awaited = ports.store.get(Awaited, payment.id)
    if awaited is None:
        return _send_back(ports, payment), VisitResult.OVER
    if awaited.visit is None:
        ports.journal.append_entry(create_page_response_entry(payment, ports.clock.now(), SHOWN))
        return payment, VisitResult.ASKED
    choice = ShopperChoice(awaited.visit.choice)
    return apply_choice(
        ports, payment, choice, decided_by=awaited.visit.decided_by
    ), VisitResult.CHOSEN


def apply_choice(
    ports: Ports, payment: Payment, choice: ShopperChoice, *, decided_by: str = ""
) -> Payment:
    """The payment after the shopper chose; a second choice changes nothing.

    `decided_by` names the script that chose for him.
    """
    _record_visit(ports, payment, CHOSEN[choice])
    with ports.in_flight:
        awaited = ports.store.get(Awaited, payment.id)
        end = None if awaited is None else end_of(awaited, choice, decided_by=decided_by)
        if awaited is not None and end is not None:
            with suppress(Refusal):
                apply_late_response(
                    ports, payment.id, AcquirerResponse(outcome=end), removes=(awaited,)
                )
    return _send_back(ports, payment)


def _record_visit(ports: Ports, payment: Payment, label: str) -> None:
    ports.journal.append_entry(create_page_request_entry(payment, ports.clock.now(), label))


def _send_back(ports: Ports, payment: Payment) -> Payment:
    """The payment as it stands now; the shopper sees nothing that a power cut could undo (D-36)."""
    now = ports.store.get(Payment, payment.id) or payment
    ports.store.wait_durable()
    ports.journal.append_entry(create_page_response_entry(now, ports.clock.now(), SENT_BACK))
    return now
