"""A checkout: what a merchant prepares, and a shopper completes. Source: Endpoints; Limits.

Choices: D-128 (what may be fixed and changed), D-129 (what a form may send), D-130 (how long).
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum

import msgspec
from msgspec.structs import replace

from simulator.catalogue.operations.checkouts import NOT_OF_THE_PAYMENT, OF_THE_SHOPPER, PREFILLED
from simulator.catalogue.results import class_of
from simulator.domain.core.card_ranges import BIN_LENGTH, detected_brand
from simulator.domain.core.entities import BrandsOnOffer
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.parameters import added_to
from simulator.domain.core.records import AccountHierarchy, Payment, PaymentType, State
from simulator.domain.payments.redirects import RESULT_URL, result_place
from simulator.domain.payments.transitions import UNANSWERED
from simulator.domain.registrations import LEFT_OF_AN_RG
from simulator.domain.webhooks.envelopes import encode_payload
from simulator.domain.webhooks.records import WebhookEvent
from simulator.grammar.results import PENDING_DELAYED
from simulator.grammar.violations import Violation

# Source: Limits.
LIFETIME = timedelta(minutes=30)
CALLED_AFTER = timedelta(minutes=29)
CAPABILITIES_MAX = 8
CAPABILITY_LENGTH = 48
OVERRIDE = "overridePaymentType["
SHOPPERS_PREFIX = "customParameters[SHOPPER_"
REGISTERS, TRUE = "createRegistration", ("true", "1")
# What stays of the parameters of one whose registration was removed: the way back to the shop, too.
LEFT_OF_A_CHECKOUT = frozenset({*LEFT_OF_AN_RG, REGISTERS, RESULT_URL})


class Checkout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A checkout session: `sent` is what was fixed when it was prepared or updated, flat, without
    any secret.

    `attempt` is the newest payment in it, an RG where a registration was posted; those before it
    failed. `pressed_at` is when the shopper last pressed pay, `read_at` when the merchant first
    read how that ended. `capabilities` are hashes of what lets the form post once each; `offer` are
    the brands it offers, where the control API has set them. `is_dispatched` says that rules have
    chosen its channel, as they do again for what is added.
    """

    id: str
    version: int = 0
    stamp: AccountHierarchy
    host: Host = TEST
    created_at: datetime
    sent: Mapping[str, str] = {}
    attempt: str | None = None
    pressed_at: datetime | None = None
    read_at: datetime | None = None
    capabilities: tuple[str, ...] = ()
    offer: BrandsOnOffer | None = None
    is_dispatched: bool = False


class CheckoutCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The call of shopperResultUrl that a checkout of the same id is due, if it is still unread.

    Source: Events, 2.
    """

    id: str
    version: int = 0
    due: datetime


def is_over(checkout: Checkout, now: datetime) -> bool:
    """Whether its 30 minutes are over. Source: FORM-01."""
    return now >= expires_at(checkout)


def expires_at(checkout: Checkout) -> datetime:
    """The first instant at which it is over."""
    return checkout.created_at + LIFETIME


def can_be_read(
    checkout: Checkout, attempt: Payment | None, now: datetime, *, is_read_once: bool
) -> bool:
    """Whether a read is answered with how it stands, `attempt` being the newest. Choice: D-130."""
    if is_over(checkout, now):
        return False
    is_read = is_read_once and checkout.read_at is not None
    return not (is_read and stage_of(attempt) is CheckoutStage.PAID)


class CheckoutStage(Enum):
    """Where a checkout stands: nothing was posted, an answer is awaited, the shopper is asked
    elsewhere, the newest attempt failed, or there is nothing left to pay.
    """

    UNPAID = "unpaid"
    UNDER_WAY = "under way"
    ASKING = "asking"
    FAILED = "failed"
    PAID = "paid"


def stage_of(attempt: Payment | None) -> CheckoutStage:
    """The stage of a checkout with this newest attempt.

    One that only waits for its bank, for days, asks the shopper nothing more; nor does one whose
    shopper has answered, and which is at the acquirer now.
    """
    if attempt is None:
        return CheckoutStage.UNPAID
    if attempt.state is State.OPEN or attempt.attempt is not None:
        return CheckoutStage.UNDER_WAY
    if attempt.state is State.FAILED:
        return CheckoutStage.FAILED
    is_asking = attempt.state is State.PENDING and not _waits_for_days(attempt)
    return CheckoutStage.ASKING if is_asking else CheckoutStage.PAID


def is_final(attempt: Payment) -> bool:
    """Whether a payment has come to its end, good or bad."""
    return attempt.state not in UNANSWERED


def whole_payment(
    checkout: Checkout, sent: Mapping[str, str], stored_brand: str | None = None
) -> dict[str, str]:
    """What is paid: what was fixed and what is sent now, of the type its brand has.

    `stored_brand` is that of the stored account that pays. Source: PAY-06.
    """
    whole = _joined(checkout, sent)
    number = whole.get("card.number")
    named = stored_brand or whole.get("paymentBrand")
    brand = named or (number and detected_brand(number[:BIN_LENGTH]))
    kind = type_of(checkout, brand)
    return whole if kind is None else {**whole, "paymentType": kind}


def whole_registration(checkout: Checkout, sent: Mapping[str, str]) -> dict[str, str]:
    """What is registered: the same as an RG, which moves no money."""
    whole = _joined(checkout, sent)
    for name in ("amount", "currency"):
        whole.pop(name, None)
    return {**whole, "paymentType": PaymentType.RG.value}


def type_of(checkout: Checkout, brand: str | None) -> str | None:
    """The payment type that was fixed for a brand, or for all."""
    return checkout.sent.get(f"{OVERRIDE}{brand}]") or checkout.sent.get("paymentType")


def kind_for(fixed: Mapping[str, str], brand: str) -> str:
    """The payment type that was fixed for a brand, or for all; that of a registration where none
    was.
    """
    return fixed.get(f"{OVERRIDE}{brand}]") or fixed.get("paymentType") or PaymentType.RG.value


def overwriting(checkout: Checkout, sent: Mapping[str, str]) -> list[Violation]:
    """A violation for each parameter that was fixed already, and not only prefilled. Choice:
    D-129.
    """
    message = "was already set and cannot be overwritten"
    names = [name for name in sent if name in checkout.sent and name not in PREFILLED]
    return [Violation(name, None, message, "D-129") for name in names]


def strange_to_a_form(checkout: Checkout, sent: Mapping[str, str]) -> list[Violation]:
    """A violation for each parameter that no form may send. Source: FORM-12. Choice: D-129."""
    prefix = "names sent by the form must start with SHOPPER_"
    found = [
        Violation(name, None, prefix, "FORM-12")
        for name in sent
        if name.startswith("customParameters[") and not name.startswith(SHOPPERS_PREFIX)
    ]
    merchants = "is fixed when the checkout is prepared, not sent by the form"
    found += [
        Violation(name, None, merchants, "D-129")
        for name in sent
        if not name.startswith(OF_THE_SHOPPER) and name not in checkout.sent
    ]
    return found


def registering_instead(checkout: Checkout) -> list[Violation]:
    """A violation for a form that would register where a payment was prepared: it would use up the
    checkout unpaid. Choice: D-129.
    """
    is_wanted = checkout.sent.get(REGISTERS) in TRUE
    if is_wanted or "paymentType" not in checkout.sent:
        return []
    message = "the checkout was prepared for a payment, and not with createRegistration=true"
    return [Violation(REGISTERS, None, message, "D-129")]


def without_registration(checkout: Checkout) -> Checkout:
    """A checkout in which a registration was made that is removed by now: nothing of customer,
    addresses or custom parameters stays. Choice: D-120.
    """
    sent = {name: value for name, value in checkout.sent.items() if name in LEFT_OF_A_CHECKOUT}
    return replace(checkout, sent=sent)


def registrations_in(checkout: Checkout) -> list[str]:
    """The ids of the registrations it offers, in their order."""
    return [value for name, value in checkout.sent.items() if name.startswith("registrations[")]


def pressed(checkout: Checkout, attempt: str, *, capability: str | None, now: datetime) -> Checkout:
    """The checkout after pay was pressed: a new attempt, unread, its capability used."""
    left = tuple(each for each in checkout.capabilities if each != capability)
    return replace(checkout, attempt=attempt, pressed_at=now, read_at=None, capabilities=left)


def allowing(checkout: Checkout, capability: str) -> Checkout:
    """The checkout with one more capability; the oldest ends where there are many."""
    newest = (*checkout.capabilities, capability)[-CAPABILITIES_MAX:]
    return replace(checkout, capabilities=newest)


def call_of(checkout: Checkout) -> CheckoutCall:
    """The call it is due, 29 minutes after it was created; at once where pay was pressed later.

    Source: EVT-04, EVT-05, LIM-03.
    """
    return CheckoutCall(id=checkout.id, due=checkout.created_at + CALLED_AFTER)


def unread_call(attempt: Payment, *, identity: str, now: datetime) -> WebhookEvent:
    """The call of the shopperResultUrl of a checkout that was not read: the query it is made
    with.
    """
    place = result_place(attempt)
    query = {"id": place.id, "resourcePath": place.path}
    return WebhookEvent(
        id=identity,
        type=RESULT_URL,
        payment=attempt.id,
        payload=encode_payload(query),
        created_at=now,
        ndc=attempt.ndc,
    )


def _waits_for_days(attempt: Payment) -> bool:
    return attempt.outcome is not None and class_of(attempt.outcome.code) == PENDING_DELAYED


def _joined(checkout: Checkout, sent: Mapping[str, str]) -> dict[str, str]:
    whole = added_to(checkout.sent, sent)
    for name in [name for name in whole if name.startswith(NOT_OF_THE_PAYMENT)]:
        del whole[name]
    return whole
