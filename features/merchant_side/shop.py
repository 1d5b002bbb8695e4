"""A merchant's shop as its shopper sees it, while it uses the stub gateways."""

import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from features.merchant_side.stub_gateway import (
    Outcome,
    StubGateway,
    StubOrder,
    StubRequest,
    order_named,
)
from reports.events import RecordedExchange
from simulator.client.browser import Browser, BrowserPage, with_query

RELOADS = 5
# What the limit of reads is counted in. Source: the published throttle table of a test system.
WINDOW_S = 60.0


class NoCheckoutError(Exception):
    """The shop prepared no checkout at the stub gateway; the message says what was expected."""


ReturnParameters = Callable[[StubOrder], Mapping[str, str]]


def genuine_return(order: StubOrder) -> Mapping[str, str]:
    """The parameters with which the gateway redirects a shopper back. Source: E46."""
    return {"id": order.id, "resourcePath": order.path}


@dataclass(frozen=True, slots=True)
class ShopVisit:
    """A shopper's return: the page that was shown, and the shop's requests meanwhile.

    `reads` are requests to the gateway, `astray` those to the other host.
    """

    order: StubOrder
    browser: Browser
    url: str
    page: BrowserPage
    reads: list[StubRequest]
    astray: list[StubRequest]

    @property
    def own_reads(self) -> list[StubRequest]:
        """The requests for this very order, with a token."""
        named = [read for read in self.reads if order_named(read.path) == self.order.id]
        return [read for read in named if read.has_token]

    @property
    def other_reads(self) -> list[StubRequest]:
        """The requests for anything else."""
        return [read for read in self.reads if order_named(read.path) != self.order.id]


@dataclass(frozen=True, slots=True)
class PollingObservation:
    """Requests for three orders: of a waiting shopper, a reloading one, and a throttled shop."""

    seconds: float
    waiting: list[StubRequest]
    reloaded: list[StubRequest]
    throttled: list[StubRequest]
    retry_after_s: int
    window_s: float


@dataclass(frozen=True)
class MerchantShop:
    """The pages of a shop. It should use `gateway`, and never `elsewhere`.

    Without `start_url` orders are prepared without the shop, which then knows none of them.
    """

    result_url: str
    start_url: str | None
    paid_text: str
    watch_s: float
    gateway: StubGateway
    elsewhere: StubGateway
    tls: ssl.SSLContext | None
    window_s: float = WINDOW_S
    _kept: list[RecordedExchange] = field(default_factory=list)

    def exchanges(self) -> list[RecordedExchange]:
        """The visits of the result page since the last call, which are then dropped."""
        kept = list(self._kept)
        self._kept.clear()
        return kept

    def begin(self, browser: Browser) -> StubOrder:
        """A new order of this browser. Raises NoCheckoutError."""
        if self.start_url is None:
            return self.gateway.make()
        known = len(self.gateway.orders())
        page = browser.open(self.start_url)
        made = self.gateway.orders()[known:]
        if not made:
            raise NoCheckoutError(
                f"expected --shop-start-url to prepare a checkout at {self.gateway.url}, "
                f"got {page.error or page.status} and none"
            )
        return made[-1]

    def visit(self, outcome: Outcome, lead: ReturnParameters = genuine_return) -> ShopVisit:
        """The return of a shopper whose order has this outcome, with the parameters of `lead`."""
        browser = Browser(self.tls)
        order = self.begin(browser)
        order.outcome = outcome
        return self.come_back(browser, order, lead)

    def come_back(
        self, browser: Browser, order: StubOrder, lead: ReturnParameters = genuine_return
    ) -> ShopVisit:
        """The return of a browser to the result page, with the parameters of `lead`."""
        brought = dict(lead(order))
        url = with_query(self.result_url, brought)
        before, before_astray = len(self.gateway.reads()), len(self.elsewhere.reads())
        page = browser.open(url)
        reads = self.gateway.reads()[before:]
        path = urlsplit(self.result_url).path
        visited = RecordedExchange(
            "other", "GET", path, brought, status=page.status, error=page.error
        )
        self._kept.append(visited)
        return ShopVisit(order, browser, url, page, reads, self.elsewhere.reads()[before_astray:])

    def shows_paid_to(self, visit: ShopVisit) -> bool:
        """Whether the page says that it is paid."""
        return visit.page.says(self.paid_text)

    @property
    def control(self) -> ShopVisit:
        """The visit of a shopper who has paid, made once, with which other visits are compared.

        Raises NoCheckoutError.
        """
        if isinstance(self._first, NoCheckoutError):
            raise self._first
        return self._first

    @property
    def shows_paid_text(self) -> bool:
        """Whether a paid order is shown as paid: otherwise the other visits prove nothing."""
        return self.shows_paid_to(self.control)

    @cached_property
    def _first(self) -> ShopVisit | NoCheckoutError:
        # A failure is kept too, so that a shop that hangs is not waited for in each check.
        try:
            return self.visit("paid")
        except NoCheckoutError as error:
            return error

    @cached_property
    def watched(self) -> PollingObservation:
        """The shop's requests in `watch_s` seconds for orders that stay pending."""
        self.gateway.retry_after_s = max(1, round(self.watch_s / 2))
        waiting, reloaded = self.visit("unpaid"), self.visit("unpaid")
        throttled = self.visit("throttled")
        for _ in range(RELOADS):
            time.sleep(self.watch_s / (RELOADS + 1))
            reloaded.browser.open(reloaded.url)
            throttled.browser.open(throttled.url)
        time.sleep(self.watch_s / (RELOADS + 1))
        return PollingObservation(
            self.watch_s,
            self._reads_of(waiting),
            self._reads_of(reloaded),
            self._reads_of(throttled),
            self.gateway.retry_after_s,
            self.window_s,
        )

    def _reads_of(self, visit: ShopVisit) -> list[StubRequest]:
        """Every request for the order of a visit so far."""
        reads = self.gateway.reads()
        return [read for read in reads if order_named(read.path) == visit.order.id]
