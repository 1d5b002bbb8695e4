"""Authentications alone: read, call, answer. Source: public facts 8.4. Choice: D-195."""

from falcon import Request, Response

from simulator.catalogue.operations.three_d_secure import (
    CREATE_AUTHENTICATION,
    READ_AUTHENTICATION,
)
from simulator.domain.core.records import PaymentType
from simulator.service.challenges import read_authentication
from simulator.service.payments.pipeline import take_payment
from simulator.web.http.route import Route
from simulator.web.http.validation import RequestValidator
from simulator.web.payments import answer


class AuthenticationsResource:
    """/v1/threeDSecure"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response) -> None:
        """Authenticate the shopper of a payment that is made later, or elsewhere."""
        request = self._validator.authenticate_and_validate(req, CREATE_AUTHENTICATION)
        sent = {**request.sent, "paymentType": PaymentType.TD}
        answer(resp, request, take_payment(request.context, sent, request.ticket))


class AuthenticationResource:
    """/v1/threeDSecure/{id}"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read an authentication."""
        request = self._validator.authenticate_and_validate(req, READ_AUTHENTICATION, of=identity)
        answer(resp, request, read_authentication(request.context, identity))


def routes(validator: RequestValidator) -> tuple[Route, ...]:
    """The routes of authentications."""
    return (
        Route("/v1/threeDSecure", AuthenticationsResource(validator)),
        Route("/v1/threeDSecure/{identity}", AuthenticationResource(validator)),
    )
