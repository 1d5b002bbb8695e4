"""The page of a shop that embeds the hosted form of the target, and the shopper before it."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from features.spec.companions import Sent
from features.support.old_browser import scripts_of_old_browser
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, Locator, Page

WAIT_MS_MAX, FRAME_MS_MAX, MESSAGES_MS = 15_000, 5_000, 200
BRANDS = "VISA MASTER AMEX"
SCRIPT = "v1/paymentWidgets.js"
# Kept by the page: its messages, and whether the form said that it is ready.
WATCH = """var messages = [], isReady = false;
window.addEventListener("message", function (event) { messages.push(String(event.data)); });
var wpwlOptions = OPTIONS; wpwlOptions.onReady = function () { isReady = true; };"""
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script>WATCH</script></head><body>FORM<script src="SCRIPT"></script></body></html>"""
ALONE = '<form action="/done" class="paymentWidgets" data-brands="BRANDS"></form>'
WITH_BANK = ALONE.replace("BRANDS", "VISA EPS")
# A form inside a form does not exist in HTML, so the element of the widget is none.
INSIDE = (
    '<form action="/basket" id="outer"><input name="coupon" value="SPRING">'
    '<div class="paymentWidgets" data-action="/done" data-brands="BRANDS"></div></form>'
)


class FormFieldError(AssertionError):
    """A form without a field that a card needs."""


