"""Bodies: the payment response, shared by answers and notifications, and what closes every body.

Rendered from records, never from the request. Source: Payment response (common fields).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from simulator.catalogue.results import RESULTS
from simulator.domain.core.echo import echoed
from simulator.domain.core.parameters import receiving_in
from simulator.domain.core.records import Outcome, Payment, Redirect, Registration, State
from simulator.domain.terminals.answers import terminal_answer
from simulator.domain.terminals.reading import ENTRY_MODE
from simulator.grammar.choices import Choices
from simulator.grammar.version import __version__

BUILD_NUMBER = f"sandgate-{__version__}"
PENDING = Outcome(code="000.200.000")


def payment_fields(
    payment: Payment, choices: Choices, *, with_reference: bool = False
) -> dict[str, Any]:
    """The payment response without its envelope, in the order clients have seen it.

    `with_reference` adds referencedId, which is shown in notifications only (RSP-09).
    """
    outcome = payment.outcome or PENDING
    body: dict[str, Any] = {"id": payment.id}
    if payment.registration is not None:
        body["registrationId"] = payment.registration
    body["paymentType"] = payment.type
    initial = payment.referenced is None
    if initial:
        body["paymentBrand"] = payment.brand
    elif with_reference or choices["referenced_id"] == "answer":
        body["referencedId"] = payment.referenced
    if payment.state is not State.FAILED or choices["declined_amount"] == "show":
        body.update(_money(payment))
    body["result"] = result_object(outcome.code, avs=outcome.avs, cvv=outcome.cvv)
    if outcome.details:
        body["resultDetails"] = outcome.details
    if payment.redirect is not None and payment.state is State.PENDING:
        body["redirect"] = _redirect(payment.redirect)
    if initial and payment.card is not None:
        body["card"] = payment.card
    body.update(echoed({**payment.sent, **payment.shown} if payment.shown else payment.sent))
    if ENTRY_MODE in payment.sent:
        body["pos"] = terminal_answer(payment, outcome)
    if outcome.risk_score is not None:
        body.setdefault("risk", {})["score"] = str(outcome.risk_score)
    return body


def registration_fields(
    record: Registration | Payment, outcome: Outcome | None = None
) -> dict[str, Any]:
    """A registration as answers show it, without the envelope; or the RG that leaves none yet.

    `outcome` is that of the request, if not the one that made it. Choice: D-119.
    """
    result = outcome or record.outcome or PENDING
    body: dict[str, Any] = {"id": record.id, "paymentBrand": record.brand}
    body["result"] = result_object(result.code, avs=result.avs, cvv=result.cvv)
    if record.card is not None:
        body["card"] = record.card
    beside = {**record.sent, **receiving_in(record.shown)}
    if isinstance(record, Registration):
        return {**body, **echoed(record.account), **echoed(beside)}
    if record.redirect is not None and record.state is State.PENDING:
        body["redirect"] = _redirect(record.redirect)
    return {**body, **echoed(beside)}


def result_object(code: str, *, avs: str | None = None, cvv: str | None = None) -> dict[str, Any]:
    """The result of an answer: code, its text and nothing else, the acquirer's letters. Choice:
    D-274.
    """
    result = {"code": code, "description": RESULTS[code].text}
    if avs is not None:
        result["avsResponse"] = avs
    if cvv is not None:
        result["cvvResponse"] = cvv
    return result


def enveloped(body: dict[str, Any], now: datetime, ndc: str) -> dict[str, Any]:
    """`body` closed by what every answer ends with."""
    body["buildNumber"] = BUILD_NUMBER
    body["timestamp"] = timestamp(now)
    body["ndc"] = ndc
    return body


def timestamp(instant: datetime) -> str:
    """`instant` as yyyy-MM-dd hh:mm:ssZ. Source: RSP-10. Choice: D-28."""
    # The zone is always UTC; isoformat writes it with a colon, and takes half as long as strftime.
    return instant.replace(tzinfo=None).isoformat(" ", "seconds") + "+0000"


def _redirect(redirect: Redirect) -> dict[str, Any]:
    """The parameters are a list, also where there is none. Source: ASYNC-01."""
    body: dict[str, Any] = {"url": redirect.url, "parameters": _named(redirect.parameters)}
    if redirect.preconditions:
        body["preconditions"] = [
            {
                "origin": "iframe#hidden",
                "waitUntil": "iframe#load",
                "description": "Hidden iframe post for 3-D Secure 2",
                "url": each.url,
                "method": "POST",
                "parameters": _named(each.parameters),
            }
            for each in redirect.preconditions
        ]
    return body


def _named(parameters: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in parameters.items()]


def _money(payment: Payment) -> dict[str, Any]:
    if payment.money is None:
        return {"descriptor": payment.descriptor}
    return {
        "amount": str(payment.money.amount),
        "currency": payment.money.currency,
        "descriptor": payment.descriptor,
    }
