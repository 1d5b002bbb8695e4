"""The pages behind the summary page of a shop: on to a bank, back to the shop, or no further.

Choice: D-342.
"""

from collections.abc import Mapping
from html import escape
from urllib.parse import quote

from falcon import Request, Response

from simulator.catalogue.form_words.languages import Language, language_of
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.ports import HasAddresses
from simulator.domain.core.records import Payment, Redirect, State
from simulator.domain.payments.redirects import ADDRESS, ResultPlace, with_result
from simulator.domain.urls import ascii_url
from simulator.web.http.answers import result_body, send
from simulator.web.http.context import exchange_of
from simulator.web.http.origins import opened_at, redirect_here
from simulator.web.http.page import Page, hash_of, page_of
from simulator.web.http.shopper_pages import KEPT, SEE_OTHER, show, wants_page

LED_ON = "000.200.000"
# The method of an issuer is called first, in a frame the shopper does not see, for ten seconds.
SCRIPT = """
var forms = document.forms, gone = false;
function go() { if (!gone) { gone = true; forms[forms.length - 1].submit(); } }
if (forms.length > 1) {
  forms[0].submit();
  setTimeout(function () { document.getElementsByTagName("iframe")[0].onload = go; }, 0);
  setTimeout(go, 10000);
} else { go(); }
"""


def is_confirmation(req: Request) -> bool:
    """Whether a browser posts an empty form, as the summary page of a shop does."""
    is_empty = not req.content_length and "wsgi.input_terminated" not in req.env
    return is_empty and not req.query_string and not req.auth and wants_page(req)


def lead_on(
    req: Request, resp: Response, kept: KeptForm, *, ports: HasAddresses, attempt: Payment | None
) -> None:
    """Send the shopper to the bank where it asks, else to the shop, with what it asks for the
    result by.
    """
    language = language_of((req.get_header("Accept-Language") or "").partition(",")[0])
    if attempt is not None and attempt.redirect is not None and attempt.state is State.PENDING:
        redirect = redirect_here(attempt.redirect, opened_at(req, ports.addresses))
        show(resp, 200, redirecting_page(redirect, language))
    elif ADDRESS.match(kept.url):
        place = ResultPlace(kept.id, f"/v1/checkouts/{kept.id}/payment")
        send(resp, SEE_OTHER, result_body(exchange_of(req), LED_ON))
        resp.set_header("Location", quote(ascii_url(with_result(kept.url, place)), safe=KEPT))
        resp.set_header("Referrer-Policy", "no-referrer")
    else:
        show(resp, 200, closing_page(language, "unknown"))


def show_closed(req: Request, resp: Response) -> None:
    """There is nothing to confirm, or no longer."""
    language = language_of((req.get_header("Accept-Language") or "").partition(",")[0])
    show(resp, 404, closing_page(language, "expired"))


def closing_page(language: Language, word: str) -> Page:
    """A page that says one thing and leads nowhere."""
    page = page_of("Sandgate", f"<h1>{escape(language.words[word])}</h1>")
    return page._replace(html=_in(language, page.html))


def redirecting_page(redirect: Redirect, language: Language) -> Page:
    """The page that posts what a redirect needs, and goes to it."""
    calls = "".join(
        _form(each.url, each.parameters, ' target="hidden"') for each in redirect.preconditions
    )
    frame = '<iframe name="hidden" title="" hidden></iframe>' if calls else ""
    said = escape(language.words["redirecting"])
    onward = _form(redirect.url, redirect.parameters, "", f'<button class="main">{said}</button>')
    page = page_of(
        said, f"<h1>{said}</h1>{frame}{calls}{onward}<script>{SCRIPT}</script>", form_action="*"
    )
    policy = f"{page.policy}; frame-src *; script-src {hash_of(SCRIPT)}"
    return Page(_in(language, page.html), policy)


def _form(url: str, parameters: Mapping[str, str], attributes: str, inner: str = "") -> str:
    fields = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in parameters.items()
    )
    return f'<form method="post" action="{escape(url)}"{attributes}>{fields}{inner}</form>'


def _in(language: Language, html: str) -> str:
    row = language.row
    return html.replace('<html lang="en">', f'<html lang="{row.tag}" dir="{row.direction}">', 1)
