"""What the hosted form offers a shopper: which brands, and which parameters are fixed.

Source: Hosted payment form behaviour, 6 (FORM-10). Choices: D-310, D-311.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.domain.accounts.accounts import NOT_TAKEN, brand_of
from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.entities import BrandRule, BrandsOnOffer, Channel
from simulator.domain.core.errors import Refusal
from simulator.domain.core.ports import HasChoices
from simulator.domain.journal.entries import BrowserEntry, Message, Party
from simulator.grammar.brands import CARD

LISTED_MAX = 3
# Choice: D-311. The specification names a shopper's risk profile, and no parameter that has it.
RISK_PROFILE = "risk.parameters[profile]"


def chosen_brands(checkout: Checkout, channel: Channel) -> BrandsOnOffer | None:
    """The brands chosen for a form of the checkout now; None where its page decides.

    What the control API set for the checkout comes before the rules of its channel, of which the
    first that matches decides.
    """
    if checkout.offer is not None:
        return checkout.offer
    rule = next((rule for rule in channel.form_brands if _matches(rule, checkout)), None)
    if rule is None:
        return None
    return BrandsOnOffer(brands=rule.brands, active=True, override=rule.override)


def refuse_off_offer(
    checkout: Checkout, whole: Mapping[str, str], context: ChannelContext[HasChoices]
) -> None:
    """Raise Refusal for a brand that a form sends and the checkout does not offer, unless the
    merchant has fixed it. What the channel takes is for the payment to say: rules may have chosen
    another by then.
    """
    offer = chosen_brands(checkout, context.channel)
    if offer is None or not offer.active or "paymentBrand" in checkout.sent:
        return
    any_brand = replace(context.channel, brands=())
    brand = brand_of(whole, any_brand, choices=context.ports.choices).value
    if brand not in offer.brands:
        raise Refusal(NOT_TAKEN, f"paymentBrand: the checkout offers no {brand} payments")


def create_form_entry(checkout: str, at: datetime, offer: BrandsOnOffer) -> BrowserEntry:
    """That a browser opened the form of a checkout, and which brands it was offered."""
    gateway, shopper = Party.GATEWAY, Party.SHOPPER
    shown = f"form with {_listed(offer.brands)}" if offer.active else "form with the page's brands"
    body = {"brands": [*offer.brands]} if offer.active else {}
    return BrowserEntry(
        ndc=checkout,
        at=at,
        checkout=checkout,
        messages=(
            Message(at=at, sender=shopper, receiver=gateway, label="opens the form"),
            Message(at=at, sender=gateway, receiver=shopper, label=shown, body=body),
        ),
    )


def _listed(brands: Sequence[str]) -> str:
    more = len(brands) - LISTED_MAX
    listed = ", ".join(brands[:LISTED_MAX]) or "no brand"
    return f"{listed} and {more} more" if more > 0 else listed


def channel_brands(channel: Channel) -> tuple[str, ...]:
    """The brands a channel takes; where it names none, every card brand."""
    return channel.brands or tuple(row.value for row in BRANDS.values() if row.account == CARD)


def _matches(rule: BrandRule, checkout: Checkout) -> bool:
    sent = checkout.sent
    return (
        _is_among(rule.countries, sent.get("billing.country"))
        and _is_among(rule.currencies, sent.get("currency"))
        and _is_among(rule.risk_profiles, sent.get(RISK_PROFILE))
        and _has_amount(rule, sent.get("amount"))
    )


def _has_amount(rule: BrandRule, amount: str | None) -> bool:
    if rule.amount_min is None and rule.amount_max is None:
        return True
    if amount is None:
        return False
    value = Decimal(amount)
    return (rule.amount_min is None or value >= rule.amount_min) and (
        rule.amount_max is None or value <= rule.amount_max
    )


def _is_among(wanted: Sequence[str], value: str | None) -> bool:
    return not wanted or value in wanted
