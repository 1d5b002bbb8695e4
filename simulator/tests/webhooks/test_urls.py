"""Every URL that a merchant may send is one that is called, wherever it is accepted."""

import re
from collections.abc import Iterator

import pytest
from falcon.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from simulator.catalogue.fields.flow import ASYNCHRONOUS
from simulator.domain.urls import add_query, ascii_url
from simulator.domain.webhooks.targets import CALLED_LENGTH_MAX, parse_webhook_url
from simulator.grammar.formats import WEB_URL
from simulator.tests.kit.authenticating import SHOP, saying
from simulator.tests.kit.checkout_shop import Shop
from simulator.tests.kit.gateway import FORM, ORDER, Gateway
from simulator.tests.kit.shopper import path_of
from simulator.tests.kit.sinks import Sink
from simulator.tests.kit.webhooks import WebhookSandbox
from simulator.tests.merchants.test_requirements import ADDRESS, BROWSER

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
# What is behind the port of a URL, and the path with query that is asked for it.
CALLED = (
    ("", "/"),
    ("/", "/"),
    ("/a%20b", "/a%20b"),
    ("/#/result", "/"),
    ("#done", "/"),
    ("/done?order=1#/r?x=1", "/done?order=1"),
    ("/zur\u00fcck?f\u00fcr=\u65e5\u672c#\u00e4", "/zur%C3%BCck?f%C3%BCr=%E6%97%A5%E6%9C%AC"),
    ("/a|b^c`{d}", "/a|b^c`{d}"),
    ("/" + "a" * 2000, "/" + "a" * 2000),
)
NEVER_CALLED = (
    "https://me:pw@shop.example/", "https://me@shop.example/", "https://shop.example:0/",
    "https://shop.example:65536/", "https:///done", "https://a..b/", "ftp://shop.example/",
    "shop.example/done", "https://shop.example\\@evil.example/",
)  # fmt: skip
NAMES = [row.name for row in ASYNCHRONOUS.rows]


@pytest.fixture
def receiver() -> Iterator[Sink]:
    sink = Sink(lambda number: OK)
    yield sink
    sink.server.stop()


def base_of(sink: Sink) -> str:
    """Its address without a path."""
    return f"http://127.0.0.1:{sink.port}"


def target_of(sink: Sink) -> str:
    """The path and query of the only request."""
    (request,) = sink.wait(1)
    return request.line.split()[1]


@pytest.mark.parametrize(("behind", "called"), CALLED)
def test_an_unread_checkout_is_called(
    gateway: Gateway, receiver: Sink, behind: str, called: str
) -> None:
    shop = Shop(gateway)
    identity = shop.prepare(shopperResultUrl=base_of(receiver) + behind)
    shop.pay(identity)
    shop.advance("29m")
    assert target_of(receiver).startswith(f"{called}{'&' if '?' in called else '?'}id={identity}")


@pytest.mark.parametrize(("behind", "called"), CALLED)
def test_a_notification_url_is_called(
    gateway: Gateway, receiver: Sink, behind: str, called: str
) -> None:
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    sandbox.arm("pending-then-approved", times=1)
    payment = sandbox.pay(notificationUrl=base_of(receiver) + behind)
    sandbox.advance("1m")
    assert target_of(receiver).startswith(f"{called}{'&' if '?' in called else '?'}id=")
    assert payment["id"] in target_of(receiver)


@pytest.mark.parametrize(("behind", "called"), CALLED)
def test_an_endpoint_is_called(gateway: Gateway, receiver: Sink, behind: str, called: str) -> None:
    made = WebhookSandbox(gateway, with_endpoint=False).webhook(base_of(receiver) + behind)
    assert made["active"]
    assert target_of(receiver) == called


@pytest.mark.parametrize(
    ("name", "url"),
    [
        (name, url)
        for name in NAMES
        for url in NEVER_CALLED
        # A browser, or an app, may open it: the shopper can be sent there.
        if not (name == "shopperResultUrl" and url.startswith("ftp:"))
    ],
)
def test_what_cannot_be_called_is_refused_at_once(gateway: Gateway, name: str, url: str) -> None:
    for refused in (gateway.post(**{name: url}), prepared(gateway, {name: url})):
        (error,) = refused.json["result"]["parameterErrors"]
        assert error["name"] == name and "pw" not in error["message"]


