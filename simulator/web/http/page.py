"""How the gateway's own pages for shoppers are made: one document, one style, one policy.

A page is whole in itself: nothing is loaded from anywhere. The author of a body escapes what
merchants wrote.
"""

from base64 import b64encode
from hashlib import sha256
from typing import NamedTuple

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
# Posts the only form of a page as soon as it is read.
SUBMIT = "document.forms[0].submit();"


class Page(NamedTuple):
    """A page and the policy that goes with it."""

    html: str
    policy: str


def page_of(title: str, body: str, *, form_action: str = "'none'") -> Page:
    """A page whose forms go to `form_action` alone, and which may not be put in a frame."""
    policy = f"{_policy()}; form-action {form_action}; base-uri 'none'; frame-ancestors 'none'"
    return Page(_document(title, body), policy)


def leaving_page(title: str, body: str, *, form_action: str) -> Page:
    """The same, posting its form by itself; without scripts its button does it."""
    page = page_of(title, f"{body}<script>{SUBMIT}</script>", form_action=form_action)
    return page._replace(policy=f"{page.policy}; script-src {_hash_of(SUBMIT)}")


def framed_page(title: str) -> Page:
    """An empty page for a hidden frame on another site's page."""
    return Page(_document(title, ""), _policy())


def _document(title: str, body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _policy() -> str:
    return f"default-src 'none'; style-src {_hash_of(STYLE)}"


def _hash_of(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
