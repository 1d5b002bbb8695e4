"""Authentications alone: read, call, answer. Source: public facts 8.4. Choice: D-195."""

from falcon import Request, Response

from simulator.catalogue.operations.three_d_secure import (
    CREATE_AUTHENTICATION,
    READ_AUTHENTICATION,
)
from simulator.domain.core.records import PaymentType
from simulator.service.payments.payments import take_payment
from simulator.service.three_d_secure.challenges import read_authentication
from simulator.web.http.admission import Door
from simulator.web.http.route import Route
from simulator.web.payments import answer


class Authentications:
    """/v1/threeDSecure"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response) -> None:
        """Authenticate the shopper of a payment that is made later, or elsewhere."""
        call = self._door.admit(req, CREATE_AUTHENTICATION)
        sent = {**call.sent, "paymentType": PaymentType.TD}
        answer(resp, call, take_payment(call.context, sent, call.ticket))


class AuthenticationById:
    """/v1/threeDSecure/{id}"""

    def __init__(self, door: Door):
        self._door = door

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read an authentication."""
        call = self._door.admit(req, READ_AUTHENTICATION, of=identity)
        answer(resp, call, read_authentication(call.context, identity))


def routes(door: Door) -> tuple[Route, ...]:
    """The routes of authentications."""
    return (
        Route("/v1/threeDSecure", Authentications(door)),
        Route("/v1/threeDSecure/{identity}", AuthenticationById(door)),
    )
