"""The report of a run, read in a browser: in a small window and a large one, by day and by night.

Screenshots lie in the temporary folder of each test.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from reports.events import StepResult
from reports.tests.streams import (
    HOSTILE,
    aside,
    events_of,
    exchange,
    failed,
    one_of_each,
    passed,
    stream_of,
)
from reports.writing import write_reports
from simulator.tests.browser.windows import window

# Enough for an installation of the browser; a test itself takes a second or two.
pytestmark = pytest.mark.timeout(600)

SMALL, LARGE = (390, 844), (1280, 900)
LONG = "FIELD:" + "a.very.long.name." * 20
# Everything that sticks out of the window to the right, but what scrolls by itself.
STICKING_OUT = """() => [...document.querySelectorAll("body *")]
    .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
    .map(each => each.outerHTML.slice(0, 120))"""
UNFOLD = "() => document.querySelectorAll('details').forEach(each => { each.open = true })"


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    """A report with everything in it that could break a page."""
    folder = tmp_path_factory.mktemp("report")
    step = StepResult("When", HOSTILE, "failed", [exchange(body=HOSTILE * 9, sent={LONG: HOSTILE})])
    hostile = failed(title=HOSTILE, id=LONG, steps=[step], repeat=f"sandgate check --only {LONG}")
    aside_too = aside("not-checkable", HOSTILE * 3, file=LONG)
    cases = [*one_of_each(), hostile, aside_too, *(passed(n) for n in range(2, 60))]
    page = folder / "report.html"
    write_reports(stream_of(events_of(cases), folder), html=page,
                  junit=None, json=None, evidence=None)  # fmt: skip
    return page


@pytest.fixture
def page(browser: Browser, report: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The report in a window, as a test wants it."""
    size, scheme, scripts = getattr(request, "param", (LARGE, "light", True))
    options = {"color_scheme": scheme, "java_script_enabled": scripts}
    with window(browser, size, **options) as page:
        page.goto(report.as_uri())
        yield page


def windows(*shown: tuple) -> pytest.MarkDecorator:
    names = [f"{size[0]}-{scheme}" for size, scheme, _ in shown]
    return pytest.mark.parametrize("page", shown, indirect=True, ids=names)


@windows(*((size, scheme, True) for size in (SMALL, LARGE) for scheme in ("light", "dark")))
def test_nothing_sticks_out_of_the_window_folded_or_not(page: Page, tmp_path: Path) -> None:
    page.screenshot(path=tmp_path / "folded.png")
    assert page.evaluate(STICKING_OUT) == []

    page.evaluate(UNFOLD)

    page.screenshot(path=tmp_path / "unfolded.png")
    assert page.evaluate(STICKING_OUT) == []


@windows((SMALL, "light", False), (LARGE, "dark", False))
def test_a_failed_case_is_read_without_a_click_and_without_a_script(page: Page) -> None:
    shown = page.locator("#failed .case").first.inner_text()

    for said in (
        "A capture may not exceed what is reserved", "Referencing requests use the id",
        "a refusal", "'000.100.110'", "captures 92.01 EUR", "Then it is refused", "paymentType=CP",
        '"description": "request processed in test mode"', failed().repeat,
    ):  # fmt: skip
        assert said in shown, said
    assert not page.locator(".filter").is_visible()


def test_no_request_leaves_the_page_and_nothing_that_it_shows_is_run(
    browser: Browser, report: Path
) -> None:
    page = browser.new_page()
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("console", lambda message: said.append(message.text))

    page.goto(report.as_uri())
    page.evaluate(UNFOLD)

    assert [url for url in asked if not url.startswith("data:")] == [report.as_uri()]
    assert said == []
    page.close()


def test_the_filter_leaves_the_cases_that_are_meant(page: Page) -> None:
    page.locator(".filter input").fill("EVT-01")

    assert page.locator("#all .row:visible").count() == 2
    page.locator(".filter select").select_option("failed")
    assert page.get_by_text("No case is like that.").is_visible()


def test_a_requirement_leads_to_the_case_that_speaks_for_it(page: Page) -> None:
    page.locator("summary", has_text="Endpoints").click()
    page.locator("tr#END-08 a").first.click()

    assert page.locator(".case:target").get_by_text("A capture may not exceed").first.is_visible()


def test_the_command_is_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#failed button.copy").first.click()

    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == failed().repeat
