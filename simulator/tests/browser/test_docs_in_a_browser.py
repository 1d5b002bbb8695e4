"""A newcomer opens the gateway's address, and makes a first payment without typing anything.

Screenshots of what they see lie in the temporary folder of each test.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from simulator.client import Control
from simulator.tests.browser.windows import LARGE, SMALL
from simulator.tests.kit.running import serving

pytestmark = pytest.mark.timeout(600)

ANSWER_MS_MAX = 20_000


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A gateway that is served."""
    with serving(tmp_path_factory.mktemp("docs")) as server:
        yield server.facts


def opened(browser: Browser, size: tuple[int, int], url: str) -> tuple[Page, list[str]]:
    """A window on an address, and everything that the browser complains of."""
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(url, wait_until="load")
    return page, complaints


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_the_landing_page_leads_on_and_fits(
    browser: Browser, facts: Any, size: tuple[int, int], tmp_path: Path
) -> None:
    page, complaints = opened(browser, size, facts["base_url"])
    page.screenshot(path=tmp_path / "landing.png", full_page=True)

    assert facts["token"] in page.locator("main").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for link in page.locator("a").all():
        url = f"{facts['base_url']}{link.get_attribute('href')}"
        assert page.request.get(url).ok, url
    assert complaints == []
    page.close()


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_a_first_payment_is_made_with_two_clicks(
    browser: Browser, facts: Any, size: tuple[int, int], tmp_path: Path
) -> None:
    page, complaints = opened(browser, size, f"{facts['base_url']}docs")
    operation = page.locator("#operations-Payments-create_payment")
    operation.locator("button.opblock-summary-control").click()
    page.screenshot(path=tmp_path / "operation.png", full_page=True)
    assert page.locator("input, textarea, select").count() < 20

    operation.locator("button.execute").click()
    answer = operation.locator(".live-responses-table .response td.response-col_status").first
    answer.wait_for(timeout=ANSWER_MS_MAX)
    page.screenshot(path=tmp_path / "answer.png", full_page=True)

    assert answer.inner_text().startswith("200")
    assert "000.100.110" in operation.locator(".live-responses-table").inner_text()
    assert complaints == []
    page.close()


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_without_an_active_token_pages_lead_on_and_take_another(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    with serving(tmp_path / "data") as server:
        facts = server.facts
        control = Control(facts["control_url"], facts["control_key"])
        sandbox = facts["sandbox_id"]
        merchant = control.sandbox(sandbox)["merchants"][0]["id"]
        before, _ = opened(browser, size, facts["base_url"])
        for each in control.tokens(sandbox, merchant):
            if each["host"] == "test":
                control.suspend_token(sandbox, merchant, each["id"])

        before.get_by_role("button", name="Pay", exact=True).click()
        before.get_by_role("heading", name="No access token is active").wait_for()
        before.screenshot(path=tmp_path / "pay.png", full_page=True)
        landing, complaints = opened(browser, size, facts["base_url"])
        landing.screenshot(path=tmp_path / "landing.png", full_page=True)
        assert landing.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert landing.get_by_role("link", name="Tokens").is_visible()

        docs, complaints = opened(browser, size, f"{facts['base_url']}docs")
        operation = docs.locator("#operations-Payments-create_payment")
        operation.wait_for(timeout=ANSWER_MS_MAX)
        docs.screenshot(path=tmp_path / "docs.png")
        assert docs.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert docs.get_by_role("link", name="Tokens").is_visible()
        issued = control.issue_token(sandbox, merchant)["token"]
        docs.get_by_role("button", name="Authorize").first.click()
        docs.locator(".auth-container input").fill(issued)
        with docs.expect_response(lambda answer: answer.url.endswith("docs/openapi.json")):
            docs.locator(".auth-btn-wrapper button.authorize").click()
        docs.locator(".auth-btn-wrapper button.btn-done").click()
        operation.locator("button.opblock-summary-control").click()
        docs.screenshot(path=tmp_path / "entered.png", full_page=True)
        operation.locator("button.execute").click()
        answer = operation.locator(".live-responses-table .response td.response-col_status").first
        answer.wait_for(timeout=ANSWER_MS_MAX)
        docs.screenshot(path=tmp_path / "answer.png", full_page=True)
        assert answer.inner_text().startswith("200")
        assert complaints == []


# The cells whose content is wider than they are, if no word may be broken.
WIDER = """() => {
  const style = document.createElement("style");
  style.textContent = "td, th, td *, th * { overflow-wrap: normal !important; }";
  document.head.append(style);
  return [...document.querySelectorAll("td, th")]
    .filter((cell) => cell.offsetParent && cell.scrollWidth > cell.clientWidth + 1)
    .map((cell) => cell.innerText);
}"""


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_the_reference_breaks_no_word(
    browser: Browser, facts: Any, size: tuple[int, int], tmp_path: Path
) -> None:
    page, complaints = opened(browser, size, f"{facts['base_url']}reference")
    page.screenshot(path=tmp_path / "reference.png")

    assert page.evaluate(WIDER) == []
    assert complaints == []
    page.close()


def test_the_control_api_has_a_page_of_its_own(
    browser: Browser, facts: Any, tmp_path: Path
) -> None:
    page, complaints = opened(browser, LARGE, f"{facts['base_url']}_sandbox/docs")
    page.locator("#operations-Sandboxes-create_sandbox").wait_for(timeout=ANSWER_MS_MAX)
    page.screenshot(path=tmp_path / "control.png")

    assert facts["control_key"] not in page.content()
    assert complaints == []
    page.close()
