"""Capabilities: what lets the form of one checkout post once, without an access token.

Source: Hosted payment form behaviour. Choice: D-131.
"""

from simulator.domain.checkouts.checkouts import (
    CAPABILITY_LENGTH,
    Checkout,
    CheckoutStage,
    allowing,
    is_over,
    stage_of,
)
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import unit_of
from simulator.domain.core.transact import transact
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.sandbox import Ports, Principal
from simulator.service.payments.checkout_attempts import attempt_in
from simulator.service.payments.contexts import context_of
from simulator.service.payments.responses import ResponsePorts


class NoOpenCheckoutError(Exception):
    """No checkout of the sandbox that may still be used has the id."""


def issue_capability(ports: ResponsePorts, identity: str) -> str:
    """A new capability for a checkout; a hash of it is kept. Raises NoOpenCheckoutError."""
    capability = ports.ids.hex(CAPABILITY_LENGTH)

    def change() -> None:
        checkout = ports.store.get(Checkout, identity)
        if checkout is None or is_over(checkout, ports.clock.now()) or _is_paid(ports, checkout):
            raise NoOpenCheckoutError("no checkout that may still be used has the id")
        ports.store.commit(unit_of(allowing(checkout, token_hash(capability))))

    transact(ports.store, change)
    return capability


def next_capability(ports: ResponsePorts, identity: str) -> str | None:
    """The capability after one that was used, or None where nothing more can be posted."""
    try:
        return issue_capability(ports, identity)
    except NoOpenCheckoutError:
        return None


def principal_of_form(ports: Ports, identity: str, capability: str, host: Host) -> Principal | None:
    """What the hash of a capability opens: its checkout's channel; None where it opens nothing.

    It is not used up yet: that is stored with what it posts. Raises EpochEndedError.
    """
    checkout = ports.store.get(Checkout, identity)
    if checkout is None or checkout.host != host or capability not in checkout.capabilities:
        return None
    context = context_of(ports, checkout.stamp, checkout.host)
    merchant = next(each for each in ports.sandbox.merchants if each.id == context.stamp.merchant)
    throttle = ports.throttles.of(host, merchant.id)
    return Principal(ports, {context.channel.id: context}, host, throttle, merchant)


def _is_paid(ports: ResponsePorts, checkout: Checkout) -> bool:
    return stage_of(attempt_in(ports, checkout)) is CheckoutStage.PAID
