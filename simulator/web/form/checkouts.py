"""Requests of the gateway's own pages about one checkout: who may send them, and how many.

They carry no token: the checkout's id in the path leads to its sandbox. Choices: D-312, D-340.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from falcon import Request

from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.checkouts.ids import sandbox_in
from simulator.domain.core.errors import EpochEndedError, UnknownCheckoutError
from simulator.domain.ports.sandbox import Ports
from simulator.domain.ports.server import Registry
from simulator.domain.urls import origin_of
from simulator.service.checkouts.forms import checkout_of_form
from simulator.web.http.errors import ForbiddenError
from simulator.web.http.validation import count_in, host_of

OPEN_FORM = "open_form"


class FormCheckout(NamedTuple):
    """The checkout that a page of the gateway is about, and the ports of its sandbox."""

    ports: Ports
    checkout: Checkout


@contextmanager
def checkout_at(registry: Registry, req: Request, identity: str) -> Iterator[FormCheckout]:
    """The checkout with the id in the path. Raises UnknownCheckoutError, also where its sandbox is
    reset meanwhile.
    """
    try:
        ports = _ports_at(registry, identity)
        if ports is None:
            raise UnknownCheckoutError()
        yield FormCheckout(ports, checkout_of_form(ports, identity, host_of(req)))
    except EpochEndedError as error:
        raise UnknownCheckoutError() from error


@contextmanager
def checkout_of_page(registry: Registry, req: Request, identity: str) -> Iterator[FormCheckout]:
    """The checkout that a page of this gateway asks about; the request is counted.

    Raises ForbiddenError, UnknownCheckoutError, ThrottledError.
    """
    ports = _ports_at(registry, identity)
    _require_own_page(req, "" if ports is None else ports.addresses.base(host_of(req)))
    with checkout_at(registry, req, identity) as found:
        ports, checkout = found
        throttle = ports.throttles.of(checkout.host, checkout.stamp.merchant)
        count_in(throttle, ports, OPEN_FORM, checkout.id)
        yield found


def _ports_at(registry: Registry, identity: str) -> Ports | None:
    sandbox = sandbox_in(identity)
    if sandbox is None or registry.sandbox(sandbox) is None:
        return None
    try:
        return registry.ports(sandbox)
    except EpochEndedError:
        return None


def _require_own_page(req: Request, base: str = "") -> None:
    """Refuse what is asked from anywhere but a page of this gateway. Raises ForbiddenError.

    `base` is the address others reach it by, where a proxy stands before it.
    """
    own = {f"{req.scheme}://{req.netloc}", origin_of(base)}
    origin = req.get_header("Origin")
    site = req.get_header("Sec-Fetch-Site")
    is_own = origin in own if origin else site == "same-origin"
    if not is_own or site not in (None, "same-origin"):
        raise ForbiddenError("a form is opened from a page of this gateway alone")
