"""Where links of a shopper's pages lead, by the address at which the browser opened them."""

import pytest
from falcon import Request, testing
from falcon.testing import create_environ

from simulator.acs import AcsBeside
from simulator.adapters.addresses import ListenerAddresses
from simulator.domain.core.hosts import BESIDE
from simulator.domain.urls import without_origin
from simulator.web.http.origins import OpenedAt, opened_at, redirect_of_form

BASE, LIVE_BASE, SECURE = "http://192.0.2.7:8080/", "http://192.0.2.7:8081/", "https://pay.example/"
GIVEN = "https://bank.example/"
ACS = "http://192.0.2.7:8084/acs/challenge/1"


def at(origin: str, base: str = BASE, *, is_acs_given: bool = False) -> OpenedAt:
    addresses = ListenerAddresses(base, LIVE_BASE, is_acs_given=is_acs_given)
    return OpenedAt(addresses, base, origin)


@pytest.mark.parametrize("origin, base, acs", [
    ("http://192.0.2.7:8080", BASE, ACS),
    ("http://127.0.0.1:8080", BASE, "/acs/challenge/1"),
    ("https://192.0.2.7:8443", BASE, "/acs/challenge/1"),
    ("https://pay.example", SECURE, "/acs/challenge/1"),
    ("http://10.0.0.1:8080", f"{SECURE}sandbox/", "/sandbox/acs/challenge/1"),
    ("http://10.0.0.1:8080", "http://pay.example/sandbox/", ACS),
])  # fmt: skip
def test_the_acs_is_where_the_page_is_unless_a_browser_can_go_to_its_own_address(
    origin: str, base: str, acs: str
) -> None:
    assert at(origin, base).acs(ACS) == acs


# What was given leads back to the base alone, and a page at another address would not come back.
@pytest.mark.parametrize("origin, base, given, acs", [
    ("http://192.0.2.7:8080", BASE, ACS, ACS),
    ("https://pay.example", SECURE, ACS, ACS),
    ("https://127.0.0.1:8443", BASE, f"{GIVEN}acs/challenge/1", "/acs/challenge/1"),
    ("https://127.0.0.1:8443", BASE, f"{GIVEN}members/3/acs/method", "/members/3/acs/method"),
    ("https://127.0.0.1:8443", BASE, f"{GIVEN}bank/acs/method", f"{GIVEN}bank/acs/method"),
    ("http://10.0.0.1:8080", f"{SECURE}sandbox/", ACS, ACS),
])  # fmt: skip
def test_an_acs_that_was_given_is_where_a_page_at_the_usual_address_leads(
    origin: str, base: str, given: str, acs: str
) -> None:
    assert at(origin, base, is_acs_given=True).acs(given) == acs


def test_a_page_of_the_gateway_is_followed_where_the_browser_is() -> None:
    here = f"{BASE}redirect/1?a=b#c"
    assert at("https://127.0.0.1:8443").page(here) == "/redirect/1?a=b#c"
    assert at("http://192.0.2.7:8080").page(here) == here
    assert at("https://127.0.0.1:8443").page("https://shop.example/x") == "https://shop.example/x"
    assert at("http://10.0.0.1:8080", f"{SECURE}a/").page(f"{SECURE}a/b") == f"{SECURE}a/b"


@pytest.mark.parametrize("rest", ["//shop.example/", "/\\shop.example", "/\t/shop.example", ""])
def test_what_would_lead_to_another_origin_stays_whole(rest: str) -> None:
    assert without_origin(f"http://192.0.2.7:8080{rest}") == f"http://192.0.2.7:8080{rest}"


@pytest.mark.parametrize("origin, url, method", [
    (None, f"{BASE}threeDSecure/1", "http://192.0.2.7:8084/acs/method"),
    ("null", f"{BASE}threeDSecure/1", "http://192.0.2.7:8084/acs/method"),
    ("http://192.0.2.7:8080", f"{BASE}threeDSecure/1", "http://192.0.2.7:8084/acs/method"),
    ("https://127.0.0.1:8443", "https://127.0.0.1:8443/threeDSecure/1",
     "https://127.0.0.1:8443/acs/method"),
])  # fmt: skip
def test_the_redirect_of_a_form_begins_where_its_frames_are(
    origin: str | None, url: str, method: str
) -> None:
    headers = {} if origin is None else {"Origin": origin}
    request = Request(create_environ("/v1/checkouts/1/payment", headers=headers))
    call = {"url": "http://192.0.2.7:8084/acs/method"}
    body = {"redirect": {"url": f"{BASE}threeDSecure/1", "preconditions": [call]}}
    redirect_of_form(request, ListenerAddresses(BASE, LIVE_BASE), body)
    assert body == {"redirect": {"url": url, "preconditions": [{"url": method}]}}


def test_an_answer_without_a_redirect_stays_as_it_is() -> None:
    request = Request(create_environ("/v1", headers={"Origin": "https://127.0.0.1:8443"}))
    body = {"id": "1"}
    redirect_of_form(request, ListenerAddresses(BASE, LIVE_BASE), body)
    assert body == {"id": "1"}


def test_a_host_header_changes_no_origin_of_a_link() -> None:
    request = Request(create_environ("/", host="evil.example", scheme="https"))
    here = opened_at(request, ListenerAddresses(BASE, LIVE_BASE))
    assert (here.acs(ACS), here.page(f"{BASE}x")) == ("/acs/challenge/1", "/x")


@pytest.mark.parametrize("path, scheme, require_tls, taken", [
    ("/acs/method", "http", False, BESIDE), ("/acs/challenge/1", "https", True, BESIDE),
    ("/members/3/acs/challenge/1", "https", False, BESIDE), ("/acs/method", "http", True, "plain"),
    ("/ds/areq", "https", False, "plain"), ("/v1/acs/x", "http", False, "plain"),
    ("//acs/method", "http", False, "plain"), ("/members/3/ds/areq", "http", False, "plain"),
])  # fmt: skip
def test_the_pages_of_the_acs_alone_are_beside_those_of_the_gateway(
    path: str, scheme: str, require_tls: bool, taken: str
) -> None:
    seen = []

    def application(environ, start_response):
        seen.append(environ["sandgate.listener"])
        start_response("200 OK", [])
        return [b""]

    beside = AcsBeside(application, application, require_tls=require_tls)
    environ = create_environ(path, scheme=scheme)
    environ["sandgate.listener"] = "plain"
    beside(environ, testing.StartResponseMock())
    assert seen == [taken]
