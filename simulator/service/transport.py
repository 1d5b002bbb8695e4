"""Find the fault that a script orders for the connection of a request."""

from typing import Protocol

from simulator.domain.core.ports import HasStore, unit_of
from simulator.domain.core.records import Script
from simulator.domain.core.transact import transact
from simulator.domain.scripts import armed_scripts
from simulator.domain.steering.connection_faults import transport_fault_of
from simulator.domain.steering.matching_scripts import match_scripts, steers_transport
from simulator.domain.transport import MerchantRequest, TransportFault


class TransportPorts(HasStore, Protocol):
    """What the fault of a request is found with."""


def find_transport_fault(ports: TransportPorts, request: MerchantRequest) -> TransportFault | None:
    """The fault that the newest script that matches orders. The scripts that were asked have
    counted, durably, before the request is carried out. Choice: D-325.
    """

    def match_and_count() -> Script | None:
        speaking = [each for each in armed_scripts(ports.store) if steers_transport(each)]
        script_match = match_scripts(request, speaking)
        if script_match.counted:
            ports.store.commit(unit_of(*script_match.counted))
        return script_match.answers

    script = transact(ports.store, match_and_count)
    return None if script is None else transport_fault_of(script)
