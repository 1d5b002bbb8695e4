"""The target: the gateway that is judged, wherever it runs, and what it offers to a judge."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

# Only a gateway on the judge's own machine reaches a receiver that listens on loopback.
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Target:
    """Where the gateway answers and with whose credentials. `offers` are the needs it can meet.

    `profile` is empty for a gateway that is not ours: there only the specification counts, and
    scenarios about our own decisions are not judged. `ca_file` trusts its certificate.
    """

    base_url: str
    token: str
    entity_id: str
    control_url: str = ""
    control_key: str = ""
    profile: str = ""
    tls_url: str = ""
    live_url: str = ""
    live_token: str = ""
    ca_file: str = ""
    offers: frozenset[str] = frozenset()


class BadTarget(ValueError):
    """A target file that lacks something or names something unknown."""


def read_target(path: Path) -> Target:
    """The target a TOML file describes. Raises BadTarget."""
    return target_of(tomllib.loads(path.read_text(encoding="utf-8")), source=str(path))


def target_of(described: Mapping[str, Any], *, source: str) -> Target:
    """The target of a description; members of it that a judge has no use for are left aside.

    Raises BadTarget.
    """
    missing = [name for name in ("base_url", "token", "entity_id") if not described.get(name)]
    if missing:
        raise BadTarget(f"{source}: expected {', '.join(missing)}, got {', '.join(described)}")
    texts = {name: str(described[name]) for name in _TEXTS if described.get(name)}
    return Target(**texts, offers=_offers(described))


_TEXTS = (
    "base_url",
    "token",
    "entity_id",
    "control_url",
    "control_key",
    "profile",
    "tls_url",
    "live_url",
    "live_token",
    "ca_file",
)


def _offers(described: Mapping[str, Any]) -> frozenset[str]:
    """What a target says it offers; where it says nothing, what its addresses offer."""
    if "offers" in described:
        return frozenset(str(offer) for offer in described["offers"])
    found = set()
    if described.get("profile"):
        found.add("declines")
    if described.get("control_url") and described.get("control_key"):
        found |= {"control", "scripts", "clock", "throttling", "inbox"}
        if urlsplit(described["base_url"]).hostname in LOOPBACK:
            found.add("webhooks")
    if described.get("tls_url"):
        found.add("tls")
    if described.get("live_url") and described.get("live_token"):
        found.add("live")
    return frozenset(found)
