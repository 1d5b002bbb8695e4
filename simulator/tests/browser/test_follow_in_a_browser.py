"""A page of the console that follows what happens says so where it cannot go on."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from simulator.client import VISA, Client
from simulator.tests.browser.windows import window
from simulator.tests.console.visitor import PASSWORD
from simulator.tests.kit.running import serving

pytestmark = pytest.mark.timeout(600)

# More than a page waits for an answer.
HANGS_MS = 40_000


def sign_in(page: Page, address: str) -> None:
    """Be the first administrator."""
    page.goto(address)
    page.get_by_label("Name").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/console")


def pay(facts: dict) -> None:
    """Let the journal have something new: until then the page waits."""
    client = Client(facts["base_url"], token=facts["token"], entity_id=facts["entity_id"])
    client.post("v1/payments", {**VISA, "paymentType": "DB", "amount": "92.00", "currency": "EUR"})
    client.close()


def test_a_page_that_follows_leads_to_the_sign_in_and_back(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path / "data") as server, window(browser) as page:
        sign_in(page, server.facts["console_url"])
        page.get_by_role("link", name=server.facts["sandbox_id"]).click()
        page.get_by_role("link", name="Journal", exact=True).click()
        page.wait_for_selector("#follow")
        journal = page.url
        page.context.clear_cookies()
        pay(server.facts)

        page.wait_for_url(lambda url: "/console/sign-in?next=" in url)
        page.get_by_label("Name").fill("anna")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")

        page.wait_for_url(journal)


def test_a_page_that_follows_says_that_the_gateway_is_gone(
    browser: Browser, tmp_path: Path
) -> None:
    with window(browser) as page:
        with serving(tmp_path / "data") as server:
            sign_in(page, server.facts["console_url"])
            sandbox = server.facts["sandbox_id"]
            page.goto(f"{server.facts['base_url']}console/{sandbox}/journal")
            expect(page.locator("#lost")).to_be_hidden()
        expect(page.locator("#lost")).to_be_visible()
        page.screenshot(path=tmp_path / "lost.png")


@contextmanager
def stopped(process: int) -> Iterator[None]:
    """A process that goes on after the block: its kernel takes connections for it meanwhile."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def test_pages_that_follow_say_that_the_gateway_hangs_and_go_on_after_it(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path / "data") as server, window(browser) as page:
        sign_in(page, server.facts["console_url"])
        console, sandbox = f"{server.facts['base_url']}console", server.facts["sandbox_id"]
        page.goto(f"{console}/{sandbox}/journal")
        page.wait_for_selector("#follow")
        stage = page.context.new_page()
        stage.goto(f"{console}/lessons")
        stage.get_by_role("button", name="Begin The first payment").click()
        stage.wait_for_selector("#stage [data-version]")
        with stopped(server.process.pid):
            for each in (page, stage):
                expect(each.locator("#lost")).to_be_visible(timeout=HANGS_MS)
        pay(server.facts)
        for each in (page, stage):
            expect(each.locator("#lost")).to_be_hidden(timeout=HANGS_MS)
        expect(page.locator("#follow")).to_contain_text("v1/payments", timeout=HANGS_MS)
        assert page.said == []
