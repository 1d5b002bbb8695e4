"""Where notifications may go: an http or https address, and which network addresses are refused.

A gateway that posts to any address can be made to reach machines that only it can reach.
What counts is the address that is connected to, not how the URL writes it. Choice: D-86.
"""

import ipaddress
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address

import msgspec

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.urls import split_web_url

URL_LENGTH_MAX = 2048
# What is called is longer than what was sent by its id and resourcePath.
CALLED_LENGTH_MAX = 4096
PORTS = {"http": 80, "https": 443}
EXPECTED = "an http or https address without user, password or blanks"
IpAddress = IPv4Address | IPv6Address
# Networks of IPv6 that carry an IPv4 address: translated (NAT64) and tunnelled (6to4).
NAT64 = ipaddress.ip_network("64:ff9b::/96")
SIX_TO_FOUR = ipaddress.ip_network("2002::/16")
# What else of IPv6 looks global has had its day: site-local, IPv4-compatible and the like.
GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")

# Global for releases of Python before 3.11.10 and 3.12.4, and for IANA not.
NOT_PUBLIC = (ipaddress.ip_network("192.0.0.0/24"), ipaddress.ip_network("3fff::/20"))


class WebhookUrl(msgspec.Struct, frozen=True):
    """A URL taken apart: what to connect to, and what to ask there (path and query)."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Host and port as the Host header writes them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port: what one connection serves."""
        return f"{self.scheme}://{self.authority}"


class AddressPolicy(msgspec.Struct, frozen=True):
    """Which addresses that are not public may be connected to."""

    private: bool = False
    loopback: bool = False


class RefusedAddressError(Exception):
    """An address that notifications may not be sent to."""

    def __init__(self, host: str, address: str):
        shown = host if host == address else f"{host} ({address})"
        super().__init__(
            f"{shown} is no public address; --allow-private-webhooks lets notifications go there"
        )


def parse_webhook_url(url: str, *, longest: int = URL_LENGTH_MAX) -> WebhookUrl:
    """The target of a URL, in ASCII. Raises InvalidInputError that shows no more of it than its
    length.
    """
    parts = split_web_url(url) if len(url) <= longest else None
    if parts is None:
        raise _bad(url)
    port = PORTS[parts.scheme] if parts.port is None else parts.port
    return WebhookUrl(parts.scheme, parts.host.strip("[]"), port, parts.path)


def refuse_addresses(host: str, addresses: Iterable[str], policy: AddressPolicy) -> None:
    """Raise RefusedAddressError if any address that `host` stands for may not be connected to."""
    for address in addresses:
        if not is_address_allowed(address, policy):
            raise RefusedAddressError(host, address)


def is_address_allowed(address: str, policy: AddressPolicy) -> bool:
    """Whether `policy` lets a notification go to the network address."""
    ip = unwrap_ipv4(ipaddress.ip_address(address.partition("%")[0]))
    if ip.is_loopback:
        return policy.loopback or policy.private
    if ip.is_multicast or ip.is_unspecified:
        return False
    is_public = ip.is_global and (isinstance(ip, IPv4Address) or ip in GLOBAL_UNICAST)
    is_public = is_public and not any(ip in network for network in NOT_PUBLIC)
    return is_public or policy.private


def unwrap_ipv4(ip: IpAddress) -> IpAddress:
    """The IPv4 address that an IPv6 address carries, or the address itself."""
    if isinstance(ip, IPv4Address):
        return ip
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    if ip in NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip in SIX_TO_FOUR:
        return IPv4Address((int(ip) >> 80) & 0xFFFFFFFF)
    return ip


def _bad(url: str) -> InvalidInputError:
    # A URL may hold a password, so it is not repeated.
    return InvalidInputError("url", EXPECTED, f"{len(url)} characters that are none")
