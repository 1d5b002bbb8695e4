"""Bodies of answers: the payment response, and the result every other answer is.

Rendered from records, never from the request. Source: Payment response (common fields), Errors.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar, cast

import msgspec
from falcon import Response

from simulator.catalogue.payment_types import NEW_TYPES
from simulator.derive.checks.check import UNKNOWN
from simulator.domain.accounts.cards import summary_of
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Outcome, Payment, Registration, State
from simulator.domain.masking.masking import (
    ValueKind,
    called_without_query,
    cut_text,
    hidden_in,
    kind_of,
    longest_first,
    mask_reason,
    shown_text,
    without_secrets,
)
from simulator.domain.masking.shown_parameters import SECRETS_MAX
from simulator.domain.payments.bodies import (
    enveloped,
    payment_fields,
    registration_fields,
    result_object,
)
from simulator.domain.ports.server import ServerPorts
from simulator.grammar.violations import Violation
from simulator.web.http.context import Exchange

CONTENT_TYPE = "application/json;charset=UTF-8"
MALFORMED = "200.100.103"
# So many wrong parameters are named, in the order of the catalogue. Choice: D-268.
ERRORS_MAX = 1000
FAULT = "999.999.999"
NOT_STORED, NOTHING_STORED = "999.999.888", "nothing was stored; send it again later"
RECONCILIATION = "reconciliationId"
EXPLANATION, EXPLANATION_LENGTH = "ExtendedDescription", 2048
to_json = msgspec.json.Encoder().encode
Document = TypeVar("Document")


def to_raw(part: Document) -> Document:
    """A part of a body, encoded already: it is put into the body as it is."""
    return cast("Document", msgspec.Raw(to_json(part)))


def send(resp: Response, status: int, body: Mapping[str, Any] | msgspec.Struct) -> None:
    """Put `body` into the response, in one piece."""
    resp.status = status
    resp.content_type = CONTENT_TYPE
    resp.data = to_json(body)


def status_of(payment: Payment, exchange: Exchange) -> int:
    """200, or for a declined payment 400. Source: HTTP status codes. Choice: D-20."""
    return int(exchange.choices["decline_status"]) if payment.state is State.FAILED else 200


def payment_body(
    payment: Payment, exchange: Exchange, *, reconciliation: str | None = None
) -> dict[str, Any]:
    """The payment response, with the id of its settlement once there is one. Source: Payment
    response (common fields). Choice: D-522.
    """
    fields = exchange.work(len(payment.sent), payment_fields, payment, exchange.choices)
    if reconciliation is not None:
        details = fields.get("resultDetails", {})
        fields["resultDetails"] = {**details, RECONCILIATION: reconciliation}
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
    exchange: Exchange, code: str, detail: str = "", violations: Sequence[Violation] = ()
) -> dict[str, Any]:
    """An answer with a result and no payment; `violations` become result.parameterErrors, `detail`
    explains the code.
    """
    body = _explained(code, detail)
    if violations:
        count = len(violations) + len(exchange.sent)
        errors = exchange.work(count, _parameter_errors, violations, exchange.sent)
        body["result"]["parameterErrors"] = errors
    return closed(body, exchange)


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
        body["paymentBrand"] = shown_text(sent["paymentBrand"])
    body |= _explained(refusal.code, refusal.detail)
    if "card.number" in sent and (kind is None or kind in NEW_TYPES):
        body["card"] = summary_of(sent)
    return closed(body, exchange)


def _explained(code: str, detail: str) -> dict[str, Any]:
    """A result, and where there is something to explain it, the explanation. Choice: D-274."""
    body: dict[str, Any] = {"result": result_object(code)}
    if detail:
        shown = mask_reason(cut_text(detail, EXPLANATION_LENGTH))
        body["resultDetails"] = {EXPLANATION: shown[:EXPLANATION_LENGTH]}
    return body


# What an account is recognized by, where no type is sent: at registrations and checkouts.
ACCOUNTS = frozenset({"card.number", "bankAccount.holder", "virtualAccount.accountId"})


def _parameter_errors(
    violations: Iterable[Violation], sent: Mapping[str, str]
) -> list[dict[str, Any]]:
    named = {name: value for name, value in sent.items() if kind_of(name) is ValueKind.SECRET}
    secrets = longest_first([*islice(hidden_in(named), SECRETS_MAX)])
    return [_parameter_error(violation, secrets) for violation in islice(violations, ERRORS_MAX)]


def _parameter_error(violation: Violation, secrets: Iterable[str]) -> dict[str, Any]:
    """One wrong parameter. What was sent is cut, for an answer does not grow with what it refuses,
    and masked, for the number of a card may have been typed into any field, and a secret of the
    same request into another one.
    """
    name, value = violation.name, violation.value
    message = violation.message
    if violation.field_accepts:
        verb = "ignores" if violation.rule == UNKNOWN else "accepts"
        message = f"{message} (profile field {verb} it)"
    shown = None if value is None else without_secrets(called_without_query(name, value), secrets)
    return {
        "name": shown_text(without_secrets(name, secrets)),
        "value": None if shown is None else shown_text(shown),
        "message": message,
    }


def unreadable_code(status: int) -> str:
    """The result code of bytes that are no request, or do not arrive."""
    return FAULT if status >= 500 else MALFORMED


class BareAnswers:
    """Bodies of answers that come from no application; `count` is called with the status of each.
    Called itself, the one to bytes that are no request, too slow, or for another host.
    """

    def __init__(self, server: ServerPorts, count: Callable[[int], object]):
        self._server = server
        self._count = count

    def __call__(self, status: int, reason: str) -> bytes:
        return self._body(status, unreadable_code(status), reason)

    def not_stored(self, reason: str = NOTHING_STORED) -> bytes:
        """That of a 503 to a request of which nothing is kept. Choice: D-114."""
        return self._body(503, NOT_STORED, reason)

    def _body(self, status: int, code: str, reason: str) -> bytes:
        self._count(status)
        now, ndc = self._server.clock.now(), self._server.ids.hex(32)
        return to_json(enveloped(_explained(code, reason), now, ndc))


def closed(body: dict[str, Any], exchange: Exchange) -> dict[str, Any]:
    """The body with what every answer ends with; its result is that of the exchange."""
    exchange.code = body["result"]["code"]
    exchange.answered_at = now = exchange.present()
    return enveloped(body, now, exchange.ndc)
