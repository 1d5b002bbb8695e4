"""The validator: what a request must pass before a use case sees it, in the documented order of
errors.

TLS, route 404 and method are behind it already; here: header 401, token 403, throttle 429, size
and encoding, entity 403, parameters 400. What the use case itself refuses comes after.
Source: Authentication, Errors.
"""

import re
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from falcon import Request

from simulator.derive.checks.check import kept_check
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import FullSandboxError, Violations
from simulator.domain.core.hosts import LIVE, TEST, Host
from simulator.domain.core.parameters import FindViolations, WholeCheck
from simulator.domain.payments.initial import TransactionIds
from simulator.domain.ports.sandbox import Ports, Principal
from simulator.domain.ports.server import Tokens
from simulator.domain.scripts import armed_scripts
from simulator.domain.steering.matching_scripts import steers_transport
from simulator.domain.throttling.windows import RequestGate, retry_after_s
from simulator.domain.transport import HOLDER_KEY
from simulator.grammar.characters import BEARER
from simulator.grammar.operations import Operation
from simulator.grammar.violations import Violation
from simulator.service.merchants.dispatching import dispatch_to_channel
from simulator.web.http.context import Admission, Exchange, exchange_of
from simulator.web.http.errors import ForbiddenError, ThrottledError, UnauthenticatedError
from simulator.web.http.forms import read_parameters
from simulator.web.http.logins import holder_by_token, logged_in
from simulator.web.http.transport import break_transport

Holder = tuple[Principal | None, Mapping[str, str] | None, str]


class ValidatedRequest(NamedTuple):
    """An admitted request: where it is at home, its checked parameters, and its exchange."""

    context: ChannelContext[Ports]
    sent: Mapping[str, str]
    exchange: Exchange

    @property
    def ticket(self) -> TransactionIds:
        """Ids and time for what the call makes."""
        return self.exchange.issue_ticket()


class RequestValidator:
    """Admits requests."""

    def __init__(self, tokens: Tokens):
        self._tokens = tokens

    def authenticate_and_validate(
        self, req: Request, operation: Operation, *, of: str | None = None
    ) -> ValidatedRequest:
        """The validated request; raises the first error that applies. `of` is the id in the
        path.
        """
        found, sent, token = self._holder(req)
        admit = partial(_admitted, host_of(req))
        principal = admit(found)
        exchange_of(req).admission = Admission(
            principal.ports.sandbox, lambda: admit(self._held(token)).ports.sandbox
        )
        return self.validate_for(req, principal, operation, of=of, sent=sent)

    def validate_for(
        self,
        req: Request,
        principal: Principal,
        operation: Operation,
        *,
        of: str | None,
        entity: str | None = None,
        sent: Mapping[str, str] | None = None,
    ) -> ValidatedRequest:
        """The request of this principal. Where it names no entity, it is for `entity`.

        `sent` are its parameters, where they were read before.
        """
        exchange = exchange_of(req)
        exchange.bind(principal.ports, principal.merchant.id)
        req.env[HOLDER_KEY] = principal.ports.sandbox.id
        count_request(principal, operation, of)
        if sent is None:
            sent = read_parameters(req)
        if entity is not None and "entityId" not in sent:
            sent = {**sent, "entityId": entity}
        exchange.sent = sent
        entity = exchange.entity = entity_in(principal, sent)
        check = kept_check(operation, exchange.choices)
        count = len(sent)
        violations = exchange.work(count, check.violations_of, sent)
        if violations:
            raise Violations(violations)
        if exchange.choices["unknown_parameters"] == "ignore":
            sent = exchange.leave_out(exchange.work(count, check.only_known, sent))
        context = principal.contexts.get(entity or "") or dispatch_to_channel(
            principal, operation, sent, of=of
        )
        if operation.method == "POST":
            _admit(principal.ports)
        if any(map(steers_transport, armed_scripts(principal.ports.store))):
            break_transport(req, operation, context, sent)
        return ValidatedRequest(context, sent, exchange)

    def _holder(self, req: Request) -> Holder:
        """The principal, or None for an unknown token; the parameters, where the login stood there;
        and the token.
        """
        if "HTTP_AUTHORIZATION" not in req.env:
            found = logged_in(self._tokens, req)
            if found is not None:
                return found
        token = bearer_token(req)
        return self._held(token), None, token

    def _held(self, token: str) -> Principal | None:
        return self._tokens.principal_of(token) or holder_by_token(self._tokens, token)

    def check_of_whole(
        self, operation: Operation, exchange: Exchange, *, stored_by: Operation | None = None
    ) -> WholeCheck:
        """What finds the violations in a whole that a part was added to, of what the operation
        knows; what is stored was judged by `stored_by`, or by the same. Choice: D-701.
        """
        of_whole = self._finder(operation, exchange)
        of_stored = of_whole if stored_by is None else self._finder(stored_by, exchange)
        return WholeCheck(of_whole, of_stored)

    def _finder(self, operation: Operation, exchange: Exchange) -> FindViolations:
        check = kept_check(operation, exchange.choices)

        def violations_of(whole: Mapping[str, str]) -> list[Violation]:
            known = exchange.work(len(whole), check.only_known, whole)
            return exchange.work(len(whole), check.violations_of, known)

        return violations_of


