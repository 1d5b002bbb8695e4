"""The server of the demo shop: what it masks, decrypts and refuses."""

import json
import signal
import socket
import subprocess
import tracemalloc
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import pytest

from demo_shop.masking import masked, masked_address
from demo_shop.orders import ENTRIES_MAX, ORDERS_MAX, Order, Orders, TimelineEntry
from demo_shop.pages import static_file
from demo_shop.stories import ARTICLES, LOCALES, STORIES
from demo_shop.timeline import shortened
from demo_shop.webhooks import UnreadableWebhookError, decrypt_webhook
from features.merchant_side.webhook_encryption import TAMPERINGS, encrypt_notification
from simulator.client import gateway_for
from simulator.client.processes import python, without_settings

KEY = bytes(range(32))
RUN = "import sys; sys.argv[1:] = {}; from simulator.__main__ import main; main()"


def an_order(**more: object) -> Order:
    return Order(ARTICLES[:1], STORIES[0], **{"locale": "en", "style": "card", **more})


def lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): text for name, text in headers.items()}


def test_a_webhook_is_read_and_a_tampered_one_is_not() -> None:
    event = {"type": "PAYMENT", "payload": {"id": "1"}}
    sent = encrypt_notification(event, KEY)

    assert decrypt_webhook(lower(sent.headers()), sent.content(), KEY.hex()) == event
    for tamper in TAMPERINGS.values():
        other = tamper(sent, event, KEY)
        with pytest.raises(UnreadableWebhookError):
            decrypt_webhook(lower(other.headers()), other.content(), KEY.hex())


@pytest.mark.parametrize(
    "document",
    [
        {"card.number": "4200000000000000"},
        {"note": "card 4200 0000 0000 0000 please"},
        {"list": [{"deep": "4200-0000-0000-0000"}]},
        {"card.number": "4200000000000001"},
        {"note": ["4200:0000:0000:0000", "4200%200000%200000%200000", "4200_0000_0000_0000"]},
        {"note": "x4200000000000000y", "4200000000000000": 4200000000000000},
        {"note": "４２００000000000000", "list": [4200000000000000]},
        {"card.cvv": "1234", "secret": "abc", "control_key": "abc", "token": "abc"},
        {"note": b64encode(b"card 4200000000000000").decode()},
        {"note": b64encode(b"password=abcdefghijkl").decode()},
        {"note": b64encode(b"ab4200" * 8).decode()},
        {"note": "https://anna:abc1234abc@shop.example/"},
    ],
)
def test_card_numbers_and_secrets_are_masked_wherever_they_are(document: dict) -> None:
    shown = json.dumps(masked(document))

    assert "4200" not in shown and "abc" not in shown and "1234" not in shown
    assert not [each for each in ("NDIwMDAw", "cGFzc3dvcmQ9", "YWI0MjAw") if each in shown]


TOKEN = "ab" * 24


@pytest.mark.parametrize(
    "query",
    [
        f"card=4539578763621486&token={TOKEN}",
        f"note=4539+5787+6362+1486&next=%2Fpay%3Ftoken%3D{TOKEN}",
        f"4539578763621486&{TOKEN}",
        "cvv=739&card[cvv]=739&card%2Ecvv=739&pin=739&pass%77ord=739",
        "card.number=4539578763621486#token=739",
        "card=%34539578763621486&card=４５39578763621486",
    ],
)
def test_an_address_that_a_browser_came_back_with_is_masked(query: str) -> None:
    order = an_order()
    path = f"/orders/{order.id}/back?id=8a5f8be0db2054a3615cb1561fc1a9ea&"
    address = masked_address(path + query)

    assert address.startswith(path)
    # Its id may have the digits too.
    shown = address.removeprefix(path)
    assert not [secret for secret in ("453957", "5787", TOKEN, "739") if secret in shown]


def test_every_line_of_an_order_is_masked() -> None:
    order = an_order()
    order.add(TimelineEntry(*[f"4539578763621486 {TOKEN} 8a5f8be0db2054a3615cb1561fc1a9ea"] * 5))

    (entry,) = order.entries
    assert {*entry} == {"************1486 ******** 8a5f8be0db2054a3615cb1561fc1a9ea"}


