"""The addresses of the shop: goods, an order with the form, the way back, and the webhooks."""

import http.client
import re
import secrets
from collections.abc import Callable, Mapping
from email.message import Message
from ipaddress import ip_address
from urllib.parse import parse_qs, urlsplit

from demo_shop.masking import masked_address
from demo_shop.merchant import FROM_GATEWAY, Merchant
from demo_shop.orders import Order, Orders, TimelineEntry
from demo_shop.pages import policy_for, render, static_file
from demo_shop.stories import ARTICLES, LOCALES, STORIES, STYLES
from demo_shop.webhooks import UnreadableWebhookError
from simulator.client import ControlError
from simulator.client.listener import ListenerResponse, ReceivedRequest

MISDIRECTED = 421
HTML = "text/html; charset=utf-8"
FORM_BYTES_MAX, FIELDS_MAX, ADDRESS_LENGTH_MAX = 4096, 40, 500
# One minute before the end of a checkout the gateway calls a shop that did not read the result.
UNTIL_CALL = "29m"
ORDER_ADDRESS = re.compile(
    r"/orders/([0-9a-f]{16})(?:/(back|again|closed|wait|entries|trace\.svg))?"
)
Page = Callable[[Order, ReceivedRequest], ListenerResponse]


class ShopServer:
    """Answers browsers, and the gateway where it calls back."""

    def __init__(self, merchant: Merchant):
        self.url = ""
        self.webhook_path = f"/webhooks/{secrets.token_hex(8)}"
        self._merchant = merchant
        self._orders = Orders()
        self._policy = policy_for(merchant.gateway)
        self._pages: Mapping[tuple[str, str], Page] = {
            ("GET", ""): self._show,
            ("GET", "back"): self._come_back,
            ("GET", "again"): self._ask_again,
            ("GET", "closed"): self._close,
            ("POST", "wait"): self._wait,
            ("GET", "entries"): self._entries,
            ("GET", "trace.svg"): self._trace,
        }

    def respond(self, request: ReceivedRequest) -> ListenerResponse:
        """The response to one request."""
        try:
            return self._respond(request)
        except (ControlError, OSError, http.client.HTTPException) as error:
            problem = f"The gateway did not answer: {self._merchant.shown(str(error))}"
            return self._page(502, "problem.html", problem=problem)

    def _respond(self, request: ReceivedRequest) -> ListenerResponse:
        path = urlsplit(request.path).path
        if path == self.webhook_path and request.method == "POST":
            return self._take_webhook(request)
        if path == "/" and request.method == "GET":
            return self._page(200, "goods.html", problem="")
        if path == "/orders" and request.method == "POST":
            return self._buy(request)
        if path.startswith("/static/") and request.method == "GET":
            return self._static(path.removeprefix("/static/"))
        named = ORDER_ADDRESS.fullmatch(path)
        order = self._orders.find(named[1]) if named else None
        page = self._pages.get((request.method, (named[2] or "") if named else ""))
        if order is None or page is None:
            return self._page(404, "problem.html", problem="The shop has no such page.")
        return page(order, request)

    def _buy(self, request: ReceivedRequest) -> ListenerResponse:
        order = _order_in(request.body)
        if order is None:
            return self._page(400, "goods.html", problem="Choose something to buy first.")
        self._orders.add(order)
        self._merchant.prepare(order, f"{self.url}/orders/{order.id}/back")
        return self._onward(f"/orders/{order.id}")

    def _show(self, order: Order, request: ReceivedRequest) -> ListenerResponse:
        is_payable = order.state == "open" and not order.is_closed and not order.problem
        name = "pay.html" if is_payable else "result.html"
        asks_in = order.wait_s + 1 if order.wait_s and order.asks_left else 0
        page = self._page(
            200, name, order=order, gateway=self._merchant.gateway, shop=self.url,
            sandbox=self._merchant.sandbox, asks_in=asks_in,
        )  # fmt: skip
        if not asks_in:
            return page
        refresh = {"Refresh": f"{asks_in}; url=/orders/{order.id}/again"}
        return ListenerResponse(page.status, {**page.headers, **refresh}, page.body)

    def _come_back(self, order: Order, request: ReceivedRequest) -> ListenerResponse:
        is_browser = "text/html" in request.headers.get("accept", "")
        parties = "Browser to shop" if is_browser else FROM_GATEWAY
        why = (
            "The form leads the browser back, with the id of the checkout in the address."
            if is_browser
            else "The shop did not read the result, so the gateway calls the page of the result."
        )
        address = masked_address(self._merchant.hide(request.path))[:ADDRESS_LENGTH_MAX]
        order.add(TimelineEntry(parties, "GET /orders/.../back", "", why, address))
        self._merchant.read_result(order)
        return self._show(order, request)

    def _ask_again(self, order: Order, request: ReceivedRequest) -> ListenerResponse:
        self._merchant.read_result(order)
        return self._show(order, request)

    def _close(self, order: Order, request: ReceivedRequest) -> ListenerResponse:
        order.is_closed = True
        return self._onward(f"/orders/{order.id}")

    def _wait(self, order: Order, request: ReceivedRequest) -> ListenerResponse:
        self._merchant.pass_time(order, UNTIL_CALL)
        return self._onward(f"/orders/{order.id}")

    def _entries(self, order: Order, request: ReceivedRequest) -> ListenerResponse:
        after = parse_qs(urlsplit(request.path).query).get("after", ["0"])[0]
        first = int(after) if after.isdecimal() and len(after) < 6 else 0
        return self._page(200, "entries.html", entries=order.entries[first:])

    def _trace(self, order: Order, request: ReceivedRequest) -> ListenerResponse:
        if not order.payment:
            return self._page(404, "problem.html", problem="This order has no payment yet.")
        return ListenerResponse(200, {"Content-Type": "image/svg+xml"}, self._merchant.trace(order))

    def _take_webhook(self, request: ReceivedRequest) -> ListenerResponse:
        try:
            number, entry = self._merchant.read_webhook(request.headers, request.body)
        except UnreadableWebhookError:
            return ListenerResponse(400)
        order = self._orders.find(number.removeprefix("order-"))
        if order is not None:
            order.add(entry)
        return ListenerResponse(200)

    def _static(self, name: str) -> ListenerResponse:
        found = static_file(name)
        if found is None:
            return self._page(404, "problem.html", problem="The shop has no such file.")
        return ListenerResponse(200, {"Content-Type": found[0]}, found[1])

    def _onward(self, path: str) -> ListenerResponse:
        return ListenerResponse(303, {"Location": path})

    def _page(self, status: int, name: str, **values: object) -> ListenerResponse:
        headers = {
            "Content-Type": HTML, "Content-Security-Policy": self._policy,
            "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
        }  # fmt: skip
        return ListenerResponse(status, headers, render(name, **values))


