"""/form/...: the frames of the hosted form, its style and the pictures of brands.

Number and code are typed into pages of the gateway, so that the page of a shop never has them; the
relay posts them. The frames may stand in any page; each loads nothing from anywhere.
Source: Hosted payment form behaviour; FORM-09. Choice: D-313.
"""

import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import NamedTuple

from falcon import HTTPNotFound, Request, Response

from simulator.catalogue.brands import BRANDS
from simulator.web.http.page import Page, hash_of
from simulator.web.http.route import Route
from simulator.web.http.shopper_pages import show

CSS_TYPE, SVG_TYPE = "text/css; charset=utf-8", "image/svg+xml"
FIELD_STYLE = """
html, body, form { height: 100%; margin: 0; }
input { width: 100%; height: 100%; margin: 0; padding: 0 12px; border: 0; outline: 0;
  background: none; color: inherit; font: 16px system-ui, "DejaVu Sans", sans-serif;
  direction: ltr; box-sizing: border-box; }
input::placeholder { color: inherit; opacity: 0.7; }
"""
BADGE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 40" role="img" aria-label="{name}">'
    '<rect x="1" y="1" width="62" height="38" rx="6" fill="#f4f6f9" stroke="#8fa3bb"/>'
    '<text x="32" y="24" text-anchor="middle" textLength="{width}"'
    ' lengthAdjust="spacingAndGlyphs" font-family="DejaVu Sans, sans-serif" font-size="12"'
    ' font-weight="700" fill="#1c2430">{name}</text></svg>'
)
BADGE_LETTERS_MAX = 12
COMMENTS = re.compile(r"^[ \t]*(?:/\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
BLANKS = re.compile(r"\n{2,}")


class FieldRow(NamedTuple):
    """A field in a frame of its own: what it is called, and how browsers fill it."""

    role: str
    name: str
    autocomplete: str
    title: str


FIELDS = (
    FieldRow("number", "card.number", "cc-number", "Card Number"),
    FieldRow("cvv", "card.cvv", "cc-csc", "CVV"),
)


class FrameResource:
    """A page that is shown in a frame; it is the same for every checkout."""

    def __init__(self, page: Page):
        self._page = page

    def on_get(self, req: Request, resp: Response) -> None:
        """Read it."""
        show(resp, 200, self._page)


class StyleResource:
    """The style of the form."""

    def on_get(self, req: Request, resp: Response) -> None:
        """Read it."""
        resp.content_type, resp.data = CSS_TYPE, style().encode()


class BadgeResource:
    """The picture of a brand on the sheet of a wallet: its name in a box, since schemes own their
    marks.
    """

    def on_get(self, req: Request, resp: Response, brand: str) -> None:
        """Read it. Raises HTTPNotFound for no brand."""
        if brand not in BRANDS:
            raise HTTPNotFound(description="no brand has the name")
        resp.content_type, resp.data = SVG_TYPE, badge(brand).encode()


def badge(brand: str) -> str:
    """The picture of a brand as SVG."""
    name = BRANDS[brand].name[:BADGE_LETTERS_MAX]
    return BADGE.format(name=escape(name), width=min(54, 9 * len(name)))


@cache
def read_part(name: str) -> str:
    """A file of the frames."""
    folder = files("simulator.web.form").joinpath("frame")
    return folder.joinpath(name).read_text(encoding="utf-8")


def bare(source: str) -> str:
    """A script as browsers are sent it: without the comments that take lines of their own."""
    return BLANKS.sub("\n", COMMENTS.sub("", source))


@cache
def style() -> str:
    """The style of the form; it loads nothing."""
    return read_part("form.css")


def field_page(row: FieldRow) -> Page:
    """The page of one field."""
    body = (
        f'<body data-role="{row.role}"><form novalidate><input name="{row.name}" type="text"'
        f' inputmode="numeric" autocomplete="{row.autocomplete}" maxlength="30"'
        f' aria-label="{row.title}" aria-describedby="hint"></form><p id="hint" hidden></p>'
    )
    script = unindented("".join(map(read_part, ("checks.js", "channel.js", "field.js"))))
    return _frame(row.title, body, script, FIELD_STYLE)


def unindented(script: str) -> str:
    """A script without the blanks its lines begin with: a form loads it twice."""
    return "".join(line.lstrip(" ") for line in script.splitlines(keepends=True))


def relay_page() -> Page:
    """The page of the relay, which alone speaks with the gateway."""
    script = "".join(map(read_part, ("channel.js", "request.js", "relay.js")))
    page = _frame("Relay", "<body>", script, "")
    policy = page.policy.replace("form-action 'none'", "form-action *")
    return page._replace(policy=f"{policy}; connect-src 'self'; frame-src *")


def _frame(title: str, body: str, source: str, style: str) -> Page:
    script = bare(source)
    html = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="X-UA-Compatible" content="IE=edge">'
        f"<title>{title}</title><style>{style}</style></head>{body}"
        f"<script>{script}</script></body></html>\n"
    )
    policy = (
        f"default-src 'none'; script-src {hash_of(script)}; style-src {hash_of(style)};"
        " form-action 'none'; base-uri 'none'"
    )
    return Page(html, policy)


def routes() -> tuple[Route, ...]:
    """The rows of these paths."""
    return (
        *(Route(f"/form/{row.role}", FrameResource(field_page(row))) for row in FIELDS),
        Route("/form/relay", FrameResource(relay_page())),
        Route("/form/style.css", StyleResource()),
        Route("/form/brands/{brand}.svg", BadgeResource()),
    )
