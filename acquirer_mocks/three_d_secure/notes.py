"""What passes between shopper, ACS and directory server, noted in the journal of the sandbox.

What the gateway itself sends and gets it notes itself.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from acquirer_mocks.three_d_secure.challenges import Challenge
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.ports import Ports
from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import Message, Party, SimulatorEntry

SHOWN = ("messageVersion", "acsTransID", "transStatus", "transStatusReason", "challengeCancel")


def note(
    world: Ports | None,
    challenge: Challenge,
    parties: tuple[Party, Party],
    document: Mapping[str, Any],
) -> None:
    """Note that the first of `parties` sent a message to the other, about a stored payment.

    A sandbox that was reset meanwhile notes nothing.
    """
    with suppress(EpochEndedError):
        _note(world, challenge, parties, document)


def _note(
    world: Ports | None,
    challenge: Challenge,
    parties: tuple[Party, Party],
    document: Mapping[str, Any],
) -> None:
    payment = None if world is None else world.store.get(Payment, challenge.payment)
    if world is None or payment is None:
        return
    now, status = world.clock.now(), document.get("transStatus")
    message = Message(
        at=now,
        sender=parties[0],
        receiver=parties[1],
        label=f"{document['messageType']} {status}" if status else str(document["messageType"]),
        body={name: document[name] for name in SHOWN if name in document},
    )
    world.journal.append_entry(
        SimulatorEntry(ndc=payment.ndc, at=now, payments=(payment.id,), messages=(message,))
    )