def admit(headers: Message) -> int:
    """The status that refuses a request, 0 admits it. A name of another site may lead to this
    machine, and the pages of that site would then read those of the shop. Choice: D-261.
    """
    try:
        host = urlsplit(f"//{headers.get('Host', '')}").hostname or ""
    except ValueError:
        return MISDIRECTED
    if host == "localhost" or host.endswith(".localhost"):
        return 0
    try:
        ip_address(host)
    except ValueError:
        return MISDIRECTED
    return 0


def _order_in(body: bytes) -> Order | None:
    """What a shopper chose; None where nothing is to be bought."""
    try:
        text = body[:FORM_BYTES_MAX].decode()
        chosen = parse_qs(text, max_num_fields=FIELDS_MAX)
    except ValueError:
        return None
    articles = tuple(each for each in ARTICLES if each.name in chosen.get("article", []))
    stories = {story.name: story for story in STORIES}
    story = stories.get(_first(chosen, "story"), STORIES[0])
    locale, style = _first(chosen, "locale"), _first(chosen, "style")
    if not articles:
        return None
    return Order(
        articles, story,
        locale=locale if locale in dict(LOCALES) else LOCALES[0][0],
        style=style if style in STYLES else STYLES[0],
    )  # fmt: skip


def _first(chosen: Mapping[str, list[str]], name: str) -> str:
    return chosen.get(name, [""])[0]
