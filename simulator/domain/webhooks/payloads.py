"""Payloads of webhook events: the response for a record, and the fields that only events have.

Source: Events; Webhook-specific response fields. Choice: D-83.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec

from simulator.catalogue.brands import BRANDS
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.money import Money
from simulator.domain.core.records import (
    AccountHierarchy,
    Outcome,
    Payment,
    PaymentSource,
    PaymentType,
    Registration,
)
from simulator.domain.payments.bodies import (
    PENDING,
    enveloped,
    payment_fields,
    registration_fields,
    result_object,
)
from simulator.domain.payments.initial import money_in, success_of
from simulator.domain.schedules.bodies import SCHEDULED, schedule_fields
from simulator.domain.schedules.schedules import Schedule
from simulator.grammar.brands import BANK, CARD, ONLINE, VIRTUAL, WALLET
from simulator.grammar.choices import Choices

# `paymentMethod` by the kind of account, and of a risk check, as existing clients expect it.
METHODS: Mapping[str, str] = {
    CARD: "CC", WALLET: "CC", BANK: "DD", VIRTUAL: "VA", ONLINE: "VA",
}  # fmt: skip
RISK_METHOD = "RM"
FORM_SOURCE = "OPPUI"


class EventContext(msgspec.Struct, frozen=True):
    """What payloads need beside the records: the sandbox, its decisions, the present."""

    sandbox: Sandbox
    choices: Choices
    now: datetime


def payment_payload(payment: Payment, context: EventContext) -> dict[str, Any]:
    """The payment response, and the fields of events. Source: EVT-01, EVT-03, RSP-09."""
    body = payment_fields(payment, context.choices, with_reference=True)
    if "amount" in body:
        body["presentationAmount"] = body["amount"]
        body["presentationCurrency"] = body["currency"]
    body.update(
        _extra_fields(payment.stamp, context, source=source_of(payment), method=method_of(payment))
    )
    if context.choices["webhook_extras"] == "send":
        body["shortId"] = payment.short_id
    return enveloped(body, context.now, payment.ndc)


def source_of(payment: Payment) -> str:
    """The `source` of a payment: the form where the shopper paid in a checkout, else its record's.

    Source: E69.
    """
    is_of_form = payment.checkout is not None and payment.source is PaymentSource.OPP
    return FORM_SOURCE if is_of_form else payment.source


def method_of(payment: Payment) -> str:
    """The `paymentMethod` of a payment: its kind of account, or that it was a risk check."""
    return RISK_METHOD if payment.type is PaymentType.RI else _method_of(payment.brand)


def screening_payload(payment: Payment, identity: str, context: EventContext) -> dict[str, Any]:
    """The result of a risk check: a transaction of its own that refers to the payment."""
    outcome = payment.outcome or PENDING
    body: dict[str, Any] = {
        "id": identity,
        "paymentType": PaymentType.RI,
        "referencedId": payment.id,
        **_presentation_fields(payment.money),
        "result": result_object(outcome.code),
    }
    if outcome.risk_score is not None:
        body["risk"] = {"score": str(outcome.risk_score)}
    body.update(
        _extra_fields(payment.stamp, context, source=source_of(payment), method=RISK_METHOD)
    )
    return enveloped(body, context.now, payment.ndc)


def registration_payload(
    registration: Registration,
    context: EventContext,
    *,
    outcome: Outcome | None = None,
    ndc: str = "",
) -> dict[str, Any]:
    """The registration as a response, with the result of the request.

    `outcome` and `ndc` default to those of the request that created it.
    """
    outcome = outcome or registration.outcome or success_of({}, registration.host)
    body = registration_fields(registration, outcome)
    method = _method_of(registration.brand)
    body.update(_extra_fields(registration.stamp, context, source=PaymentSource.OPP, method=method))
    return enveloped(body, context.now, ndc or registration.ndc)


def schedule_payload(
    schedule: Schedule, context: EventContext, *, outcome: Outcome, kind: str = "", ndc: str = ""
) -> dict[str, Any]:
    """The schedule as a response; `kind` is the operation, by default the one that created it."""
    body = schedule_fields(schedule, outcome, kind=kind)
    body.update(_presentation_fields(money_in(schedule.sent)))
    body.update(_extra_fields(schedule.stamp, context, source=PaymentSource.SCHEDULER, method=""))
    return enveloped(body, context.now, ndc or schedule.ndc)


def execution_payload(
    schedule: Schedule, payment: Payment, context: EventContext
) -> dict[str, Any]:
    """The schedule as a response, with the result of the payment that it made."""
    outcome = payment.outcome or PENDING
    body = {
        **schedule_fields(schedule, outcome, kind=SCHEDULED),
        "referencedId": payment.id,
        **_presentation_fields(payment.money),
    }
    if outcome.details:
        body["resultDetails"] = outcome.details
    body.update(_extra_fields(schedule.stamp, context, source=payment.source, method=""))
    body["source"] = payment.source
    return enveloped(body, context.now, payment.ndc)


def _presentation_fields(money: Money | None) -> dict[str, Any]:
    if money is None:
        return {}
    amount, currency = str(money.amount), money.currency
    return {
        "amount": amount,
        "currency": currency,
        "presentationAmount": amount,
        "presentationCurrency": currency,
    }


def _extra_fields(
    stamp: AccountHierarchy, context: EventContext, *, source: str, method: str
) -> dict[str, Any]:
    """Fields that existing clients expect beyond the specification. Choice: D-83."""
    if context.choices["webhook_extras"] != "send":
        return {}
    extras = {
        "authentication": {"entityId": stamp.channel},
        "channelName": next(_names_of(stamp.channel, context.sandbox), ""),
        "source": source,
    }
    return {**extras, "paymentMethod": method} if method else extras


def _method_of(brand: str | None) -> str:
    row = BRANDS.get(brand or "")
    return METHODS[CARD if row is None else row.account]


def _names_of(channel: str, sandbox: Sandbox) -> Iterator[str]:
    for merchant in sandbox.merchants:
        yield from (each.name for each in merchant.channels if each.id == channel)
