"""A shopper's browser keeps cookies, follows its shop, and goes to no other host."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from features.merchant_side.stub_gateway import Gateway, serving
from simulator.client.browser import Browser, with_query


@pytest.fixture
def shop() -> Iterator[ThreadingHTTPServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            where = {"/start": "/shown", "/round": "/round", "/away": server.away}
            content = f"cookie {self.headers.get('Cookie')}".encode()
            self.send_response(302 if self.path in where else 200)
            self.send_header("Location", where.get(self.path, "/"))
            self.send_header("Set-Cookie", "order=1; Path=/")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url, server.away = f"http://127.0.0.1:{server.server_port}", "/"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_browser_keeps_cookies_and_follows_on_the_same_host(shop) -> None:
    page = Browser(None).open(f"{shop.url}/start")

    assert (page.status, page.says("COOKIE order=1")) == (200, True)


def test_a_browser_goes_to_no_other_host(shop) -> None:
    with serving("127.0.0.1", 0, Gateway(lying=True)) as elsewhere:
        shop.away = f"{elsewhere.url}v1/checkouts/1/payment"
        page = Browser(None).open(f"{shop.url}/away")

    assert page.status == 302
    assert elsewhere.reads() == []


def test_a_browser_gives_up_where_it_is_sent_in_circles(shop) -> None:
    assert Browser(None).open(f"{shop.url}/round").error == "more than 5 redirects"


def test_a_browser_says_that_nobody_is_there() -> None:
    assert Browser(None).open("http://127.0.0.1:1/").error == "no answer: connection refused"


@pytest.mark.parametrize(
    ("url", "shown"),
    [("http://a/done", "http://a/done?id=1"), ("http://a/done?x=2", "http://a/done?x=2&id=1")],
)
def test_the_query_of_a_result_page_is_kept(url: str, shown: str) -> None:
    assert with_query(url, {"id": "1"}) == shown
    assert with_query(url, {}) == url
