"""The target: the gateway that is judged, wherever it runs, and what it offers to a judge."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from operator import attrgetter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from features.addresses import address_fault, listens
from features.spec.companions import REFERENCE_CARD, Sent

# What a scenario may need of a target beside its merchant API: the values of `@needs:`.
OFFERS = (
    "browser", "clock", "control", "declines", "inbox", "live", "scripts",
    "throttling", "tls", "webhooks",
)  # fmt: skip
CONTROL = ("control_url", "control_key")
#  offer         what it cannot be had without: the one, or the other
RESTS_ON: Mapping[str, Sequence[Sequence[str]]] = {
    "clock":      (CONTROL,),
    "control":    (CONTROL,),
    "inbox":      (CONTROL,),
    "live":       (("live_url", "live_token"),),
    "scripts":    (CONTROL,),
    "throttling": (CONTROL,),
    "tls":        (("tls_url",),),
    "webhooks":   (CONTROL, ("receiver.url", "receiver.key")),
}  # fmt: skip
PROFILES = ("specification", "field")
CARD_NUMBER = r"[0-9]{12,19}"
ANY_PORT = ":0"
WEBHOOK_KEY = r"[0-9A-Fa-f]{64}"
# Only a gateway on the judge's own machine reaches a receiver that listens on loopback.
LOOPBACK = ("127.0.0.1", "localhost", "::1")
NEEDED = ("base_url", "token", "entity_id")
# These go into headers and addresses as they are.
IN_HEADERS = ("token", "entity_id", "control_key", "live_token")
# From one request in some weeks to more than any judge can send.
LIMIT_MIN, LIMIT_MAX = 1e-6, 1e6
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

    `listen` is a host and a port; port 0 is any free one, and `url` is then found by itself. `key`
    is the one under which a target without a control API notifies that address, in 64 hex digits.
    """

    listen: str = "127.0.0.1:0"
    url: str = ""
    key: str = ""


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
        own = (self.token, self.live_token, self.control_key, self.receiver.key)
        return [each for each in (*own, *tokens) if each]


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
    except RecursionError:
        raise BadTarget(f"{path}: expected TOML, got: what is nested too deeply") from None
    _refuse_unknown(described, source=str(path))
    target = target_of(described, source=str(path))
    authority = str(path.parent / target.ca_file) if target.ca_file else ""
    if authority and not Path(authority).is_file():
        raise BadTarget(f"{path}: ca_file: expected a file of certificates, found no {authority}")
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
    for place, wrong in (*_wrong_members(target), *_wrong_offers(target, offers)):
        raise BadTarget(f"{source}: {place}: {wrong}")


def _wrong_members(target: Target) -> Iterator[tuple[str, str]]:
    """The members that are wrong, each with what is wrong about it."""
    for name, address in _addresses(target):
        wrong = address_fault(address)
        if wrong:
            yield name, wrong
    for name, text in _header_texts(target):
        # What is wrong may be a secret that was mistyped: it is not repeated.
        if text and not re.fullmatch(r"[!-~]+", text):
            yield name, "expected printable ASCII without blanks, got other signs too"
    if target.profile and target.profile not in PROFILES:
        yield "profile", _unknown(target.profile, PROFILES)
    number = target.cards.reference.number
    if not re.fullmatch(CARD_NUMBER, number):
        yield "cards.reference.number", f"expected 12 to 19 digits, got {len(number)} signs"
    if not listens(target.receiver.listen):
        yield "receiver.listen", f"expected HOST:PORT, got {target.receiver.listen!r}"
    if target.receiver.url and target.receiver.listen.endswith(ANY_PORT):
        yield "receiver.listen", "expected the port that receiver.url leads to, got any free one"
    if target.receiver.key and not re.fullmatch(WEBHOOK_KEY, target.receiver.key):
        yield "receiver.key", f"expected 64 hex digits, got {len(target.receiver.key)} signs"
    for each in fields(Limits):
        limit = getattr(target.limits, each.name)
        if limit and not LIMIT_MIN <= limit <= LIMIT_MAX:
            between = f"expected 0 or a number from {LIMIT_MIN} to {LIMIT_MAX}"
            yield f"limits.{each.name}", f"{between}, got {limit}"


def _wrong_offers(target: Target, offers: Collection[str]) -> Iterator[tuple[str, str]]:
    for offer in offers:
        if offer not in OFFERS:
            yield "offers", _unknown(offer, OFFERS)
        if offer in RESTS_ON and not _can_offer(target, offer):
            needed = ", or ".join(" and ".join(names) for names in RESTS_ON[offer])
            yield "offers", f"{offer} needs {needed}, got no such members"


def _can_offer(target: Target, offer: str) -> bool:
    return any(all(attrgetter(name)(target) for name in names) for names in RESTS_ON[offer])


def _addresses(target: Target) -> Iterator[tuple[str, str]]:
    told = [(name, getattr(target, name)) for name in ADDRESSES]
    told.append(("receiver.url", target.receiver.url))
    return ((name, address) for name, address in told if address)


def _header_texts(target: Target) -> Iterator[tuple[str, str]]:
    for name in IN_HEADERS:
        yield name, getattr(target, name)
    for name, entity in target.entities.items():
        yield f"entities.{name}.entity_id", entity.entity_id
        yield f"entities.{name}.token", entity.token


def _offers(target: Target) -> frozenset[str]:
    """What a target that does not say what it offers does offer, by its addresses."""
    found = {offer for offer in RESTS_ON if _can_offer(target, offer)}
    if target.profile:
        found.add("declines")
    if not target.receiver.url and urlsplit(target.base_url).hostname not in LOOPBACK:
        found.discard("webhooks")
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
