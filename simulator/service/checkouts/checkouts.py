"""Checkouts: prepared, changed and read by the merchant, completed by the shopper.

Source: Endpoints, checkout; Hosted payment form behaviour. Choices: D-127 to D-130.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from simulator.catalogue.fields.limits import MOST_BEFORE_REGISTRATION
from simulator.catalogue.results import RESULTS
from simulator.domain.checkouts.checkouts import (
    OVERRIDE,
    Checkout,
    CheckoutCall,
    CheckoutStage,
    can_be_read,
    expires_at,
    overwriting,
    registering_instead,
    registrations_in,
    stage_of,
    strange_to_a_form,
    whole_payment,
    whole_registration,
)
from simulator.domain.checkouts.fixed import refuse_fixed
from simulator.domain.checkouts.forms import refuse_off_offer
from simulator.domain.checkouts.ids import new_checkout_id
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal, UnknownCheckoutError, Violations
from simulator.domain.core.parameters import WholeCheck, added_to, refuse_oversize, refuse_whole
from simulator.domain.core.ports import HasCodes, unit_of
from simulator.domain.core.records import Origin, Payment, PaymentType, Registration
from simulator.domain.core.transact import transact
from simulator.domain.holding import About, DroppedRequestError, Stop, hold_at
from simulator.domain.merchants.requirements import refuse_lacking
from simulator.domain.payments.initial import TransactionIds, money_in, refuse_money
from simulator.domain.steering.order import forced_code
from simulator.domain.wallets import TOKEN
from simulator.grammar.violations import Violation
from simulator.service.payments.checkout_attempts import attempt_in, ended_calls, free_stage
from simulator.service.payments.contexts import context_of, find_visible
from simulator.service.payments.dispatched import dispatched_anew, names_merchant
from simulator.service.payments.opening import open_payment
from simulator.service.payments.pipeline import PipelinePorts, take_payment
from simulator.service.payments.repeats import refuse_paid_key
from simulator.service.recurring import refuse_place
from simulator.service.registrations import charge, named_registration, paid_by
from simulator.service.wallets import brand_in_token, with_brand_of_token

Sent = Mapping[str, str]
PENDING = "700.400.570"
UNKNOWN_REGISTRATION, REMOVED_REGISTRATION = "100.150.200", "100.150.202"
STORED, OFFERED = "registrationId", "registrations["


class CheckoutPorts(PipelinePorts, HasCodes, Protocol):
    """What a checkout needs: that of its payments, and the codes of forms that were kept."""


class Submission(NamedTuple):
    """What is posted to a checkout, and how its whole is checked.

    `capability` is the hash of what let a form post it; None where the merchant did. Where a stored
    account pays, `check_registered` looks at the whole instead of `check`.
    """

    sent: Sent
    capability: str | None
    check: WholeCheck
    check_registered: WholeCheck


class Entry(NamedTuple):
    """A submission that passed: the context of its checkout, the whole, where it comes through, and
    the stored account that pays.
    """

    context: ChannelContext[CheckoutPorts]
    whole: Mapping[str, str]
    origin: Origin
    registration: str | None = None


class Reading(NamedTuple):
    """A checkout that is read, and the newest attempt in it."""

    checkout: Checkout
    attempt: Payment | None


def prepare_checkout(context: ChannelContext[CheckoutPorts], sent: Sent) -> Checkout:
    """Prepare a checkout. Raises Violations, Refusal."""
    _refuse_early(context, sent)
    ports = context.ports
    checkout = Checkout(
        id=new_checkout_id(ports.sandbox.id, ports.ids),
        stamp=context.stamp,
        host=context.host,
        created_at=ports.clock.now(),
        sent=_fixed(sent),
        is_dispatched=names_merchant(context, sent),
    )
    ports.store.commit(unit_of(checkout))
    return checkout


def change_checkout(
    context: ChannelContext[CheckoutPorts], identity: str, sent: Sent, check: WholeCheck
) -> None:
    """Fix more, or something else. Raises UnknownCheckoutError, Violations, Refusal.

    `check` looks at the whole, and so do the rules that have dispatched it, and the channel that
    it belongs to, whichever was named. Choices: D-111, D-128.
    """
    store = context.ports.store

    def change() -> None:
        checkout = _resting(context, identity)
        whole = added_to(checkout.sent, _fixed(sent))
        asked = {**whole, "entityId": context.channel.id}
        refuse_whole(asked, sent, check, stored=checkout.sent)
        home = dispatched_anew(context.ports, checkout, whole)
        _refuse_early(home, whole)
        store.commit(unit_of(replace(checkout, sent=whole, stamp=home.stamp)))

    transact(store, change)


def remove_checkout(context: ChannelContext[CheckoutPorts], identity: str) -> None:
    """End a checkout before it is used or expires; attempts that failed stay. Raises
    UnknownCheckoutError, Refusal.
    """
    store = context.ports.store

    def change() -> None:
        checkout = _resting(context, identity)
        call = store.get(CheckoutCall, checkout.id)
        calls = () if call is None else (call,)
        kept = store.get(KeptForm, checkout.id)
        erased = () if kept is None else (kept,)
        ended = ended_calls(context.ports, checkout)
        store.commit(unit_of(*ended, removes=(checkout, *calls, *erased)))

    transact(store, change)
    context.ports.codes.erase(identity)


def read_checkout(context: ChannelContext[CheckoutPorts], identity: str) -> Reading:
    """A checkout as it stands; this is no reading of how it ended. Raises UnknownCheckoutError."""
    checkout = open_checkout(context, identity)
    context.ports.store.wait_durable()
    return Reading(checkout, attempt_in(context.ports, checkout))


def read_end(
    context: ChannelContext[CheckoutPorts], identity: str, *, of_registration: bool = False
) -> Reading:
    """How a checkout ended, so far; its final result is read where it was asked for: that of a
    registration, or that of a payment. Raises UnknownCheckoutError.

    It answers nothing a power cut could take back (Choice: D-36).
    """
    ports = context.ports

    def change() -> Reading:
        checkout = open_checkout(context, identity)
        attempt = attempt_in(ports, checkout)
        answers = attempt is not None and (attempt.type is PaymentType.RG) == of_registration
        has_ended = stage_of(attempt) in (CheckoutStage.PAID, CheckoutStage.FAILED)
        if not answers or not has_ended or checkout.read_at is not None:
            ports.store.wait_durable()
            return Reading(checkout, attempt)
        call = ports.store.get(CheckoutCall, checkout.id)
        calls = () if call is None else (call,)
        ended = () if calls else ended_calls(ports, checkout)
        read = replace(checkout, read_at=ports.clock.now())
        ports.store.commit(unit_of(read, *ended, removes=calls))
        return Reading(read, attempt)

    return transact(ports.store, change)


def enter_payment(
    context: ChannelContext[CheckoutPorts], identity: str, submission: Submission
) -> Entry:
    """What is paid by a submission to a checkout. Raises UnknownCheckoutError, Violations,
    Refusal.
    """
    checkout = _entered(context, identity, submission)
    stored = submission.sent.get(STORED)
    if stored is not None and submission.capability is not None:
        _refuse_unlisted(checkout, stored)
    registration = None if stored is None else find_visible(context, Registration, stored)
    known = _token_brand(context, checkout, submission.sent)
    brand = known if registration is None else registration.brand
    whole = whole_payment(checkout, submission.sent, brand)
    whole.pop(STORED, None)
    check = submission.check if stored is None else submission.check_registered
    refuse_whole(whole, submission.sent, check, stored=checkout.sent)
    entry = _entry(context, checkout, submission, whole)
    seen = with_brand_of_token(context.ports, whole) if checkout.is_dispatched else whole
    paying = dispatched_anew(context.ports, checkout, seen, registration)
    return entry._replace(context=paying, registration=stored)


def _token_brand(
    context: ChannelContext[CheckoutPorts], checkout: Checkout, sent: Sent
) -> str | None:
    """The brand of a wallet token that is paid with, where it decides the payment type and none is
    named. Source: PAY-06.
    """
    token, fixed = sent.get(TOKEN), checkout.sent
    if token is None or "paymentBrand" in sent or "paymentBrand" in fixed:
        return None
    is_asked = any(name.startswith(OVERRIDE) for name in fixed)
    return brand_in_token(context.ports, token) if is_asked else None


def enter_registration(
    context: ChannelContext[CheckoutPorts], identity: str, submission: Submission
) -> Entry:
    """What is registered by a submission to a checkout. Raises as `enter_payment` does."""
    checkout = _entered(context, identity, submission)
    if submission.capability is not None:
        _refuse_all(registering_instead(checkout))
    whole = whole_registration(checkout, submission.sent)
    refuse_whole(whole, submission.sent, submission.check, stored=checkout.sent)
    return _entry(context, checkout, submission, whole)


def refuse_unpayable(entry: Entry, ticket: TransactionIds) -> None:
    """Raise Refusal, Violations for an entry that could not be paid: a payment is opened, and never
    asked for.
    """
    context, whole, origin, stored = entry
    if stored is not None:
        origin = replace(origin, registration=stored)
        whole = paid_by(context.ports, named_registration(context, stored), whole)
    open_payment(context, whole, ticket, origin)


def complete(entry: Entry, ticket: TransactionIds) -> Payment:
    """The payment an entry makes, an RG for a registration. Raises UnknownCheckoutError, Refusal,
    FormCapabilityError, Violations.
    """
    context, whole, origin, stored = entry
    if origin.capability is not None:
        _hold_form(context, ticket)
    if stored is None:
        payment = take_payment(context, whole, ticket, origin)
    else:
        payment = charge(context, stored, whole, ticket, origin=origin)
    if origin.checkout is not None:
        context.ports.codes.erase(origin.checkout)
    # The call that the checkout is due now may be the next thing to do.
    context.ports.scheduler.wake()
    return payment


def _hold_form(context: ChannelContext[CheckoutPorts], ticket: TransactionIds) -> None:
    """Hold what a form posted. Raises DroppedRequestError where that is dropped."""
    subject = About(ticket.id, ticket.ndc, context.host)
    with context.ports.in_flight:
        let = hold_at(context.ports, Stop.SHOPPER, subject, "submits the form")
    if let.is_dropped:
        raise DroppedRequestError("the request of the form was dropped at a breakpoint")


def registration_in(ports: CheckoutPorts, attempt: Payment | None) -> Registration | None:
    """The registration an attempt left, or None: what it charged was left by another."""
    if attempt is None or attempt.registration is None:
        return None
    found = ports.store.get(Registration, attempt.registration)
    return found if found is not None and found.payment == attempt.id else None


def open_checkout(context: ChannelContext[CheckoutPorts], identity: str) -> Checkout:
    """The checkout with this id, as long as it may be used. Raises UnknownCheckoutError.
    Source: FORM-01.
    """
    ports = context.ports
    checkout = find_visible(context, Checkout, identity)
    if checkout is None:
        raise UnknownCheckoutError()
    is_read_once = ports.choices["checkout_read"] == "first_read"
    attempt = attempt_in(ports, checkout) if is_read_once else None
    if not can_be_read(checkout, attempt, ports.clock.now(), is_read_once=is_read_once):
        raise UnknownCheckoutError()
    return checkout


def _stage(ports: CheckoutPorts, checkout: Checkout) -> CheckoutStage:
    return stage_of(attempt_in(ports, checkout))


def _resting(context: ChannelContext[CheckoutPorts], identity: str) -> Checkout:
    """A checkout that is not used, and in which nothing is pending. Raises UnknownCheckoutError,
    Refusal. Choice: D-130.
    """
    checkout = open_checkout(context, identity)
    stage = _stage(context.ports, checkout)
    if stage in (CheckoutStage.UNDER_WAY, CheckoutStage.ASKING):
        raise Refusal(PENDING, "an attempt in this checkout is pending")
    if stage is CheckoutStage.PAID:
        raise UnknownCheckoutError()
    return checkout


def _entered(
    context: ChannelContext[CheckoutPorts], identity: str, submission: Submission
) -> Checkout:
    checkout = open_checkout(context, identity)
    free_stage(context.ports, checkout)
    found = overwriting(checkout, submission.sent)
    if submission.capability is not None:
        found += strange_to_a_form(checkout, submission.sent)
    _refuse_all(found)
    return checkout


def _entry(
    context: ChannelContext[CheckoutPorts], checkout: Checkout, submission: Submission, whole: Sent
) -> Entry:
    """At home is the channel that the checkout was prepared for, whichever was named now."""
    origin = Origin(
        checkout=checkout.id,
        capability=submission.capability,
        until=expires_at(checkout),
        fixed=(checkout.stamp, checkout.sent),
    )
    at_home = context_of(context.ports, checkout.stamp, checkout.host)
    # Of the stored accounts those may pay that the merchant has listed, of whichever brand.
    if submission.capability is not None and STORED not in submission.sent:
        refuse_off_offer(checkout, whole, at_home)
    return Entry(at_home, whole, origin)


def _fixed(sent: Sent) -> dict[str, str]:
    return {name: value for name, value in sent.items() if name not in ("entityId", "integrity")}


def _refuse_all(found: Iterable[Violation]) -> None:
    found = list(found)
    if found:
        raise Violations(found)


def _refuse_early(context: ChannelContext[CheckoutPorts], sent: Sent) -> None:
    """Refuse what the shopper could not correct: money, a reference, stored accounts, a brand, a
    place in a series.
    """
    now = context.ports.clock.now()
    refuse_lacking(sent, context)
    forced_code(sent, RESULTS)
    refuse_fixed(sent, context, today=now.date())
    refuse_place(context, sent, now)
    refuse_paid_key(context, sent)
    kind = PaymentType(sent.get("paymentType", PaymentType.RG))
    if kind is PaymentType.RG:
        refuse_oversize(_fixed(sent), MOST_BEFORE_REGISTRATION)
    refuse_money(money_in(sent), kind, context.channel)
    offered = [(name, value) for name, value in sent.items() if name.startswith(OFFERED)]
    for name, value in offered:
        registration = find_visible(context, Registration, value)
        if registration is None:
            raise Refusal(UNKNOWN_REGISTRATION, f"{name}: no registration has the id")
        if registration.removed_at is not None:
            raise Refusal(REMOVED_REGISTRATION, f"{name}: the registration was removed")


def _refuse_unlisted(checkout: Checkout, stored: str) -> None:
    if stored not in registrations_in(checkout):
        message = "must be one of the stored accounts that the checkout was prepared with"
        raise Violations([Violation(STORED, stored, message, "D-129")])
