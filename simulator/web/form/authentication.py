"""The door of checkouts: beside the merchant's token, what a form may post once with.

`Authorization: Checkout <capability>`; the checkout's id in the path leads to its sandbox, since a
browser has no token. Choices: D-127, D-131, D-133.
"""

import re
from typing import NamedTuple

from falcon import Request

from simulator.derive.checks.check import Check
from simulator.domain.checkouts.ids import SHAPE, sandbox_in
from simulator.domain.core.ports import Principal
from simulator.domain.core.server_ports import Registry
from simulator.domain.merchants.tokens import token_hash
from simulator.grammar.choices import Choices
from simulator.grammar.operations import Operation
from simulator.service.checkouts.form_capabilities import pass_for_form
from simulator.web.http.admission import Call, Door, host_of
from simulator.web.http.context import exchange_of
from simulator.web.http.errors import ForbiddenError

CAPABILITY = re.compile(r"[Cc]heckout +([0-9a-f]{48}) *")


class Submitted(NamedTuple):
    """An admitted post, and the hash of the capability it came with, if it came from a form."""

    call: Call
    capability: str | None


class CheckoutDoor:
    """Admits requests to checkouts."""

    def __init__(self, door: Door, registry: Registry):
        self._door = door
        self._registry = registry

    def admit(self, req: Request, operation: Operation, identity: str | None = None) -> Call:
        """A request of the merchant, as `Door.admit`."""
        _name_checkout(req, identity)
        return self._door.admit(req, operation, of=identity)

    def admit_post(self, req: Request, operation: Operation, identity: str) -> Submitted:
        """A post of the merchant or of a form. Raises ForbiddenError as for a token nobody
        knows.
        """
        found = CAPABILITY.fullmatch(req.env.get("HTTP_AUTHORIZATION") or "")
        if found is None:
            return Submitted(self.admit(req, operation, identity), None)
        _name_checkout(req, identity)
        capability = token_hash(found[1])
        held = self._pass_of(req, identity, capability)
        (entity,) = held.contexts
        call = self._door.admit_holder(req, held, operation, of=identity, entity=entity)
        return Submitted(call, capability)

    def check(self, operation: Operation, choices: Choices) -> Check:
        """The compiled check of an operation."""
        return self._door.check(operation, choices)

    def _pass_of(self, req: Request, identity: str, capability: str) -> Principal:
        sandbox = sandbox_in(identity)
        if sandbox is not None and self._registry.sandbox(sandbox) is not None:
            ports = self._registry.ports(sandbox)
            held = pass_for_form(ports, identity, capability, host_of(req))
            if held is not None:
                return held
        raise ForbiddenError("the capability is not of this checkout, or was used before")


def _name_checkout(req: Request, identity: str | None) -> None:
    """From here on the exchange is about this checkout, unless it can be none."""
    if identity is not None and SHAPE.fullmatch(identity):
        exchange_of(req).checkout = identity
