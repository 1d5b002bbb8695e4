"""The payment resources: read, call, answer."""

from falcon import Request, Response

from simulator.catalogue.operations.payments import CREATE_PAYMENT, READ_PAYMENT, REFER_PAYMENT
from simulator.domain.core.records import Payment
from simulator.service.payments.payments import refer_payment, take_payment
from simulator.service.registrations import read_by_any_id
from simulator.web.http.admission import Call, Door
from simulator.web.http.answers import payment_body, registration_body, send, status_of
from simulator.web.http.route import Route


class Payments:
    """/v1/payments"""

    def __init__(self, door: Door):
        self._door = door

    def on_post(self, req: Request, resp: Response) -> None:
        """Take an initial payment."""
        call = self._door.admit(req, CREATE_PAYMENT)
        answer(resp, call, take_payment(call.context, call.sent, call.ticket))


class PaymentById:
    """/v1/payments/{id}"""

    def __init__(self, door: Door):
        self._door = door

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read a payment."""
        call = self._door.admit(req, READ_PAYMENT, of=identity)
        found = read_by_any_id(call.context, identity)
        if isinstance(found, Payment):
            answer(resp, call, found)
        else:
            send(resp, 200, registration_body(found, call.exchange))

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Take a payment that refers to this one."""
        call = self._door.admit(req, REFER_PAYMENT, of=identity)
        answer(resp, call, refer_payment(call.context, identity, call.sent, call.ticket))


def routes(door: Door) -> tuple[Route, ...]:
    """The routes of payments."""
    return (
        Route("/v1/payments", Payments(door)),
        Route("/v1/payments/{identity}", PaymentById(door)),
    )


def answer(resp: Response, call: Call, payment: Payment) -> None:
    """The payment response, with the status its state has."""
    send(resp, status_of(payment, call.exchange), payment_body(payment, call.exchange))
