"""A shopper's browser keeps cookies, follows its shop, and goes to no other host."""

import ssl
from collections.abc import Iterator
from functools import partial
from urllib.error import URLError

import pytest

from simulator.client import Connection
from simulator.client.browser import Browser, failure_reason, with_query
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening
from simulator.client.receiver import receiving

REDIRECTS = {"/start": "/shown", "/round": "/round"}


def respond(request: ReceivedRequest, elsewhere: str = "/") -> ListenerResponse:
    to = {**REDIRECTS, "/away": elsewhere}.get(request.path)
    headers = {"Set-Cookie": "order=1; Path=/", "Location": to or "/"}
    content = f"cookie {request.headers.get('cookie')}".encode()
    return ListenerResponse(302 if to else 200, headers, content)


@pytest.fixture
def shop() -> Iterator[str]:
    with listening(respond) as url:
        yield url


def test_a_browser_keeps_cookies_and_follows_on_the_same_host(shop: str) -> None:
    page = Browser(None).open(f"{shop}start")

    assert (page.status, page.says("COOKIE order=1")) == (200, True)


def test_a_browser_goes_to_no_other_host() -> None:
    with (
        receiving() as elsewhere,
        listening(partial(respond, elsewhere=elsewhere.url)) as shop,
    ):
        page = Browser(None).open(f"{shop}away")

    assert page.status == 302
    assert elsewhere.calls() == []


def test_a_browser_gives_up_after_5_redirects(shop: str) -> None:
    assert Browser(None).open(f"{shop}round").error == "more than 5 redirects"


def test_a_browser_reports_a_refused_connection() -> None:
    assert Browser(None).open("http://127.0.0.1:1/").error == "no answer: connection refused"


@pytest.mark.parametrize(
    ("url", "shown"),
    [("http://a/done", "http://a/done?id=1"), ("http://a/done?x=2", "http://a/done?x=2&id=1")],
)
def test_the_query_of_a_result_page_is_kept(url: str, shown: str) -> None:
    assert with_query(url, {"id": "1"}) == shown
    assert with_query(url, {}) == url


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        (ConnectionRefusedError(111, "Connection refused"), "connection refused"),
        (ConnectionResetError(104, "Connection reset by peer"), "a closed connection; is it https"),
        (URLError(OSError(98, "Address already in use")), "address already in use"),
        (URLError("no host given"), "no host given"),
        (TimeoutError("timed out"), "timed out"),
    ],
)
def test_a_reason_has_no_numbers_of_a_system_in_it(gone: Exception, said: str) -> None:
    assert failure_reason(gone).startswith(said)


def test_tls_at_a_port_without_it_is_named() -> None:
    with listening(lambda request: ListenerResponse()) as url, pytest.raises(OSError) as gone:
        Connection(url.replace("http:", "https:")).ask("GET", "", headers={})

    assert failure_reason(gone.value) == "an answer without TLS; is it http://?"


def distrust(code: int, message: str) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code, error.verify_message = code, message
    return error


@pytest.mark.parametrize("code", [18, 19, 20, 21])
def test_where_the_authority_is_unknown_the_ways_to_name_it_are_those_of_the_command(
    code: int,
) -> None:
    gone = distrust(code, "unable to get local issuer certificate")

    assert failure_reason(gone).endswith("name the CA with --ca-file or SANDGATE_CA_FILE")
    assert failure_reason(URLError(gone), trust="ca_file in the target file").endswith(
        "; name the CA with ca_file in the target file"
    )


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (62, "Hostname mismatch, certificate is not valid for 'a.example'."),
        (64, "IP address mismatch, certificate is not valid for '0.0.0.0'."),
        (10, "certificate has expired"),
    ],
)
def test_another_fault_of_a_certificate_is_not_laid_on_its_authority(
    code: int, message: str
) -> None:
    assert failure_reason(distrust(code, message)) == message.rstrip(".")
