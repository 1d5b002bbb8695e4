"""What is fixed when a checkout is prepared and the shopper could not correct. Choice: D-128."""

from collections.abc import Mapping
from datetime import date

from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.domain.accounts.accounts import brand_of
from simulator.domain.accounts.bank_accounts import refuse_dates
from simulator.domain.accounts.cards import refuse_expiry
from simulator.domain.checkouts.checkouts import OVERRIDE, kind_for
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal
from simulator.domain.core.ports import HasChoices
from simulator.domain.core.records import PaymentType
from simulator.domain.payments.initial import money_in, refuse_money
from simulator.domain.recurring import refuse_missing_duties

BRAND, MONTH, YEAR = "paymentBrand", "card.expiryMonth", "card.expiryYear"


def refuse_fixed(
    sent: Mapping[str, str], context: ChannelContext[HasChoices], *, today: date
) -> None:
    """Raise Refusal or Violations for a fixed brand that the channel or the payment type does not
    take, and for fixed values with which no payment could succeed.
    """
    if MONTH in sent and YEAR in sent:
        refuse_expiry(sent[MONTH], sent[YEAR], today)
    for name in sent:
        if name.startswith(OVERRIDE):
            _refuse_override(sent, name, context)
    if BRAND not in sent:
        return
    whole = {**sent, "paymentType": kind_for(sent, sent[BRAND])}
    brand = brand_of(whole, context.channel, choices=context.ports.choices)
    refuse_missing_duties(whole, context.channel, brand.value)
    if brand.collects:
        refuse_dates(sent, today)


def _refuse_override(
    sent: Mapping[str, str], name: str, context: ChannelContext[HasChoices]
) -> None:
    """Raise Refusal for a type of a brand that is none, or by which that brand could not pay. A
    brand that the channel does not take is on offer nowhere: its type does no harm.
    """
    brand, choices = name[len(OVERRIDE) : -1], context.ports.choices
    if brand not in BRANDS and choices["unknown_parameters"] == "ignore":
        return
    of_brand = {**sent, BRAND: brand, "paymentType": sent[name]}
    try:
        brand_of(of_brand, replace(context.channel, brands=()), choices=choices)
        refuse_money(money_in(sent), PaymentType(sent[name]), context.channel)
    except Refusal as refused:
        raise Refusal(refused.code, f"{name}: {refused.detail}") from None
