"""A challenge is seen wherever the page is opened that leads to it: by http and over TLS, from this
machine and from others.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, FrameLocator, Page

from simulator.adapters.http.own_addresses import own_addresses
from simulator.client import Client, Control
from simulator.tests.browser.form_page import field, press_pay
from simulator.tests.browser.windows import window
from simulator.tests.console.visitor import PASSWORD
from simulator.tests.kit.running import serving
from simulator.tests.merchants.test_requirements import ADDRESS

pytestmark = pytest.mark.timeout(600)

CHANNEL = {"three_d_secure": {"VISA": "2.2.0"}, "brands": ["VISA", "GIROPAY"]}
WITH_METHOD, PAID, TITLE = "4200000000000042", "000.100.110", "Confirm your payment"
EVERYWHERE = ("--host", "0.0.0.0", "--control-key", "a-key-of-the-control-api")
LOOPBACK = "127.0.0.1"
BLOCKED = re.compile("mixed content|security policy|insecure|refused", re.IGNORECASE)


class Place:
    """A gateway, and a merchant of it whose shoppers are challenged."""

    def __init__(self, facts: Any):
        self.facts = facts
        self.is_open = bool(facts.get("shared_url"))
        with_console = {urlsplit(facts["console_url"]).scheme, "https"}
        hosts = [LOOPBACK, *(own_addresses("0.0.0.0")[:1] if self.is_open else [])]
        ports = {
            "http": urlsplit(facts["base_url"]).port,
            "https": urlsplit(facts["tls_url"]).port,
        }
        self.origins = [f"{each}://{host}:{ports[each]}" for host in hosts for each in ports]
        self.consoles = [each for each in self.origins if urlsplit(each).scheme in with_console]
        control = Control(facts["control_url"], facts["control_key"])
        made = control.create_sandbox(merchants=[{"channels": [CHANNEL]}])
        control.close()
        self.client = Client(facts["base_url"], made["token"], made["entity_id"])

    def prepare(self) -> str:
        """The id of a checkout whose shopper comes back to a page of the gateway."""
        shop = f"{self.facts['base_url']}lessons/shop"
        more = {**ADDRESS, "shopperResultUrl": shop, "paymentType": "DB"}
        answer = self.client.post("v1/checkouts", {"amount": "92.00", "currency": "EUR", **more})
        assert answer.status == 200, answer.body
        return answer.id


@pytest.fixture(scope="module", params=[(), EVERYWHERE], ids=["loopback", "everywhere"])
def place(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Place]:
    """A gateway that this machine reaches alone, or others as well."""
    with serving(tmp_path_factory.mktemp("bank") / "data", *request.param) as running:
        place = Place(running.facts)
        yield place
        place.client.close()


def test_the_form_of_the_gateway_shows_the_challenge(place: Place, browser: Browser) -> None:
    for origin in place.origins:
        checkout = place.prepare()
        with window(browser, (500, 900), ignore_https_errors=True) as page:
            page.goto(f"{origin}/form/{checkout}")
            pay(page, WITH_METHOD)
            bank = page.frame_locator("iframe.wpwl-target").frame_locator("iframe")
            confirm(bank)
            page.wait_for_url("**/lessons/shop?**")
            answer = place.client.get(f"v1/checkouts/{checkout}/payment")
            assert answer.code == PAID, origin
            assert blocked_in(page) == [], origin


def test_a_bank_stays_where_the_form_is(place: Place, browser: Browser) -> None:
    for origin in place.origins:
        with window(browser, (500, 900), ignore_https_errors=True) as page:
            page.goto(f"{origin}/form/{place.prepare()}?locale=en")
            page.locator(".wpwl-container-onlineTransfer-GIROPAY .wpwl-button-pay").click()
            page.get_by_role("button", name="Pay", exact=True).wait_for()
            assert page.url.startswith(f"{origin}/redirect/")
            page.get_by_role("button", name="Pay", exact=True).click()
            page.wait_for_url("**/lessons/shop?**")
            assert blocked_in(page) == [], origin


def test_the_phone_of_the_stage_shows_the_challenge(place: Place, browser: Browser) -> None:
    path = urlsplit(place.facts["console_url"]).path
    for origin in place.consoles:
        with window(browser, ignore_https_errors=True) as page:
            path = enter_console(page, origin, path)
            page.goto(f"{origin}/console/lessons")
            page.get_by_role("button", name="Begin The shopper is challenged").click()
            page.wait_for_url("**/stage")
            page.keyboard.press("Space")
            page.get_by_text("000.200.000").first.wait_for()
            page.get_by_text("What the parties see").click()
            confirm(page.frame_locator("iframe[data-view=phone]").frame_locator("iframe"))
            phone = page.frame_locator("iframe[data-view=phone]").frame_locator("iframe")
            phone.get_by_text("Back in the shop").wait_for()
            assert blocked_in(page) == [], origin


def enter_console(page: Page, origin: str, path: str) -> str:
    """Sign in as the administrator, whom the first link makes; the path to come back by."""
    page.goto(f"{origin}{path}")
    page.fill("[name=name]", "anna")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/console")
    return "/console/sign-in"


def blocked_in(page: Page) -> list[str]:
    """What the browser says that it blocks, or may block."""
    return [each for each in page.said if BLOCKED.search(each)]


def pay(page: Page, number: str) -> None:
    """Pay by a card in the form of the gateway."""
    field(page, "card.number").press_sequentially(number)
    page.locator(".wpwl-control-expiry").press_sequentially("1234")
    page.fill('input[name="card.holder"]', "Jane Jones")
    field(page, "card.cvv").fill("987")
    press_pay(page)


def confirm(bank: FrameLocator) -> None:
    """Type the code that the bank shows."""
    bank.get_by_role("heading", name=TITLE).wait_for()
    bank.get_by_label("Code", exact=True).fill(bank.locator(".note b").inner_text())
    bank.get_by_role("button", name="Confirm the payment").click()
