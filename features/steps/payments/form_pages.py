"""Steps about pages of the hosted form that are read as they are sent, without a browser."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

from pytest_bdd import parsers, then, when

from features.spec.languages import LANGUAGES
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer

PAGES = {"page": "", "sheet of GOOGLEPAY": "/wallet?brand=GOOGLEPAY"}
PAGE = rf"(?P<page>{'|'.join(PAGES)})"
LINK = re.compile(r'<a class="main" href="([^"]*)"')
LABEL = re.compile(r'<nav aria-label="([^"]*)"')


@when(parsers.re(f"the shopper opens the {PAGE} of the checkout"), target_fixture="answer")
def open_page(merchant: Merchant, checkout: Answer, page: str) -> Answer:
    return page_of(merchant, f"{checkout.id}{PAGES[page]}")


@when("the shopper opens the page of the checkout in each of the 25 languages",
      target_fixture="pages")  # fmt: skip
def open_in_languages(merchant: Merchant, checkout: Answer) -> list[Answer]:
    return [page_of(merchant, f"{checkout.id}?locale={language}") for language in LANGUAGES]


@then(parsers.re(r"the page is (?P<standing>there|over)"))
def page_stands(answer: Answer, judge: Judge, standing: str) -> None:
    expected = 200 if standing == "there" else 404
    judge.same("status of the page", answer, expected=expected, came=answer.status)


@then(parsers.re(r'the page says "(?P<text>[^"]+)"'))
def page_says(answer: Answer, judge: Judge, text: str) -> None:
    judge.holds("the page", answer, text in text_of(answer), expected=text, came="another text")


@then(parsers.re(r'the page leads back to "(?P<address>\S+)" with id and resourcePath'))
def leads_back(answer: Answer, checkout: Answer, judge: Judge, address: str) -> None:
    found = LINK.search(text_of(answer))
    came = urlsplit(unescape(found[1]) if found else "")
    expected = urlsplit(address)
    sent = {"id": checkout.id, "resourcePath": f"/v1/checkouts/{checkout.id}/payment"}
    judge.same("address of the shop", answer, expected=expected._replace(query="").geturl(),
               came=came._replace(query="").geturl())  # fmt: skip
    judge.same("its query", answer, expected={**dict(parse_qsl(expected.query)), **sent},
               came=dict(parse_qsl(came.query)))  # fmt: skip


@then("each page has the choice of a language in words of its own")
def has_words(pages: list[Answer], judge: Judge) -> None:
    found = [LABEL.search(text_of(each)) for each in pages]
    judge.same("pages without a choice", pages[0], expected=0, came=found.count(None))
    judge.same(
        "status of the pages", pages[0], expected={200}, came={each.status for each in pages}
    )


def page_of(merchant: Merchant, rest: str) -> Answer:
    """A page of the form, read without credentials as a browser does."""
    return merchant.client.request("GET", f"form/{rest}")


def text_of(answer: Answer) -> str:
    """The text of a page."""
    return answer.body.decode() if isinstance(answer.body, bytes) else str(answer.body)
