"""The hosted form of a gateway that is below a path of another server, as a shopper sees it."""

from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from simulator.tests.browser.form.test_addresses_of_the_bank import PAID, Place, blocked_in, pay
from simulator.tests.browser.shop import listening
from simulator.tests.browser.windows import window
from simulator.tests.kit.running import serving

pytestmark = pytest.mark.timeout(600)

PATH, FRICTIONLESS = "/gw/", "4200000000000026"
KEY = "a-key-of-the-control-api-that-is-long"
EMBEDDED = """<!DOCTYPE html><title>A shop</title><link rel="icon" href="data:,">
<script src="{base}v1/paymentWidgets.js?checkoutId={checkout}"></script>
<form action="/result" class="paymentWidgets" data-brands="VISA"></form>"""
SUMMARY = """<!DOCTYPE html><title>A shop</title><link rel="icon" href="data:,">
<form method="post" action="{base}v1/checkouts/{checkout}/payment"><button>Buy</button></form>"""
UNKEPT = {"transfer-encoding", "content-length", "connection"}


class Below(BaseHTTPRequestHandler):
    """A server that has a gateway below a path, and a page of a shop beside it."""

    def do_GET(self) -> None:
        """The page of the shop, or an answer of the gateway."""
        if not self.path.startswith(PATH):
            self._answer(200, [("Content-Type", "text/html")], self.server.page.encode())
            return
        gateway = HTTPConnection(self.server.gateway)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        gateway.request(self.command, self.path[len(PATH) - 1 :], body, dict(self.headers.items()))
        answer = gateway.getresponse()
        headers = [each for each in answer.getheaders() if each[0].lower() not in UNKEPT]
        self._answer(answer.status, headers, answer.read())
        gateway.close()

    do_POST = do_GET

    def _answer(self, status: int, headers: list[tuple[str, str]], content: bytes) -> None:
        self.send_response(status)
        for name, value in [*headers, ("Content-Length", str(len(content)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def below(tmp_path_factory: Any) -> Iterator[tuple[Any, Place]]:
    """The server, and the gateway that is below its path."""
    with listening(Below) as server:
        server.url = f"http://localhost:{server.server_port}"
        options = ("--public-url", f"{server.url}{PATH}", "--control-key", KEY)
        with serving(tmp_path_factory.mktemp("below") / "data", *options) as running:
            server.gateway, server.page = urlsplit(running.facts["base_url"]).netloc, ""
            place = Place(running.facts)
            yield server, place
            place.client.close()


def test_the_form_of_the_gateway_pays_below_a_path(
    below: tuple[Any, Place], browser: Browser
) -> None:
    server, place = below
    checkout = place.prepare()
    with window(browser, (500, 900)) as page:
        page.goto(f"{server.url}{PATH}form/{checkout}?locale=en")
        pay(page, FRICTIONLESS)
        page.wait_for_url("**/lessons/shop?**")
        assert place.client.get(f"v1/checkouts/{checkout}/payment").code == PAID
        assert blocked_in(page) == []


def test_the_form_in_the_page_of_a_shop_pays_below_a_path(
    below: tuple[Any, Place], browser: Browser
) -> None:
    server, place = below
    checkout = place.prepare()
    base = f"{server.url}{PATH}"
    server.page = EMBEDDED.format(base=base, checkout=checkout)
    with window(browser, (500, 900)) as page:
        page.goto(f"{server.url.replace('localhost', '127.0.0.1')}/shop")
        pay(page, FRICTIONLESS)
        page.wait_for_url("**/result?**")
        assert place.client.get(f"v1/checkouts/{checkout}/payment").code == PAID


def test_a_summary_page_leads_to_a_gateway_below_a_path(
    below: tuple[Any, Place], browser: Browser
) -> None:
    server, place = below
    base, checkout = f"{server.url}{PATH}", place.prepare()
    server.page = SUMMARY.format(base=base, checkout=checkout)
    with window(browser) as page:
        page.goto(f"{server.url}/shop")
        page.get_by_role("button", name="Buy").click()
        page.wait_for_url(f"{base}form/{checkout}/confirm")
