"""/form/{checkout}/wallet: the sheet of the gateway's own wallet provider, in a frame of the form.

The shopper chooses one of the stored test cards; the token of it leaves the sheet for the relay
alone. Source: Mobile wallet, way 1. Choices: D-341, D-313.
"""

from html import escape

from falcon import Request, Response

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.form_words.languages import Language, language_of
from simulator.catalogue.wallet_cards import ROWS
from simulator.domain.core.errors import InvalidInputError, UnknownCheckoutError
from simulator.domain.ports.server import Registry
from simulator.service.checkouts.wallet_sheets import (
    WalletSheet,
    make_sheet_token,
    wallet_sheet,
)
from simulator.web.form.checkouts import checkout_at, checkout_of_page
from simulator.web.form.frames import read_part
from simulator.web.http.answers import result_body, send
from simulator.web.http.context import exchange_of
from simulator.web.http.origins import way_up
from simulator.web.http.page import Page, hash_of
from simulator.web.http.route import Route
from simulator.web.http.shopper_pages import form_in, show

MADE = "000.200.000"
SHOWN_DIGITS = 4
STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; padding: 20px; background: #fff; color: #1c2430;
  font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 19px; margin: 0 0 2px; overflow-wrap: anywhere; }
.amount { font-size: 28px; font-weight: 650; margin: 0; font-variant-numeric: tabular-nums; }
.quiet { margin: 0 0 14px; color: #4c5866; overflow-wrap: anywhere; }
fieldset { margin: 0 0 16px; padding: 0; border: 0; }
legend { padding: 0; margin: 0 0 6px; font-weight: 600; }
label { display: flex; gap: 12px; align-items: center; min-height: 52px; padding: 6px 10px;
  border: 1px solid #c6cfda; border-radius: 8px; margin: 0 0 8px; cursor: pointer; }
label span { flex: 1; overflow-wrap: anywhere; }
label small { display: block; color: #4c5866; font-size: 14px; }
[dir="rtl"] small { text-align: right; }
@media (max-width: 340px) { img { display: none; } }
label:focus-within { outline: 3px solid #4b8fe0; outline-offset: 1px; }
input { width: 22px; height: 22px; margin: 0; }
img { width: 51px; height: 32px; }
button { width: 100%; min-height: 48px; margin: 0 0 8px; padding: 10px 18px; font: inherit;
  font-weight: 600; border-radius: 8px; border: 1px solid #1f5fae; cursor: pointer; }
button.main { background: #1f5fae; color: #fff; }
button.other { background: #fff; color: #1f5fae; }
button:focus-visible { outline: 3px solid #4b8fe0; outline-offset: 2px; }
button[disabled] { background: #5b6b7f; border-color: #5b6b7f; color: #fff; cursor: progress; }
[role="alert"] { margin: 0 0 10px; color: #a11b13; }
[role="alert"]:empty { display: none; }
"""


class WalletSheetResource:
    """/form/{checkout}/wallet"""

    def __init__(self, registry: Registry):
        self._registry = registry

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read the sheet of the wallet `brand`, in the language of `locale`."""
        language = language_of(req.get_param("locale", default=""))
        try:
            with checkout_at(self._registry, req, identity) as (ports, checkout):
                sheet = wallet_sheet(ports, checkout, req.get_param("brand", default=""))
        except (UnknownCheckoutError, InvalidInputError):
            show(resp, 404, closed_sheet(language))
            return
        show(resp, 200, sheet_page(sheet, language, way_up(req)))

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Make the token of a card. Raises ForbiddenError, UnknownCheckoutError, ThrottledError,
        InvalidInputError.
        """
        with checkout_of_page(self._registry, req, identity) as (ports, checkout):
            sent = form_in(req)
            token = make_sheet_token(
                ports, checkout, str(sent.get("brand", "")), str(sent.get("card", ""))
            )
        send(resp, 200, {**result_body(exchange_of(req), MADE), "token": token})


def sheet_page(sheet: WalletSheet, language: Language, up: str) -> Page:
    """The page of a sheet: what is paid to whom, and the cards of the wallet."""
    words = {name: escape(word) for name, word in language.words.items()}
    title = words["payWith"].replace("{brand}", escape(BRANDS[sheet.brand].name))
    amount = "" if sheet.money is None else f'<p class="amount">{escape(str(sheet.money))}</p>'
    body = (
        f'<main><h1>{title}</h1>{amount}<p class="quiet">{escape(sheet.shop)}</p>'
        f'<form novalidate data-brand="{sheet.brand}" data-expired="{words["expired"]}"'
        f' data-failed="{words["invalidError"]}"><fieldset><legend>{words["storedAccounts"]}'
        f"</legend>{_cards(language, up)}</fieldset>"
        f'<p role="alert"></p><button class="main" disabled>{words["submit"]}</button>'
        f'<button class="other" type="button" disabled>{words["cancel"]}</button></form></main>'
    )
    return _page(title, body, language)


def closed_sheet(language: Language) -> Page:
    """The sheet of a checkout that cannot be paid."""
    said, words = escape(language.words["expired"]), language.words
    return _page(
        said,
        f'<main><p role="alert">{said}</p>'
        f'<button class="other" type="button" disabled>{escape(words["cancel"])}</button></main>',
        language,
    )


def _cards(language: Language, up: str) -> str:
    ending = escape(language.words["endingIn"])
    return "".join(
        f'<label><input type="radio" name="card" value="{row.name}"'
        f'{" checked" if row is ROWS[0] else ""}><img src="{up}form/brands/{row.brand}.svg" alt="">'
        f"<span>{BRANDS[row.brand].name} {ending.replace('{digits}', row.number[-SHOWN_DIGITS:])}"
        f'<small lang="en" dir="ltr">{row.meaning}</small></span></label>'
        for row in ROWS
    )


def _page(title: str, body: str, language: Language) -> Page:
    script = "".join(map(read_part, ("channel.js", "request.js", "wallet.js")))
    html = (
        f'<!DOCTYPE html>\n<html lang="{language.row.tag}" dir="{language.row.direction}"><head>'
        '<meta charset="utf-8"><meta http-equiv="X-UA-Compatible" content="IE=edge">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body>{body}"
        f"<script>{script}</script></body></html>\n"
    )
    policy = (
        f"default-src 'none'; script-src {hash_of(script)}; style-src {hash_of(STYLE)};"
        " img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'"
    )
    return Page(html, policy)


def routes(registry: Registry) -> tuple[Route, ...]:
    """The row of this path."""
    return (Route("/form/{identity}/wallet", WalletSheetResource(registry)),)
