"""The pages a redirected shopper sees: one that asks, one that leads back, one for a wrong address.

Each is whole in itself: nothing is loaded from anywhere, and without scripts a button does the
same. What merchants wrote is escaped, and only the shop's own address can be sent to.
"""

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from simulator.domain.pending import Choice
from simulator.domain.records import Payment, State

TITLE = "Sandgate test bank"
STYLE = """
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px;
  background: #eef1f5; color: #1c2430;
  font: 16px/1.5 ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { width: 100%; max-width: 420px; background: #fff; border: 1px solid #d5dce5;
  border-radius: 12px; padding: 28px; }
h1 { font-size: 20px; margin: 0 0 4px; overflow-wrap: anywhere; }
.amount { font-size: 32px; font-weight: 650; margin: 12px 0; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 0 0 20px; }
dt, .quiet { color: #566173; }
dd { margin: 0; overflow-wrap: anywhere; }
.quiet { font-size: 14px; margin: 16px 0 0; }
form { display: grid; gap: 10px; }
button { font: inherit; padding: 11px 16px; border-radius: 8px; border: 1px solid #8fa3bb;
  background: transparent; color: inherit; cursor: pointer; }
button.main { background: #1f5fae; border-color: #1f5fae; color: #fff; font-weight: 600; }
button:focus-visible { outline: 3px solid #7fb0f0; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { background: #0e1116; color: #e4e9f0; }
  main { background: #171c24; border-color: #323c4a; }
  dt, .quiet { color: #9fabbb; }
}
"""
SUBMIT = "document.forms[0].submit();"
BUTTONS = {
    Choice.PAY: "Pay",
    Choice.CANCEL: "Cancel",
    Choice.FAIL: "Let it fail",
    Choice.LEAVE: "Leave without a choice",
}
ENDS = {
    State.PENDING: "The payment is still pending.",
    State.FAILED: "The payment was not made.",
}
MADE = "The payment was made."
PLAIN_HOST = re.compile(r"[A-Za-z0-9.:\-\[\]]+")


class Page(NamedTuple):
    """A page and the policy that goes with it."""

    html: str
    policy: str


def asking_page(payment: Payment, shop: str) -> Page:
    """The page with the shopper's choices; its form goes to its own address."""
    buttons = "".join(
        f'<button name="action" value="{choice}"'
        f'{" class=main" if choice is Choice.PAY else ""}>{label}</button>'
        for choice, label in BUTTONS.items()
    )
    money = "" if payment.money is None else f'<p class="amount">{escape(str(payment.money))}</p>'
    body = (
        f"<h1>{escape(shop)} asks for a payment</h1>{money}"
        f"<dl><dt>Brand</dt><dd>{escape(payment.brand or '')}</dd>"
        f"<dt>Reference</dt><dd>{escape(payment.sent.get('merchantTransactionId', '-'))}</dd></dl>"
        f'<form method="post">{buttons}</form>'
        '<p class="quiet">This bank is a test: no money moves. Whoever closes the page leaves the '
        "payment pending until it expires.</p>"
    )
    return Page(_document(body), _policy("'self'"))


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
        f"<script>{SUBMIT}</script>"
    )
    return Page(_document(body), _policy(_origin_of(url), script=SUBMIT))


def unknown_page() -> Page:
    """The page for an address that leads nowhere."""
    body = (
        "<h1>There is no such page</h1><p>The address is not the one of a redirect, or its "
        "sandbox was reset or deleted.</p>"
    )
    return Page(_document(body), _policy("'none'"))


def _document(body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{TITLE}</title><style>{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _policy(form: str, *, script: str = "") -> str:
    """Nothing but this page's own style and script, and forms that go to `form` alone."""
    scripts = f"; script-src {_hash_of(script)}" if script else ""
    return (
        f"default-src 'none'; style-src {_hash_of(STYLE)}{scripts}; form-action {form}; "
        "base-uri 'none'; frame-ancestors 'none'"
    )


def _hash_of(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _origin_of(url: str) -> str:
    """Where a form may go: the origin of the shop, or its scheme where that is no plain host."""
    scheme, _, rest = url.partition("://")
    host = urlsplit(f"//{rest}").netloc.rpartition("@")[2] if "[" not in rest else ""
    is_web = scheme.lower() in ("http", "https")
    return f"{scheme}://{host}" if is_web and PLAIN_HOST.fullmatch(host) else f"{scheme}:"
