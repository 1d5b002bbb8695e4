"""The addresses of this machine under which other machines of its network reach it."""

import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address

# Reserved for documents: a datagram socket that is connected there sends nothing, and its own
# address is the one by which this machine reaches others.
ELSEWHERE = ((socket.AF_INET, "198.51.100.1"), (socket.AF_INET6, "2001:db8::1"))
DISCARD_PORT = 9
# What asks the system for the address of an interface (SIOCGIFADDR), and where that stands in the
# answer.
ADDRESS_OF_INTERFACE = {"linux": 0x8915, "darwin": 0xC0206921}
NAME_BYTES_MAX, REQUEST_BYTES = 15, 256
ADDRESS = slice(20, 24)


def own_addresses(host: str) -> tuple[str, ...]:
    """The addresses at which a listener on `host` answers others, best first: of 0.0.0.0 those of
    IPv4, of :: those of IPv6 too, of any other host none but itself.
    """
    try:
        wanted = ip_address(host)
    except ValueError:
        return (host,)
    if not wanted.is_unspecified:
        return (host,)
    found = dict.fromkeys([*_leading_out(), *_of_interfaces()])
    return tuple(each for each in found if _is_for_others(each, most=wanted.version))


def _leading_out() -> Iterator[str]:
    for family, address in ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, DISCARD_PORT))
            yield str(probe.getsockname()[0])


def _of_interfaces() -> Iterator[str]:
    """The first IPv4 address of each interface, where the system can be asked for it."""
    number = ADDRESS_OF_INTERFACE.get(sys.platform)
    if number is None:
        return
    import fcntl  # Not on every system.

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            asked = struct.pack(f"{REQUEST_BYTES}s", name.encode()[:NAME_BYTES_MAX])
            with suppress(OSError):
                yield socket.inet_ntoa(fcntl.ioctl(probe.fileno(), number, asked)[ADDRESS])


def _is_for_others(address: str, *, most: int) -> bool:
    found = ip_address(address)
    if found.version > most or found.is_unspecified:
        return False
    return not (found.is_loopback or found.is_link_local)
