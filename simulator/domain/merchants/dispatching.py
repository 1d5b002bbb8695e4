"""Channel dispatching: which channel of a merchant takes a payment that names the merchant alone.

Rules are narrowed by one criterion after the other; the first of those left picks the channel.
Where a criterion leaves none, its code says that the data selects no channel.
Source: Authentication, AUTH-02; the codes are the catalogue's. Choice: D-111.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from simulator.domain.core.card_ranges import BIN_LENGTH, detected_brand
from simulator.domain.core.entities import DispatchRule
from simulator.domain.core.errors import Refusal

Sent = Mapping[str, str]


def channel_for(rules: Sequence[DispatchRule], sent: Sent) -> str:
    """The id of the channel that takes the payment. Raises Refusal where the data selects none."""
    left = tuple(rules)
    for criterion in CRITERIA:
        left = tuple(rule for rule in left if criterion.admits(rule, sent))
        if not left:
            raise Refusal(criterion.code, f"no channel of the merchant takes {criterion.what}")
    return left[0].channel


def _admits_shopper(rule: DispatchRule, sent: Sent) -> bool:
    return _is_among(rule.countries, sent.get("billing.country"))


def _admits_payment(rule: DispatchRule, sent: Sent) -> bool:
    return _is_among(rule.currencies, sent.get("currency")) and _is_among(
        rule.brands, _brand_in(sent)
    )


def _admits_recurring(rule: DispatchRule, sent: Sent) -> bool:
    mode = sent.get("standingInstruction.mode") or sent.get("recurringType") or "none"
    return rule.recurring in (None, mode.lower())


def _admits_size(rule: DispatchRule, sent: Sent) -> bool:
    if rule.amount_min is None and rule.amount_max is None:
        return True
    amount = _amount_in(sent)
    if amount is None or (rule.amount_min is not None and amount < rule.amount_min):
        return False
    return rule.amount_max is None or amount <= rule.amount_max


def _is_among(wanted: Sequence[str], value: str | None) -> bool:
    return not wanted or value in wanted


def _brand_in(sent: Sent) -> str | None:
    return sent.get("paymentBrand") or detected_brand(sent.get("card.number", "")[:BIN_LENGTH])


def _amount_in(sent: Sent) -> Decimal | None:
    try:
        return Decimal(sent["amount"])
    except (KeyError, InvalidOperation):
        return None


class Criterion(NamedTuple):
    """One criterion: its code, whether a rule admits a payment, and what of it is looked at."""

    code: str
    admits: Callable[[DispatchRule, Sent], bool]
    what: str


# fmt: off
CRITERIA = (
    #         refused with   by                 what is looked at
    Criterion("800.160.100", _admits_shopper,   "the country of the shopper"),
    Criterion("800.160.110", _admits_payment,   "the currency and brand of the payment"),
    Criterion("800.160.120", _admits_recurring, "its place in a series of recurring payments"),
    Criterion("800.160.130", _admits_size,      "the amount"),
)
# fmt: on
