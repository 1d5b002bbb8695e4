"""The registration resources: read, call, answer."""

from falcon import Request, Response

from simulator.catalogue.operations.registrations import (
    CREATE_REGISTRATION,
    EXTEND_REGISTRATION,
    PAY_REGISTRATION,
    READ_REGISTRATION,
    REMOVE_REGISTRATION,
    UPDATE_REGISTRATION,
    WHOLE_REGISTRATION,
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
from simulator.web.http.answers import registration_body, send, settled_body, status_of
from simulator.web.http.route import Route
from simulator.web.http.validation import RequestValidator, ValidatedRequest
from simulator.web.payments import answer


class RegistrationsResource:
    """/v1/registrations"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a registration."""
        request = self._validator.authenticate_and_validate(req, CREATE_REGISTRATION)
        tell(resp, request, register(request.context, request.sent, request.ticket))


class RegistrationResource:
    """/v1/registrations/{id}"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read a registration."""
        request = self._validator.authenticate_and_validate(req, READ_REGISTRATION, of=identity)
        tell(resp, request, read_registration(request.context, identity))

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Give a registration other data."""
        request = self._validator.authenticate_and_validate(req, UPDATE_REGISTRATION, of=identity)
        check = self._validator.check_of_whole(WHOLE_REGISTRATION, request.exchange)
        changed, outcome = update_registration(
            request.context, identity, request.sent, request.ticket, check=check
        )
        tell(resp, request, changed, outcome)

    def on_delete(self, req: Request, resp: Response, identity: str) -> None:
        """Remove a registration."""
        request = self._validator.authenticate_and_validate(req, REMOVE_REGISTRATION, of=identity)
        left, outcome = remove_registration(request.context, identity, request.sent, request.ticket)
        send(resp, 200, settled_body(left.id, outcome, request.exchange))


class RegistrationPaymentsResource:
    """/v1/registrations/{id}/payments"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Take a payment with the account of a registration."""
        request = self._validator.authenticate_and_validate(req, PAY_REGISTRATION, of=identity)
        answer(resp, request, charge(request.context, identity, request.sent, request.ticket))


class RegistrationLifeResource:
    """/v1/registrations/{id}/extendlife"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Keep a registration longer."""
        request = self._validator.authenticate_and_validate(req, EXTEND_REGISTRATION, of=identity)
        kept, outcome = extend_life(request.context, identity, request.sent, request.ticket)
        send(resp, 200, settled_body(kept.id, outcome, request.exchange))


def routes(validator: RequestValidator) -> tuple[Route, ...]:
    """The routes of registrations."""
    return (
        Route("/v1/registrations", RegistrationsResource(validator)),
        Route("/v1/registrations/{identity}", RegistrationResource(validator)),
        Route("/v1/registrations/{identity}/payments", RegistrationPaymentsResource(validator)),
        Route("/v1/registrations/{identity}/extendlife", RegistrationLifeResource(validator)),
    )


def tell(
    resp: Response,
    request: ValidatedRequest,
    record: Registration | Payment,
    outcome: Outcome | None = None,
) -> None:
    """The registration, with the status that the RG has which was to make it."""
    status = status_of(record, request.exchange) if isinstance(record, Payment) else 200
    send(resp, status, registration_body(record, request.exchange, outcome))
