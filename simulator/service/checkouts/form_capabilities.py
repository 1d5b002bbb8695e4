"""Capabilities: what lets the form of one checkout post once, without an access token.

Source: Hosted payment form behaviour. Choice: D-131.
"""

from simulator.domain.checkouts.checkouts import (
    CAPABILITY_LENGTH,
    Checkout,
    Stage,
    allowing,
    is_over,
    stage_of,
)
from simulator.domain.core.errors import Conflict
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import Pass, Ports, unit_of
from simulator.domain.merchants.tokens import token_hash
from simulator.service.checkouts.sessions import attempt_in
from simulator.service.payments.contexts import seat_of


class UnknownCheckout(Exception):
    """No checkout of the sandbox that may still be used has the id."""


def issue_capability(ports: Ports, identity: str) -> str:
    """A new capability for a checkout; a hash of it is kept. Raises UnknownCheckout."""
    while True:
        checkout = ports.store.get(Checkout, identity)
        if checkout is None or is_over(checkout, ports.clock.now()) or _is_paid(ports, checkout):
            raise UnknownCheckout("no checkout that may still be used has the id")
        capability = ports.ids.hex(CAPABILITY_LENGTH)
        try:
            ports.store.save(unit_of(allowing(checkout, token_hash(capability))))
        except Conflict:
            continue
        return capability


def next_capability(ports: Ports, identity: str) -> str | None:
    """The capability after one that was used, or None where nothing more can be posted."""
    try:
        return issue_capability(ports, identity)
    except UnknownCheckout:
        return None


def pass_for_form(ports: Ports, identity: str, capability: str, host: Host) -> Pass | None:
    """What the hash of a capability opens: its checkout's channel; None where it opens nothing.

    It is not used up yet: that is stored with what it posts. Raises Gone.
    """
    checkout = ports.store.get(Checkout, identity)
    if checkout is None or checkout.host != host or capability not in checkout.capabilities:
        return None
    seat = seat_of(ports, checkout.stamp, checkout.host)
    merchant = next(each for each in ports.sandbox.merchants if each.id == seat.stamp.merchant)
    throttle = ports.throttles.of(host, merchant.id)
    return Pass(ports, {seat.channel.id: seat}, host, throttle, merchant)


def _is_paid(ports: Ports, checkout: Checkout) -> bool:
    return stage_of(attempt_in(ports, checkout)) is Stage.PAID
