"""What a start finds open: deliveries, and attempts whose answer nobody will bring any more."""

from simulator.domain.ports import Ports
from simulator.domain.records import Payment
from simulator.domain.settlement import REVERSED_AT_START
from simulator.service.notices import resume_deliveries
from simulator.service.payments import settle_stored


def recover(ports: Ports) -> None:
    """Take up what was under way when the server stopped: deliveries first, then attempts."""
    resume_deliveries(ports)
    reverse_open_attempts(ports)


def reverse_open_attempts(ports: Ports) -> int:
    """Reverse every attempt that was open when the server stopped; the count of them. Choice: D-33.
    """
    found = ports.store.find(Payment, "open", "yes")
    for payment in found:
        settle_stored(ports, payment.id, REVERSED_AT_START)
    return len(found)
