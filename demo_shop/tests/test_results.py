"""What the shop makes of the answers that the gateway gives about a payment."""

import pytest

from demo_shop.merchant import Merchant
from demo_shop.orders import ASKS_MAX, WAIT_S, WAIT_S_MAX, Order
from demo_shop.server import ShopServer
from demo_shop.stories import ARTICLES, STORIES
from simulator.client import Answer
from simulator.client.listener import ListenerResponse, ReceivedRequest
from simulator.client.shown.known_secrets import KnownSecrets

PAID, THROTTLED = "000.100.110", "800.120.100"
SANDBOX = "1" * 32


class ScriptedGateway:
    """Gives these answers about the payment of each order, the last one for ever."""

    def __init__(self, *answers: Answer):
        self.answers = list(answers)
        self.asked = 0

    def read(self, order: Order) -> Answer:
        self.asked += 1
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def merchant(self) -> Merchant:
        """A merchant that asks it, and that prepares nothing."""
        made = object.__new__(Merchant)
        vars(made).update(gateway="http://127.0.0.1:1/", sandbox=SANDBOX, _read=self.read)
        vars(made).update(prepare=lambda order, result_url: None, _known=KnownSecrets())
        return made


def an_order() -> Order:
    return Order(ARTICLES[:1], STORIES[0], locale="en", style="card")


def answered(status: int, code: str, headers: dict | None = None, **body: str) -> Answer:
    return Answer(status, headers or {}, {"result": {"code": code, "description": "so"}, **body})


def throttled(retry_after: str = "31") -> Answer:
    return answered(429, THROTTLED, {"retry-after": retry_after})


def paid(order: Order, **other: str) -> Answer:
    about = {"amount": f"{order.amount}", "currency": "EUR", "merchantTransactionId": order.number}
    return answered(200, PAID, **{"id": "8a", "paymentType": "DB", **about, **other})


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_an_answer_without_a_payment_leaves_the_order_pending(status: int) -> None:
    order = an_order()
    order.learn(answered(status, THROTTLED))
    assert order.state == "pending" and order.wait_s == WAIT_S
    order.learn(paid(order))
    assert (order.state, order.wait_s) == ("paid", 0)


@pytest.mark.parametrize(
    ("retry_after", "waits"), [("7", 7), ("0", 1), ("9" * 8, WAIT_S_MAX), ("soon", WAIT_S)]
)
def test_the_shop_waits_as_long_as_it_is_asked_to(retry_after: str, waits: int) -> None:
    order = an_order()
    order.learn(throttled(retry_after))
    assert order.wait_s == waits


@pytest.mark.parametrize("code", ["000.200.000", "800.400.500", "100.400.500"])
def test_what_may_still_be_paid_is_pending(code: str) -> None:
    order = an_order()
    order.learn(answered(200, code, paymentType="DB"))
    assert order.state == "pending"


@pytest.mark.parametrize("amount", ["42.00", "42", "42.0"])
def test_the_amount_is_compared_as_a_number(amount: str) -> None:
    order = an_order()
    order.learn(paid(order, amount=amount))
    assert order.state == "paid"


@pytest.mark.parametrize(
    ("name", "value"),
    [("amount", "0.01"), ("amount", ""), ("currency", "JPY"), ("merchantTransactionId", "other-1")],
)
def test_a_payment_of_something_else_pays_nothing(name: str, value: str) -> None:
    order = an_order()
    order.learn(paid(order, **{name: value}))
    assert order.state == "differs" and order.differs.startswith(f"{name}: expected ")
    order.learn(paid(order))
    assert order.state == "paid"


def declined() -> Answer:
    return answered(400, "800.100.152", paymentType="DB")


def test_a_checkout_that_is_paid_behind_a_decline_is_a_paid_order() -> None:
    gateway = ScriptedGateway(declined(), throttled())
    server, path = bought(gateway)
    for _ in range(2):
        assert "The payment was declined" in looked_at(server, f"{path}/back").body.decode()
    order = server._orders.find(path.removeprefix("/orders/"))
    order.next_ask, gateway.answers = 0.0, [paid(order), declined()]
    for _ in range(2):
        assert "Thank you, it is paid" in looked_at(server, f"{path}/back").body.decode()


def test_a_decline_keeps_its_reason_when_the_time_of_its_checkout_is_over() -> None:
    order = an_order()
    for answer in (declined(), answered(404, "200.300.404")):
        order.learn(answer)
    assert (order.state, order.code) == ("declined", "800.100.152")


def bought(gateway: ScriptedGateway) -> tuple[ShopServer, str]:
    server = ShopServer(gateway.merchant())
    form = ReceivedRequest("POST", "/orders", {}, b"article=teapot&story=approved")
    return server, server.respond(form).headers["Location"]


def looked_at(server: ShopServer, path: str) -> ListenerResponse:
    return server.respond(ReceivedRequest("GET", path, {"accept": "text/html"}, b""))


def test_a_page_that_was_refused_asks_again_later_and_not_before() -> None:
    gateway = ScriptedGateway(throttled())
    server, path = bought(gateway)
    page = looked_at(server, f"{path}/back")
    assert page.headers["Refresh"] == f"32; url={path}/again"
    text = page.body.decode()
    assert "The payment is pending" in text and "asks again in 32 seconds" in text
    assert "Pay 42.00" not in text and "declined" not in text
    looked_at(server, f"{path}/back")
    assert gateway.asked == 1


def test_a_page_asks_again_by_itself_a_few_times() -> None:
    gateway = ScriptedGateway(throttled())
    server, path = bought(gateway)
    order = server._orders.find(path.removeprefix("/orders/"))
    pages = []
    for _ in range(ASKS_MAX):
        order.next_ask = 0.0
        pages.append(looked_at(server, f"{path}/again"))
    assert ["Refresh" in page.headers for page in pages] == [True] * (ASKS_MAX - 1) + [False]
    assert "Ask again in 31 seconds" in pages[-1].body.decode()
    order.next_ask, gateway.answers = 0.0, [paid(order)]
    assert "Thank you, it is paid" in looked_at(server, f"{path}/again").body.decode()


def test_a_page_says_what_differs() -> None:
    gateway = ScriptedGateway(answered(200, PAID, paymentType="DB", amount="0.01", currency="EUR"))
    server, path = bought(gateway)
    text = looked_at(server, f"{path}/back").body.decode()
    assert "amount: expected 42.00, got 0.01" in text and "it is paid" not in text
