"""What an answer says to a terminal: `pos.*`, rendered from the payment. Source: Point of sale, POS
response fields. Choice: D-412.
"""

from datetime import datetime
from typing import Any

from simulator.catalogue.messages.terminals import (
    APPROVED,
    DECLINED,
    PENDING,
    STATUS_TEXTS,
    STATUS_TEXTS_BY_RESULT,
)
from simulator.catalogue.results import class_of
from simulator.domain.acquiring.messages import acceptor_of, reference_of
from simulator.domain.core.records import Outcome, Payment
from simulator.grammar.results import APPROVALS, PENDING_DELAYED
from simulator.grammar.results import PENDING as IN_PROGRESS

LENGTH_MAX = 2048


def terminal_answer(payment: Payment, outcome: Outcome) -> dict[str, Any]:
    """The structure `pos` of an answer; what the issuer did not say is left out."""
    clearing = {
        "authorizationAcquirerCode": letters_and_digits(outcome.details.get("AuthCode", "")),
        "authorizationIssuerCode": letters_and_digits(outcome.details.get("AcquirerResponse", "")),
        "identifier": reference_of(payment.id),
    }
    body: dict[str, Any] = {
        "clearing": {name: value for name, value in clearing.items() if value},
        "merchantId": acceptor_of(payment.stamp.channel),
    }
    if outcome.chip:
        body["iccDataResponse"] = outcome.chip[:LENGTH_MAX]
    body["statusText"] = status_text_of(outcome)
    body["timestamp"] = terminal_time(payment.created_at)
    return body


def status_text_of(outcome: Outcome) -> str:
    """What is printed instead of approved or declined: what a script says, else what the rows say
    of result code or response code. Source: POS-04.
    """
    said = letters_and_digits(outcome.status_text or "")
    response = outcome.details.get("AcquirerResponse", "")
    return (
        said
        or STATUS_TEXTS_BY_RESULT.get(outcome.code)
        or STATUS_TEXTS.get(response)
        or _by_class(outcome.code)
    )


def letters_and_digits(text: str) -> str:
    """The text without any other character: the fields take no more."""
    return "".join(each for each in text if each.isascii() and each.isalnum())[:LENGTH_MAX]


def terminal_time(instant: datetime) -> str:
    """An instant as yyyy-MM-dd hh:mm:ss, in UTC without a zone."""
    return instant.replace(tzinfo=None).isoformat(" ", "seconds")


def _by_class(code: str) -> str:
    kind = class_of(code)
    if kind in APPROVALS:
        return APPROVED
    return PENDING if kind in (IN_PROGRESS, PENDING_DELAYED) else DECLINED
