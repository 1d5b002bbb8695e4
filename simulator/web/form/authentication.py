"""The validator of checkouts: beside the merchant's token, what a form may post once with.

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
from simulator.service.checkouts.form_capabilities import principal_of_form
from simulator.web.http.context import exchange_of
from simulator.web.http.errors import ForbiddenError
from simulator.web.http.validation import RequestValidator, ValidatedRequest, host_of

CAPABILITY = re.compile(r"[Cc]heckout +([0-9a-f]{48}) *")


class SubmittedForm(NamedTuple):
    """An admitted post, and the hash of the capability it came with, if it came from a form."""

    request: ValidatedRequest
    capability: str | None


class CheckoutValidator:
    """Admits requests to checkouts."""

    def __init__(self, validator: RequestValidator, registry: Registry):
        self._validator = validator
        self._registry = registry

    def authenticate_and_validate(
        self, req: Request, operation: Operation, identity: str | None = None
    ) -> ValidatedRequest:
        """A request of the merchant, as `RequestValidator.authenticate_and_validate`."""
        _name_checkout(req, identity)
        return self._validator.authenticate_and_validate(req, operation, of=identity)

    def validate_form(self, req: Request, operation: Operation, identity: str) -> SubmittedForm:
        """A post of the merchant or of a form. Raises ForbiddenError as for an unknown
        token.
        """
        found = CAPABILITY.fullmatch(req.env.get("HTTP_AUTHORIZATION") or "")
        if found is None:
            return SubmittedForm(self.authenticate_and_validate(req, operation, identity), None)
        _name_checkout(req, identity)
        capability = token_hash(found[1])
        principal = self._pass_of(req, identity, capability)
        (entity,) = principal.contexts
        request = self._validator.validate_for(
            req, principal, operation, of=identity, entity=entity
        )
        return SubmittedForm(request, capability)

    def check(self, operation: Operation, choices: Choices) -> Check:
        """The compiled check of an operation."""
        return self._validator.check(operation, choices)

    def _pass_of(self, req: Request, identity: str, capability: str) -> Principal:
        sandbox = sandbox_in(identity)
        if sandbox is not None and self._registry.sandbox(sandbox) is not None:
            ports = self._registry.ports(sandbox)
            principal = principal_of_form(ports, identity, capability, host_of(req))
            if principal is not None:
                return principal
        raise ForbiddenError("the capability is not of this checkout, or was used before")


def _name_checkout(req: Request, identity: str | None) -> None:
    """From here on the exchange is about this checkout, unless it can be none."""
    if identity is not None and SHAPE.fullmatch(identity):
        exchange_of(req).checkout = identity
