"""Steps about pages of the hosted form that are read as they are sent, without a browser."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

from pytest_bdd import given, parsers, then, when

from features.spec.languages import LANGUAGES
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Control, form_of

PAGES = {"page": "", "sheet of GOOGLEPAY": "/wallet?brand=GOOGLEPAY"}
PAGE = rf"(?P<page>{'|'.join(PAGES)})"
LINK = re.compile(r'<a class="main" href="([^"]*)"')
# "Language: English", and so on.
CHOICE = re.compile(r"<summary>([^<:]+: [^<]+)</summary>")


@when(parsers.re(f"the shopper opens the {PAGE} of the checkout"), target_fixture="answer")
def open_page(merchant: Merchant, checkout: Answer, page: str) -> Answer:
    return page_of(merchant, f"{checkout.id}{PAGES[page]}")


@when("the shopper opens the page of the checkout in each of the 25 languages",
      target_fixture="pages")  # fmt: skip
def open_in_languages(merchant: Merchant, checkout: Answer) -> list[Answer]:
    return [page_of(merchant, f"{checkout.id}?locale={language}") for language in LANGUAGES]


@when(parsers.re(r"the form of the checkout is opened(?: with (?P<name>\w+) \"(?P<value>\w+)\")?"),
      target_fixture="answer")  # fmt: skip
def open_frame(merchant: Merchant, checkout: Answer, name: str | None, value: str | None) -> Answer:
    headers = {"Sec-Fetch-Site": "same-origin"}
    body = form_of({name: value} if name and value else {})
    return merchant.client.request("POST", f"form/{checkout.id}/open", headers=headers, body=body)


@given(
    parsers.re(r'the payment form keeps a card for the page of the shop(?: at "(?P<url>[^"]+)")?')
)
def keep_form(control: Control, merchant: Merchant, checkout: Answer, url: str | None) -> None:
    capability = control.issue_capability(merchant.sandbox, checkout.id)
    headers = {"Authorization": f"Checkout {capability}"}
    sent = {**merchant.card, **({"shopperResultUrl": url} if url else {})}
    merchant.client.request("POST", f"form/{checkout.id}/kept", headers=headers, body=form_of(sent))


@when("the shopper confirms what the form kept", target_fixture="answer")
def confirm(merchant: Merchant, checkout: Answer) -> Answer:
    return merchant.client.request("POST", f"form/{checkout.id}/confirm", body=b"")


@then(parsers.re(r'the shopper is led to "(?P<address>\S+)" with id and resourcePath'))
def is_led(answer: Answer, checkout: Answer, judge: Judge, address: str) -> None:
    path = f"%2Fv1%2Fcheckouts%2F{checkout.id}%2Fpayment"
    expected = f"{address}?id={checkout.id}&resourcePath={path}"
    judge.same("address", answer, expected=expected, came=answer.headers.get("location"))


@then(parsers.re(r"the form may offer (?P<brands>[A-Z]+(, [A-Z]+)*)"))
def may_offer(answer: Answer, judge: Judge, brands: str) -> None:
    judge.same("brands", answer, expected=brands.split(", "), came=answer.at("brands"))


@then(parsers.re(r"the form gets (?P<which>names of countries|no countries)"))
def gets_countries(answer: Answer, judge: Judge, which: str) -> None:
    expected = which == "names of countries"
    judge.same("whether there are countries", answer, expected=expected,
               came=bool(answer.at("countries")))  # fmt: skip


@then(parsers.re(r"the page is (?P<standing>there|over)"))
def page_stands(answer: Answer, judge: Judge, standing: str) -> None:
    expected = 200 if standing == "there" else 404
    judge.same("status of the page", answer, expected=expected, came=answer.status)


@then(parsers.re(r'the page says "(?P<text>[^"]+)"'))
def page_says(answer: Answer, judge: Judge, text: str) -> None:
    judge.holds("the page", answer, text in answer.text, expected=text, came="another text")


@then(parsers.re(r'the page leads back to "(?P<address>\S+)" with id and resourcePath'))
def leads_back(answer: Answer, checkout: Answer, judge: Judge, address: str) -> None:
    found = LINK.search(answer.text)
    came = urlsplit(unescape(found[1]) if found else "")
    expected = urlsplit(address)
    sent = {"id": checkout.id, "resourcePath": f"/v1/checkouts/{checkout.id}/payment"}
    judge.same("address of the shop", answer, expected=expected._replace(query="").geturl(),
               came=came._replace(query="").geturl())  # fmt: skip
    judge.same("its query", answer, expected={**dict(parse_qsl(expected.query)), **sent},
               came=dict(parse_qsl(came.query)))  # fmt: skip


@then("each page has the choice of a language in words of its own")
def has_words(pages: list[Answer], judge: Judge) -> None:
    came = {each.status for each in pages}
    judge.same("status of the pages", pages[0], expected={200}, came=came)
    words = {found for each in pages for found in CHOICE.findall(each.text)}
    judge.same("different words", pages[0], expected=len(pages), came=len(words))


def page_of(merchant: Merchant, rest: str) -> Answer:
    """A page of the form, read without credentials as a browser does."""
    return merchant.client.request("GET", f"form/{rest}")