@pytest.mark.parametrize("url", NEVER_CALLED)
def test_no_endpoint_has_such_a_url(gateway: Gateway, url: str) -> None:
    refused = WebhookSandbox(gateway, with_endpoint=False).ask("POST", "/webhooks", {"url": url})
    assert refused.status_code == 400


@pytest.mark.parametrize("letter", ["\u00e9", "\u65e5", "\U0001f600", "\u0436"])
@pytest.mark.parametrize("length", [1, 15, 63])
def test_a_host_that_is_too_long_in_ascii_is_one_that_is_not_known(
    gateway: Gateway, letter: str, length: int
) -> None:
    url = f"http://{letter * length}.invalid/"
    made = WebhookSandbox(gateway, with_endpoint=False).ask("POST", "/webhooks", {"url": url})
    assert made.status_code == 201
    assert made.json["activation"]["error"] == "the name of the host is not known"


def prepared(gateway: Gateway, more: dict) -> Result:
    """The answer to a checkout that names these."""
    money = {"amount": "92.00", "currency": "EUR", "paymentType": "DB"}
    sent = {"entityId": gateway.merchant.entity_id, **money, **more}
    return gateway.send("/v1/checkouts", sent)


def test_the_address_of_an_app_is_accepted_and_not_called(gateway: Gateway) -> None:
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    shop = Shop(gateway)
    shop.pay(shop.prepare(shopperResultUrl="myshop://done/#/x"))
    shop.advance("1h")
    listed = gateway.control("GET", f"/sandboxes/{shop.sandbox}/notices").json
    assert listed.get("notices", []) == [] and sandbox.notices() == []


@given(st.from_regex(WEB_URL, fullmatch=True))
def test_every_url_of_the_format_has_a_target_in_ascii(url: str) -> None:
    target = parse_webhook_url(add_query(url, "id=1"), longest=CALLED_LENGTH_MAX + len(url))
    assert re.fullmatch(r"/[!-\"$-~]*", target.path) and "id=1" in target.path
    assert target.authority.isascii() and 0 < target.port < 65536
    assert ascii_url(url).isascii()
    assert target.host in ascii_url(url).lower()


@pytest.mark.parametrize(
    ("sent", "known"),
    [
        ("https://sh\u00f6p.example/\u00fc", "https://xn--shp-tna.example/%C3%BC"),
        ("http://a\u3002example/", "http://a.example/"),
        ("http://sh\u00f6p\uff0ea\uff61example/", "http://xn--shp-tna.a.example/"),
        ("https://shop.example/#a", "https://shop.example/#a"),
        ("no url", None),
        ("http:\\\\x", None),
    ],
)
def test_the_url_of_a_merchant_never_makes_an_areq_invalid(
    gateway: Gateway, sent: str, known: str | None
) -> None:
    directory = saying("Y")
    gateway._built.links.directory.ask = directory.ask
    gateway._built.links.directory.signed = directory.signed
    channels = [{"channels": [{"three_d_secure": {"VISA": "2.2.0"}}]}]
    who = gateway.sandbox(merchants=channels)
    more = {**BROWSER, **ADDRESS, "shopperResultUrl": SHOP, "threeDSecure.merchant.url": sent}
    assert gateway.post(who=who, **more).json["result"]["code"] == "000.100.110"
    (areq,) = [message for what, message in directory.asked if what == "areq"]
    assert areq.get("threeDSRequestorURL") == known


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_a_shopper_returns_to_an_address_outside_ascii(gateway: Gateway, accept: str) -> None:
    card = dict.fromkeys(name for name in ORDER if name.startswith("card."))
    url = "https://sh\u00f6p.example/zur\u00fcck?a=1#/\u00e4"
    begun = gateway.post(paymentBrand="EPS", shopperResultUrl=url, **card).json
    headers = {"Accept": accept}
    back = gateway.client.simulate_post(
        path_of(begun), body="action=pay", headers=headers, content_type=FORM
    )
    shown = back.text if accept == "text/html" else back.headers["location"]
    assert "https://xn--shp-tna.example/zur%C3%BCck" in shown
    assert back.headers.get("content-security-policy", "").isascii()
