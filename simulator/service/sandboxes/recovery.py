"""What a start takes up in a sandbox: what was under way, and what settlement files have reserved
that are booked or were never stored.
"""

from typing import Protocol

from simulator.domain.ports.clearing import HasClearing
from simulator.service.payments.recovery import RecoveryPorts, recover
from simulator.service.settlement.remaining import free_reserved


class StartPorts(RecoveryPorts, HasClearing, Protocol):
    """What a start needs."""


def take_up(ports: StartPorts) -> None:
    """Take up what was under way when the server stopped, then free what nothing is charged back of
    any more. Choices: D-33, D-404.
    """
    recover(ports)
    for institute in ports.clearing.names:
        free_reserved(ports, institute)
