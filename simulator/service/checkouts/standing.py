"""How a checkout stands for the shopper who opens its page: to be paid, paid, or no longer.

Source: Hosted payment form behaviour, 4 and 5 (FORM-07). Choice: D-314.
"""

from enum import Enum
from typing import NamedTuple

from simulator.domain.checkouts.checkouts import Checkout, CheckoutStage, is_over, stage_of
from simulator.domain.core.money import Money
from simulator.domain.core.records import PaymentType
from simulator.domain.payments.initial import money_in
from simulator.domain.payments.redirects import RESULT_URL
from simulator.service.payments.checkout_attempts import attempt_in
from simulator.service.payments.contexts import context_of
from simulator.service.payments.responses import ResponsePorts


class Standing(Enum):
    """It can be paid, also after a decline; it is being paid; it is paid; or it is over."""

    OPEN = "open"
    DECLINED = "declined"
    UNDER_WAY = "under way"
    PAID = "paid"
    OVER = "over"


class CheckoutPage(NamedTuple):
    """What a page says of a checkout: its standing, the shop, what is paid, and where the shop is.

    `money` is None for a registration, `url` empty where the merchant named none.
    """

    standing: Standing
    shop: str
    money: Money | None
    url: str


STANDINGS = {
    CheckoutStage.UNPAID: Standing.OPEN,
    CheckoutStage.ASKING: Standing.OPEN,
    CheckoutStage.FAILED: Standing.DECLINED,
    CheckoutStage.UNDER_WAY: Standing.UNDER_WAY,
    CheckoutStage.PAID: Standing.PAID,
}


def checkout_page(ports: ResponsePorts, checkout: Checkout) -> CheckoutPage:
    """What the page of a checkout says now: one that is paid stays paid when its time is over."""
    attempt = attempt_in(ports, checkout)
    standing = STANDINGS[stage_of(attempt)]
    is_paid = standing is Standing.PAID
    is_stored = attempt is not None and attempt.type is PaymentType.RG
    if is_stored if is_paid else is_over(checkout, ports.clock.now()):
        standing = Standing.OVER
    url = checkout.sent.get(RESULT_URL) or (attempt.sent.get(RESULT_URL, "") if attempt else "")
    shop = context_of(ports, checkout.stamp, checkout.host).channel.name
    return CheckoutPage(standing, shop, money_in(checkout.sent), url)
