"""The reference names everything the catalogue has, and needs nothing from elsewhere."""

import re
from html import unescape

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.decisions import DECISIONS
from simulator.catalogue.fields.parameters import RELATIONS, TABLES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.catalogue.results import RESULTS
from simulator.derive.documents.reference import reference_markdown, reference_page, slug_of
from simulator.derive.schemas.conditions import describe_relation
from simulator.grammar.choices import PROFILES, choose
from simulator.tests.kit.trees import ROOT

STORED = ROOT / "docs" / "reference" / "parameters.md"
UNCLOSED = frozenset({"meta", "link", "input", "col", "br", "wbr"})
CODE = re.compile(r"<(style|script)>.*?</\1>", re.DOTALL)
TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)[^>]*>")


@pytest.fixture(scope="module", params=PROFILES)
def page(request: pytest.FixtureRequest) -> str:
    return reference_page(choose(CHOICES, request.param))


def words_of(html: str) -> str:
    """What a reader sees, every run of blanks as one."""
    return " ".join(unescape(TAG.sub("", CODE.sub("", html))).split())


def test_the_page_names_every_parameter_code_reference_and_decision(page: str) -> None:
    named = [row.name for table in TABLES for row in table.rows]
    named += [*RESULTS, *PAYMENT_TYPES, *OPERATIONS, *DECISIONS]
    named += [table.title for table in TABLES]
    words = words_of(page)

    assert [name for name in named if name not in words] == []


def test_the_page_describes_every_relation_in_words(page: str) -> None:
    words = words_of(page)

    assert [
        describe_relation(row) for row in RELATIONS if describe_relation(row) not in words
    ] == []


def test_every_link_of_the_page_leads_somewhere_on_it(page: str) -> None:
    names = re.findall(r'\bid="([^"]*)"', page)

    assert set(re.findall(r'href="#([^"]*)"', page)) - set(names) == set()
    assert len(names) == len(set(names))


def test_the_page_closes_what_it_opens(page: str) -> None:
    opened = []

    for closing, tag in TAG.findall(CODE.sub("", page)):
        if closing:
            assert opened.pop() == tag
        elif tag not in UNCLOSED:
            opened.append(tag)

    assert opened == []


def test_the_page_needs_no_other_address(page: str) -> None:
    assert set(re.findall(r'(?:href|src)="([^"#][^"]*)"', page)) == {"data:,"}
    assert not re.search(r"https?:|@import|url\(", page)


def test_the_page_shows_what_holds_under_an_override() -> None:
    page = reference_page(choose(CHOICES, "specification", {"D-14": "field"}))

    decision = re.search(r'<tr id="D-14".*?</tr>', page, re.DOTALL)[0]
    assert re.findall(r'data-label="\w+"><code>(\w+)</code>', decision) == [
        "refuse",
        "accept",
        "accept",
    ]
    assert "PA, DB" in re.search(r"<code>RV</code>.*?</tr>", page, re.DOTALL)[0]


def test_what_a_row_says_cannot_become_markup() -> None:
    page = reference_page(choose(CHOICES, "specification"))

    assert "threeDSecure.<wbr>v1.<wbr>&lt;scheme&gt;.<wbr>requestorId" in page


def test_titles_become_parts_of_addresses() -> None:
    assert slug_of("Payment response (common fields)") == "payment-response-common-fields"


def test_the_reference_of_the_docs_is_the_printed_one() -> None:
    """Print it anew with `sandgate reference > docs/reference/parameters.md`."""
    assert STORED.read_text(encoding="utf-8") == reference_markdown()
