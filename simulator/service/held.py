"""Hold a message to another party. Its answer goes to it alone, and ends with it. Choice: D-723."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from simulator.domain.core.errors import (
    ContentionError,
    DamagedLogError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
)
from simulator.domain.core.ports import HasStore, Unit
from simulator.domain.core.records import Payment, Script
from simulator.domain.core.transact import transact
from simulator.domain.holding import HoldPorts, Let, Stop, about, hold_at
from simulator.domain.steering.matching_scripts import is_used_up

# How a store refuses to disarm a script; it fits no other payment.
UNWITHDRAWN = (ContentionError, DamagedLogError, DiskError, EpochEndedError, HomeNeededError)


class HeldPorts(HoldPorts, HasStore, Protocol):
    """What holding a message that a script may answer needs."""


@contextmanager
def held_at(ports: HeldPorts, stop: Stop, payment: Payment, label: str) -> Iterator[Let]:
    """How a message about this payment goes on. The work within sends it; a script that was armed
    to answer it and was not asked by then is disarmed. Raises EpochEndedError.
    """
    let = hold_at(ports, stop, about(payment), label)
    try:
        yield let
    finally:
        with suppress(*UNWITHDRAWN):
            withdraw(ports, let)


def withdraw(ports: HasStore, let: Let) -> None:
    """Disarm the script that was armed to answer a message, unless it has done so."""
    if let.script:
        transact(ports.store, lambda: _disarm_unused(ports, let.script))


def _disarm_unused(ports: HasStore, identity: str) -> None:
    script = ports.store.get(Script, identity)
    if script is not None and not is_used_up(script):
        ports.store.commit(Unit(removes=(script,)))
        ports.store.looks.drop(identity)
