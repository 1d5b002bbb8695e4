"""Bodies of answers: the payment response, and the result every other answer is.

Rendered from records, never from the request. Source: Payment response (common fields), Errors.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec
from falcon import Response

from simulator import __version__
from simulator.catalogue.results import RESULTS
from simulator.domain.cards import summary_of
from simulator.domain.echo import echoed
from simulator.domain.errors import Refusal
from simulator.domain.records import Outcome, Payment, PaymentType, State
from simulator.grammar.violations import Violation
from simulator.web.context import Exchange

BUILD_NUMBER = f"sandgate-{__version__}"
CONTENT_TYPE = "application/json;charset=UTF-8"
DESCRIPTION_LENGTH = 255
SHOWN_LENGTH = 255
PENDING = Outcome(code="000.200.000")
MALFORMED = "200.100.103"
FAULT = "999.999.999"
to_json = msgspec.json.Encoder().encode


def send(resp: Response, status: int, body: Mapping) -> None:
    """Put `body` into the response, in one piece."""
    resp.status = status
    resp.content_type = CONTENT_TYPE
    resp.data = to_json(body)


def status_of(payment: Payment, exchange: Exchange) -> int:
    """200, or for a declined payment 400. Source: HTTP status codes. Choice: D-20."""
    return int(exchange.choices["decline_status"]) if payment.state is State.FAILED else 200


def payment_body(payment: Payment, exchange: Exchange) -> dict:
    """The payment response, in the order clients have seen it. Source: Payment response (common fields)."""
    outcome = payment.outcome or PENDING
    body: dict = {"id": payment.id}
    if payment.registration is not None:
        body["registrationId"] = payment.registration
    body["paymentType"] = payment.type
    initial = payment.referenced is None
    if initial:
        body["paymentBrand"] = payment.brand
    elif exchange.choices["referenced_id"] == "answer":
        body["referencedId"] = payment.referenced
    if payment.state is not State.FAILED or exchange.choices["declined_amount"] == "show":
        body.update(_money(payment))
    body["result"] = _result(outcome.code, avs=outcome.avs, cvv=outcome.cvv)
    if outcome.details:
        body["resultDetails"] = outcome.details
    if initial and payment.card is not None:
        body["card"] = payment.card
    body.update(echoed(payment.sent))
    if outcome.risk_score is not None:
        body.setdefault("risk", {})["score"] = str(outcome.risk_score)
    return _closed(body, exchange)


def result_body(
    exchange: Exchange, code: str, detail: str = "", violations: Iterable[Violation] = ()
) -> dict:
    """An answer that carries a result and no payment; `violations` become result.parameterErrors."""
    result = _result(code, detail)
    errors = [_parameter_error(violation) for violation in violations]
    if errors:
        result["parameterErrors"] = errors
    return _closed({"result": result}, exchange)


def refusal_body(exchange: Exchange, refusal: Refusal) -> dict:
    """A refused request: an id to ask support about and what was sent of it, though no payment exists.

    Choice: D-40.
    """
    sent = exchange.sent
    if "paymentType" not in sent:
        return result_body(exchange, refusal.code, refusal.detail)
    body: dict = {"id": exchange.issue_ticket().id, "paymentType": sent["paymentType"]}
    if "paymentBrand" in sent:
        body["paymentBrand"] = sent["paymentBrand"]
    body["result"] = _result(refusal.code, refusal.detail)
    if "card.number" in sent and sent["paymentType"] in INITIAL:
        body["card"] = summary_of(sent)
    return _closed(body, exchange)


INITIAL = frozenset(
    {PaymentType.PA, PaymentType.DB, PaymentType.CD, PaymentType.RG, PaymentType.PA_CP}
)


def _money(payment: Payment) -> dict:
    if payment.money is None:
        return {"descriptor": payment.descriptor}
    return {
        "amount": str(payment.money.amount),
        "currency": payment.money.currency,
        "descriptor": payment.descriptor,
    }


def _result(code: str, detail: str = "", avs: str | None = None, cvv: str | None = None) -> dict:
    text = RESULTS[code].text
    described = f"{text} - {detail}" if detail else text
    result = {"code": code, "description": described[:DESCRIPTION_LENGTH]}
    if avs is not None:
        result["avsResponse"] = avs
    if cvv is not None:
        result["cvvResponse"] = cvv
    return result


def _parameter_error(violation: Violation) -> dict:
    """One wrong parameter; what was sent is cut, so that an answer does not grow with what it refuses."""
    value = violation.value
    message = violation.message
    if violation.field_accepts:
        message = f"{message} (profile field accepts it)"
    return {
        "name": violation.name[:SHOWN_LENGTH],
        "value": None if value is None else value[:SHOWN_LENGTH],
        "message": message,
    }


def bare_body(status: int, *, now: datetime, ndc: str) -> bytes:
    """The answer to bytes that are no request: too broken, too large or too slow to reach the application."""
    code = FAULT if status >= 500 else MALFORMED
    return to_json(_enveloped({"result": _result(code)}, now, ndc))


def _closed(body: dict, exchange: Exchange) -> dict:
    return _enveloped(body, exchange.now(), exchange.ndc)


def _enveloped(body: dict, now: datetime, ndc: str) -> dict:
    body["buildNumber"] = BUILD_NUMBER
    body["timestamp"] = timestamp(now)
    body["ndc"] = ndc
    return body


def timestamp(instant: datetime) -> str:
    """`instant` as yyyy-MM-dd hh:mm:ssZ. Source: RSP-10. Choice: D-28."""
    return f"{instant:%Y-%m-%d %H:%M:%S}+0000"