def test_ids_and_amounts_are_shown() -> None:
    shown = {"id": "8a5f8be0db2054a3615cb1561fc1a9ea", "amount": "42.00", "code": "000.100.110",
             "merchantTransactionId": "order-e4dfbbff3c748212", "paid": True, "count": 12,
             "no": None, "timestamp": "2026-11-26 20:40:35.123+0000"}  # fmt: skip

    assert masked(shown) == shown


def test_orders_and_their_lines_have_a_limit() -> None:
    orders, first = Orders(), an_order()
    orders.add(first)
    for _ in range(ORDERS_MAX):
        orders.add(an_order())
    for _ in range(ENTRIES_MAX + 5):
        first.add(TimelineEntry("a", "b", "", "", ""))

    assert orders.find(first.id) is None
    assert len(first.entries) == ENTRIES_MAX
    assert len(shortened("x" * 100_000)) < 5000


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("", "open"),
        ("000.100.110", "paid"),
        ("000.200.000", "pending"),
        ("800.100.152", "declined"),
    ],
)
def test_the_result_code_decides_what_becomes_of_an_order(code: str, state: str) -> None:
    assert an_order(code=code).state == state


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    """The address of a shop; Ctrl-C ends it at last, and its sandbox is gone."""
    with gateway_for({}) as gateway:
        variables = {
            "SANDGATE_URL": gateway.url, "SANDGATE_CONTROL_URL": gateway.control_url,
            "SANDGATE_CONTROL_API_KEY": gateway.control_key,
        }  # fmt: skip
        command = python(RUN.format(["shop", "--port", "0"]))
        process = subprocess.Popen(
            command, env=without_settings() | variables, stdout=subprocess.PIPE, text=True
        )
        with process:
            line = process.stdout.readline()
            assert line.startswith("The demo shop is open: http://127.0.0.1:"), line
            control = gateway.control()
            made = {each["id"] for each in control.sandboxes()}
            yield line.split()[-1]
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
            assert process.wait(20) == 0
            assert "sandgate journal tail" in rest and "The shop is closed" in rest
            assert len(made) - len(control.sandboxes()) == 1
            control.close()


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_closed_shop_says_what_became_of_its_sandbox(*, is_gone: bool) -> None:
    """Its gateway may have ended before it; another one with the same data has the sandbox."""
    command = python(RUN.format(["shop", "--port", "0"]))
    with ExitStack() as held:
        gateway = held.enter_context(gateway_for({}))
        variables = {
            "SANDGATE_URL": gateway.url, "SANDGATE_CONTROL_URL": gateway.control_url,
            "SANDGATE_CONTROL_API_KEY": gateway.control_key,
        }  # fmt: skip
        environment = without_settings() | variables
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            process.stdout.readline()
            sandbox = process.stdout.readline().split()[-1].rstrip(".")
            if is_gone:
                held.close()
            process.send_signal(signal.SIGINT)
            last = process.stdout.read().splitlines()[-1]
            assert process.wait(20) == 0
    if is_gone:
        assert last == (
            f"The shop is closed. Its sandbox {sandbox} was not deleted: connection refused. Once "
            f"the gateway runs again, `sandgate sandbox delete {sandbox}` deletes it."
        )
    else:
        assert last == "The shop is closed, and its sandbox is deleted."


def asked(shop: str, method: str, path: str, **form: str) -> tuple[int, str, str]:
    """Status, address to go to, and text of the answer to a browser."""
    link = HTTPConnection(urlsplit(shop).netloc, timeout=20)
    body = urlencode(form) if form else None
    link.request(method, path, body=body, headers={"Accept": "text/html"})
    answer = link.getresponse()
    text = answer.read().decode()
    link.close()
    return answer.status, answer.headers.get("Location", ""), text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/orders/0000000000000000", 404),
        ("GET", "/orders/0000000000000000/back", 404),
        ("GET", "/static/../cli.py", 404),
        ("GET", "/static/shop.css", 200),
        ("DELETE", "/", 404),
        ("POST", "/webhooks/0000000000000000", 404),
        ("POST", "/orders", 400),
    ],
)
def test_what_the_shop_does_not_have_is_a_page_of_its_own(
    shop: str, method: str, path: str, status: int
) -> None:
    assert asked(shop, method, path)[0] == status


