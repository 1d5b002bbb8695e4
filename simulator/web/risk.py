"""Risk checks alone: read, call, answer."""

from falcon import Request, Response

from simulator.catalogue.risk_operations import CHECK_RISK
from simulator.domain.records import PaymentType
from simulator.service.payments import take_payment
from simulator.web.door import Door
from simulator.web.payments import answer
from simulator.web.route import Route


class Risk:
    """/v1/risk"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response) -> None:
        """Check a payment that is made elsewhere, or not yet."""
        call = self._door.admit(req, CHECK_RISK)
        sent = {**call.sent, "paymentType": PaymentType.RI}
        answer(resp, call, take_payment(call.seat, sent, call.ticket))


def routes(door: Door) -> tuple[Route, ...]:
    """The routes of risk checks."""
    return (Route("/v1/risk", Risk(door)),)
