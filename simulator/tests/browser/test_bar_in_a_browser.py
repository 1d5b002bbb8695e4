"""The bar at the top of a page of the console goes with what the page renews."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from simulator.client import VISA, Client, Control
from simulator.tests.browser.windows import window
from simulator.tests.console.visitor import PASSWORD
from simulator.tests.kit.running import serving

BAR = "header .clock"
DAY_AFTER = "2030-03-02 09:00:00 UTC"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A gateway that is served."""
    with serving(tmp_path_factory.mktemp("bar")) as server:
        yield server.facts


@pytest.fixture(scope="module")
def state(browser: Browser, facts: Any) -> Any:
    """The cookie of an administrator."""
    with window(browser) as page:
        page.goto(facts["console_url"])
        page.get_by_label("Name").fill("anna")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/console")
        return page.context.storage_state()


def open_stage(page: Page, facts: Any, title: str) -> str:
    """Begin a lesson, and the id of its sandbox."""
    page.goto(f"{facts['base_url']}console/lessons")
    page.get_by_role("button", name=f"Begin {title}").click()
    page.wait_for_url("**/stage")
    return page.url.split("/")[-2]


def pay_in(facts: Any, sandbox: str) -> None:
    """Make a payment in a sandbox."""
    control = Control(facts["control_url"], facts["control_key"])
    merchant = control.sandbox(sandbox)["merchants"][0]
    token = control.issue_token(sandbox, merchant["id"], host="test")["token"]
    control.close()
    client = Client(facts["base_url"], token=token, entity_id=merchant["channels"][0]["id"])
    client.post("v1/payments", {**VISA, "paymentType": "DB", "amount": "92.00", "currency": "EUR"})
    client.close()


def test_the_bar_and_the_heading_of_a_stage_show_one_time(
    browser: Browser, facts: Any, state: Any
) -> None:
    """A lesson moved the clock: the bar showed the time before until the page was loaded anew."""
    with window(browser, storage_state=state) as page:
        open_stage(page, facts, "A day of settlement")
        while page.get_by_text("The end.").count() == 0:
            page.keyboard.press("Space")
            page.wait_for_timeout(50)
        page.locator(".stage-head .clock", has_text=DAY_AFTER).wait_for()
        assert f"{DAY_AFTER}, frozen" in page.locator(BAR).inner_text()
        page.keyboard.press("r")
        page.locator(".stage-head .clock", has_text="2030-03-01 09:00:00").wait_for()
        assert "2030-03-01 09:00:00" in page.locator(BAR).inner_text()
        assert page.said == []


def test_the_bar_of_a_journal_goes_with_its_newest_message(
    browser: Browser, facts: Any, state: Any
) -> None:
    control = Control(facts["control_url"], facts["control_key"])
    with window(browser, storage_state=state) as page:
        sandbox = open_stage(page, facts, "The first payment")
        page.goto(f"{facts['base_url']}console/{sandbox}/journal")
        control.advance_clock(sandbox, by="1d")
        pay_in(facts, sandbox)
        page.locator("#follow tbody tr").wait_for()
        page.locator(BAR, has_text=DAY_AFTER).wait_for()
        assert page.said == []
    control.close()
