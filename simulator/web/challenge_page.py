"""The gateway's own pages of 3-D Secure: one that takes the shopper to his bank by itself, and the
empty one that ends a method call in its hidden frame.

Nothing is loaded from anywhere, and without scripts a button does the same.
"""

from base64 import b64encode
from hashlib import sha256
from html import escape
from urllib.parse import urlsplit

from simulator.web.bank_page import Page

TITLE = "On your way to your bank"
STYLE = """
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px;
  background: #eef1f5; color: #1c2430;
  font: 16px/1.5 ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { width: 100%; max-width: 420px; text-align: center; }
h1 { font-size: 20px; margin: 0 0 8px; }
p { margin: 0 0 20px; color: #566173; }
button { font: inherit; font-weight: 600; padding: 11px 20px; border: 0; border-radius: 8px;
  background: #1f5fae; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid #7fb0f0; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { background: #0e1116; color: #e4e9f0; }
  p { color: #9fabbb; }
}
"""
SUBMIT = "document.forms[0].submit();"


def challenge_page(acs_url: str, creq: str) -> Page:
    """The page that posts a CReq to the ACS."""
    parts = urlsplit(acs_url)
    body = (
        f"<h1>{TITLE}</h1><p>Your bank asks you to confirm this payment.</p>"
        f'<form method="post" action="{escape(acs_url)}">'
        f'<input type="hidden" name="creq" value="{escape(creq)}">'
        f"<button>Continue</button></form><script>{SUBMIT}</script>"
    )
    policy = (
        f"default-src 'none'; style-src {_hash_of(STYLE)}; script-src {_hash_of(SUBMIT)}; "
        f"form-action {parts.scheme}://{parts.netloc}; base-uri 'none'"
    )
    return Page(_document(body), policy)


def method_page() -> Page:
    """The page in the hidden frame once the method was called; the shop's page is around it."""
    return Page(_document(""), f"default-src 'none'; style-src {_hash_of(STYLE)}")


def _document(body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{TITLE}</title><style>{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _hash_of(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
