"""Readers of settings: each takes what stands in a file, a variable or an option, and returns the
value. Raises ValueError that says what was expected.
"""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from simulator.client.transport.sendable import IN_A_HEADER
from simulator.grammar.characters import CREDENTIAL, CREDENTIAL_SIGNS

UNITS = {"s": timedelta(seconds=1), "m": timedelta(minutes=1)}
UNITS |= {"h": timedelta(hours=1), "d": timedelta(days=1)}

PROCESSES_MAX = 64
PEER_KEY_LENGTH_MIN = 16


def as_text(value: object) -> str:
    """Any text that is not empty."""
    if not isinstance(value, str) or not value:
        raise ValueError("text")
    return value


def as_credential(value: object) -> str:
    """A key that the header Authorization can carry. Choice: D-359."""
    if not isinstance(value, str) or not CREDENTIAL.fullmatch(value):
        raise ValueError(CREDENTIAL_SIGNS)
    return value


def as_peer_key(value: object) -> str:
    """A key that a header can carry as it is."""
    if not isinstance(value, str) or not IN_A_HEADER.fullmatch(value):
        raise ValueError("signs of ASCII without a blank at either end")
    return value


def as_port(value: object) -> int:
    """A port number; 0 means any free one."""
    if isinstance(value, bool) or not re.fullmatch(r"[0-9]{1,5}", str(value)):
        raise ValueError("a port from 0 to 65535")
    number = int(str(value))
    if number > 65535:
        raise ValueError("a port from 0 to 65535")
    return number


def as_seconds(value: object) -> float:
    """A number of seconds, none or more."""
    if isinstance(value, bool) or not re.fullmatch(r"[0-9]+(\.[0-9]+)?", str(value)):
        raise ValueError("a number of seconds")
    return float(str(value))


def as_count(value: object) -> int:
    """A whole number, none or more."""
    if isinstance(value, bool) or not re.fullmatch(r"[0-9]{1,9}", str(value)):
        raise ValueError("a whole number")
    return int(str(value))


def as_processes(value: object) -> int:
    """How many processes serve on one machine."""
    if not 1 <= as_count(value) <= PROCESSES_MAX:
        raise ValueError(f"1 to {PROCESSES_MAX}")
    return as_count(value)


def as_span(value: object) -> str:
    """A span of time as it is written: a whole number and s, m, h or d."""
    if not re.fullmatch(r"[0-9]{1,6}[smhd]", str(value)):
        raise ValueError("a span such as 90s, 30m, 24h or 7d")
    return str(value)


def span_of(written: str) -> timedelta:
    """The span that a setting writes."""
    return int(written[:-1]) * UNITS[written[-1]]


def as_flag(value: object) -> bool:
    """Yes or no, as a TOML boolean or in words."""
    words = {"true": True, "yes": True, "1": True, "on": True}
    words |= {"false": False, "no": False, "0": False, "off": False}
    if str(value).lower() not in words:
        raise ValueError("true or false")
    return words[str(value).lower()]


def as_path(value: object) -> Path:
    """A file or folder; a leading ~ is the home folder."""
    return Path(as_text(value)).expanduser()


def as_url(value: object) -> str:
    """An http or https address, with the slash at its end that merchants' callbacks need."""
    parts = urlsplit(as_text(value))
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("an address such as https://pay.example/")
    return parts.geturl().rstrip("/") + "/"


def as_store(value: object) -> str:
    """The address of a PostgreSQL database, as libpq reads it."""
    text = as_text(value)
    scheme, sign, _ = text.partition("://")
    if not sign or scheme not in ("postgresql", "postgres"):
        raise ValueError("an address such as postgresql://user@host/database")
    return text


@dataclass(frozen=True, slots=True)
class OneOf:
    """A reader that takes one of a few words."""

    words: tuple[str, ...]

    def __call__(self, value: object) -> str:
        if value not in self.words:
            raise ValueError(" or ".join(self.words))
        return str(value)


def as_address(value: object) -> str:
    """An IP address, as the peer of a connection shows it."""
    try:
        return str(ipaddress.ip_address(str(value)))
    except ValueError:
        raise ValueError("an IP address such as 192.0.2.10") from None


def is_every_address(host: str) -> bool:
    """Whether a listener on this host is reached at every address of the machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def as_pairs(value: object) -> dict[str, str]:
    """Pairs such as D-14=field, from a list, from text with commas, or from a TOML table."""
    if isinstance(value, Mapping):
        return {str(name): as_text(word) for name, word in value.items()}
    listed: Any = value.split(",") if isinstance(value, str) else value
    found = [str(pair).strip().partition("=") for pair in listed if str(pair).strip()]
    if any(not (name and sign and word) for name, sign, word in found):
        raise ValueError("pairs such as D-14=field")
    return {name: word for name, _, word in found}


def fleet_problem(key: str | None, store: str | None, *, host: str, url: str | None) -> str | None:
    """What is wrong with the settings of a member of a fleet, or None."""
    if key is None:
        return None
    if store is None:
        return (
            "peer-key: expected --store with it, got none; the members of a fleet share a database"
        )
    if len(key) < PEER_KEY_LENGTH_MIN:
        return (
            f"peer-key: expected at least {PEER_KEY_LENGTH_MIN} characters, got {len(key)}; "
            "`openssl rand -hex 24` makes one"
        )
    if url is None and is_every_address(host):
        return (
            f"peer-url: expected with --peer-host {host}, got none; name the address under which "
            "the other members reach this one"
        )
    return None
