"""Which client an address counts for, where clients have turns or shares."""

from ipaddress import IPv6Address, IPv6Network

# A subscriber has at least so many bits of an IPv6 address for itself (RFC 6177).
SUBSCRIBER_BITS = 64


def source_of(address: str) -> str:
    """The IPv4 address, or the /64 network of an IPv6 address: one client has all of it.

    Choice: D-664.
    """
    if ":" not in address:
        return address
    found = IPv6Address(address.partition("%")[0])
    return str(found.ipv4_mapped or IPv6Network((found.packed, SUBSCRIBER_BITS), strict=False))
