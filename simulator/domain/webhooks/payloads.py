"""Payloads of notifications: the response that tells of a record, and what only they carry.

Source: Events; Webhook-specific response fields. Choice: D-83.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec

from simulator.catalogue.brands import BRANDS
from simulator.domain.core.money import Money
from simulator.domain.core.records import (
    AccountHierarchy,
    Outcome,
    Payment,
    PaymentSource,
    PaymentType,
    Registration,
    Sandbox,
)
from simulator.domain.payments.bodies import (
    PENDING,
    enveloped,
    payment_fields,
    registration_fields,
    result_object,
)
from simulator.domain.payments.initial import money_in
from simulator.domain.schedules.bodies import SCHEDULED, schedule_fields
from simulator.domain.schedules.schedules import Schedule
from simulator.grammar.brands import BANK, CARD, VIRTUAL, WALLET
from simulator.grammar.choices import Choices

# What the field writes of each kind of account, and of a risk check.
METHODS: Mapping[str, str] = {CARD: "CC", WALLET: "CC", BANK: "DD", VIRTUAL: "VA"}
RISK_METHOD = "RM"
SUCCESS = Outcome(code="000.000.000")


class Scene(msgspec.Struct, frozen=True):
    """Where and when something happened: what payloads need beside the records."""

    sandbox: Sandbox
    choices: Choices
    now: datetime


def payment_payload(payment: Payment, scene: Scene) -> dict[str, Any]:
    """The payment response, and what only notifications carry. Source: EVT-01, EVT-03, RSP-09."""
    body = payment_fields(payment, scene.choices, with_reference=True)
    if "amount" in body:
        body["presentationAmount"] = body["amount"]
        body["presentationCurrency"] = body["currency"]
    body.update(_extras(payment.stamp, scene, source=payment.source, method=method_of(payment)))
    if scene.choices["webhook_extras"] == "send":
        body["shortId"] = payment.short_id
    return enveloped(body, scene.now, payment.ndc)


def method_of(payment: Payment) -> str:
    """The kind of account that paid, or that it was a risk check, as the field writes it."""
    return RISK_METHOD if payment.type is PaymentType.RI else _method_of(payment.brand)


def screening_payload(payment: Payment, identity: str, scene: Scene) -> dict[str, Any]:
    """What a risk check decided about a payment: a transaction of its own that refers to it."""
    outcome = payment.outcome or PENDING
    body: dict[str, Any] = {
        "id": identity,
        "paymentType": PaymentType.RI,
        "referencedId": payment.id,
        **_presented(payment.money),
        "result": result_object(outcome.code),
    }
    if outcome.risk_score is not None:
        body["risk"] = {"score": str(outcome.risk_score)}
    body.update(_extras(payment.stamp, scene, source=payment.source, method=RISK_METHOD))
    return enveloped(body, scene.now, payment.ndc)


def registration_payload(
    registration: Registration, scene: Scene, *, outcome: Outcome | None = None, ndc: str = ""
) -> dict[str, Any]:
    """The registration as a response, with the result of the request.

    Without `outcome` and `ndc` they are those of the request that made it.
    """
    body = registration_fields(registration, outcome or registration.outcome or SUCCESS)
    method = _method_of(registration.brand)
    body.update(_extras(registration.stamp, scene, source=PaymentSource.OPP, method=method))
    return enveloped(body, scene.now, ndc or registration.ndc)


def schedule_payload(
    schedule: Schedule, scene: Scene, *, outcome: Outcome, kind: str = "", ndc: str = ""
) -> dict[str, Any]:
    """The schedule as a response; `kind` is the operation, without one that which made it."""
    body = schedule_fields(schedule, outcome, kind=kind)
    body.update(_presented(money_in(schedule.sent)))
    body.update(_extras(schedule.stamp, scene, source=PaymentSource.SCHEDULER, method=""))
    return enveloped(body, scene.now, ndc or schedule.ndc)


def execution_payload(schedule: Schedule, payment: Payment, scene: Scene) -> dict[str, Any]:
    """The schedule as a response, and what became of the payment that it has made."""
    outcome = payment.outcome or PENDING
    body = {
        **schedule_fields(schedule, outcome, kind=SCHEDULED),
        "referencedId": payment.id,
        **_presented(payment.money),
    }
    if outcome.details:
        body["resultDetails"] = outcome.details
    body.update(_extras(schedule.stamp, scene, source=payment.source, method=""))
    body["source"] = payment.source
    return enveloped(body, scene.now, payment.ndc)


def _presented(money: Money | None) -> dict[str, Any]:
    if money is None:
        return {}
    amount, currency = str(money.amount), money.currency
    return {
        "amount": amount,
        "currency": currency,
        "presentationAmount": amount,
        "presentationCurrency": currency,
    }


def _extras(
    stamp: AccountHierarchy, scene: Scene, *, source: PaymentSource, method: str
) -> dict[str, Any]:
    """What the field adds. Choice: D-83."""
    if scene.choices["webhook_extras"] != "send":
        return {}
    extras = {
        "authentication": {"entityId": stamp.channel},
        "channelName": next(_names_of(stamp.channel, scene.sandbox), ""),
        "source": source,
    }
    return {**extras, "paymentMethod": method} if method else extras


def _method_of(brand: str | None) -> str:
    row = BRANDS.get(brand or "")
    return METHODS[CARD if row is None else row.account]


def _names_of(channel: str, sandbox: Sandbox) -> Iterator[str]:
    for merchant in sandbox.merchants:
        yield from (each.name for each in merchant.channels if each.id == channel)