def test_what_a_browser_sends_is_never_html_of_the_page(shop: str) -> None:
    hostile = "<script>alert(1)</script>"
    chosen = {"article": "tea", "story": hostile, "locale": hostile, "style": hostile}
    _, order, _ = asked(shop, "POST", "/orders", **chosen)
    asked(shop, "GET", f"{order}/back?id={hostile}")

    _, _, shown = asked(shop, "GET", order)

    assert hostile not in shown
    assert 'data-locale="en"' in shown or "is pending" in shown
    assert asked(shop, "GET", f"{order}/entries?after=9x9")[0] == 200


def test_a_shopper_who_comes_back_without_paying_has_a_pending_order(shop: str) -> None:
    _, order, _ = asked(shop, "POST", "/orders", article="teapot", story="approved")

    status, _, shown = asked(shop, "GET", f"{order}/back?id=forged&resourcePath=forged")

    assert status == 200 and "The payment is pending" in shown and "Ask again" in shown
    assert asked(shop, "GET", f"{order}/trace.svg")[0] == 404


def test_the_way_back_is_shown_without_card_numbers_and_tokens(shop: str) -> None:
    _, order, _ = asked(shop, "POST", "/orders", article="teapot", story="approved")
    asked(shop, "GET", f"{order}/back?id=1&card=4539578763621486&token={TOKEN}")

    for page in (order, f"{order}/entries"):
        shown = asked(shop, "GET", page)[2]
        assert f"<pre>{order}/back?id=1&amp;card=************1486&amp;token=********" in shown
        assert "4539578763621486" not in shown and TOKEN not in shown


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200), ("localhost:1234", 200), ("LOCALHOST", 200), ("[::1]:80", 200),
        ("shop.localhost", 200), ("example.com", 421), ("127.0.0.1.example.com", 421),
        ("localhost.example.com:8090", 421), ("", 421), ("[::1", 421),
    ],
)  # fmt: skip
def test_a_name_of_another_site_is_refused(shop: str, host: str, status: int) -> None:
    assert raw(shop, f"GET / HTTP/1.1\r\nHost: {host}\r\n") == status


@pytest.mark.parametrize("target", ["http://[::1", "http://[a]/"])
def test_a_request_line_that_cannot_be_read_is_answered(shop: str, target: str) -> None:
    assert raw(shop, f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n") == 400


def raw(shop: str, head: str) -> int:
    """The status of the answer to a request as it is written here."""
    place = urlsplit(shop)
    with socket.create_connection((place.hostname, place.port), 20) as link:
        link.sendall(f"{head}Connection: close\r\n\r\n".encode())
        return int(link.makefile("rb").readline().split()[1])


def test_a_port_that_is_taken_is_named(shop: str) -> None:
    port = str(urlsplit(shop).port)
    ended = subprocess.run(
        python(RUN.format(["shop", "--port", port])), env=without_settings(),
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert ended.returncode == 2
    said = f"--port: expected a free port, got {port}: address already in use. Choose another"
    assert said in ended.stderr and "no gateway is named" in ended.stderr


@pytest.mark.parametrize(
    ("url", "got"),
    [("http://127.0.0.1:1/", "connection refused"), ("https{}", "an answer without TLS")],
)
def test_a_gateway_that_is_not_there_is_named(url: str, got: str, shop: str) -> None:
    address = url.format(shop.removeprefix("http"))
    named = dict.fromkeys(("SANDGATE_URL", "SANDGATE_CONTROL_URL"), address)
    named["SANDGATE_CONTROL_API_KEY"] = "a key of some gateway"
    ended = subprocess.run(
        python(RUN.format(["shop", "--port", "0"])),
        env=without_settings() | named,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert f"expected a gateway at {address}, got: {got}" in ended.stderr
    assert "Errno" not in ended.stderr and "_ssl" not in ended.stderr


def test_stories_and_languages_have_names_of_their_own() -> None:
    assert len({story.name for story in STORIES}) == len(STORIES) == 8
    assert len(dict(LOCALES)) == 25


def test_names_of_files_that_the_shop_does_not_have_are_not_kept() -> None:
    assert static_file("shop.css") is not None
    tracemalloc.start()
    try:
        for number in range(2000):
            assert static_file(f"{number}-{'x' * 5000}") is None
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 1_000_000
