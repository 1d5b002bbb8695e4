"""The pages of the ACS: the challenge, the way back, the method frame, and one for what is wrong.

Each is whole in itself: nothing is loaded from anywhere, what others wrote is escaped, and without
scripts a button does the same. They may stand in a frame: that is what challenge windows are.
"""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from typing import NamedTuple

from acquirer_mocks.three_d_secure.challenges import Challenge

BANK = "Quillhaven Savings"
STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --ground: #eef3f0; --ink: #17251f;
  --quiet: #52645b; --line: #d3ddd7; --main: #14624a; --on-main: #ffffff; --note: #f4efe0;
  --note-ink: #5a4400; --bad: #a32020; --ring: #5fb394; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: start center; padding: 16px;
  background: var(--ground); color: var(--ink);
  font: 16px/1.45 ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { width: 100%; max-width: 400px; background: var(--paper); border: 1px solid var(--line);
  border-radius: 12px; overflow: hidden; }
header { display: flex; align-items: center; gap: 10px; padding: 12px 20px;
  border-bottom: 1px solid var(--line); }
header svg { flex: none; color: var(--main); }
header b { font-size: 15px; }
header span { margin-left: auto; font-size: 12px; color: var(--quiet); white-space: nowrap; }
section { padding: 18px 20px 20px; }
h1 { font-size: 19px; line-height: 1.3; margin: 0 0 12px; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 0 0 16px; }
dt { color: var(--quiet); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
dd.amount { font-weight: 650; }
.note { background: var(--note); color: var(--note-ink); border-radius: 8px; padding: 10px 12px;
  margin: 0 0 16px; font-size: 14px; }
.note b { font: 650 17px/1.2 ui-monospace, "DejaVu Sans Mono", monospace; letter-spacing: .08em;
  white-space: nowrap; }
.bad { color: var(--bad); font-size: 14px; margin: 6px 0 0; }
form { display: grid; gap: 10px; margin: 0; }
label { font-size: 14px; color: var(--quiet); display: block; margin-bottom: 4px; }
input.code { font: 22px/1.2 ui-monospace, "DejaVu Sans Mono", monospace; letter-spacing: .3em;
  text-align: center; width: 100%; padding: 10px; color: inherit; background: transparent;
  border: 1px solid var(--quiet); border-radius: 8px; }
input.wrong { border-color: var(--bad); }
button { font: inherit; padding: 11px 16px; border-radius: 8px; border: 1px solid transparent;
  background: transparent; color: var(--main); cursor: pointer; }
button.main { background: var(--main); color: var(--on-main); font-weight: 600; }
input.code:focus-visible, button:focus-visible { outline: 3px solid var(--ring);
  outline-offset: 2px; }
p { margin: 0 0 12px; }
.quiet { color: var(--quiet); font-size: 13px; margin: 12px 0 0; }
@media (min-height: 620px) and (min-width: 480px) { body { place-items: center; } }
@media (max-width: 375px) { header span { display: none; } }
@media (max-width: 300px) { body { padding: 0; } main { border: 0; border-radius: 0; } }
@media (max-height: 480px) { body { padding: 0; font-size: 14px; line-height: 1.35; }
  main { border: 0; border-radius: 0; max-width: 640px; }
  header { padding: 6px 12px; } section { padding: 8px 12px 6px; }
  h1 { font-size: 16px; margin-bottom: 4px; } dl { gap: 0 12px; margin-bottom: 8px; }
  .note { padding: 6px 10px; margin-bottom: 8px; font-size: 13px; } .note b { font-size: 15px; }
  label { font-size: 13px; margin-bottom: 2px; } .bad { margin-top: 3px; font-size: 13px; }
  input.code { font-size: 18px; padding: 5px; } form { gap: 6px; } button { padding: 7px 12px; }
  .quiet { display: none; } }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16201b; --ground: #0c120f; --ink: #e3ece7; --quiet: #9db0a6; --line: #2c3a33;
    --main: #6ecfa8; --on-main: #08221a; --note: #322a14; --note-ink: #f0dca4; --bad: #ff9a91;
    --ring: #3f8f70; }
}
"""
MARK = (
    '<svg width="26" height="26" viewBox="0 0 26 26" fill="none" stroke="currentColor" '
    'stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
    '<path d="M4 22C6 11 13 4 22 4c-1 9-7 14-14 14"/><path d="M4 22 14 12"/></svg>'
)
SUBMIT = "document.forms[0].submit();"


class AcsPage(NamedTuple):
    """A page and the policy that goes with it."""

    html: str
    policy: str


def challenge_page(challenge: Challenge) -> AcsPage:
    """The page that asks for the code. Its form goes to its own address."""
    wrong = ""
    if challenge.wrong:
        left = challenge.attempts_left
        again = "1 attempt is left" if left == 1 else f"{left} attempts are left"
        wrong = f'<p class="bad" id="wrong" role="alert">The code is not correct; {again}.</p>'
    marked = ' class="code wrong" aria-describedby="wrong"' if wrong else ' class="code"'
    body = (
        "<h1>Confirm your payment</h1>"
        f"<dl><dt>Shop</dt><dd>{escape(challenge.merchant)}</dd>"
        f'<dt>Amount</dt><dd class="amount">{escape(challenge.amount)}</dd>'
        f"<dt>Card</dt><dd>ends in {escape(challenge.last4)}</dd></dl>"
        '<p class="note">A real bank would send a code to your phone. This test bank shows it '
        f"here: <b>{escape(challenge.code)}</b></p>"
        '<form method="post" autocomplete="off"><div><label for="code">Code</label>'
        f'<input{marked} id="code" name="code" inputmode="numeric" autocomplete="one-time-code" '
        f'maxlength="12" autofocus>{wrong}</div>'
        '<button class="main">Confirm the payment</button>'
        '<button name="cancel" value="yes" formnovalidate>Cancel the payment</button></form>'
        '<p class="quiet">The code is valid for ten minutes. No money moves.</p>'
    )
    return AcsPage(_document(body), _policy("'self'"))


def returning_page(challenge: Challenge, cres: str) -> AcsPage:
    """The page that takes the answer back to the shop by itself."""
    confirmed = challenge.end is not None and challenge.end.status == "Y"
    fields = {"cres": cres}
    if challenge.session_data is not None:
        fields["threeDSSessionData"] = challenge.session_data
    said = "Thank you. The payment is confirmed" if confirmed else "The payment is not confirmed"
    body = f"<h1>{said}</h1><p>You are on your way back to the shop.</p>" + _form(
        challenge.return_url, fields, label="Back to the shop"
    )
    return _self_posting(body)


def method_page(url: str, data: str) -> AcsPage:
    """The page of the hidden frame: it notifies the gateway that the method was done."""
    body = "<h1>One moment</h1>" + _form(url, {"threeDSMethodData": data}, label="Go on")
    return _self_posting(body)


def refused_page(code: str, says: str) -> AcsPage:
    """The page for what cannot be answered otherwise."""
    body = (
        "<h1>No payment waits here</h1><p>The address or the message does not belong to a payment "
        "that waits to be confirmed. Go back to the shop and start again.</p>"
        f'<p class="quiet">Error {escape(code)}: {escape(says)}</p>'
    )
    return AcsPage(_document(body), _policy("'none'"))


def _form(url: str, fields: Mapping[str, str], *, label: str) -> str:
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in fields.items()
    )
    return (
        f'<form method="post" action="{escape(url)}">{hidden}'
        f'<button class="main">{label}</button></form>'
    )


def _self_posting(body: str) -> AcsPage:
    # The gateway may send the browser on to the shop: a policy that names the gateway alone would
    # stop it there. Its address is not ours to choose, and the gateway may be at our origin: the
    # page has none, so that what it posts comes as from another site, without cookies. D-711.
    policy = f"{_policy('http: https:', SUBMIT)}; sandbox allow-forms allow-scripts"
    return AcsPage(_document(f"{body}<script>{SUBMIT}</script>"), policy)


def _document(body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{BANK}: payment check</title><style>{STYLE}</style></head>"
        f"<body><main><header>{MARK}<b>{BANK}</b><span>Payment check</span></header>"
        f"<section>{body}</section></main></body></html>\n"
    )


def _policy(form: str, script: str = "") -> str:
    scripts = f"; script-src {_hash_of(script)}" if script else ""
    return (
        f"default-src 'none'; style-src {_hash_of(STYLE)}{scripts}; form-action {form}; "
        "base-uri 'none'"
    )


def _hash_of(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
