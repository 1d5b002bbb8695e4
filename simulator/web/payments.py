"""The payment resources: read, call, answer."""

from falcon import Request, Response

from simulator.catalogue.operations.payments import CREATE_PAYMENT, READ_PAYMENT, REFER_PAYMENT
from simulator.domain.core.records import Payment
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.service.registrations import read_by_any_id
from simulator.service.settlement.settled import reconciliation_id
from simulator.web.http.answers import payment_body, registration_body, send, status_of
from simulator.web.http.route import Route
from simulator.web.http.validation import RequestValidator, ValidatedRequest


class PaymentsResource:
    """/v1/payments"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response) -> None:
        """Take an initial payment."""
        request = self._validator.authenticate_and_validate(req, CREATE_PAYMENT)
        answer(resp, request, take_payment(request.context, request.sent, request.ticket))


class PaymentResource:
    """/v1/payments/{id}"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read a payment."""
        request = self._validator.authenticate_and_validate(req, READ_PAYMENT, of=identity)
        found = read_by_any_id(request.context, identity)
        if isinstance(found, Payment):
            settled = reconciliation_id(request.context.ports, found)
            body = payment_body(found, request.exchange, reconciliation=settled)
            send(resp, status_of(found, request.exchange), body)
        else:
            send(resp, 200, registration_body(found, request.exchange))

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Take a payment that refers to this one."""
        request = self._validator.authenticate_and_validate(req, REFER_PAYMENT, of=identity)
        answer(
            resp, request, refer_payment(request.context, identity, request.sent, request.ticket)
        )


def routes(validator: RequestValidator) -> tuple[Route, ...]:
    """The routes of payments."""
    return (
        Route("/v1/payments", PaymentsResource(validator)),
        Route("/v1/payments/{identity}", PaymentResource(validator)),
    )


def answer(resp: Response, request: ValidatedRequest, payment: Payment) -> None:
    """The payment response, with the status its state has."""
    send(resp, status_of(payment, request.exchange), payment_body(payment, request.exchange))
