"""The registration resources: read, call, answer."""

from falcon import Request, Response

from simulator.catalogue.operations.registrations import (
    CREATE_REGISTRATION,
    EXTEND_REGISTRATION,
    PAY_REGISTRATION,
    READ_REGISTRATION,
    REMOVE_REGISTRATION,
    UPDATE_REGISTRATION,
)
from simulator.domain.core.records import Outcome, Payment, Registration
from simulator.service.registrations import (
    charge,
    extend_life,
    read_registration,
    register,
    remove_registration,
    update_registration,
)
from simulator.web.http.admission import Call, Door
from simulator.web.http.answers import registration_body, send, settled_body, status_of
from simulator.web.http.route import Route
from simulator.web.payments import answer


class Registrations:
    """/v1/registrations"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a registration."""
        call = self._door.admit(req, CREATE_REGISTRATION)
        tell(resp, call, register(call.context, call.sent, call.ticket))


class RegistrationById:
    """/v1/registrations/{id}"""

    def __init__(self, door: Door):
        self._door = door

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read a registration."""
        call = self._door.admit(req, READ_REGISTRATION, of=identity)
        tell(resp, call, read_registration(call.context, identity))

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Give a registration other data."""
        call = self._door.admit(req, UPDATE_REGISTRATION, of=identity)
        changed, outcome = update_registration(call.context, identity, call.sent, call.ticket)
        tell(resp, call, changed, outcome)

    def on_delete(self, req: Request, resp: Response, identity: str) -> None:
        """Remove a registration."""
        call = self._door.admit(req, REMOVE_REGISTRATION, of=identity)
        left, outcome = remove_registration(call.context, identity, call.sent, call.ticket)
        send(resp, 200, settled_body(left.id, outcome, call.exchange))


class RegistrationPayments:
    """/v1/registrations/{id}/payments"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Take a payment with the account of a registration."""
        call = self._door.admit(req, PAY_REGISTRATION, of=identity)
        answer(resp, call, charge(call.context, identity, call.sent, call.ticket))


class RegistrationLife:
    """/v1/registrations/{id}/extendlife"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Keep a registration longer."""
        call = self._door.admit(req, EXTEND_REGISTRATION, of=identity)
        kept, outcome = extend_life(call.context, identity, call.sent, call.ticket)
        send(resp, 200, settled_body(kept.id, outcome, call.exchange))


def routes(door: Door) -> tuple[Route, ...]:
    """The routes of registrations."""
    return (
        Route("/v1/registrations", Registrations(door)),
        Route("/v1/registrations/{identity}", RegistrationById(door)),
        Route("/v1/registrations/{identity}/payments", RegistrationPayments(door)),
        Route("/v1/registrations/{identity}/extendlife", RegistrationLife(door)),
    )


def tell(
    resp: Response,
    call: Call,
    record: Registration | Payment,
    outcome: Outcome | None = None,
) -> None:
    """The registration, with the status that the RG has which was to make it."""
    status = status_of(record, call.exchange) if isinstance(record, Payment) else 200
    send(resp, status, registration_body(record, call.exchange, outcome))
