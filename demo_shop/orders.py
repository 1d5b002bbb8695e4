"""Orders of the shop, and what happened to each: calls, visits and webhooks, in their order."""

import re
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from demo_shop.masking import shown_text
from demo_shop.stories import Article, ShopStory

ORDERS_MAX, ENTRIES_MAX = 200, 60


SUCCESS = re.compile(r"(?:2\d\d)? ?(?:000\.[\d.]+)?")


class TimelineEntry(NamedTuple):
    """One line of the timeline: from whom to whom, what, how it ended, why, and its details."""

    parties: str
    title: str
    outcome: str
    why: str
    details: str

    @property
    def is_success(self) -> bool:
        """Whether status and result code, where it has them, are those of a success."""
        return bool(SUCCESS.fullmatch(self.outcome))


@dataclass
class Order:
    """What a shopper buys, and what the shop knows about its payment."""

    articles: tuple[Article, ...]
    story: ShopStory
    locale: str
    style: str
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    checkout: str = ""
    integrity: str = ""
    payment: str = ""
    code: str = ""
    description: str = ""
    problem: str = ""
    is_closed: bool = False
    entries: list[TimelineEntry] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def number(self) -> str:
        """The shop's own reference."""
        return f"order-{self.id}"

    @property
    def amount(self) -> Decimal:
        """What is to be paid, in EUR."""
        return sum((article.price for article in self.articles), Decimal(0))

    @property
    def state(self) -> str:
        """What a shop does with the result: ship it, wait, or ask for another way to pay."""
        if not self.code:
            return "open"
        if self.code.startswith("000.200"):
            return "pending"
        return "paid" if self.code.startswith("000.") else "declined"

    def add(self, entry: TimelineEntry) -> None:
        """Keep one more line, as it may be shown; what would be too many is left out."""
        with self.lock:
            if len(self.entries) < ENTRIES_MAX:
                self.entries.append(TimelineEntry(*map(shown_text, entry)))


class Orders:
    """The newest orders; the oldest one goes where there are too many."""

    def __init__(self) -> None:
        self._orders: OrderedDict[str, Order] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, order: Order) -> None:
        """Keep an order."""
        with self._lock:
            self._orders[order.id] = order
            while len(self._orders) > ORDERS_MAX:
                self._orders.popitem(last=False)

    def find(self, order_id: str) -> Order | None:
        """The order of this id."""
        with self._lock:
            return self._orders.get(order_id)
