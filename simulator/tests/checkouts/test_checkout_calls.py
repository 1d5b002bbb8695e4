"""The call of shopperResultUrl for a checkout that was posted and that no client read."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

from simulator.tests.kit.checkout_shop import CARD, DECLINE, Shop
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.sinks import Sink

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
BUSY = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


@pytest.fixture
def receiver() -> Iterator[Sink]:
    """The address a shopper returns to."""
    sink = Sink(lambda number: OK)
    yield sink
    sink.server.stop()


def asked(sink: Sink) -> list[dict[str, list[str]]]:
    """The queries of the calls that came."""
    return [parse_qs(urlsplit(each.line.split()[1]).query) for each in sink.requests]


def test_an_unread_payment_is_called_out_at_29_minutes_and_not_before(
    shop: Shop, receiver: Sink
) -> None:
    identity = shop.prepare()
    shop.pay(identity, shopperResultUrl=f"{receiver.url}?shop=7")
    shop.advance("1739.999s")
    before = asked(receiver)
    shop.advance("0.001s")

    assert before == []
    path = f"/v1/checkouts/{identity}/payment"
    assert asked(receiver) == [{"shop": ["7"], "id": [identity], "resourcePath": [path]}]
    assert receiver.requests[0].line.startswith("GET ")
    shop.advance("2d")
    assert len(receiver.requests) == 1


def test_an_unread_registration_is_called_out_too(shop: Shop, receiver: Sink) -> None:
    identity = shop.prepare({"createRegistration": "true"})
    shop.post(f"/{identity}/registration", {**CARD, "shopperResultUrl": receiver.url})
    shop.advance("29m")

    (query,) = asked(receiver)
    assert query["resourcePath"] == [f"/v1/checkouts/{identity}/registration"]


def test_what_was_read_is_not_called_out(shop: Shop, receiver: Sink) -> None:
    identity = shop.prepare(shopperResultUrl=receiver.url)
    shop.get(f"/{identity}/payment")
    shop.pay(identity)
    shop.get(f"/{identity}/payment")
    shop.advance("1h")

    assert receiver.requests == []


def test_a_checkout_without_a_payment_is_not_called_out(shop: Shop, receiver: Sink) -> None:
    unposted = shop.prepare(shopperResultUrl=receiver.url)
    refused = shop.prepare(shopperResultUrl=receiver.url)
    shop.get(f"/{unposted}/payment")
    shop.pay(refused, **{"card.number": "4200000000000001"})
    shop.advance("1h")

    assert receiver.requests == []


def test_another_attempt_after_a_reading_is_unread_again(shop: Shop, receiver: Sink) -> None:
    identity = shop.prepare(shopperResultUrl=receiver.url)
    shop.pay(identity, **DECLINE)
    shop.get(f"/{identity}/payment")
    shop.pay(identity)
    shop.advance("29m")

    assert len(receiver.requests) == 1


def test_reading_that_it_is_pending_is_no_reading_of_its_end(shop: Shop, receiver: Sink) -> None:
    identity = shop.prepare(shopperResultUrl=receiver.url)
    shop.post(f"/{identity}/payment", {"paymentBrand": "EPS"})
    shop.get(f"/{identity}/payment")
    shop.advance("29m")

    assert len(receiver.requests) == 1


def test_pay_that_is_pressed_in_the_last_minute_is_called_out_at_once(
    shop: Shop, receiver: Sink
) -> None:
    identity = shop.prepare(shopperResultUrl=receiver.url)
    shop.advance("1790s")
    shop.pay(identity)
    shop.advance("1s")

    assert len(receiver.requests) == 1


def test_a_call_that_fails_is_tried_again(shop: Shop) -> None:
    sink = Sink(lambda number: OK if number > 1 else BUSY)
    identity = shop.prepare(shopperResultUrl=sink.url)
    shop.pay(identity)
    shop.advance("29m")
    first = len(sink.requests)
    shop.advance("1m")
    sink.server.stop()

    assert (first, len(sink.requests)) == (1, 2)


def test_a_removed_checkout_is_not_called_out(shop: Shop, receiver: Sink) -> None:
    identity = shop.prepare(shopperResultUrl=receiver.url)
    shop.pay(identity)
    shop.ask("DELETE", f"/{identity}")
    shop.advance("1h")

    assert receiver.requests == []
