"""The checks of a risk system: each a step of a behaviour, each with the code it declines with."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from scenarios.records import DenyList, RiskSteps, Velocity
from simulator.domain.risk import (
    SCORE_FAILED,
    SCORE_PASSED,
    RiskRequest,
    compared,
    compared_account,
    compared_address,
)

# How many payments were seen with the same `by` (account, email or ip) since an instant.
Count = Callable[[RiskRequest, str, timedelta], int]

OVER_AMOUNT = "100.380.100"
OTHER_COUNTRY = "100.400.021"
DENIED_DEVICE, NO_DEVICE = "100.400.242", "100.400.243"
FINGERPRINT = "customer.browserFingerprint.id"
TOO_MANY = {"account": "800.120.101", "ip": "800.120.102", "email": "800.120.103"}


class RiskAssessment(NamedTuple):
    """What the steps of one behaviour come to: a score, and the code of the first that declines."""

    score: int
    code: str | None


def verdict_of(steps: RiskSteps, request: RiskRequest, count: Count) -> RiskAssessment:
    """Every check in the order of CHECKS; the first that declines decides."""
    for name, check in CHECKS.items():
        wanted = getattr(steps, name)
        code = None if wanted is None else check(wanted, request, count)
        if code is not None:
            return RiskAssessment(_score(steps, SCORE_FAILED), steps.code or code)
    return RiskAssessment(_score(steps, SCORE_PASSED), None)


def counted_by(rows: Iterable[RiskSteps]) -> Collection[str]:
    """By what these steps count payments; by nothing: none has to be remembered."""
    return {row.velocity.by for row in rows if row.velocity is not None}


def _score(steps: RiskSteps, usual: int) -> int:
    return usual if steps.score is None else steps.score


def _declined(wanted: str, request: RiskRequest, count: Count) -> str | None:
    return wanted


def _over(wanted: Any, request: RiskRequest, count: Count) -> str | None:
    if request.money is None or request.money.amount <= Decimal(wanted.over):
        return None
    return OVER_AMOUNT


def _too_many(wanted: Velocity, request: RiskRequest, count: Count) -> str | None:
    before = count(request, wanted.by, timedelta(seconds=wanted.seconds))
    return TOO_MANY[wanted.by] if before >= wanted.payments else None


def _denied(wanted: DenyList, request: RiskRequest, count: Count) -> str | None:
    sent = request.parameters.get
    # fmt: off
    found = (
        #  listed            got                      in one form       code
        (wanted.bins,      request.card_bin,        str,              "800.300.401"),
        (wanted.accounts,  _account(request),       compared_account, "800.300.101"),
        (wanted.countries, sent("billing.country"), compared,         "800.300.102"),
        (wanted.emails,    sent("customer.email"),  compared,         "800.300.200"),
        (wanted.ips,       sent("customer.ip"),     compared_address, "800.300.301"),
    )
    # fmt: on
    return next((code for *row, code in found if _is_listed(*row)), None)


def _is_listed(listed: Iterable[str], got: str | None, form: Callable[[str], str | None]) -> bool:
    return got is not None and form(got) in {form(each) for each in listed}


def _account(request: RiskRequest) -> str | None:
    """An account that is no card; a card is denied by its first digits."""
    return request.account if request.card_bin is None else None


def _elsewhere(wanted: object, request: RiskRequest, count: Count) -> str | None:
    billing, shipping = (
        compared(request.parameters.get(f"{name}.country")) for name in ("billing", "shipping")
    )
    return OTHER_COUNTRY if billing and shipping and billing != shipping else None


def _device(wanted: Any, request: RiskRequest, count: Count) -> str | None:
    got = request.parameters.get(FINGERPRINT)
    if got is None:
        return NO_DEVICE if wanted.required else None
    return DENIED_DEVICE if got in wanted.deny else None


# fmt: off
CHECKS: Mapping[str, Callable[[Any, RiskRequest, Count], str | None]] = {
    "decline":          _declined,
    "deny":             _denied,
    "fingerprint":      _device,
    "country_mismatch": _elsewhere,
    "amount":           _over,
    "velocity":         _too_many,
}
# fmt: on
