"""The call of shopperResultUrl for a checkout that was posted and that no client read."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from simulator.domain.core.records import Outcome
from simulator.domain.payments.pending import EXPIRED, Awaited, ShopperChoice, end_of
from simulator.tests.kit.checkout_shop import CARD, DECLINE, Shop
from simulator.tests.kit.gateway import FORM, Gateway
from simulator.tests.kit.shopper import path_of
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


def test_a_call_that_fails_is_repeated_while_its_path_leads_somewhere(shop: Shop) -> None:
    sink = Sink(lambda number: OK if number > 2 else BUSY)
    identity = shop.prepare(shopperResultUrl=sink.url)
    shop.pay(identity)
    counts = []
    for step in ("29m", "15s", "15s", "15s"):
        shop.advance(step)
        counts.append(len(sink.requests))
    sink.server.stop()

    assert counts == [1, 2, 3, 3]
    assert shop.get(f"/{identity}/payment").json["result"]["code"] == "000.100.110"


def test_a_call_is_given_up_when_its_checkout_expires(shop: Shop) -> None:
    sink = Sink(lambda number: BUSY)
    identity = shop.prepare(shopperResultUrl=sink.url)
    shop.pay(identity)
    shop.advance("1799s")
    before = len(sink.requests)
    shop.advance("31d")
    sink.server.stop()

    assert (before, len(sink.requests)) == (4, 4)


def test_a_removed_checkout_is_not_called_out(shop: Shop, receiver: Sink) -> None:
    identity = shop.prepare(shopperResultUrl=receiver.url)
    shop.pay(identity, **DECLINE)
    shop.ask("DELETE", f"/{identity}")
    shop.advance("1h")

    assert receiver.requests == []


def test_a_paid_checkout_is_called_out_however_often_it_was_to_be_removed(
    shop: Shop, receiver: Sink
) -> None:
    identity = shop.prepare(shopperResultUrl=receiver.url)
    shop.pay(identity)
    shop.ask("DELETE", f"/{identity}")
    shop.advance("29m")

    assert len(receiver.requests) == 1


def read_end(shop: Shop, identity: str) -> None:
    assert shop.get(f"/{identity}/payment").json["result"]["code"] == "800.100.152"


def remove(shop: Shop, identity: str) -> None:
    shop.ask("DELETE", f"/{identity}")


@pytest.mark.parametrize("ends", [read_end, remove])
def test_a_call_that_failed_is_not_repeated_once_the_merchant_knows(
    shop: Shop, ends: Callable[[Shop, str], None]
) -> None:
    sink = Sink(lambda number: BUSY)
    identity = shop.prepare(shopperResultUrl=sink.url)
    shop.pay(identity, **DECLINE)
    shop.advance("29m")
    ends(shop, identity)
    for _ in range(4):
        shop.advance("15s")
    sink.server.stop()

    assert len(sink.requests) == 1


@pytest.mark.parametrize("register", [{}, {"createRegistration": "true"}])
def test_a_payment_is_not_read_as_a_registration(
    shop: Shop, receiver: Sink, register: dict[str, str]
) -> None:
    identity = shop.prepare(shopperResultUrl=receiver.url, **register)
    shop.pay(identity)
    shop.get(f"/{identity}/registration")
    shop.advance("29m")

    assert len(receiver.requests) == 1


def test_a_call_about_an_attempt_is_not_repeated_after_the_next(shop: Shop) -> None:
    sink = Sink(lambda number: BUSY if number == 1 else OK)
    identity = shop.prepare(shopperResultUrl=sink.url)
    shop.pay(identity, **DECLINE)
    shop.advance("29m")
    shop.pay(identity)
    shop.advance("1s")
    shop.advance("14s")
    shop.advance("15s")
    sink.server.stop()

    assert len(sink.requests) == 2


def redirected(shop: Shop, receiver: Sink, identity: str) -> dict:
    """A shopper on the page of the bank."""
    sent = {"paymentBrand": "EPS", "shopperResultUrl": receiver.url}
    begun = shop.post(f"/{identity}/payment", sent).json
    assert begun["result"]["code"] == "000.200.000"
    return begun


def chosen(shop: Shop, begun: dict) -> str:
    """How the payment stands after he paid there."""
    shop.gateway.client.simulate_post(path_of(begun), body="action=pay", content_type=FORM)
    return shop.gateway.read(begun["id"], shop.who).json["result"]["code"]


def test_a_shopper_cannot_pay_at_the_bank_after_the_checkout_expired(
    shop: Shop, receiver: Sink
) -> None:
    identity = shop.prepare()
    shop.advance("20m")
    begun = redirected(shop, receiver, identity)
    shop.advance("9m59s")
    assert shop.gateway.read(begun["id"], shop.who).json["result"]["code"] == "000.200.000"
    shop.advance("1s")
    assert shop.gateway.read(begun["id"], shop.who).json["result"]["code"] == "100.396.103"
    assert chosen(shop, begun) == "100.396.103"


def test_a_shopper_who_is_in_time_is_paid_and_can_be_read(shop: Shop, receiver: Sink) -> None:
    identity = shop.prepare()
    shop.advance("20m")
    begun = redirected(shop, receiver, identity)
    shop.advance("9m59s")
    assert chosen(shop, begun) == "000.100.110"
    assert shop.get(f"/{identity}/payment").json["id"] == begun["id"]


def test_an_acquirer_that_answers_after_the_checkout_is_not_waited_for(shop: Shop) -> None:
    shop.gateway.control(
        "POST", f"/sandboxes/{shop.sandbox}/scripts", {"behaviour": "pending-then-approved"}
    )
    identity = shop.prepare()
    shop.advance("1770s")
    pending = shop.pay(identity).json
    shop.advance("5m")
    assert shop.gateway.read(pending["id"], shop.who).json["result"]["code"] == "100.396.103"


@pytest.mark.parametrize(("late", "end"), [(False, "000.100.110"), (True, "100.396.103")])
def test_a_choice_that_comes_too_late_pays_nothing(late: bool, end: str) -> None:
    due = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
    awaited = Awaited(id="8", due=due, outcome=EXPIRED, paid=Outcome(code="000.100.110"))
    now = due if late else due - timedelta(microseconds=1)
    assert end_of(awaited, ShopperChoice.PAY, now).code == end


def pending(shop: Shop, receiver: Sink, **prepared: str) -> tuple[str, dict]:
    """A checkout, and the payment in it that waits for its bank, for days."""
    identity = shop.prepare(notificationUrl=receiver.url, **prepared)
    account = {"bankAccount.holder": "Jane Jones", "bankAccount.iban": "DE89370400440532013000"}
    sent = {"paymentBrand": "DIRECTDEBIT_SEPA", "bankAccount.bic": "COBADEFFXXX", **account}
    due = {"transactionDueDate": "2026-12-20"}
    return identity, shop.post(f"/{identity}/payment", {**sent, **due}).json


def release(shop: Shop, payment: dict, outcome: str = "success") -> None:
    path = f"/sandboxes/{shop.sandbox}/pending/{payment['id']}"
    assert shop.gateway.control("POST", path, {"outcome": outcome}).status_code == 200


def paths_called(receiver: Sink) -> list[tuple[str, str]]:
    """Id and resourcePath of each call, once there is one."""
    receiver.wait(1)
    return [(query["id"][0], query["resourcePath"][0]) for query in asked(receiver)]


@pytest.mark.parametrize("outcome", ["success", "failure"])
def test_a_notification_url_is_called_with_the_checkout_of_the_payment(
    shop: Shop, receiver: Sink, outcome: str
) -> None:
    identity, payment = pending(shop, receiver)
    release(shop, payment, outcome)

    assert paths_called(receiver) == [(identity, f"/v1/checkouts/{identity}/payment")]
    assert shop.get(f"/{identity}/payment").json["id"] == payment["id"]


def test_a_notification_url_is_called_with_the_checkout_of_the_registration(
    shop: Shop, receiver: Sink
) -> None:
    sent = {"createRegistration": "true", "notificationUrl": receiver.url}
    identity = shop.prepare(sent)
    path = f"/sandboxes/{shop.sandbox}/scripts"
    shop.gateway.control("POST", path, {"behaviour": "pending-then-approved"})
    answer = shop.post(f"/{identity}/registration", CARD)
    assert answer.json["result"]["code"] == "000.200.000"
    shop.advance("1m")

    assert paths_called(receiver) == [(identity, f"/v1/checkouts/{identity}/registration")]
    assert shop.get(f"/{identity}/registration").status_code == 200


def expire(shop: Shop, identity: str) -> None:
    shop.advance("30m")


@pytest.mark.parametrize(("ends", "override"), [(expire, {}), (
    lambda shop, identity: shop.get(f"/{identity}/payment"), {"D-130": "first_read"})])  # fmt: skip
def test_a_notification_url_is_called_with_the_payment_once_its_checkout_answers_no_more(
    gateway: Gateway, receiver: Sink, ends: Callable[[Shop, str], None], override: dict[str, str]
) -> None:
    shop = Shop(gateway, overrides=override)
    identity, payment = pending(shop, receiver)
    ends(shop, identity)
    release(shop, payment)

    assert paths_called(receiver) == [(payment["id"], f"/v1/payments/{payment['id']}")]
    assert shop.get(f"/{identity}/payment").status_code != 200
    assert shop.gateway.read(payment["id"], shop.who).json["id"] == payment["id"]
