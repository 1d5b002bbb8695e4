"""The pages a redirected shopper sees: one that asks, one that leads back, one for a wrong address.

What merchants wrote is escaped, and only the shop's own address can be sent to.
"""

import re
from html import escape
from urllib.parse import parse_qsl, urlsplit

from simulator.domain.core.records import Payment, State
from simulator.domain.payments.pending import ShopperChoice
from simulator.web.http.page import Page, leaving_page, page_of

TITLE = "Sandgate test bank"
BUTTONS = {
    ShopperChoice.PAY: "Pay",
    ShopperChoice.CANCEL: "Cancel",
    ShopperChoice.FAIL: "Let it fail",
    ShopperChoice.LEAVE: "Leave without a choice",
}
ENDS = {
    State.PENDING: "The payment is still pending.",
    State.FAILED: "The payment was not made.",
}
MADE = "The payment was made."
PLAIN_HOST = re.compile(r"[A-Za-z0-9.:\-\[\]]+")


def asking_page(payment: Payment, shop: str) -> Page:
    """The page with the shopper's choices; its form goes to its own address."""
    buttons = "".join(
        f'<button name="action" value="{choice}"'
        f"{' class=main' if choice is ShopperChoice.PAY else ''}>{label}</button>"
        for choice, label in BUTTONS.items()
    )
    money = "" if payment.money is None else f'<p class="amount">{escape(str(payment.money))}</p>'
    body = (
        f"<h1>{escape(shop)} asks for a payment</h1>{money}"
        f"<dl><dt>Brand</dt><dd>{escape(payment.brand or '')}</dd>"
        f"<dt>Reference</dt><dd>{escape(payment.sent.get('merchantTransactionId', '-'))}</dd></dl>"
        f'<form method="post">{buttons}</form>'
        '<p class="quiet">This bank is a test: no money moves. Closing the page leaves the '
        "payment pending until it expires.</p>"
    )
    return page_of(TITLE, body, form_action="'self'")


def returning_page(payment: Payment, url: str) -> Page:
    """The page that sends the shopper back to `url` by itself."""
    address, _, query = url.partition("#")[0].partition("?")
    fragment = url.partition("#")[1] + url.partition("#")[2]
    fields = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in parse_qsl(query, keep_blank_values=True)
    )
    said = ENDS.get(payment.state, MADE)
    body = (
        f"<h1>{said}</h1><p>You are on your way back to the shop.</p>"
        f'<form method="get" action="{escape(address + fragment)}">{fields}'
        '<button class="main">Back to the shop</button></form>'
    )
    return leaving_page(TITLE, body, form_action=_origin_of(url))


def unknown_page() -> Page:
    """The page for an address that leads nowhere."""
    body = (
        "<h1>There is no such page</h1><p>The address is not the one of a redirect, or its "
        "sandbox was reset or deleted.</p>"
    )
    return page_of(TITLE, body)


def _origin_of(url: str) -> str:
    """Where a form may go: the origin of the shop, or its scheme where that is no plain host."""
    scheme, _, rest = url.partition("://")
    host = urlsplit(f"//{rest}").netloc.rpartition("@")[2] if "[" not in rest else ""
    is_web = scheme.lower() in ("http", "https")
    return f"{scheme}://{host}" if is_web and PLAIN_HOST.fullmatch(host) else f"{scheme}:"
