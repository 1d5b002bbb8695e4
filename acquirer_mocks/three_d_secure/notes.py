"""What passes between shopper, ACS and directory server, noted in the journal of the sandbox; never
a code that was entered.

What the gateway itself sends and gets it notes itself.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from acquirer_mocks.three_d_secure.challenges import Challenge
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import (
    Message,
    Party,
    SimulatorEntry,
    create_browser_entry,
)
from simulator.domain.ports.sandbox import Ports
from simulator.domain.three_d_secure.authentications import Authentication

SHOWN = ("messageVersion", "acsTransID", "transStatus", "transStatusReason", "challengeCancel")
# Where the gateway is notified of the method: the address names the sandbox and the payment.
NOTIFIED = re.compile(r"/threeDSecure/([0-9a-z]{1,40})/([0-9a-z]{1,40})/method")


def is_current(world: Ports | None, challenge: Challenge) -> bool:
    """Whether a challenge is that of its payment: in an epoch that has begun since, another payment
    may have the same id. Choice: D-618.
    """
    with suppress(EpochEndedError):
        known = None if world is None else world.store.get(Authentication, challenge.payment)
        return known is None or known.acs_id == challenge.acs_id
    return False


def note(
    world: Ports | None,
    challenge: Challenge,
    parties: tuple[Party, Party],
    document: Mapping[str, Any],
) -> None:
    """Note that the first of `parties` sent a message to the other, about a stored payment."""
    status = document.get("transStatus")
    label = f"{document['messageType']} {status}" if status else str(document["messageType"])
    body = {name: document[name] for name in SHOWN if name in document}
    if is_current(world, challenge):
        _note(world, challenge.payment, parties, label, body=body)


def note_step(
    world: Ports | None, challenge: Challenge, parties: tuple[Party, Party], label: str
) -> None:
    """Note what the shopper did on the page of a challenge, or what it answered."""
    if is_current(world, challenge):
        _note(world, challenge.payment, parties, label)


def note_method(world_of: Callable[[str], Ports | None], url: str, server_id: str) -> None:
    """Note that a browser called the method, for the authentication with this id, which is notified
    at `url`.
    """
    found = NOTIFIED.search(url)
    world = None if found is None else world_of(found[1])
    if found is None or world is None:
        return
    with suppress(EpochEndedError):
        known = world.store.get(Authentication, found[2])
        if known is not None and known.server_id == server_id:
            _note(world, known.id, (Party.SHOPPER, Party.ACS), "calls the 3DS method")


def _note(
    world: Ports | None,
    identity: str,
    parties: tuple[Party, Party],
    label: str,
    *,
    body: Mapping[str, object] | None = None,
) -> None:
    """A sandbox that was reset meanwhile notes nothing."""
    with suppress(EpochEndedError):
        payment = None if world is None else world.store.get(Payment, identity)
        if world is None or payment is None:
            return
        now = world.clock.now()
        if Party.SHOPPER in parties:
            world.journal.append_step(create_browser_entry(payment, now, parties, label, body=body))
            return
        sent = Message(at=now, sender=parties[0], receiver=parties[1], label=label, body=body or {})
        world.journal.append_entry(
            SimulatorEntry(ndc=payment.ndc, at=now, payments=(payment.id,), messages=(sent,))
        )
