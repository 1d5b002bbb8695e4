"""Risk checks alone: read, call, answer."""

from falcon import Request, Response

from simulator.catalogue.operations.risk import CHECK_RISK
from simulator.domain.core.records import PaymentType
from simulator.service.payments.pipeline import take_payment
from simulator.web.http.route import Route
from simulator.web.http.validation import RequestValidator
from simulator.web.payments import answer


class RiskResource:
    """/v1/risk"""

    def __init__(self, validator: RequestValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response) -> None:
        """Check a payment that is made elsewhere, or not yet."""
        request = self._validator.authenticate_and_validate(req, CHECK_RISK)
        sent = {**request.sent, "paymentType": PaymentType.RI}
        answer(resp, request, take_payment(request.context, sent, request.ticket))


def routes(validator: RequestValidator) -> tuple[Route, ...]:
    """The routes of risk checks."""
    return (Route("/v1/risk", RiskResource(validator)),)
