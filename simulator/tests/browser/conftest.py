"""The browser, the shop and the page of tests of the hosted form: one browser and one gateway for a
module, a window of its own for a test.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from simulator.tests.browser.form.old_browser import OLD
from simulator.tests.browser.form_shop import FormShop, form_shop
from simulator.tests.browser.test_three_d_secure_in_a_browser import started
from simulator.tests.kit.running import serving

CHANNEL = {"three_d_secure": {"MASTER": "2.2.0"}, "brands": ["VISA", "MASTER", "AMEX", "GIROPAY"]}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FormShop]:
    """A shop of another origin than its gateway's."""
    folder = tmp_path_factory.mktemp("form") / "data"
    with (
        serving(folder) as running,
        form_shop(running, merchants=[{"channels": [CHANNEL]}]) as shop,
    ):
        yield shop


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as playwright:
        browser = started(playwright)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A window whose complaints are kept in `said`; of the oldest browser where a test says so."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    context.set_default_timeout(15_000)
    if getattr(request, "param", "today") == "oldest":
        context.add_init_script(OLD)
    page = context.new_page()
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    yield page
    context.close()
