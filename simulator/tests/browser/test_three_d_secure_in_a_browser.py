"""A shopper goes through method call and challenge in a browser, and comes back to the shop.

Screenshots of what he sees lie in the temporary folder of each test.
"""

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request

from simulator.client import Client, Control
from simulator.tests.browser.shop import Shop, open_shop
from simulator.tests.browser.windows import LARGE, SMALL, window
from simulator.tests.kit.making import CARD
from simulator.tests.kit.running import serving
from simulator.tests.merchants.test_requirements import ADDRESS, BROWSER

# Enough for an installation of the browser; a test itself takes a second or two.
pytestmark = pytest.mark.timeout(600)

CHANNELS = [{"name": "Web", "three_d_secure": {"VISA": "2.2.0"}}]
METHOD_AND_CHALLENGE = "4200000000000042"
# What is posted before the shopper is asked: in the hidden frame first, then in the window.
FIRST_ACT = ["/acs/method", "/threeDSecure/method", "redirect", "/acs/challenge"]
TRANS_ID = "8a880dc0-d2d2-4067-bcb1-b08d1690b26e"
IDS = re.compile(r"/[0-9a-f-]{32,}")


class Till:
    """A merchant with a channel that asks, and its shop."""

    def __init__(self, facts: Any, shop: Shop):
        control = Control(facts["control_url"], facts["control_key"])
        made = control.create_sandbox(merchants=[{"name": "Corner Shop", "channels": CHANNELS}])
        control.close()
        self.client = Client(facts["base_url"], made["token"], made["entity_id"])
        self.base_url = facts["base_url"]
        self.shop = shop

    def pays(self) -> dict:
        """A payment that waits for its shopper."""
        card = {**CARD, "card.number": METHOD_AND_CHALLENGE}
        order = {"paymentType": "DB", "amount": "92.00", "currency": "EUR", **card}
        more = {**BROWSER, **ADDRESS, "shopperResultUrl": f"{self.shop.url}/done?order=4711"}
        answer = self.client.post("v1/payments", {**order, **more})
        assert answer.code == "000.200.000", answer.body
        return answer.body

    def code_at(self, address: str) -> str:
        """The result code of the payment that an address of the shop names."""
        named = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert named["order"] == "4711"
        assert named["resourcePath"] == f"/v1/payments/{named['id']}"
        return self.client.get(named["resourcePath"].lstrip("/")).code


@pytest.fixture(scope="module")
def till(tmp_path_factory) -> Iterator[Till]:
    """A merchant of a gateway that is served."""
    with serving(tmp_path_factory.mktemp("seen") / "data") as running, open_shop() as shop:
        till = Till(running.facts, shop)
        yield till
        till.client.close()


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A window, small and without scripts where a test says so."""
    options = {"size": LARGE, "scripts": True, **getattr(request, "param", {})}
    with window(browser, options["size"], java_script_enabled=options["scripts"]) as page:
        yield page


def windows(**more: Any) -> Any:
    """The same test in a small window and in a large one."""
    params = [{"size": size, **more} for size in (SMALL, LARGE)]
    return pytest.mark.parametrize("page", params, indirect=True, ids=["small", "large"])


@windows()
def test_the_right_code_pays(till: Till, page: Page, tmp_path: Path) -> None:
    payment = till.pays()
    posted, said = watched(page, payment["redirect"]["url"])

    page.goto(till.shop.sends(payment["redirect"]))
    page.wait_for_url("**/acs/challenge/**")
    assert posted == FIRST_ACT
    assert "92.00 EUR" in seen(page, tmp_path, "challenge") and "ends in 0042" in text_of(page)
    confirm(page, page.locator(".note b").inner_text())
    page.wait_for_url(f"{till.shop.url}/done**")

    assert "Back in the shop" in seen(page, tmp_path, "done")
    assert f"id={payment['id']}&" in page.url
    assert till.code_at(page.url) == "000.100.110"
    assert said == [], "a page of the way does what its own policy forbids"


def test_three_wrong_codes_decline(till: Till, page: Page, tmp_path: Path) -> None:
    page.goto(till.shop.sends(till.pays()["redirect"]))
    for left in ("2 attempts are left", "1 attempt is left"):
        confirm(page, "0")
        page.get_by_role("alert").filter(has_text=left).wait_for()
    seen(page, tmp_path, "wrong")
    confirm(page, "0")
    page.wait_for_url(f"{till.shop.url}/done**")

    assert till.code_at(page.url) == "100.380.401"


def test_a_shopper_may_cancel(till: Till, page: Page) -> None:
    page.goto(till.shop.sends(till.pays()["redirect"]))
    page.get_by_role("button", name="Cancel the payment").click()
    page.wait_for_url(f"{till.shop.url}/done**")

    assert till.code_at(page.url) == "100.390.124"


@windows(scripts=False)
def test_without_scripts_buttons_do_the_same(till: Till, page: Page, tmp_path: Path) -> None:
    page.goto(till.shop.sends(till.pays()["redirect"]))
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Continue").wait_for()
    seen(page, tmp_path, "to-the-bank")
    page.get_by_role("button", name="Continue").click()
    confirm(page, page.locator(".note b").inner_text())
    # Both pages have that button: their texts distinguish them.
    for says, shot in (("is confirmed", "from-the-bank"), ("is complete", "to-the-shop")):
        page.get_by_role("heading").filter(has_text=says).wait_for()
        seen(page, tmp_path, shot)
        page.get_by_role("button", name="Back to the shop").click()
    page.wait_for_url(f"{till.shop.url}/done**")

    assert till.code_at(page.url) == "000.100.110"


@pytest.mark.parametrize("path", ["/try/pay", "/console/sign-out"])
def test_the_acs_posts_nothing_in_the_name_of_the_gateway(
    till: Till, page: Page, path: str
) -> None:
    base = till.base_url.rstrip("/")
    page.context.add_cookies([{"name": "own", "value": "1", "url": base, "sameSite": "Strict"}])
    call = {"threeDSServerTransID": TRANS_ID, "threeDSMethodNotificationURL": f"{base}{path}"}
    data = urlsafe_b64encode(json.dumps(call).encode()).decode().rstrip("=")
    field = {"name": "threeDSMethodData", "value": data}
    foreign = till.shop.sends({"url": f"{base}/acs/method", "parameters": [field]})

    with page.expect_response(f"{base}{path}") as posted:
        page.goto(foreign)

    headers = posted.value.request.all_headers()
    assert (posted.value.request.method, headers["origin"]) == ("POST", "null")
    assert "cookie" not in headers
    assert posted.value.status == 403


def watched(page: Page, redirect: str) -> tuple[list[str], list[str]]:
    """What is posted from now on, by the last words of its address, and what goes wrong."""
    posted: list[str] = []
    said: list[str] = []

    def note(sent: Request) -> None:
        if sent.method == "POST":
            path = urlsplit(sent.url).path
            posted.append("redirect" if sent.url == redirect else IDS.sub("", path))

    page.on("request", note)
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    return posted, said


def confirm(page: Page, code: str) -> None:
    """Type a code and send it."""
    page.get_by_label("Code", exact=True).fill(code)
    page.get_by_role("button", name="Confirm the payment").click()


def seen(page: Page, folder: Path, name: str) -> str:
    """The text of the page, after a screenshot; nothing of it is cut off at the side."""
    page.screenshot(path=folder / f"{name}.png")
    widest = page.locator("html").evaluate("node => [node.scrollWidth, node.clientWidth]")
    assert widest[0] <= widest[1], f"{name} is wider than its window"
    return text_of(page)


def text_of(page: Page) -> str:
    return page.locator("body").inner_text()
