"""Orders of the shop, and what happened to each: calls, visits and webhooks, in their order."""

import math
import re
import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from demo_shop.masking import shown_text
from demo_shop.stories import Article, ShopStory
from simulator.client import Answer

ORDERS_MAX, ENTRIES_MAX = 200, 60
CURRENCY = "EUR"
# How often the page asks again by itself, and how long it waits, whatever the gateway says.
ASKS_MAX, WAIT_S, WAIT_S_MAX = 5, 30, 120
TOO_MANY, SERVER_ERROR = 429, 500
PENDING = re.compile(r"000\.200|800\.400\.5|100\.400\.500")

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
    differs: str = ""
    is_unanswered: bool = False
    asks_left: int = ASKS_MAX
    next_ask: float = 0.0
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
        if self.is_unanswered or PENDING.match(self.code):
            return "pending"
        if not self.code:
            return "open"
        if not self.code.startswith("000."):
            return "declined"
        return "differs" if self.differs else "paid"

    @property
    def is_final(self) -> bool:
        """Whether nothing else can come: behind a decline the checkout may be paid after all."""
        return self.state == "paid"

    @property
    def wait_s(self) -> int:
        """Seconds in which the gateway is not asked again."""
        return max(0, math.ceil(self.next_ask - time.monotonic()))

    def learn(self, answer: Answer) -> None:
        """Keep what the gateway says about the payment, or that it said nothing about it. What is
        final stays, whichever of two answers comes last.
        """
        if self.is_final:
            return
        is_refused = answer.status == TOO_MANY or answer.status >= SERVER_ERROR
        if is_refused and not answer.at("paymentType"):
            self._wait(answer)
            return
        if self.state == "declined" and not answer.at("paymentType"):
            # Such as a checkout whose time is over: it says nothing about the payment.
            return
        self._keep_result(answer)
        self.is_unanswered, self.asks_left, self.next_ask = False, ASKS_MAX, 0.0
        self.payment = answer.id or self.payment
        self.differs = self._difference(answer)

    def _wait(self, answer: Answer) -> None:
        """Ask later: a decline that is known stays one until then."""
        self.asks_left = max(0, self.asks_left - 1)
        self.next_ask = time.monotonic() + _retry_after(answer)
        if self.state != "declined":
            self.is_unanswered = True
            self._keep_result(answer)

    def _keep_result(self, answer: Answer) -> None:
        self.code, self.description = map(shown_text, (answer.code, answer.description))

    def _difference(self, answer: Answer) -> str:
        """What an answer has otherwise than the order: another payment pays nothing."""
        expected = {
            "amount": self.amount,
            "currency": CURRENCY,
            "merchantTransactionId": self.number,
        }
        got = {name: answer.at(name) for name in expected}
        got["amount"] = _amount_of(got["amount"])
        return ", ".join(
            f"{name}: expected {expected[name]}, got {shown_text(str(got[name]))}"
            for name in expected
            if got[name] != expected[name]
        )

    def add(self, entry: TimelineEntry) -> None:
        """Keep one more line, as it may be shown; what would be too many is left out."""
        with self.lock:
            if len(self.entries) < ENTRIES_MAX:
                self.entries.append(TimelineEntry(*map(shown_text, entry)))


def _retry_after(answer: Answer) -> int:
    text = answer.headers.get("retry-after", "")
    seconds = int(text) if text.isdecimal() and len(text) < 9 else WAIT_S
    return min(max(seconds, 1), WAIT_S_MAX)


def _amount_of(text: object) -> Decimal | None:
    try:
        return Decimal(str(text))
    except InvalidOperation:
        return None


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