def _admit(ports: Ports) -> None:
    """Raise CrowdedSandboxError, FullSandboxError where nothing more may begin."""
    ports.in_flight.admit()
    if ports.store.is_full:
        raise FullSandboxError


def _admitted(host: Host, principal: Principal | None) -> Principal:
    """The principal on this host. Raises ForbiddenError where it is none there."""
    if principal is None or principal.host != host:
        raise ForbiddenError(f"the access token is not known on the {host} host")
    return principal


def host_of(req: Request) -> Host:
    """The host a request came to, by the listener that took it. Source: Hosts."""
    return LIVE if req.env.get("sandgate.listener") == LIVE else TEST


def count_request(principal: Principal, operation: Operation, of: str | None) -> None:
    """Count a request to an operation. Raises ThrottledError where its window is full. LIM-01."""
    count_in(principal.throttle, principal.ports, operation.id, of)


def count_in(throttle: RequestGate, ports: Ports, operation: str, of: str | None) -> None:
    """Count a request to the operation with this id. Raises ThrottledError."""
    clock = ports.clock
    until = throttle.admit(operation, of, clock.now())
    if until is not None and throttle.recall():
        until = throttle.admit(operation, of, clock.now())
    if until is not None:
        raise ThrottledError(retry_after_s(until, clock.now(), clock.setting.rate))


def bearer_token(req: Request) -> str:
    """The access token of the Authorization header. Raises UnauthenticatedError. Source: AUTH-01,
    AUTH-07.
    """
    header = req.env.get("HTTP_AUTHORIZATION")
    if header is None:
        raise UnauthenticatedError(
            "Authorization: expected the Bearer scheme, the header is missing"
        )
    found = BEARER.fullmatch(header)
    if found is None:
        raise UnauthenticatedError("Authorization: expected Bearer and an access token")
    return found[1]


def entity_in(principal: Principal, sent: Mapping[str, str]) -> str | None:
    """The entity that was sent: a channel, or a merchant that dispatches. Source: AUTH-02.

    One that is not known and one that is not the token's are one error. None where no entity id was
    sent or what was sent is not one: the check names the parameter then.
    """
    entity = sent.get("entityId")
    if entity in principal.contexts or (
        entity == principal.merchant.id and principal.merchant.dispatching
    ):
        return entity
    if entity is not None and ENTITY_ID.fullmatch(entity):
        raise ForbiddenError("the entity is not known, or the access token is not for it")
    return None


ENTITY_ID = re.compile(r"[0-9a-f]{32}")
