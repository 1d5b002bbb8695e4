"""Which names a Host header may have (D-261)."""

import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from load.gateway.server import start_gateway
from simulator.adapters.http.hosts import host_check
from simulator.adapters.http.limits import Limits
from simulator.adapters.http.requests import RequestReader

NAMES = ("pay.example", "sandgate", "0.0.0.0")
OURS = (
    "localhost", "LOCALHOST:8080", "shop.localhost:1", "127.0.0.1", "127.8.8.8:8080", "[::1]:8080",
    "192.168.1.7:80", "pay.example", "Pay.Example:443", "sandgate:8080", "localhost.",
)  # fmt: skip
OTHERS = (
    "evil.example", "evil.example:8080", "localhost.evil.example", "pay.example.evil.example",
    "127.0.0.1.evil.example", "xpay.example", "pay.example@evil.example", "localhost:", "a b",
    "[::1]evil.example", "256.256.256.256",
)  # fmt: skip


@pytest.mark.parametrize("header", OURS)
def test_addresses_and_known_names_are_ours(header: str) -> None:
    assert not host_check(NAMES)(header)


@pytest.mark.parametrize("header", OTHERS)
def test_any_other_name_is_misdirected(header: str) -> None:
    assert host_check(NAMES)(header)


def status_of(url: str, host: str) -> int:
    try:
        return urlopen(Request(url, headers={"Host": host}), timeout=5).status
    except HTTPError as error:
        described = json.loads(error.read())
        assert error.code != 421 or "--public-url" in str(described["resultDetails"])
        return error.code


@pytest.mark.parametrize(
    ("target", "host", "taken"),
    [
        ("http://evil.example/x?y", "localhost", "evil.example"),
        ("HTTP://localhost:8080", "evil.example", "localhost:8080"),
        ("/x", "localhost", "localhost"),
    ],
)
def test_the_host_of_a_whole_url_counts(target: str, host: str, taken: str) -> None:
    """Source: RFC 9112, 3.2.2."""
    reader = RequestReader({}, limits=Limits(head_bytes_max=1000))
    reader.feed(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert reader.request.environ["HTTP_HOST"] == taken


def test_each_listener_refuses_names_of_others(tmp_path) -> None:
    public = ("--public-url", "http://pay.example/", "--control-key", "a" * 48)
    with start_gateway(tmp_path / "data", *public) as server:
        for url in (server.facts["base_url"], server.facts["live_url"]):
            assert status_of(f"{url}_sandbox/health", "evil.example") == 421
            assert status_of(f"{url}_sandbox/health", "pay.example") == 200
        certificate = f"{server.facts['acs_url']}ds/certificate"
        assert [status_of(certificate, name) for name in ("evil.example", "localhost")] == [
            421,
            200,
        ]
