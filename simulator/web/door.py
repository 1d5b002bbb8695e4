"""The door: what a request must pass before a use case sees it, in the documented order of errors.

TLS, route 404 and method are behind it already; here: header 401, token 403, size and encoding, entity 403,
parameters 400. What the use case itself refuses comes after. Source: Authentication, Errors.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from falcon import Request

from simulator.derive.check import Check, compile_check
from simulator.domain.errors import Violations
from simulator.domain.payments import Ticket
from simulator.domain.ports import Pass, Seat, Tokens
from simulator.grammar.choices import Choices
from simulator.grammar.operations import Operation
from simulator.web.context import Exchange, exchange_of
from simulator.web.errors import Forbidden, Unauthenticated
from simulator.web.forms import read_parameters

BEARER = re.compile(r"[Bb]earer +([A-Za-z0-9._~+/-]+=*) *")


class Call(NamedTuple):
    """An admitted request: where it is at home, its checked parameters, and its exchange."""

    seat: Seat
    sent: Mapping[str, str]
    exchange: Exchange

    @property
    def ticket(self) -> Ticket:
        """Ids and time for what the call makes."""
        return self.exchange.issue_ticket()


class Door:
    """Admits requests. Keeps the compiled check of each operation and set of choices."""

    def __init__(self, tokens: Tokens):
        self._tokens = tokens
        self._checks: dict[tuple[str, Choices], Check] = {}

    def admit(self, req: Request, operation: Operation) -> Call:
        """The request as a call, or the first error that applies."""
        exchange = exchange_of(req)
        held = self._tokens.pass_of(bearer_token(req))
        if held is None:
            raise Forbidden("the access token is not known")
        exchange.bind(held.ports)
        sent = exchange.sent = read_parameters(req)
        seat = seat_in(held, sent)
        if seat is not None:
            exchange.entity = seat.channel.id
        violations = self._check(operation, exchange.choices).violations_of(sent)
        if violations:
            raise Violations(violations)
        return Call(seat, sent, exchange)

    def _check(self, operation: Operation, choices: Choices) -> Check:
        key = (operation.id, choices)
        check = self._checks.get(key)
        if check is None:
            check = self._checks[key] = compile_check(operation, choices)
        return check


def bearer_token(req: Request) -> str:
    """The access token of the Authorization header. Raises Unauthenticated. Source: AUTH-01, AUTH-07."""
    header = req.env.get("HTTP_AUTHORIZATION")
    if header is None:
        raise Unauthenticated("Authorization: expected the Bearer scheme, the header is missing")
    found = BEARER.fullmatch(header)
    if found is None:
        raise Unauthenticated("Authorization: expected Bearer and an access token")
    return found[1]


def seat_in(held: Pass, sent: Mapping[str, str]) -> Seat | None:
    """The seat of the entity that was sent. One that is not known and one that is not the token's are one error.

    None where no entity id was sent or what was sent is not one: the check names the parameter then.
    """
    entity = sent.get("entityId")
    if entity is None:
        return None
    seat = held.seats.get(entity)
    if seat is None and ENTITY_ID.fullmatch(entity):
        raise Forbidden("the entity is not known, or the access token is not for it")
    return seat


ENTITY_ID = re.compile(r"[0-9a-f]{32}")
