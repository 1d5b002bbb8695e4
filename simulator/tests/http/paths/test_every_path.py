"""Every path of the gateway: what browsers and caches may do with its answers, and what each method
is answered.
"""

import re
import socket
import warnings
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from falcon import HTTP_METHODS, WEBDAV_METHODS
from falcon.testing import Result

from simulator.tests.console.visitor import Visitor, administrator_of
from simulator.tests.http.tiny_client import ask
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.running import Serving, serving

KEPT = ("/console/assets/", "/docs/swagger-ui")
# What is asked for again and again, and named by what is in it.
TAGGED = re.compile("/openapi.json$")
# Parts of the hosted form, which stand in the page of any shop.
ANY_FRAME = re.compile("/form/(number|cvv|relay|[^/]+/wallet)$")
SHARED = "/v1/paymentWidgets.js"
ODD = ("HEAD", "TRACE", "CONNECT", "PUT", "DELETE", "PATCH", "PROPFIND", "FOO", "get", "OPTIONS")


class Site(NamedTuple):
    """A gateway, its administrator, and its paths with the methods they have."""

    gateway: Gateway
    anna: Visitor
    paths: dict[str, set[str]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    gateway = Gateway(tmp_path_factory.mktemp("site"), is_described=False)
    anna = administrator_of(gateway)
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    paths: dict[str, set[str]] = {}
    for template, methods in gateway._built.application._router.methods.items():
        path = template.replace("{sandbox}", sandbox)
        path = path.replace("sandboxes/{identity}", f"sandboxes/{sandbox}")
        path = path.replace("{name}", "console.css").replace("{asset}", "swagger-ui.css")
        paths[re.sub(r"{\w+}", "x", path)] = {*methods} - {"OPTIONS"}
    yield Site(gateway, anna, paths)
    gateway.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("served") / "data") as running:
        yield running


def asked(site: Site, path: str, method: str, **headers: str) -> Result:
    anna = site.anna
    with warnings.catch_warnings():
        # The client of tests finds some methods odd.
        warnings.simplefilter("ignore")
        return anna._ask(method, path, headers)


def assert_unkept(path: str, answer: Result) -> None:
    """No cache keeps an answer, no browser guesses its kind, and no page of others reads it."""
    kept = "no-store"
    if answer.status_code == 200 and "Allow" not in answer.headers:
        kept = "public" if path.startswith(KEPT) else kept
        kept = "no-cache" if TAGGED.search(path) else kept
    assert answer.headers["Cache-Control"].startswith(kept), path
    assert answer.headers["X-Content-Type-Options"] == "nosniff", path
    is_shared = path == SHARED and answer.headers["Content-Type"].startswith("text/javascript")
    assert ("Access-Control-Allow-Origin" in answer.headers) is is_shared, path


def assert_guarded(path: str, page: Result) -> None:
    """Nothing that is put into a page is run, and other sites neither frame it nor get its form."""
    policy = dict(each.strip().split(" ", 1) for each in
                  page.headers["Content-Security-Policy"].split(";"))  # fmt: skip
    assert policy["base-uri"] == "'none'" and "form-action" in policy, path
    assert "unsafe" not in policy.get("script-src", policy.get("default-src", "")), path
    assert ("frame-ancestors" in policy) is (ANY_FRAME.match(path) is None), path
    assert policy.get("frame-ancestors", "'none'") in ("'none'", "'self'"), path


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_each_answer_says_what_may_be_done_with_it(site: Site, method: str, accept: str) -> None:
    pages = 0
    for path, has in site.paths.items():
        if method not in has or path == "/_sandbox/v1/people":
            continue
        answer = asked(site, path, method, Accept=accept)
        assert answer.status_code < 500 or path == "/_sandbox/ready", (path, answer.text)
        assert_unkept(path, answer)
        if answer.headers["Content-Type"].startswith("text/html"):
            assert_guarded(path, answer)
            pages += 1
    assert pages > 8 or accept != "text/html"


@pytest.mark.parametrize("method", ODD)
def test_a_method_that_a_path_does_not_have_changes_and_says_nothing(
    site: Site, method: str
) -> None:
    for path, has in site.paths.items():
        if method in has - {"OPTIONS"}:
            continue
        answer = asked(site, path, method)
        allowed = {each.strip() for each in answer.headers["Allow"].split(",")}
        assert allowed == has | {"OPTIONS"}, path
        assert answer.status_code == (200 if method == "OPTIONS" else 405), path
        assert_unkept(path, answer)
        assert (answer.content == b"") is (method == "HEAD"), path


@pytest.mark.parametrize("method", [b"WEBSOCKET", b"websocket", b"FOO", b"QUERY", b"CHECKOUT"])
def test_a_listener_answers_each_method_that_there_is_none_of(
    served: Serving, method: bytes
) -> None:
    """The framework has one of its own, which a client may send as well."""
    for name in ("base_url", "live_url", "acs_url"):
        place = urlsplit(served.facts[name])
        for path in (b"/console/sign-in", b"/v1/payments", b"/ds/areq", b"/acs/method"):
            with socket.create_connection((place.hostname, place.port), timeout=5) as peer:
                reply = ask(peer, b"%b %b HTTP/1.1" % (method, path))
            is_of_acs = path.startswith((b"/ds", b"/acs"))
            # The pages of the ACS are beside those of the gateway as well.
            is_there = path == b"/acs/method" or (name == "acs_url") is is_of_acs
            assert reply.status == (405 if is_there else 404), (name, path)
            assert ("allow" in reply.headers) is is_there
            assert reply.headers["cache-control"] == "no-store"
            assert reply.headers["x-content-type-options"] == "nosniff"


def test_a_path_that_is_not_there_has_no_method(site: Site) -> None:
    for method in {*HTTP_METHODS, *WEBDAV_METHODS, *ODD}:
        answer = asked(site, "/nowhere", method)
        assert answer.status_code == 404 and "Allow" not in answer.headers
        assert_unkept("/nowhere", answer)
