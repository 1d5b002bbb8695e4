"""The checkout resources, under /v1 and without it: read, call, answer.

Source: Endpoints, checkout. Choices: D-127 to D-131.
"""

from contextlib import suppress
from typing import Any
from urllib.parse import quote

from falcon import Request, Response

from simulator.catalogue.operations import checkouts as operations
from simulator.domain.checkouts.checkouts import Checkout, is_final
from simulator.domain.core.echo import echoed
from simulator.domain.core.errors import (
    FormCapabilityError,
    Refusal,
    UnknownCheckoutError,
    Violations,
)
from simulator.domain.core.money import read_amount
from simulator.domain.core.parameters import normalised
from simulator.domain.core.records import Payment, PaymentType, Registration
from simulator.domain.payments.bodies import result_object
from simulator.service.checkouts import checkouts as using
from simulator.service.checkouts.checkouts import Entry, Submission
from simulator.service.checkouts.form_capabilities import next_capability
from simulator.service.checkouts.summaries import keep_form
from simulator.web.form.authentication import CheckoutValidator, SubmittedForm
from simulator.web.form.script import integrity
from simulator.web.form.summary import is_confirmation, lead_on, show_closed
from simulator.web.http.answers import (
    closed,
    payment_body,
    registration_body,
    result_body,
    send,
    status_of,
)
from simulator.web.http.context import exchange_of
from simulator.web.http.errors import ForbiddenError
from simulator.web.http.origins import redirect_of_form, way_up
from simulator.web.http.route import Route
from simulator.web.http.shopper_pages import TEMPORARY
from simulator.web.http.validation import ValidatedRequest

CREATED, UPDATED, DELETED = "000.200.100", "000.200.101", "000.200.102"
UNPAID, UNFINISHED, FINISHED = "000.200.000", "000.200.103", "000.000.100"
TRUE = ("true", "1")
NEXT_CAPABILITY = "Sandgate-Capability"
# Why a form that was kept is not paid with; the merchant reads that nothing was.
NOT_PAID = (FormCapabilityError, ForbiddenError, Refusal, UnknownCheckoutError, Violations)


class CheckoutsResource:
    """/v1/checkouts"""

    def __init__(self, validator: CheckoutValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response) -> None:
        """Prepare a checkout."""
        request = self._validator.authenticate_and_validate(req, operations.CREATE_CHECKOUT)
        checkout = using.prepare_checkout(request.context, request.sent)
        request.exchange.checkout = checkout.id
        more = {"integrity": integrity()} if request.sent.get("integrity") in TRUE else {}
        _tell(resp, request, CREATED, {"id": checkout.id, **more})


