"""Addresses as people write them down: what is wrong with one, before anything is sent there."""

import re
from urllib.parse import urlsplit

PORT_MAX = 65535
LOOPBACK_ADDRESS = "127.0.0.1"
# The hosts of an address that is on this machine.
LOOPBACK = (LOOPBACK_ADDRESS, "localhost", "::1")
# Of a name in the domain name system; a longer one cannot even be asked for.
LABEL_LENGTH_MAX = 63
HOST = re.compile(r"[0-9A-Za-z_](?:[0-9A-Za-z_.-]{0,251}[0-9A-Za-z_.])?|[0-9A-Fa-f:.]+(?:%\w+)?")


def address_problem(address: str) -> str:
    """What was expected of an address of HTTP and what came; empty if it is one.

    A user name and a password are not repeated, and neither is an address that may hold them. A
    query may hold as much, and paths could not be added to it.
    """
    if "@" in address:
        return "expected an address without a user name and a password, got one with them"
    if "?" in address or "#" in address:
        return "expected an address without a query and a fragment, got one with them"
    if not re.match(r"https?://[^/]", address):
        return f"expected http:// or https://, got {address!r}"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        return f"expected an address with a host and a port, got {address!r}: {error}"
    if not address.isascii() or not address.isprintable() or " " in address:
        return f"expected an address in ASCII without blanks, got {address!r}"
    if not _is_host(host) or port == 0:
        return f"expected an address with a host and a port from 1 to {PORT_MAX}, got {address!r}"
    return ""


def is_listen_address(address: str) -> bool:
    """Whether this is a host and a port to listen on; port 0 is any free one."""
    found = re.fullmatch(r"([^\[\]@/:]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})", address)
    return found is not None and _is_host(found[1].strip("[]")) and int(found[2]) <= PORT_MAX


def _is_host(host: str) -> bool:
    is_short = all(len(label) <= LABEL_LENGTH_MAX for label in host.split("."))
    return HOST.fullmatch(host) is not None and ".." not in host and is_short
