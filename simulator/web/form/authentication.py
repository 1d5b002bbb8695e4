"""The validator of checkouts: beside the merchant's token, what a form may post once with.

`Authorization: Checkout <capability>`; the checkout's id in the path leads to its sandbox, since a
browser has no token. Choices: D-127, D-131, D-133.
"""

import re
from typing import NamedTuple

from falcon import Request

from simulator.catalogue.operations.checkouts import CREATE_CHECKOUT
from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.checkouts.ids import SHAPE, sandbox_in
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.parameters import WholeCheck
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.sandbox import Ports, Principal
from simulator.domain.ports.server import Registry
from simulator.grammar.operations import Operation
from simulator.service.checkouts.form_capabilities import principal_of_form
from simulator.service.checkouts.summaries import kept_fields
from simulator.web.http.context import Exchange, exchange_of
from simulator.web.http.errors import ForbiddenError
from simulator.web.http.validation import RequestValidator, ValidatedRequest, host_of

CAPABILITY = re.compile(r"(?i:checkout) +([0-9a-f]{48}) *")


class SubmittedForm(NamedTuple):
    """An admitted post, and the hash of the capability it came with, if it came from a form."""

    request: ValidatedRequest
    capability: str | None


class KeptAt(NamedTuple):
    """A form that was kept for a summary page, and the ports of its sandbox."""

    ports: Ports
    kept: KeptForm


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
        exchange_of(req).is_form = True
        (entity,) = principal.contexts
        request = self._validator.validate_for(
            req, principal, operation, of=identity, entity=entity
        )
        return SubmittedForm(request, capability)

    def kept_form(self, req: Request, identity: str) -> KeptAt | None:
        """The form that was kept for a checkout on this host, or None."""
        sandbox = sandbox_in(identity)
        if sandbox is None or self._registry.sandbox(sandbox) is None:
            return None
        ports = self._registry.ports(sandbox)
        checkout, kept = ports.store.get(Checkout, identity), ports.store.get(KeptForm, identity)
        if checkout is None or kept is None or checkout.host != host_of(req):
            return None
        return KeptAt(ports, kept)

    def validate_kept(self, req: Request, operation: Operation, found: KeptAt) -> SubmittedForm:
        """The post that was kept. Raises ForbiddenError where it can no longer be made."""
        ports, kept = found
        _name_checkout(req, kept.id)
        sent, capability = kept_fields(ports, kept)
        principal = self._pass_of(req, kept.id, capability)
        # The checkout may have gone to another channel since.
        (entity,) = principal.contexts
        sent = {**sent, "entityId": entity}
        request = self._validator.validate_for(req, principal, operation, of=kept.id, sent=sent)
        return SubmittedForm(request, capability)

    def check_of_whole(self, operation: Operation, exchange: Exchange) -> WholeCheck:
        """What finds the violations in the whole that a part of a checkout was added to."""
        return self._validator.check_of_whole(operation, exchange, stored_by=CREATE_CHECKOUT)

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
