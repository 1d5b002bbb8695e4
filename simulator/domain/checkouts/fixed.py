"""What is fixed when a checkout is prepared and the shopper could not correct. Choice: D-128."""

from collections.abc import Mapping
from datetime import date

from simulator.domain.accounts.accounts import brand_of
from simulator.domain.accounts.bank_accounts import refuse_dates
from simulator.domain.accounts.cards import refuse_expiry
from simulator.domain.checkouts.checkouts import kind_for
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.ports import HasChoices
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
    if BRAND not in sent:
        return
    whole = {**sent, "paymentType": kind_for(sent, sent[BRAND])}
    brand = brand_of(whole, context.channel, choices=context.ports.choices)
    refuse_missing_duties(whole, context.channel, brand.value)
    if brand.collects:
        refuse_dates(sent, today)
