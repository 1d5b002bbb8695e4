"""URLs of merchants: what is called, or shown to a browser, is ASCII. Choice: D-284.

A URL may be written in any script (an IRI, RFC 3987) and may have a fragment, which stays with the
browser.
"""

import re
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import quote, urlsplit

from simulator.grammar.formats import WEB_HOST, WEB_PORT, WEB_REST, WEB_SCHEME

WEB = re.compile(rf"({WEB_SCHEME})://(?P<host>{WEB_HOST})(?::({WEB_PORT}))?({WEB_REST})?")
OUTSIDE_ASCII = re.compile(r"[^\x21-\x7e]+")
DOTS = re.compile("[.\u3002\uff0e\uff61]")
PREFIX = "xn--"
# What browsers take for a host rather than for a path, or for neither.
FOREIGN = re.compile(r"(?!/)|/[/\\\t\r\n]")


class UrlParts(NamedTuple):
    """An http or https URL in ASCII: scheme and host in lower case, the port where one is named,
    path and query, and the fragment.
    """

    scheme: str
    host: str
    port: int | None
    path: str
    fragment: str


def is_web_url(url: str) -> bool:
    """Whether a server can call `url`."""
    return WEB.fullmatch(url) is not None


def split_web_url(url: str) -> UrlParts | None:
    """The parts of an http or https URL; None for anything else."""
    found = WEB.fullmatch(url)
    if found is None:
        return None
    scheme, host, port, rest = found.groups()
    before, _, fragment = _in_percent(rest or "").partition("#")
    path = before if before.startswith("/") else f"/{before}"
    name = _name_of(host)
    return UrlParts(scheme.lower(), name, int(port) if port else None, path, fragment)


def ascii_url(url: str) -> str:
    """`url` in ASCII: the host in Punycode, what else is outside ASCII in percent of its UTF-8."""
    found = WEB.fullmatch(url)
    if found is None or found["host"].isascii():
        return _in_percent(url)
    start, end = found.span("host")
    return f"{url[:start]}{_name_of(found['host'])}{_in_percent(url[end:])}"


def add_query(url: str, query: str) -> str:
    """`url` with `query` behind its own query and before its fragment, which are kept."""
    head, sign, fragment = url.partition("#")
    address, _, own = head.partition("?")
    kept = f"{own}&" if own and not own.endswith("&") else own
    return f"{address}?{kept}{query}{sign}{fragment}"


def origin_of(url: str) -> str:
    """Scheme, host and port of an http or https URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def without_origin(url: str) -> str:
    """What follows the origin; the whole `url` where that would lead to another one."""
    rest = url.removeprefix(origin_of(url))
    return url if FOREIGN.match(rest) else rest


def _in_percent(text: str) -> str:
    return OUTSIDE_ASCII.sub(lambda found: quote(found[0]), text)


def _name_of(host: str) -> str:
    """The name of a host in ASCII; any of the dots of RFC 3490 parts its labels."""
    return ".".join(map(_label_of, DOTS.split(host)))


def _label_of(label: str) -> str:
    lower = normalize("NFC", label).lower()
    return lower if lower.isascii() else f"{PREFIX}{lower.encode('punycode').decode()}"
