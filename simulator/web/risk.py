"""Risk checks alone: read, call, answer."""

from falcon import Request, Response

from simulator.catalogue.operations.risk import CHECK_RISK
from simulator.domain.core.records import PaymentType
from simulator.service.payments.payments import take_payment
from simulator.web.http.admission import Door
from simulator.web.http.route import Route
from simulator.web.payments import answer


class Risk:
    """/v1/risk"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response) -> None:
        """Check a payment that is made elsewhere, or not yet."""
        call = self._door.admit(req, CHECK_RISK)
        sent = {**call.sent, "paymentType": PaymentType.RI}
        answer(resp, call, take_payment(call.context, sent, call.ticket))


def routes(door: Door) -> tuple[Route, ...]:
    """The routes of risk checks."""
    return (Route("/v1/risk", Risk(door)),)
