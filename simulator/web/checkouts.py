"""The checkout resources, under /v1 and without it: read, call, answer.

Source: Endpoints, checkout. Choices: D-127 to D-131.
"""

from collections.abc import Mapping
from typing import Any

from falcon import Request, Response

from simulator.catalogue.operations import checkouts as operations
from simulator.domain.checkouts.checkouts import Checkout, is_final
from simulator.domain.core.echo import echoed
from simulator.domain.core.records import Payment, PaymentType, Registration
from simulator.domain.payments.bodies import result_object
from simulator.grammar.violations import Violation
from simulator.service.checkouts import checkouts as using
from simulator.service.checkouts.checkouts import Entry, Submission
from simulator.service.checkouts.form_capabilities import next_capability
from simulator.web.form.authentication import CheckoutDoor, Submitted
from simulator.web.form.script import integrity
from simulator.web.http.admission import Call
from simulator.web.http.answers import closed, payment_body, registration_body, send, status_of
from simulator.web.http.route import Route

CREATED, UPDATED, DELETED = "000.200.100", "000.200.101", "000.200.102"
UNPAID, UNFINISHED, FINISHED = "000.200.000", "000.200.103", "000.000.100"
TRUE = ("true", "1")
NEXT_CAPABILITY = "Sandgate-Capability"


class Checkouts:
    """/v1/checkouts"""

    def __init__(self, door: CheckoutDoor):
        self._door = door

    def on_post(self, req: Request, resp: Response) -> None:
        """Prepare a checkout."""
        call = self._door.admit(req, operations.CREATE_CHECKOUT)
        checkout = using.prepare_checkout(call.context, call.sent)
        call.exchange.checkout = checkout.id
        more = {"integrity": integrity()} if call.sent.get("integrity") in TRUE else {}
        _tell(resp, call, CREATED, {"id": checkout.id, **more})


class CheckoutById:
    """/v1/checkouts/{id}"""

    def __init__(self, door: CheckoutDoor):
        self._door = door

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read a checkout."""
        call = self._door.admit(req, operations.READ_CHECKOUT, identity)
        reading = using.read_checkout(call.context, identity)
        is_finished = reading.attempt is not None and is_final(reading.attempt)
        checkout = reading.checkout
        shown = call.exchange.work(len(checkout.sent), _shown, checkout)
        _tell(resp, call, FINISHED if is_finished else UNFINISHED, shown)

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Change a checkout."""
        call = self._door.admit(req, operations.UPDATE_CHECKOUT, identity)
        exchange = call.exchange
        check = self._door.check(operations.CREATE_CHECKOUT, exchange.choices)

        def violations_of(whole: Mapping[str, str]) -> list[Violation]:
            return exchange.work(len(whole), check.violations_of, whole)

        using.change_checkout(call.context, identity, call.sent, violations_of)
        _tell(resp, call, UPDATED, {"id": identity})

    def on_delete(self, req: Request, resp: Response, identity: str) -> None:
        """Remove a checkout."""
        call = self._door.admit(req, operations.DELETE_CHECKOUT, identity)
        using.remove_checkout(call.context, identity)
        _tell(resp, call, DELETED, {"id": identity})


class CheckoutPayment:
    """/v1/checkouts/{id}/payment"""

    def __init__(self, door: CheckoutDoor):
        self._door = door

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read how the payment ended; as long as nobody paid, that it is pending (E23)."""
        call = self._door.admit(req, operations.READ_CHECKOUT_PAYMENT, identity)
        attempt = using.read_end(call.context, identity).attempt
        if attempt is None or attempt.type is PaymentType.RG:
            _tell(resp, call, UNPAID)
        else:
            _answer_payment(resp, call, attempt)

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Pay."""
        posted = self._door.admit_post(req, operations.PAY_CHECKOUT, identity)
        submission = _submission(self._door, posted)
        entry = using.enter_payment(posted.call.context, identity, submission)
        _answer_payment(resp, posted.call, _completed(resp, posted, entry))


class CheckoutRegistration:
    """/v1/checkouts/{id}/registration"""

    def __init__(self, door: CheckoutDoor):
        self._door = door

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read how the registration ended; as long as nobody registered, that it is pending."""
        call = self._door.admit(req, operations.READ_CHECKOUT_REGISTRATION, identity)
        attempt = using.read_end(call.context, identity).attempt
        made = using.registration_in(call.context.ports, attempt)
        if made is None and (attempt is None or attempt.type is not PaymentType.RG):
            _tell(resp, call, UNPAID)
        else:
            assert attempt is not None, "whatever was registered was posted"
            _answer_registration(resp, call, made or attempt, attempt)

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Register."""
        posted = self._door.admit_post(req, operations.REGISTER_CHECKOUT, identity)
        submission = _submission(self._door, posted)
        entry = using.enter_registration(posted.call.context, identity, submission)
        attempt = _completed(resp, posted, entry)
        made = using.registration_in(entry.context.ports, attempt)
        _answer_registration(resp, posted.call, made or attempt, attempt)


def routes(door: CheckoutDoor) -> tuple[Route, ...]:
    """The routes of checkouts, with and without the version prefix. Source: END-03."""
    one, payment = CheckoutById(door), CheckoutPayment(door)
    registration = CheckoutRegistration(door)
    return tuple(
        Route(f"{prefix}/checkouts{path}", resource)
        for prefix in ("/v1", "")
        for path, resource in (
            ("", Checkouts(door)),
            ("/{identity}", one),
            ("/{identity}/payment", payment),
            ("/{identity}/registration", registration),
        )
    )


def _submission(door: CheckoutDoor, posted: Submitted) -> Submission:
    choices = posted.call.exchange.choices
    return Submission(
        posted.call.sent,
        posted.capability,
        door.check(operations.WHOLE_PAYMENT, choices).violations_of,
        door.check(operations.WHOLE_REGISTERED, choices).violations_of,
    )


def _completed(resp: Response, posted: Submitted, entry: Entry) -> Payment:
    """The attempt that was made. A form that may have to post again gets what it then needs; a
    refusal is told of the whole (D-40).
    """
    exchange = posted.call.exchange
    exchange.asked = entry.whole
    exchange.give_way(len(entry.whole))
    attempt = using.complete(entry, posted.call.ticket)
    if posted.capability is not None:
        ports = entry.context.ports
        following = next_capability(ports, str(attempt.checkout))
        if following is not None:
            resp.set_header(NEXT_CAPABILITY, following)
    return attempt


def _answer_payment(resp: Response, call: Call, attempt: Payment) -> None:
    send(resp, status_of(attempt, call.exchange), payment_body(attempt, call.exchange))


def _answer_registration(
    resp: Response, call: Call, record: Registration | Payment, attempt: Payment
) -> None:
    send(resp, status_of(attempt, call.exchange), registration_body(record, call.exchange))


def _tell(resp: Response, call: Call, code: str, more: dict[str, Any] | None = None) -> None:
    """A result, and behind it `more`."""
    body = closed({"result": result_object(code)}, call.exchange)
    send(resp, 200, {**body, **(more or {})})


def _shown(checkout: Checkout) -> dict[str, Any]:
    """What was fixed, as far as answers repeat it."""
    money = ("paymentType", "amount", "currency")
    fixed = {name: checkout.sent[name] for name in money if name in checkout.sent}
    return {"id": checkout.id, **fixed, **echoed(checkout.sent)}