class ShopPage:
    """A shop with one page, and the browser that shows it.

    `errors` are those that no script of the page or of a frame has caught.
    """

    def __init__(self, page: "Page", url: str, gateway: str):
        self.page = page
        self.url = url
        self._gateway = gateway
        self._html = ""
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def respond(self, request: ReceivedRequest) -> ListenerResponse:
        """The page with the form, and an empty one at every other address."""
        html = self._html if request.path == "/" else "<!DOCTYPE html><title>Done</title>"
        return ListenerResponse(200, {"Content-Type": "text/html; charset=utf-8"}, html.encode())

    def open(
        self,
        checkout: str,
        options: Mapping[str, Any] | None = None,
        *,
        body: str = ALONE,
        brands: str = BRANDS,
        until: str = "isReady",
    ) -> None:
        """Show the form of a checkout, and wait until it is ready, or drawn at least."""
        parts = {
            "WATCH": WATCH.replace("OPTIONS", json.dumps(options or {})),
            "FORM": body.replace("BRANDS", brands),
            "SCRIPT": f"{self._gateway}{SCRIPT}?checkoutId={checkout}",
        }
        html = PAGE
        for name, text in parts.items():
            html = html.replace(name, text)
        self.show(html)
        self.page.wait_for_function(until)

    def show(self, html: str) -> None:
        """Show this as the page of the shop."""
        self._html = html
        self.page.goto(self.url)

    def words(self) -> tuple[str, ...]:
        """What the form says: its labels and its button."""
        return tuple(self.page.locator(".wpwl-label, .wpwl-button-pay").all_inner_texts())

    def brands(self) -> list[str]:
        """The card brands that the form offers."""
        options = self.page.locator("select[name=paymentBrand] option")
        return [str(each.get_attribute("value")) for each in options.all()]

    def frames(self) -> "list[Frame]":
        """The frames of the gateway in the page."""
        return [each for each in self.page.frames if each.url.startswith(self._gateway)]

    def is_drawn(self) -> bool:
        """Whether the form has its button."""
        button = self.page.locator(".wpwl-button-pay").first
        with _patience():
            button.wait_for(timeout=FRAME_MS_MAX)
        return button.is_visible()

    def direction(self) -> str:
        """In which direction the form runs: ltr or rtl."""
        return str(
            self.page.locator("form.wpwl-form").first.evaluate(
                "(form) => getComputedStyle(form).direction"
            )
        )

    def modes(self) -> list[str]:
        """What each page of the form asks old browsers for; empty where it asks for nothing."""
        look = """() => { var meta = document.querySelector("meta[http-equiv='X-UA-Compatible' i]");
          return meta ? meta.content : ""; }"""
        return [str(frame.evaluate(look)) for frame in self.frames()]

    def messages(self) -> list[str]:
        """Every message that came to the page."""
        self.page.wait_for_timeout(MESSAGES_MS)
        return list(self.page.evaluate("messages"))

    def grow_old(self) -> None:
        """Take from the browser what came after the oldest one."""
        for script in scripts_of_old_browser(self._gateway):
            self.page.add_init_script(script)

    def pay(self, card: Sent) -> None:
        """Type a card and press pay."""
        self.type_card(card)
        self.page.click("button.wpwl-button-pay")

    def press_pay(self) -> None:
        """Press pay as the form stands, and let the scripts of the form answer."""
        self.page.locator(".wpwl-button-pay").first.click()
        self.page.wait_for_timeout(MESSAGES_MS)

    def close_bank(self, brand: str) -> None:
        """Pay by the brand of a bank, close the window that it opens, and come back to the form."""
        with self.page.expect_popup() as opened:
            self.page.click(f'[class*="-{brand}"] button.wpwl-button-pay')
        opened.value.wait_for_load_state()
        opened.value.close()
        if not self.page.locator("button.wpwl-button-pay").first.is_visible():
            self.page.locator(".wpwl-container button:visible").first.click()

    def type_card(self, card: Sent) -> None:
        """Type a card into the form."""
        expiry = f"{card['card.expiryMonth']} / {card['card.expiryYear'][-2:]}"
        self.page.select_option("select[name=paymentBrand]", card["paymentBrand"])
        fill(self._field("card.number"), "the number", card["card.number"])
        fill(self.page.locator(".wpwl-control-expiry"), "the expiry date", expiry)
        fill(self.page.locator('input[name="card.holder"]'), "the holder", card["card.holder"])
        fill(self._field("card.cvv"), "the code", card["card.cvv"])

    def came_back(self) -> str:
        """The address of the shop's next page, once it is open; where the browser is if never."""
        return self._address_after("**/done*")

    def is_asked_by_the_bank(self) -> bool:
        """Whether a page stands in the frame of 3-D Secure, and the page of the shop remains."""
        frame = self.page.locator("iframe.wpwl-target")
        with _patience():
            frame.wait_for(timeout=FRAME_MS_MAX)
        return frame.count() == 1 and self.page.url == self.url

    def overflow(self, width: int) -> int:
        """By how many pixels the page is wider than a window of this width."""
        self.page.set_viewport_size({"width": width, "height": 740})
        needed = self.page.evaluate("document.documentElement.scrollWidth")
        return max(0, int(needed) - width)

    def submit_outer(self) -> str:
        """Submit the form of the shop around the widget; the address that it leads to."""
        self.page.fill('input[name="card.holder"]', "Jane Jones")
        self.page.evaluate("document.getElementById('outer').submit()")
        return self._address_after("**/basket*")

    def _address_after(self, pattern: str) -> str:
        with _patience():
            self.page.wait_for_url(pattern)
        return self.page.url

    def _field(self, name: str) -> "Locator":
        return self.page.frame_locator(f'iframe[name="{name}"]').locator(f'input[name="{name}"]')


@contextmanager
def shop_page(browser: "Browser", gateway: str) -> Iterator[ShopPage]:
    """A page of a shop of its own, in a window of its own, until the end of the block."""
    context = browser.new_context(viewport={"width": 1024, "height": 768}, ignore_https_errors=True)
    context.set_default_timeout(WAIT_MS_MAX)
    shop = ShopPage(context.new_page(), "", gateway)
    try:
        with listening(shop.respond) as url:
            shop.url = url
            yield shop
    finally:
        context.close()


def fill(field: "Locator", name: str, value: str) -> None:
    """Type into a field. Raises FormFieldError, which repeats nothing that was typed."""
    from playwright.sync_api import Error

    try:
        field.fill(value)
    except Error:
        # Its message has what was to be typed.
        raise FormFieldError(f"expected a form with a field for {name}, found none") from None


@contextmanager
def _patience() -> Iterator[None]:
    """What has not happened in time is seen by what stands there instead."""
    from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

    with suppress(PlaywrightTimeoutError):
        yield
