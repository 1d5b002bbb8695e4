"""The target: the gateway that is judged, wherever it runs, and what it offers to a judge."""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from features.spec.companions import REFERENCE_CARD, Sent

# What a scenario may need of a target beside its merchant API: the values of `@needs:`.
OFFERS = (
    "browser", "clock", "control", "declines", "inbox", "live", "own-server", "scripts",
    "throttling", "tls", "webhooks",
)  # fmt: skip
# Only a gateway on the judge's own machine reaches a receiver that listens on loopback.
LOOPBACK = ("127.0.0.1", "localhost", "::1")
NEEDED = ("base_url", "token", "entity_id")
ADDRESSES = ("base_url", "control_url", "tls_url", "live_url")


@dataclass(frozen=True, slots=True)
class Entity:
    """One more entity of the target; its token is the target's own unless it has another."""

    entity_id: str
    token: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A test card the target approves."""

    number: str
    brand: str = REFERENCE_CARD["paymentBrand"]
    holder: str = REFERENCE_CARD["card.holder"]
    expiryMonth: str = REFERENCE_CARD["card.expiryMonth"]  # noqa: N815
    expiryYear: str = REFERENCE_CARD["card.expiryYear"]  # noqa: N815
    cvv: str = REFERENCE_CARD["card.cvv"]


@dataclass(frozen=True, slots=True)
class Cards:
    """The test cards of the target; `reference` is the one that ordinary payments are made by."""

    reference: Card = Card(REFERENCE_CARD["card.number"])


@dataclass(frozen=True, slots=True)
class Limits:
    """How many requests the judge may send; 0 is no limit."""

    per_second: float = 0
    per_minute: float = 0


@dataclass(frozen=True, slots=True)
class Listening:
    """Where the judge listens for webhooks, and the address under which the target reaches that.

    `listen` is a host and a port; port 0 is any free one, and `url` is then found by itself.
    """

    listen: str = "127.0.0.1:0"
    url: str = ""


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
    entities: Mapping[str, Entity] = field(default_factory=dict)
    cards: Cards = Cards()
    limits: Limits = Limits()
    receiver: Listening = Listening()

    @property
    def card(self) -> Sent:
        """The parameters of the card that ordinary payments are made by."""
        card = self.cards.reference
        sent = {name: getattr(card, name) for name in ("number", "holder", "cvv")}
        sent |= {"expiryMonth": card.expiryMonth, "expiryYear": card.expiryYear}
        return {"paymentBrand": card.brand} | {f"card.{name}": text for name, text in sent.items()}

    @property
    def secrets(self) -> list[str]:
        """What a report about the target must not show."""
        tokens = [entity.token for entity in self.entities.values()]
        return [each for each in (self.token, self.live_token, self.control_key, *tokens) if each]


class BadTarget(ValueError):
    """A target file that lacks something, names something unknown, or has it in a wrong form."""


def read_target(path: Path) -> Target:
    """The target a TOML file describes; a `ca_file` is sought beside it. Raises BadTarget."""
    try:
        described = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadTarget(f"{path}: expected a target file, got: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadTarget(f"{path}: expected TOML, got: {error}") from None
    _refuse_unknown(described, source=str(path))
    target = target_of(described, source=str(path))
    authority = str(path.parent / target.ca_file) if target.ca_file else ""
    return replace(target, ca_file=authority)


def target_of(described: Mapping[str, Any], *, source: str) -> Target:
    """The target of a description; members of it that a judge has no use for are left aside.

    Raises BadTarget.
    """
    missing = [name for name in NEEDED if not described.get(name)]
    if missing:
        got = ", ".join(described) or "nothing"
        raise BadTarget(f"{source}: expected {', '.join(missing)}, got {got}")
    known = {each.name: described[each.name] for each in fields(Target) if each.name in described}
    try:
        target = msgspec.convert({**known, "offers": ()}, Target)
        offers = msgspec.convert(described.get("offers", []), list[str])
    except msgspec.ValidationError as error:
        raise BadTarget(f"{source}: {_told(error)}") from None
    _check(target, offers, source=source)
    return replace(target, offers=frozenset(offers) if "offers" in described else _offers(target))


def _check(target: Target, offers: Collection[str], *, source: str) -> None:
    for name in ADDRESSES:
        address = getattr(target, name)
        if address and not re.match(r"https?://[^/]", address):
            raise BadTarget(f"{source}: {name}: expected http:// or https://, got {address!r}")
        if "@" in urlsplit(address).netloc:
            expected = "expected an address without user name and password"
            raise BadTarget(f"{source}: {name}: {expected}, got one with them")
    for offer in offers:
        if offer not in OFFERS:
            raise BadTarget(f"{source}: offers: {_unknown(offer, OFFERS)}")
    if not re.fullmatch(r".*:[0-9]{1,5}", target.receiver.listen):
        got = target.receiver.listen
        raise BadTarget(f"{source}: receiver.listen: expected HOST:PORT, got {got!r}")
    if min(target.limits.per_second, target.limits.per_minute) < 0:
        raise BadTarget(f"{source}: limits: expected a number from 0, got a negative one")


def _offers(target: Target) -> frozenset[str]:
    """What a target that does not say what it offers does offer, by its addresses."""
    found = set()
    if target.profile:
        found.add("declines")
    if target.control_url and target.control_key:
        found |= {"control", "scripts", "clock", "throttling", "inbox"}
        if target.receiver.url or urlsplit(target.base_url).hostname in LOOPBACK:
            found.add("webhooks")
    if target.tls_url:
        found.add("tls")
    if target.live_url and target.live_token:
        found.add("live")
    return frozenset(found)


def _refuse_unknown(described: Mapping[str, Any], *, source: str) -> None:
    """Refuse names that mean nothing, in the file and in its tables. Raises BadTarget."""
    entities, cards = described.get("entities", {}), described.get("cards", {})
    parts: list[tuple[str, Any, type]] = [
        ("", described, Target),
        ("cards.", cards, Cards),
        ("limits.", described.get("limits", {}), Limits),
        ("receiver.", described.get("receiver", {}), Listening),
    ]
    if isinstance(cards, dict):
        parts.append(("cards.reference.", cards.get("reference", {}), Card))
    if isinstance(entities, dict):
        parts += [(f"entities.{name}.", each, Entity) for name, each in entities.items()]
    for place, table, kind in parts:
        known = [each.name for each in fields(kind)]
        # What should be a table and is none is refused for that, later.
        for name in table if isinstance(table, dict) else ():
            if name not in known:
                raise BadTarget(f"{source}: {place}{_unknown(name, known)}")


def _unknown(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, known, 1)
    advice = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(sorted(known))}"
    return f"{name} means nothing here; {advice}"


def _told(error: msgspec.ValidationError) -> str:
    """An error of msgspec in our words: `token: expected str, got int`."""
    said, _, where = str(error).partition(" - at ")
    place = where.strip("`").removeprefix("$").removeprefix(".")
    words = said[:1].lower() + said[1:].replace("`", "")
    return f"{place}: {words}" if place else words
