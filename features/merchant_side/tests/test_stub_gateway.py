"""The judge's own gateway answers as gateways do, and keeps what was asked, but no token."""

import socket
from collections.abc import Iterator

import pytest

from features.merchant_side.checks.polling import most_in_window, too_early, within_limit
from features.merchant_side.context import NotCheckableError
from features.merchant_side.stub_gateway import StubGateway, StubRequest, serving
from simulator.client import Client

TOKEN = "T0ken-of-a-shop"


@pytest.fixture
def gateway() -> Iterator[StubGateway]:
    with serving("127.0.0.1", 0, StubGateway()) as gateway:
        yield gateway


@pytest.fixture
def shop(gateway: StubGateway) -> Client:
    return Client(gateway.url, TOKEN, "8a8294174b7ecb28014b9699220015ca")


def test_a_checkout_is_prepared_and_ends_as_the_judge_says(gateway, shop) -> None:
    made = shop.post("v1/checkouts", {"amount": "92.00", "merchantTransactionId": "order-1"})
    path = f"v1/checkouts/{made.id}/payment"

    answers = [shop.get(path)]
    for outcome in ("paid", "declined", "throttled"):
        gateway.orders()[0].outcome = outcome
        answers.append(shop.get(path))

    assert made.code == "000.200.100"
    assert [(answer.status, answer.code) for answer in answers] == [
        (200, "000.200.000"), (200, "000.100.110"), (400, "800.100.152"), (429, "800.120.100"),
    ]  # fmt: skip
    assert answers[0].id == ""
    assert answers[1].at("merchantTransactionId") == "order-1"
    assert answers[3].headers["retry-after"] == "1"


def test_an_asynchronous_payment_is_pending_and_redirects(shop) -> None:
    made = shop.post("v1/payments", {"amount": "92.00", "paymentBrand": "EPS"})

    assert (made.code, made.at("redirect.parameters")) == ("000.200.000", [])
    assert shop.get(f"v1/payments/{made.id}").code == "000.200.000"


def test_nothing_is_reported_without_a_token_or_of_what_was_not_prepared(gateway, shop) -> None:
    order = gateway.make()
    path = order.path.lstrip("/")

    assert shop.request("GET", path, headers={"Authorization": None}).status == 401
    assert shop.get("v1/checkouts/other/payment").status == 404
    assert [read.has_token for read in gateway.reads()] == [False, True]


def test_a_path_with_dots_leads_where_servers_let_it_lead(gateway, shop) -> None:
    mine, other = gateway.make(), gateway.make()
    other.outcome = "paid"

    answer = shop.get(f"v1/checkouts/{mine.id}/../{other.id}/payment")

    assert answer.code == "000.100.110"


def test_a_token_is_not_kept(gateway, shop) -> None:
    shop.get("v1/checkouts/other/payment")

    assert TOKEN not in repr(gateway.reads())


@pytest.mark.parametrize(
    ("seconds", "most"),
    [([], 0), ([0], 1), ([0, 30, 60], 2), ([0, 29, 58], 3), ([0, 50, 59, 61, 70], 4)],
)
def test_reads_are_counted_in_whatever_minute_has_most_of_them(seconds, most) -> None:
    reads = [StubRequest(float(at), "GET", "/", True) for at in seconds]

    assert most_in_window(reads) == most


def test_few_reads_in_less_than_a_minute_prove_nothing_and_too_many_fail() -> None:
    few, many = (
        [StubRequest(at / 10, "GET", "/", True) for at in range(count)] for count in (2, 3)
    )

    with pytest.raises(NotCheckableError, match="watched for 59 s"):
        within_limit(few, 59.0)
    assert within_limit(few, 60.0).holds
    assert not within_limit(many, 1.0).holds


def test_a_shop_backs_off_from_the_first_429_not_from_what_it_asked_before() -> None:
    reads = [
        StubRequest(at, "GET", "/", True, status) for at, status in ((0, 200), (1, 429), (2, 200))
    ]

    assert too_early(reads[:2], 30) == []
    assert too_early(reads, 30) == reads[2:]
    with pytest.raises(NotCheckableError):
        too_early(reads[:1], 30)


def test_a_read_is_kept_with_the_status_it_was_answered_with(gateway, shop) -> None:
    order = gateway.make()
    order.outcome = "throttled"

    shop.get(order.path.lstrip("/"))

    assert [read.status for read in gateway.reads()] == [429]


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Content-Length: 65537", 413), ("Content-Length: " + "9" * 5000, 413),
        ("Content-Length: -1", 400), ("Content-Length: many", 400),
        ("Transfer-Encoding: chunked", 411),
    ],
)  # fmt: skip
def test_a_body_without_a_bearable_length_is_refused_and_the_line_closed(
    gateway, header: str, status: int
) -> None:
    port = int(gateway.url.rstrip("/").rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(f"POST /v1/checkouts HTTP/1.1\r\nHost: a\r\n{header}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(4096), b""))

    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert gateway.orders() == []