class CheckoutResource:
    """/v1/checkouts/{id}"""

    def __init__(self, validator: CheckoutValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read a checkout."""
        request = self._validator.authenticate_and_validate(req, operations.READ_CHECKOUT, identity)
        reading = using.read_checkout(request.context, identity)
        paid = reading.attempt if reading.attempt and is_final(reading.attempt) else None
        checkout = reading.checkout
        shown = request.exchange.work(len(checkout.sent), _shown, checkout, paid)
        _tell(resp, request, FINISHED if paid else UNFINISHED, shown)

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Change a checkout."""
        request = self._validator.authenticate_and_validate(
            req, operations.UPDATE_CHECKOUT, identity
        )
        check = self._validator.check_of_whole(operations.CREATE_CHECKOUT, request.exchange)
        using.change_checkout(request.context, identity, request.sent, check)
        _tell(resp, request, UPDATED, {"id": identity})

    def on_delete(self, req: Request, resp: Response, identity: str) -> None:
        """Remove a checkout."""
        request = self._validator.authenticate_and_validate(
            req, operations.DELETE_CHECKOUT, identity
        )
        using.remove_checkout(request.context, identity)
        _tell(resp, request, DELETED, {"id": identity})


class CheckoutPaymentResource:
    """/v1/checkouts/{id}/payment"""

    def __init__(self, validator: CheckoutValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read how the payment ended; before it is paid, that it is pending (E23)."""
        request = self._validator.authenticate_and_validate(
            req, operations.READ_CHECKOUT_PAYMENT, identity
        )
        attempt = using.read_end(request.context, identity).attempt
        if attempt is None or attempt.type is PaymentType.RG:
            _tell(resp, request, UNPAID)
        else:
            _answer_payment(resp, request, attempt)

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Pay; a browser that confirms a form that was kept posts to the page for that."""
        if is_confirmation(req):
            send(resp, TEMPORARY, result_body(exchange_of(req), UNPAID))
            page = f"{way_up(req)}form/{quote(identity, safe='')}/confirm"
            resp.set_header("Location", page)
            return
        posted = self._validator.validate_form(req, operations.PAY_CHECKOUT, identity)
        attempt = _paid(self._validator, resp, posted, identity)
        body = payment_body(attempt, posted.request.exchange)
        _answer_form(req, resp, posted, attempt=attempt, body=body)


class KeptFormResource:
    """/form/{checkout}/kept and /form/{checkout}/confirm"""

    def __init__(self, validator: CheckoutValidator):
        self._validator = validator

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Keep what a form would pay with. Raises ForbiddenError for anything but a form."""
        posted = self._validator.validate_form(req, operations.PAY_CHECKOUT, identity)
        if posted.capability is None:
            raise ForbiddenError("a form keeps what it posts, no merchant")
        request, submission = posted.request, _submission(self._validator, posted)
        keep_form(request.context, identity, submission, request.ticket)
        # The form was tried with it, and no payment was made.
        request.exchange.ticket = None
        _tell(resp, posted.request, UNPAID)

    def on_post_confirm(self, req: Request, resp: Response, identity: str) -> None:
        """Pay with the form that was kept, once, and lead the shopper on however that ends."""
        found = self._validator.kept_form(req, identity)
        if found is None:
            show_closed(req, resp)
            return
        attempt = None
        with suppress(*NOT_PAID):
            if found.kept.sealed:
                posted = self._validator.validate_kept(req, operations.PAY_CHECKOUT, found)
                attempt = _paid(self._validator, resp, posted, identity)
        lead_on(req, resp, found.kept, ports=found.ports, attempt=attempt)


class CheckoutRegistrationResource:
    """/v1/checkouts/{id}/registration"""

    def __init__(self, validator: CheckoutValidator):
        self._validator = validator

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read how the registration ended; before anything is registered, that it is pending."""
        request = self._validator.authenticate_and_validate(
            req, operations.READ_CHECKOUT_REGISTRATION, identity
        )
        attempt = using.read_end(request.context, identity, of_registration=True).attempt
        made = using.registration_in(request.context.ports, attempt)
        if made is None and (attempt is None or attempt.type is not PaymentType.RG):
            _tell(resp, request, UNPAID)
        else:
            assert attempt is not None, "a registration follows a post"
            # With the registration the journal forgets what was read of it. Choice: D-120.
            request.exchange.read = (made or attempt).id
            _answer_registration(resp, request, made or attempt, attempt)

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Register."""
        posted = self._validator.validate_form(req, operations.REGISTER_CHECKOUT, identity)
        submission = _submission(self._validator, posted)
        entry = using.enter_registration(posted.request.context, identity, submission)
        attempt = _completed(resp, posted, entry)
        made = using.registration_in(entry.context.ports, attempt)
        body = registration_body(made or attempt, posted.request.exchange)
        _answer_form(req, resp, posted, attempt=attempt, body=body)


def routes(validator: CheckoutValidator) -> tuple[Route, ...]:
    """The routes of checkouts, with and without the version prefix. Source: END-03."""
    one, payment = CheckoutResource(validator), CheckoutPaymentResource(validator)
    registration = CheckoutRegistrationResource(validator)
    return tuple(
        Route(f"{prefix}/checkouts{path}", resource)
        for prefix in ("/v1", "")
        for path, resource in (
            ("", CheckoutsResource(validator)),
            ("/{identity}", one),
            ("/{identity}/payment", payment),
            ("/{identity}/registration", registration),
        )
    )


def form_routes(validator: CheckoutValidator) -> tuple[Route, ...]:
    """The routes of forms that are kept."""
    kept = KeptFormResource(validator)
    return (
        Route("/form/{identity}/kept", kept),
        Route("/form/{identity}/confirm", kept, "confirm"),
    )


def _submission(validator: CheckoutValidator, posted: SubmittedForm) -> Submission:
    exchange = posted.request.exchange
    return Submission(
        posted.request.sent,
        posted.capability,
        validator.check_of_whole(operations.WHOLE_PAYMENT, exchange),
        validator.check_of_whole(operations.WHOLE_REGISTERED, exchange),
    )


def _paid(
    validator: CheckoutValidator, resp: Response, posted: SubmittedForm, identity: str
) -> Payment:
    submission = _submission(validator, posted)
    entry = using.enter_payment(posted.request.context, identity, submission)
    return _completed(resp, posted, entry)


def _completed(resp: Response, posted: SubmittedForm, entry: Entry) -> Payment:
    """The attempt that was made. A form that may have to post again gets what it then needs; a
    refusal is about the whole (D-40).
    """
    exchange = posted.request.exchange
    exchange.asked = entry.whole
    exchange.give_way(len(entry.whole))
    attempt = using.complete(entry, posted.request.ticket)
    if posted.capability is not None:
        ports = entry.context.ports
        following = next_capability(ports, str(attempt.checkout))
        if following is not None:
            resp.set_header(NEXT_CAPABILITY, following)
    return attempt


def _answer_payment(resp: Response, request: ValidatedRequest, attempt: Payment) -> None:
    send(resp, status_of(attempt, request.exchange), payment_body(attempt, request.exchange))


def _answer_registration(
    resp: Response, request: ValidatedRequest, record: Registration | Payment, attempt: Payment
) -> None:
    send(resp, status_of(attempt, request.exchange), registration_body(record, request.exchange))


def _answer_form(
    req: Request, resp: Response, posted: SubmittedForm, *, attempt: Payment, body: dict[str, Any]
) -> None:
    """The answer to a post of the merchant, or of a form that goes on where its frames are."""
    if posted.capability is not None:
        redirect_of_form(req, posted.request.context.ports.addresses, body)
    send(resp, status_of(attempt, posted.request.exchange), body)


def _tell(
    resp: Response, request: ValidatedRequest, code: str, more: dict[str, Any] | None = None
) -> None:
    """A result, and behind it `more`."""
    body = closed({"result": result_object(code)}, request.exchange)
    send(resp, 200, {**body, **(more or {})})


def _shown(checkout: Checkout, paid: Payment | None) -> dict[str, Any]:
    """What was fixed, as far as answers repeat it. A brand may be paid by another type than that
    of the checkout: then the type is that of the payment.
    """
    sent = checkout.sent
    if paid is not None and "paymentType" in sent:
        sent = {**sent, "paymentType": paid.type.value}
    amount = {"amount": str(read_amount(sent["amount"]))} if "amount" in sent else {}
    fixed = {name: sent[name] for name in ("paymentType", "currency") if name in sent}
    return {"id": checkout.id, **fixed, **amount, **echoed(normalised(sent))}
