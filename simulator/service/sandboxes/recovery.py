"""What a start takes up in a sandbox: its clock, what was under way, and what settlement files have
reserved that are booked or were never stored.
"""

from typing import Protocol

from simulator.domain.core.ports import HasClock, HasStore
from simulator.domain.ports.clearing import HasClearing
from simulator.service.payments.recovery import RecoveryPorts, recover
from simulator.service.settlement.history import run_before
from simulator.service.settlement.remaining import free_reserved


class StartPorts(RecoveryPorts, HasClearing, Protocol):
    """What a start needs."""


class GoOnPorts(HasClearing, HasClock, HasStore, Protocol):
    """What the clock of a sandbox needs to go on."""


def go_on(ports: GoOnPorts) -> None:
    """Let the clock go on behind the bank days that are settled, wherever that of this machine
    stands: nothing is posted in one of them any more. Choice: D-48.
    """
    for institute in ports.clearing.names:
        run = run_before(ports, institute, None)
        if run is not None:
            ports.clock.reach(ports.clearing.window(institute, run.day)[1])


def take_up(ports: StartPorts) -> None:
    """Take up what was under way when the server stopped, then free what nothing is charged back of
    any more. Choices: D-33, D-404.
    """
    go_on(ports)
    recover(ports)
    for institute in ports.clearing.names:
        free_reserved(ports, institute)
