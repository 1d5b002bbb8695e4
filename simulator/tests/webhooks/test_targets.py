"""Where notifications may go."""

import pytest

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.webhooks.targets import (
    AddressPolicy,
    RefusedAddressError,
    is_address_allowed,
    parse_webhook_url,
    refuse_addresses,
)

PUBLIC, LOOPBACK, PRIVATE, NEVER = "public", "loopback", "private", "never"

# fmt: off
ADDRESSES = (
    # address                       what it is
    ("8.8.8.8",                     PUBLIC),
    ("2606:4700:4700::1111",        PUBLIC),
    ("::ffff:8.8.8.8",              PUBLIC),
    ("64:ff9b::808:808",            PUBLIC),
    ("127.0.0.1",                   LOOPBACK),
    ("127.8.9.10",                  LOOPBACK),
    ("::1",                         LOOPBACK),
    ("::ffff:127.0.0.1",            LOOPBACK),
    ("64:ff9b::7f00:1",             LOOPBACK),
    ("10.0.0.1",                    PRIVATE),
    ("172.16.0.1",                  PRIVATE),
    ("192.168.1.1",                 PRIVATE),
    ("169.254.169.254",             PRIVATE),
    ("100.64.0.1",                  PRIVATE),
    ("192.0.0.192",                 PRIVATE),
    ("::ffff:192.0.0.192",          PRIVATE),
    ("3fff::1",                     PRIVATE),
    ("198.18.0.1",                  PRIVATE),
    ("192.0.2.1",                   PRIVATE),
    ("255.255.255.255",             PRIVATE),
    ("fe80::1",                     PRIVATE),
    ("fe80::1%eth0",                PRIVATE),
    ("fc00::1",                     PRIVATE),
    ("fd12:3456::1",                PRIVATE),
    ("fec0::1",                     PRIVATE),
    ("::ffff:10.0.0.1",             PRIVATE),
    ("::ffff:169.254.169.254",      PRIVATE),
    ("::127.0.0.1",                 PRIVATE),
    ("64:ff9b::a9fe:a9fe",          PRIVATE),
    ("2002:a00:1::",                PRIVATE),
    ("2002:a9fe:a9fe::1",           PRIVATE),
    ("0.0.0.0",                     NEVER),
    ("::",                          NEVER),
    ("::ffff:0.0.0.0",              NEVER),
    ("224.0.0.1",                   NEVER),
    ("ff02::1",                     NEVER),
)
# fmt: on
ALLOWED = {
    #  policy                        lets through
    AddressPolicy(): {PUBLIC},
    AddressPolicy(loopback=True): {PUBLIC, LOOPBACK},
    AddressPolicy(private=True): {PUBLIC, LOOPBACK, PRIVATE},
}


@pytest.mark.parametrize("policy", ALLOWED, ids=str)
@pytest.mark.parametrize(("address", "kind"), ADDRESSES)
def test_an_address_is_judged_by_what_it_is(address: str, kind: str, policy: AddressPolicy) -> None:
    assert is_address_allowed(address, policy) == (kind in ALLOWED[policy])


def test_one_refused_address_refuses_the_name() -> None:
    with pytest.raises(RefusedAddressError, match=r"both\.example \(10\.0\.0\.1\)"):
        refuse_addresses("both.example", ["8.8.8.8", "10.0.0.1"], AddressPolicy())


@pytest.mark.parametrize(
    ("url", "host", "port", "path", "authority"),
    [
        ("https://shop.example", "shop.example", 443, "/", "shop.example"),
        ("http://shop.example:8080/a/b?c=d", "shop.example", 8080, "/a/b?c=d", "shop.example:8080"),
        ("http://[::1]:9/", "::1", 9, "/", "[::1]:9"),
        ("HTTPS://Shop.Example:443/", "shop.example", 443, "/", "shop.example"),
        ("http://shop.example/#part", "shop.example", 80, "/", "shop.example"),
        ("http://sh\u00f6p.example/", "xn--shp-tna.example", 80, "/", "xn--shp-tna.example"),
    ],
)
def test_a_url_is_taken_apart(url: str, host: str, port: int, path: str, authority: str) -> None:
    target = parse_webhook_url(url)
    assert (target.host, target.port, target.path) == (host, port, path)
    assert target.authority == authority


@pytest.mark.parametrize(
    "url",
    [
        "",
        "inbox2",
        "shop.example",
        "//shop.example/",
        "ftp://shop.example/",
        "file:///etc/passwd",
        "http://",
        "http:///path",
        "http://user@shop.example/",
        "http://user:hush@shop.example/",
        "http://shop.example:0/",
        "http://shop.example:99999/",
        "http://shop.example:port/",
        "http://shop.example/a b",
        "http://shop.example/\r\nHost: other",
        "http://[::1/",
        "http://shop.example/" + "a" * 2048,
    ],
)
def test_what_is_no_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InvalidInputError, match="an http or https address") as error:
        parse_webhook_url(url)
    assert "hush" not in str(error.value)
