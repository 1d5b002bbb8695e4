"""/form/{checkout}: the hosted form alone on a page, for a shop that has none.

`locale` in the query chooses the language, else the browser's; the page offers all of them. A
checkout that cannot be paid has a page that says so. Source: FORM-07, FORM-08, FORM-09.
Choice: D-314.
"""

from html import escape
from typing import NamedTuple
from urllib.parse import quote

from falcon import Request, Response

from simulator.catalogue.form_words.languages import ROWS, Language, language_of, read_language
from simulator.domain.core.errors import UnknownCheckoutError
from simulator.domain.payments.redirects import ADDRESS, ResultPlace, with_result
from simulator.domain.ports.server import Registry
from simulator.domain.urls import ascii_url
from simulator.service.checkouts.standing import CheckoutPage, Standing, checkout_page
from simulator.web.form.checkouts import checkout_at
from simulator.web.form.script import NAME
from simulator.web.http.origins import way_up
from simulator.web.http.page import Page, hash_of
from simulator.web.http.route import Route
from simulator.web.http.shopper_pages import KEPT, show

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: #eef1f5; color: #1c2430;
  font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
main, nav { max-width: 480px; margin: 0 auto; }
header { margin: 16px 4px; }
h1 { margin: 0; font-size: 19px; }
.amount { margin: 0; font-size: 30px; font-weight: 650; font-variant-numeric: tabular-nums; }
.note { margin: 0 0 16px; padding: 14px 16px; border-radius: 10px; background: #fff;
  font-size: 16px; font-weight: 400;
  border: 1px solid #c6cfda; }
.bad { color: #a11b13; border-color: #a11b13; }
a { color: #174d90; }
a.main { display: flex; min-height: 48px; align-items: center; justify-content: center;
  padding: 10px 18px; border-radius: 8px; background: #1f5fae; color: #fff; font-weight: 600;
  text-decoration: none; }
summary { padding: 10px 4px; cursor: pointer; color: #174d90; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(128px, 1fr)); gap: 2px;
  margin: 0; padding: 0; list-style: none; }
li a { display: flex; min-height: 44px; align-items: center; padding: 0 4px; }
a:focus-visible, summary:focus-visible { outline: 3px solid #4b8fe0; outline-offset: 2px; }
"""
# What a page says in place of the form, by a word of the languages.
SAID = {
    Standing.PAID: "alreadyPaid",
    Standing.UNDER_WAY: "processing",
    Standing.OVER: "expired",
}


class PageView(NamedTuple):
    """What of a request the page depends on: the checkout, what is done with it, the language,
    and the way up from it.
    """

    checkout: str
    is_registration: bool
    language: Language
    up: str


class StandaloneResource:
    """/form/{checkout}"""

    def __init__(self, registry: Registry):
        self._registry = registry

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read it. What is no checkout, and one that is over, have a page that says so."""
        accepted = (req.get_header("Accept-Language") or "").partition(",")[0]
        language = language_of(req.get_param("locale", default=accepted))
        is_registration = req.get_param("kind") == "registration"
        view = PageView(identity, is_registration, language, way_up(req))
        try:
            with checkout_at(self._registry, req, identity) as (ports, checkout):
                shown = checkout_page(ports, checkout)
        except UnknownCheckoutError:
            shown = CheckoutPage(Standing.OVER, "", None, "")
        show(resp, 404 if shown.standing is Standing.OVER else 200, standalone_page(view, shown))


def standalone_page(view: PageView, shown: CheckoutPage) -> Page:
    """The page of a checkout's form; its brands are those the gateway offers."""
    language = view.language
    row, title = language.row, escape(language.words["submit"])
    amount = "" if shown.money is None else f'<p class="amount">{escape(str(shown.money))}</p>'
    said = SAID.get(shown.standing)
    headline = escape(shown.shop) or ("" if said else title)
    heading = f"<header><h1>{headline}</h1>{amount}</header>" if headline else ""
    content = _form(view, shown) if said is None else _note(said, view, shown)
    html = (
        f'<!DOCTYPE html>\n<html lang="{row.tag}" dir="{row.direction}"><head>'
        '<meta charset="utf-8"><meta http-equiv="X-UA-Compatible" content="IE=edge">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>"
        f"<main>{heading}{content}</main>{_languages(view)}</body></html>\n"
    )
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self' {hash_of(STYLE)};"
        " img-src 'self'; frame-src 'self'; form-action *; base-uri 'none';"
        " frame-ancestors 'self'"
    )
    return Page(html, policy)


def _form(view: PageView, shown: CheckoutPage) -> str:
    words, row = view.language.words, view.language.row
    declined = f'<p class="note bad" role="alert">{escape(words["declined"])}</p>'
    kind = "/registration" if view.is_registration else ""
    return (
        f"{declined if shown.standing is Standing.DECLINED else ''}"
        f'<form class="paymentWidgets" data-locale="{row.tag}"></form>'
        f'<noscript><p class="note">{escape(words["noScript"])}</p></noscript>'
        f'<script src="{view.up}v1/{NAME}?checkoutId={escape(view.checkout)}{kind}"></script>'
    )


def _note(said: str, view: PageView, shown: CheckoutPage) -> str:
    words = view.language.words
    tag = "p" if shown.shop else "h1"
    note = f'<{tag} class="note">{escape(words[said])}</{tag}>'
    if not ADDRESS.match(shown.url):
        return note
    place = ResultPlace(view.checkout, f"/v1/checkouts/{view.checkout}/payment")
    url = quote(ascii_url(with_result(shown.url, place)), safe=KEPT)
    return f'{note}<a class="main" href="{escape(url)}">{escape(words["backToShop"])}</a>'


def _languages(view: PageView) -> str:
    """The page in each language, under its own name."""
    kind = "&amp;kind=registration" if view.is_registration else ""
    links = "".join(
        f'<li><a href="?locale={row.tag}{kind}" hreflang="{row.tag}">'
        f'<bdi lang="{row.tag}">{escape(read_language(row).own_name)}</bdi></a></li>'
        for row in ROWS
    )
    label = escape(view.language.words["language"])
    own = escape(view.language.own_name)
    return (
        f'<nav aria-label="{label}"><details><summary>{label}: {own}</summary>'
        f"<ul>{links}</ul></details></nav>"
    )


def routes(registry: Registry) -> tuple[Route, ...]:
    """The row of this path."""
    return (Route("/form/{identity}", StandaloneResource(registry)),)
