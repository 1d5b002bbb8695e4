"""One browser for all modules, a window of its own for a test, and a shop with the hosted form."""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from simulator.tests.browser.form.old_browser import OLD
from simulator.tests.browser.form_shop import FormShop, form_shop
from simulator.tests.browser.windows import started, window
from simulator.tests.kit.running import serving

HERE = Path(__file__).parent
CHANNEL = {"three_d_secure": {"MASTER": "2.2.0"}, "brands": ["VISA", "MASTER", "AMEX", "GIROPAY"]}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Leave the cases between the first and the last of a parametrized test here to `make proof`: a
    case in a browser takes seconds, and every rule keeps two. It is done before the order becomes
    random, so that every run has the same two.
    """
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        # As text: a run has thousands of tests, and paths are slow to compare.
        is_case = "[" in item.name and str(item.path).startswith(f"{HERE}/")
        if is_case and not item.get_closest_marker("proof"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for of_one_test in cases.values():
        for item in of_one_test[1:-1]:
            item.add_marker(pytest.mark.proof)
    yield


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FormShop]:
    """A shop of another origin than its gateway's."""
    folder = tmp_path_factory.mktemp("form") / "data"
    with (
        serving(folder) as running,
        form_shop(running, merchants=[{"channels": [CHANNEL]}]) as shop,
    ):
        yield shop


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser without a window: windows share nothing. To start one takes seconds."""
    with sync_playwright() as playwright:
        browser = started(playwright)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A window whose complaints are kept in `said`; of the oldest browser where a test says so."""
    before = OLD if getattr(request, "param", "today") == "oldest" else ""
    with window(browser, (360, 740), before=before) as page:
        yield page
