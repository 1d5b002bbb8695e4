"""Risk checks: what the risk system is asked, and what it decides. Source: Risk.

Choices: D-164 to D-168.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

import msgspec

from simulator.catalogue.fields.adjustments import NOT_SCREENED
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.money import Money, read_amount
from simulator.domain.core.parameters import SECRET
from simulator.domain.core.records import Outcome, Payment
from simulator.domain.core.records import PaymentType as Type

PASSED = "000.300.100"
SCORE_PASSED, SCORE_FAILED = 100, -100
HIDDEN = SECRET | {row.name for row in NOT_SCREENED}
SCREENING_SERVICE_ID_LENGTH = 1


class RiskRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What the risk system is asked about a payment.

    `account` is the fingerprint of a card, or another account as it is compared; `parameters` are
    what of the payment it may see. `service` selects the third-party screening service, None is the
    ordinary system.
    """

    payment: str
    merchant: str
    host: Host
    entity: str
    type: str
    brand: str | None
    money: Money | None
    at: datetime
    account: str | None
    card_bin: str | None
    service: str | None
    parameters: Mapping[str, str] = {}


class RiskDecision(NamedTuple):
    """What the risk system says: a score, the code it declines with if it does, and which check or
    script decided.
    """

    score: int
    code: str | None
    decided_by: str


class Sighting(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """That a payment was seen by a check that counts: by its account, address and email. It never
    changes, so no other release can drop `host`; what builds without it kept is of the test host.
    """

    id: str
    version: int = 0
    merchant: str
    host: Host = TEST
    at: datetime
    account: str | None = None
    email: str | None = None
    ip: str | None = None


def request_of(payment: Payment, sent: Mapping[str, str]) -> RiskRequest:
    """What is asked about a payment that is open. Source: RISK-01 to RISK-04, BANK-04."""
    service = sent.get("risk.serviceId")
    return RiskRequest(
        payment=payment.id,
        merchant=payment.stamp.merchant,
        host=payment.host,
        entity=payment.stamp.channel,
        type=payment.type,
        brand=sent.get("risk.brand", payment.brand),
        money=_money_of(payment, sent),
        at=_time_of(payment, sent),
        account=_account_of(payment),
        card_bin=None if payment.card is None else payment.card.bin,
        service=service if service and len(service) == SCREENING_SERVICE_ID_LENGTH else None,
        parameters={name: value for name, value in sent.items() if name not in HIDDEN},
    )


def sighting_of(request: RiskRequest) -> Sighting:
    """What is remembered of a payment that was counted."""
    return Sighting(
        id=request.payment,
        merchant=request.merchant,
        host=request.host,
        at=request.at,
        account=request.account,
        email=compared(request.parameters.get("customer.email")),
        ip=compared_address(request.parameters.get("customer.ip")),
    )


def compared_account(number: str) -> str:
    """The number of an account in the form in which two are compared: an IBAN has no letter case,
    and may be grouped. Choice: D-165.
    """
    return "".join(number.split()).upper()


def compared(value: str | None) -> str | None:
    """An email address or country in the form in which two are compared."""
    return None if value is None else value.strip().lower()


# A deny list has up to a thousand, and each payment is compared with all of them.
@lru_cache(maxsize=4096)
def compared_address(value: str | None) -> str | None:
    """An IP address in the form in which two are compared: IPv6 has many spellings, one of them for
    IPv4. What is no address is compared as a text.
    """
    if value is None:
        return None
    try:
        address = ip_address(value.strip())
    except ValueError:
        return compared(value)
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)


def outcome_of(decision: RiskDecision, kind: Type) -> Outcome | None:
    """The outcome of a payment that the check declines, or of a check alone; None: ask on."""
    code = decision.code or (PASSED if kind is Type.RI else None)
    if code is None:
        return None
    return Outcome(code=code, risk_score=decision.score, decided_by=decision.decided_by)


def _money_of(payment: Payment, sent: Mapping[str, str]) -> Money | None:
    if "risk.amount" not in sent:
        return payment.money
    currency = sent.get("currency") or (payment.money.currency if payment.money else "")
    return Money(read_amount(sent["risk.amount"]), currency)


def _time_of(payment: Payment, sent: Mapping[str, str]) -> datetime:
    ordered = sent.get("risk.orderTimestamp")
    if ordered is None:
        return payment.created_at
    return datetime.fromisoformat(ordered).replace(tzinfo=UTC)


def _account_of(payment: Payment) -> str | None:
    if payment.sealed_card is not None:
        return payment.sealed_card.fingerprint
    accounts = ("bankAccount.iban", "bankAccount.number", "virtualAccount.accountId")
    sent = next((payment.sent[name] for name in accounts if name in payment.sent), None)
    return None if sent is None else compared_account(sent)
