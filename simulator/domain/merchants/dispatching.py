"""Channel dispatching: which channel of a merchant takes a payment that names the merchant alone.

Rules are narrowed by one criterion after the other; the first of those left picks the channel.
Where a criterion leaves none, its code says that the data selects no channel; a value that is not
sent and would select one is named.
Source: Authentication, AUTH-02; the codes are the catalogue's. Choices: D-111, D-670.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from msgspec.structs import replace

from simulator.domain.core.card_ranges import BIN_LENGTH, detected_brand
from simulator.domain.core.entities import DispatchRule
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Registration

Sent = Mapping[str, str]
NO_CONDITION = DispatchRule(channel="")
SELECTS = "a rule selects the channel by it; send it, or the id of a channel as entityId"


def channel_for(rules: Sequence[DispatchRule], sent: Sent) -> str:
    """The id of the channel that takes the payment. Raises Refusal where the data selects none."""
    left = tuple(rules)
    for criterion in CRITERIA:
        left = tuple(rule for rule in left if criterion.admits(rule, sent))
        if not left:
            raise _refusal(rules, sent, criterion)
    return left[0].channel


def channels_by_brand(
    rules: Sequence[DispatchRule], sent: Sent, brands: Sequence[str]
) -> Mapping[str, str]:
    """The id of the channel that takes the payment with each of these brands; no brand is there
    for which the data selects none. A rule is looked at once, since a merchant may have many.
    """
    found: dict[str, str] = {}
    for rule in rules:
        of_any_brand = replace(rule, brands=())
        if all(each.admits(of_any_brand, sent) for each in CRITERIA):
            for brand in rule.brands or brands:
                found.setdefault(brand, rule.channel)
    return found


def with_registration(registration: Registration, sent: Sent) -> Sent:
    """What rules look at where a registration pays: its brand, whatever brand was sent, and its
    country where none was. Choice: D-670.
    """
    country = _country_in(sent) or _country_in(registration.sent)
    known = {**sent, "paymentBrand": registration.brand}
    return known if country is None else {**known, "billing.country": country}


def _refusal(rules: Sequence[DispatchRule], sent: Sent, failed: "Criterion") -> Refusal:
    """Why no rule takes the payment: the first value that it does not have, where nothing else
    keeps it from a rule, as a checkout has no brand yet; else the criterion that left no rule.
    """
    lacking = [each for each in CONDITIONS if each.value_in(sent) is None]
    for rule in rules:
        wanted = [each for each in lacking if each.is_set(rule)]
        without = _without(rule, wanted)
        if wanted and all(each.admits(without, sent) for each in CRITERIA):
            return Refusal(wanted[0].code, f"{wanted[0].name}: {SELECTS}")
    return Refusal(failed.code, f"no channel of the merchant takes {failed.what}")


def _without(rule: DispatchRule, conditions: Sequence["RuleCondition"]) -> DispatchRule:
    names = [name for each in conditions for name in each.fields]
    return replace(rule, **{name: getattr(NO_CONDITION, name) for name in names})


def _admits_shopper(rule: DispatchRule, sent: Sent) -> bool:
    return _is_among(rule.countries, _country_in(sent))


def _admits_payment(rule: DispatchRule, sent: Sent) -> bool:
    return _is_among(rule.currencies, _currency_in(sent)) and _is_among(
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


def _country_in(sent: Sent) -> str | None:
    return sent.get("billing.country")


def _currency_in(sent: Sent) -> str | None:
    return sent.get("currency")


def _is_among(wanted: Sequence[str], value: str | None) -> bool:
    return not wanted or value in wanted


def _brand_in(sent: Sent) -> str | None:
    return sent.get("paymentBrand") or detected_brand(sent.get("card.number", "")[:BIN_LENGTH])


def _amount_in(sent: Sent) -> Decimal | None:
    try:
        return Decimal(sent["amount"])
    except (KeyError, InvalidOperation):
        return None


class RuleCondition(NamedTuple):
    """A condition of rules: the code where it is not met, the parameter that it looks at, how that
    is read, and the fields of a rule that it is set by.
    """

    code: str
    name: str
    value_in: Callable[[Sent], object]
    fields: tuple[str, ...]

    def is_set(self, rule: DispatchRule) -> bool:
        """Whether the rule has it."""
        return any(getattr(rule, name) != getattr(NO_CONDITION, name) for name in self.fields)


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
CONDITIONS = (
    #         refused with   looks at           read by        fields of a rule
    RuleCondition("800.160.100", "billing.country", _country_in,   ("countries",)),
    RuleCondition("800.160.110", "currency",        _currency_in,  ("currencies",)),
    RuleCondition("800.160.110", "paymentBrand",    _brand_in,     ("brands",)),
    RuleCondition("800.160.130", "amount",          _amount_in,    ("amount_min", "amount_max")),
)
# fmt: on
