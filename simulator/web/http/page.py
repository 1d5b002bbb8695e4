"""How the gateway's own pages for shoppers are made: one document, one style, one policy.

A page is whole in itself: nothing is loaded from anywhere. The author of a body escapes what
merchants wrote.
"""

from base64 import b64encode
from hashlib import sha256
from typing import NamedTuple

BANK_TITLE = "Sandgate test bank"
STYLE = """
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr);
  place-items: center; padding: 16px;
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
.tries { display: flex; flex-wrap: wrap; gap: 10px; margin: 8px 0 0; }
.picture { overflow-x: auto; margin: 16px 0; }
.picture img { display: block; min-width: 560px; max-width: 100%; }
main:has(.picture) { max-width: 900px; }
h2 { font-size: 16px; margin: 20px 0 4px; }
.sides > section { min-width: 0; }
@media (min-width: 860px) {
  main:has(.sides) { max-width: 1040px; }
  .sides { display: grid; grid-template-columns: minmax(0, 4fr) minmax(0, 5fr); gap: 0 40px; }
}
ul { margin: 0; padding-left: 20px; }
a { color: inherit; }
code, pre { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { margin: 0; padding: 12px; border: 1px solid #d5dce5; border-radius: 8px;
  white-space: pre-wrap; overflow-wrap: anywhere; }
form { display: grid; gap: 10px; }
button { font: inherit; padding: 11px 16px; border-radius: 8px; border: 1px solid #8fa3bb;
  background: transparent; color: inherit; cursor: pointer; }
button.main { background: #1f5fae; border-color: #1f5fae; color: #fff; font-weight: 600; }
iframe.whole { display: block; position: fixed; inset: 0; width: 100%; height: 100%; border: 0;
  background: #fff; }
button:focus-visible { outline: 3px solid #7fb0f0; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { background: #0e1116; color: #e4e9f0; }
  main, pre { background: #171c24; border-color: #323c4a; }
  dt, .quiet { color: #9fabbb; }
}
"""
# Posts the only form of a page as soon as it is read.
SUBMIT = "document.forms[0].submit();"
# The page knows by itself that it stands in a frame: browsers say so only over TLS and on loopback.
NEST = """if(window.parent!==window){var i=document.createElement('iframe');
i.className='whole';i.name='challenge';i.title='TITLE';
document.body.appendChild(i);document.forms[0].target=i.name;}
"""
# In a frame of the hosted form, the page around it goes on instead, when this one has said so. The
# frame may be inside a page of the gateway, which then is between the two.
END_IN_FRAME = (
    """var t=window.parent;
try{if(t!==window&&t.location.origin===location.origin)t=t.parent;}catch(e){}
if(t!==window)t.postMessage('{"s":1,"t":"ended"}','*');else """
    + SUBMIT
)


class Page(NamedTuple):
    """A page and the policy that goes with it."""

    html: str
    policy: str


def page_of(title: str, body: str, *, form_action: str = "'none'", is_framed: bool = False) -> Page:
    """A page whose forms go to `form_action` alone; a picture may stand in it.

    It may be put in a frame only where the payment came from the hosted form (Choice: D-315).
    """
    policy = f"{_policy()}; form-action {form_action}; base-uri 'none'"
    return Page(
        _document(title, body), policy if is_framed else f"{policy}; frame-ancestors 'none'"
    )


def leaving_page(
    title: str, body: str, *, form_action: str, script: str = "", is_framed: bool = False
) -> Page:
    """The same, posting its form by itself, after `script`; without scripts its button does it."""
    return _scripted(title, body, f"{script}{SUBMIT}", form_action=form_action, is_framed=is_framed)


def ending_page(title: str, body: str, *, form_action: str) -> Page:
    """The last page of a payment of the hosted form: it posts its form, or in a frame says that it
    ended.
    """
    return _scripted(title, body, END_IN_FRAME, form_action=form_action, is_framed=True)


def nesting_page(title: str, body: str, *, origin: str, frame: str) -> Page:
    """A page that posts its form to `origin`: where it stands in a frame, into one of its own that
    has the title `frame`, else in its window.
    """
    script = NEST.replace("TITLE", frame) + SUBMIT
    page = _scripted(title, body, script, form_action=origin, is_framed=True)
    sources = " ".join(dict.fromkeys(("'self'", origin)))
    return page._replace(policy=f"{page.policy}; frame-src {sources}")


def _scripted(title: str, body: str, script: str, *, form_action: str, is_framed: bool) -> Page:
    whole = f"{body}<script>{script}</script>"
    page = page_of(title, whole, form_action=form_action, is_framed=is_framed)
    return page._replace(policy=f"{page.policy}; script-src {hash_of(script)}")


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
    return f"default-src 'none'; img-src data:; style-src {hash_of(STYLE)}"


def hash_of(text: str) -> str:
    """How a policy names a script or style that stands in the page."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
