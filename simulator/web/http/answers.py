"""Bodies of answers: the payment response, and the result every other answer is.

Rendered from records, never from the request. Source: Payment response (common fields), Errors.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec
from falcon import Response

from simulator.catalogue.payment_types import NEW_TYPES
from simulator.domain.accounts.cards import summary_of
from simulator.domain.core.errors import Refusal
from simulator.domain.core.masking import mask_text
from simulator.domain.core.records import Outcome, Payment, Registration, State
from simulator.domain.payments.bodies import (
    enveloped,
    payment_fields,
    registration_fields,
    result_object,
)
from simulator.grammar.violations import Violation
from simulator.web.http.context import Exchange

CONTENT_TYPE = "application/json;charset=UTF-8"
SHOWN_LENGTH = 255
MALFORMED = "200.100.103"
FAULT = "999.999.999"
to_json = msgspec.json.Encoder().encode


def send(resp: Response, status: int, body: Mapping[str, Any] | msgspec.Struct) -> None:
    """Put `body` into the response, in one piece."""
    resp.status = status
    resp.content_type = CONTENT_TYPE
    resp.data = to_json(body)


def status_of(payment: Payment, exchange: Exchange) -> int:
    """200, or for a declined payment 400. Source: HTTP status codes. Choice: D-20."""
    return int(exchange.choices["decline_status"]) if payment.state is State.FAILED else 200


def payment_body(payment: Payment, exchange: Exchange) -> dict[str, Any]:
    """The payment response. Source: Payment response (common fields)."""
    fields = exchange.work(len(payment.sent), payment_fields, payment, exchange.choices)
    return closed(fields, exchange)


def registration_body(
    record: Registration | Payment, exchange: Exchange, outcome: Outcome | None = None
) -> dict[str, Any]:
    """The registration, or the RG that was to make it. Choice: D-119."""
    return closed(registration_fields(record, outcome), exchange)


def settled_body(identity: str, outcome: Outcome, exchange: Exchange) -> dict[str, Any]:
    """What was done to a record that the answer does not show: its id and the result."""
    return closed({"id": identity, "result": result_object(outcome.code)}, exchange)


def result_body(
    exchange: Exchange, code: str, detail: str = "", violations: Iterable[Violation] = ()
) -> dict[str, Any]:
    """An answer with a result and no payment; `violations` become result.parameterErrors."""
    result = result_object(code, detail)
    errors = [_parameter_error(violation) for violation in violations]
    if errors:
        result["parameterErrors"] = errors
    return closed({"result": result}, exchange)


def refusal_body(exchange: Exchange, refusal: Refusal) -> dict[str, Any]:
    """A refused request: an id to ask support about, and what was sent; no payment exists.

    Choice: D-40.
    """
    sent = exchange.asked or exchange.sent
    kind = sent.get("paymentType")
    if kind is None and (exchange.ticket is None or not sent.keys() & ACCOUNTS):
        return result_body(exchange, refusal.code, refusal.detail)
    body: dict[str, Any] = {"id": exchange.issue_ticket().id}
    if kind is not None:
        body["paymentType"] = kind
    if "paymentBrand" in sent:
        body["paymentBrand"] = sent["paymentBrand"]
    body["result"] = result_object(refusal.code, refusal.detail)
    if "card.number" in sent and (kind is None or kind in NEW_TYPES):
        body["card"] = summary_of(sent)
    return closed(body, exchange)


# What an account is recognized by, where no type is sent: at registrations and checkouts.
ACCOUNTS = frozenset({"card.number", "bankAccount.holder", "virtualAccount.accountId"})


def _parameter_error(violation: Violation) -> dict[str, Any]:
    """One wrong parameter; what was sent is cut: an answer does not grow with what it refuses."""
    value = violation.value
    message = violation.message
    if violation.field_accepts:
        message = f"{message} (profile field accepts it)"
    return {
        "name": mask_text(violation.name[:SHOWN_LENGTH]),
        "value": None if value is None else value[:SHOWN_LENGTH],
        "message": message,
    }


def bare_body(status: int, *, now: datetime, ndc: str) -> bytes:
    """The answer to bytes that are no request: too broken, too large or too slow."""
    code = FAULT if status >= 500 else MALFORMED
    return to_json(enveloped({"result": result_object(code)}, now, ndc))


def closed(body: dict[str, Any], exchange: Exchange) -> dict[str, Any]:
    """The body with what every answer ends with; its result is that of the exchange."""
    exchange.code = body["result"]["code"]
    exchange.answered_at = now = exchange.now()
    return enveloped(body, now, exchange.ndc)
