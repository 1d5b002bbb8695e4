"""What a start finds open: deliveries, and attempts whose response will not arrive any more.

An attempt that its request leaves open, since the store took no response, ends in the same way.
Choices: D-33, D-687.
"""

from contextlib import suppress
from typing import Protocol

from simulator.domain.acquiring.host_entries import LostRequest
from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.errors import Refusal
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Outcome, Payment
from simulator.domain.payments.responses import REVERSED_AT_START, REVERSED_UNSTORED
from simulator.domain.ports.simulators import HasCardLink
from simulator.service.acquiring.card_host import is_sent_to_card_host, lost_request
from simulator.service.acquiring.issuing import undo_movement
from simulator.service.payments.responses import ResponsePorts, answer_attempt
from simulator.service.webhooks.deliveries import resume_deliveries


class RecoveryPorts(ResponsePorts, HasCardLink, Protocol):
    """What a start needs to take up what was under way."""


def recover(ports: RecoveryPorts) -> None:
    """Take up what was under way when the server stopped: deliveries first, then attempts."""
    resume_deliveries(ports)
    reverse_open_attempts(ports)


def reverse_open_attempts(ports: RecoveryPorts) -> int:
    """Reverse every attempt that was open when the server stopped; the count of them. Choice:
    D-33.
    """
    found = ports.store.find(Payment, "open", "yes")
    for payment in found:
        _reverse(ports, payment, REVERSED_AT_START)
    return len(found)


def end_open_attempt(ports: RecoveryPorts, identity: str) -> None:
    """Reverse the attempt of a payment whose request has given up; nothing where it has ended, or
    was never stored.
    """
    payment = ports.store.get(Payment, identity)
    if payment is None or payment.attempt is None:
        return
    with suppress(Refusal):  # It has ended meanwhile.
        _reverse(ports, payment, REVERSED_UNSTORED)
    ports.scheduler.wake()


def _reverse(ports: RecoveryPorts, payment: Payment, outcome: Outcome) -> None:
    if is_sent_to_card_host(payment) and ports.store.get(LostRequest, payment.id) is None:
        ports.store.commit(unit_of(lost_request(ports, payment, found_at_start=True)))
    elif not is_sent_to_card_host(payment):
        undo_movement(ports, payment.id)
    answer_attempt(ports, payment, AcquirerResponse(outcome=outcome))
