"""The page that leads a shopper back to the shop, and the one for a wrong address.

What merchants wrote is escaped, and only the shop's own address can be sent to.
"""

import re
from html import escape
from urllib.parse import parse_qsl, urlsplit

from simulator.domain.core.records import Payment, State
from simulator.web.http.page import BANK_TITLE, Page, ending_page, leaving_page, page_of

ENDS = {
    State.PENDING: "The payment is still pending.",
    State.FAILED: "The payment failed.",
}
MADE = "The payment is complete."
PLAIN_HOST = re.compile(r"[A-Za-z0-9.:\-\[\]]+")


def returning_page(payment: Payment, url: str) -> Page:
    """The page that sends the shopper back to `url` by itself."""
    address, _, query = url.partition("#")[0].partition("?")
    fragment = url.partition("#")[1] + url.partition("#")[2]
    fields = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in parse_qsl(query, keep_blank_values=True)
    )
    window = "" if payment.checkout is None else ' target="_top"'
    said = ENDS.get(payment.state, MADE)
    body = (
        f"<h1>{said}</h1><p>You are on your way back to the shop.</p>"
        f'<form method="get"{window} action="{escape(address + fragment)}">{fields}'
        '<button class="main">Back to the shop</button></form>'
    )
    if payment.checkout is None:
        return leaving_page(BANK_TITLE, body, form_action=_origin_of(url))
    return ending_page(BANK_TITLE, body, form_action=_origin_of(url))


def unknown_page() -> Page:
    """The page for an address that leads nowhere."""
    body = (
        "<h1>There is no such page</h1><p>The address is not the one of a redirect, or its "
        "sandbox was reset or deleted.</p>"
    )
    return page_of(BANK_TITLE, body)


def _origin_of(url: str) -> str:
    """Where a form may go: the origin of the shop, or its scheme where that is no plain host; that
    of the page where the shop is one of the gateway.
    """
    if url.startswith("/"):
        return "'self'"
    scheme, _, rest = url.partition("://")
    host = urlsplit(f"//{rest}").netloc.rpartition("@")[2] if "[" not in rest else ""
    is_web = scheme.lower() in ("http", "https")
    return f"{scheme}://{host}" if is_web and PLAIN_HOST.fullmatch(host) else f"{scheme}:"
