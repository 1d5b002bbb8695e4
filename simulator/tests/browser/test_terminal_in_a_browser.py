"""The page of `sandgate terminal run`, as a trainer sees it in a browser, small and large.

Screenshots lie in the temporary folder of each test.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from simulator.client.processes import python, running_server
from simulator.tests.browser.test_form_in_a_browser import violations_in
from simulator.tests.browser.windows import window
from simulator.tests.kit.running import clean_environment, serving
from simulator.variables import variables_of

pytestmark = pytest.mark.timeout(600)

COMMAND = ("terminal", "run", "--port", "0", "--ready-json", "--folder")
RUN = "import sys; sys.argv[1:] = {}; from simulator.__main__ import main; main()"
SMALL, LARGE = (320, 640), (1440, 900)
STICKING_OUT = """() => [...document.querySelectorAll("body *")]
    .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
    .map(each => each.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page."""
    folder = tmp_path_factory.mktemp("terminal")
    with serving(folder / "data") as running:
        environment = clean_environment() | variables_of(running.facts)
        command = python(RUN.format([*COMMAND, str(folder / "kept")]))
        with running_server(command, environment=environment) as server:
            yield server.facts["page_url"]


def start(page: Page, amount: str) -> None:
    page.fill("input[name=amount]", amount)
    page.click("#start")
    page.locator(".zone.open").first.wait_for()


def ended(page: Page) -> str:
    """The message of the till, once a payment is over."""
    page.locator("#message:not(:empty)").wait_for()
    return page.locator("#message").inner_text()


def test_a_dip_by_dragging_and_a_tap_by_keyboard(
    browser: Browser, terminal: str, tmp_path: Path
) -> None:
    with window(browser, LARGE) as page:
        page.goto(terminal)
        start(page, "60.00")
        page.screenshot(path=tmp_path / "asked.png")
        page.drag_and_drop("[data-card=gold]", ".zone.chip")
        page.locator("#asked", has_text="green key").wait_for()
        page.keyboard.type("12345")
        page.keyboard.press("Backspace")
        assert page.locator("#stars").inner_text() == "****"
        page.click("[data-key=confirm]")

        assert "approved" in ended(page)
        page.locator("#trace .event").first.wait_for()
        steps = page.locator("#events").inner_text()
        assert "GENERATE AC" in steps and "EXTERNAL AUTHENTICATE" in steps
        page.locator("#events summary", has_text="GENERATE AC").first.click()
        assert "9F27" in page.locator("#events").inner_text()
        assert "CARDHOLDER COPY" in page.locator("#paper").inner_text()
        assert page.locator(".entry .sum").first.inner_text() == "EUR 60.00"
        page.screenshot(path=tmp_path / "paid.png", full_page=True)
        assert violations_in(page) == []
        assert page.evaluate(STICKING_OUT) == []

        start(page, "12.00")
        page.focus("[data-card=gold]")
        page.keyboard.press("Enter")
        page.focus("[data-way=tap]")
        page.keyboard.press("Enter")
        assert "approved" in ended(page)
        assert page.said == []


def test_a_small_window_in_the_dark(browser: Browser, terminal: str, tmp_path: Path) -> None:
    with window(browser, SMALL, color_scheme="dark") as page:
        page.goto(terminal)
        start(page, "61.00")
        page.click("[data-card=sign]")
        assert "signature" in page.locator("#about").inner_text()
        assert page.locator("[data-way=tap]").is_disabled()
        page.click("[data-way=chip]")
        page.locator("#labels button").first.wait_for()
        page.screenshot(path=tmp_path / "sign.png", full_page=True)
        assert violations_in(page) == []
        page.locator("#labels button").first.click()
        assert "approved" in ended(page)

        start(page, "5.00")
        page.keyboard.press("Escape")
        assert "canceled" in ended(page)
        page.click("#cable")
        page.locator("#cable[aria-checked=false]").wait_for()
        page.click("#cable")
        page.locator("#cable[aria-checked=true]").wait_for()
        page.click("#totals")
        page.locator("#batch table").wait_for()
        page.screenshot(path=tmp_path / "small.png", full_page=True)
        assert page.evaluate(STICKING_OUT) == []
        assert violations_in(page) == [] and page.said == []


def test_what_the_terminal_refuses_is_said(browser: Browser, terminal: str) -> None:
    with window(browser, LARGE) as page:
        page.goto(terminal)
        page.click(".zone.tap")
        page.locator("#problem:not([hidden])").wait_for()
        assert "start a payment" in page.locator("#problem").inner_text()
        page.fill("input[name=amount]", "twelve")
        page.click("#start")
        page.locator("#problem", has_text="expected digits").wait_for()
