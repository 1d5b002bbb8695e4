"""What a start finds open: deliveries, and attempts whose answer nobody will bring any more."""

from simulator.domain.acquiring.host_entries import LostRequest
from simulator.domain.core.ports import Ports, unit_of
from simulator.domain.core.records import Payment
from simulator.domain.payments.responses import REVERSED_AT_START
from simulator.service.acquiring.card_host import lost_request, travels
from simulator.service.acquiring.issuing import take_back
from simulator.service.payments.payments import settle_stored
from simulator.service.webhooks.deliveries import resume_deliveries


def recover(ports: Ports) -> None:
    """Take up what was under way when the server stopped: deliveries first, then attempts."""
    resume_deliveries(ports)
    reverse_open_attempts(ports)


def reverse_open_attempts(ports: Ports) -> int:
    """Reverse every attempt that was open when the server stopped; the count of them. Choice:
    D-33.
    """
    found = ports.store.find(Payment, "open", "yes")
    for payment in found:
        if travels(payment) and ports.store.get(LostRequest, payment.id) is None:
            ports.store.commit(unit_of(lost_request(ports, payment, found_at_start=True)))
        elif not travels(payment):
            take_back(ports, payment.id)
        settle_stored(ports, payment.id, REVERSED_AT_START)
    return len(found)
