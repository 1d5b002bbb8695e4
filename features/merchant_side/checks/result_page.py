"""Checks that a result page relies on the gateway, and on nothing that a browser sends."""

from collections.abc import Mapping

from features.merchant_side.context import (
    MISSING_SHOP,
    CheckContext,
    CheckFinding,
    NotCheckableError,
    RunCheck,
)
from features.merchant_side.shop import MerchantShop, ReturnParameters, ShopVisit, genuine_return
from features.merchant_side.stub_gateway import Outcome, StubOrder
from simulator.client.browser import Browser


def shows_paid(context: CheckContext) -> CheckFinding:
    """A paid order is shown as paid, once the gateway has been asked."""
    if context.shop is None:
        raise NotCheckableError(MISSING_SHOP)
    visit = context.shop.control
    holds = context.shop.shows_paid_text and bool(visit.own_reads)
    expected = f"{context.shop.paid_text!r} on the page, and a request for {visit.order.path}"
    return CheckFinding(holds, expected, _shown(context.shop, visit))


def shows_not_paid(outcome: Outcome, lead: ReturnParameters = genuine_return) -> RunCheck:
    """The check that an order with this outcome is not shown as paid."""

    def run(context: CheckContext) -> CheckFinding:
        shop = context.demand_shop()
        visit = shop.visit(outcome, lead)
        return _not_paid(shop, visit)

    return run


def with_nothing(order: StubOrder) -> Mapping[str, str]:
    """The parameters of a shopper who typed the address of the page: none."""
    return {}


def with_claims(order: StubOrder) -> Mapping[str, str]:
    """The genuine parameters, and some that a careless shop might trust."""
    return {
        **genuine_return(order),
        "result.code": "000.100.110",
        "status": "paid",
        "success": "true",
    }


def keeps_orders_apart(context: CheckContext) -> CheckFinding:
    """A shopper who has paid one order does not get another one for it."""
    shop = context.demand_shop()
    if shop.start_url is None:
        raise NotCheckableError(
            "--shop-start-url was not given: it needs two orders of the shop's own"
        )
    cheap = shop.begin(Browser(shop.tls))
    cheap.outcome = "paid"
    return _not_paid(shop, shop.visit("unpaid", lambda order: genuine_return(cheap)))


def climbs_no_path(context: CheckContext) -> CheckFinding:
    """A resourcePath with dots leads to no other order."""
    shop = context.demand_shop()
    other = shop.gateway.make()
    other.outcome = "paid"
    visit = shop.visit("unpaid", lambda order: {
        **genuine_return(order), "resourcePath": f"/v1/checkouts/{order.id}/../{other.id}/payment",
    })  # fmt: skip
    if visit.other_reads:
        asked = visit.other_reads[0].path.partition("?")[0]
        return CheckFinding(
            False, f"no request but for {visit.order.path}", f"a request for {asked}"
        )
    return _not_paid(shop, visit)


def asks_no_other_host(prefix: str) -> RunCheck:
    """The check that a resourcePath that begins so leads the shop to no other host.

    `HOST` in it stands for the other host and its port.
    """

    def run(context: CheckContext) -> CheckFinding:
        shop = context.demand_shop()
        host = shop.elsewhere.url.split("/")[2]
        visit = shop.visit("unpaid", lambda order: {
            **genuine_return(order), "resourcePath": prefix.replace("HOST", host) + order.path,
        })  # fmt: skip
        if visit.astray:
            token = "with" if any(read.has_token for read in visit.astray) else "without"
            came = f"{len(visit.astray)} there, {token} an access token"
            return CheckFinding(False, "no request at any host but the gateway", came)
        return _not_paid(shop, visit)

    return run


def asks_when_called(context: CheckContext) -> CheckFinding:
    """The page reads the result when the gateway calls it, after an unread checkout.

    It brings no cookie. Source: Events, abandoned checkout.
    """
    shop = context.demand_shop()
    order = shop.begin(Browser(shop.tls))
    order.outcome = "paid"
    visit = shop.come_back(Browser(shop.tls), order)
    holds = 200 <= visit.page.status < 300 and bool(visit.own_reads)
    return CheckFinding(holds, f"2xx, and a request for {order.path}", _shown(shop, visit))


def _not_paid(shop: MerchantShop, visit: ShopVisit) -> CheckFinding:
    if visit.page.status >= 500:
        return CheckFinding(False, "a page for the shopper", str(visit.page.status))
    answered = visit.page.status > 0
    holds = answered and not shop.shows_paid_to(visit)
    return CheckFinding(holds, f"a page without {shop.paid_text!r}", _shown(shop, visit))


def _shown(shop: MerchantShop, visit: ShopVisit) -> str:
    page = visit.page
    if not page.status:
        return page.error
    words = "says paid" if shop.shows_paid_to(visit) else "does not say paid"
    count = len(visit.own_reads)
    return f"{page.status}, the page {words}; the gateway was asked {count or 'not once'}" + (
        f" time{'s' if count > 1 else ''}" if count else ""
    )
