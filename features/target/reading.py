"""Reading what describes a target: a TOML file, or the facts of a gateway that was started here."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from features.target.records import (
    OFFERS,
    PATHS,
    PROFILES,
    ReceiverAddress,
    ReferenceCard,
    RequestLimits,
    Target,
    TargetCards,
    TargetEntity,
)
from features.target.terminals import TerminalOfTarget, wrong_terminal_members
from simulator.client.addresses import LOOPBACK, address_problem, is_listen_address
from simulator.client.files.bounded import read_within
from simulator.client.shown.known_secrets import hide_from_now_on
from simulator.client.shown.misfits import said_of_file

Record = TypeVar("Record")

#  offer         members, or another offer, that it cannot be had without: the ones, or the others
RESTS_ON: Mapping[str, Sequence[Sequence[str]]] = {
    "brands":     (("profile",), ("brands",)),
    "control":    (("control_url", "control_key"),),
    "channels":   (("control",), ("entities",)),
    "clock":      (("control",),),
    "inbox":      (("control",), ("receiver.url", "receiver.key")),
    "live":       (("live_url", "live_token"),),
    "openapi":    (("openapi_url",),),
    "other":      (("control",), ("other_token",)),
    "pauses":     (("control",), ("waits",)),
    "reports":    (("profile",), ("paths",)),
    "scripts":    (("control",),),
    "settlement": (("control", "clock", "sftp"),),
    "terminal":   (("control",), ("terminal.protection_key",)),
    "throttling": (("control",), ("waits",)),
    "tls":        (("tls_url",),),
    "webhooks":   (("control",), ("receiver.url", "receiver.key")),
}  # fmt: skip
CARD_NUMBER = r"[0-9]{12,19}"
NAME = r"[A-Za-z0-9_./-]+"
WEBHOOK_KEY = r"[0-9A-Fa-f]{64}"
NEEDED = ("base_url", "token", "entity_id")
# These go into headers and addresses as they are.
IN_HEADERS = ("token", "entity_id", "control_key", "live_token")
# From one request in some weeks to more than any run can send.
LIMIT_MIN, LIMIT_MAX = 1e-6, 1e6
ADDRESSES = ("base_url", "control_url", "tls_url", "live_url", "openapi_url")


class TargetFileError(ValueError):
    """A target file that lacks something, names something unknown, or has it in a wrong form."""


def read_target(path: Path) -> Target:
    """The target a TOML file describes; a `ca_file` is sought beside it. No standard stream of the
    command shows its secrets from here on. Raises TargetFileError.
    """
    try:
        described = tomllib.loads(read_within(path).decode())
    except OSError as error:
        raise TargetFileError(f"{path}: expected a target file, got: {error.strerror}") from None
    except ValueError as error:
        raise TargetFileError(f"{path}: expected TOML, got: {error}") from None
    except RecursionError:
        raise TargetFileError(f"{path}: expected TOML, got: what is nested too deeply") from None
    _refuse_unknown(described, source=str(path))
    target = parse_target(described, source=str(path))
    hide_from_now_on(target.secrets)
    authority = str(path.parent / target.ca_file) if target.ca_file else ""
    if authority and not Path(authority).is_file():
        raise TargetFileError(
            f"{path}: ca_file: expected a file of certificates, found no {authority}"
        )
    folder = str(path.parent / target.terminal.folder)
    return replace(target, ca_file=authority, terminal=replace(target.terminal, folder=folder))


def parse_target(described: Mapping[str, Any], *, source: str) -> Target:
    """The target of a description; unknown members of it are ignored.

    Raises TargetFileError.
    """
    missing = [name for name in NEEDED if not described.get(name)]
    if missing:
        got = ", ".join(described) or "nothing"
        raise TargetFileError(f"{source}: expected {', '.join(missing)}, got {got}")
    known = {each.name: described[each.name] for each in fields(Target) if each.name in described}
    target = _record_of({**known, "offers": ()}, Target, source)
    offers = _record_of(described.get("offers", []), list[str], source, "offers")
    _check(target, offers, source=source)
    return replace(target, offers=frozenset(offers) if "offers" in described else _offers(target))


def _record_of(document: object, kind: type[Record], source: str, where: str = "") -> Record:
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        said = said_of_file(error, document, kind, where=where, mapping="a table")
        raise TargetFileError(f"{source}: {said}") from None


def with_members(target: Target, members: Sequence[str]) -> Target:
    """The target as a fleet that has these members too. Raises TargetFileError."""
    for each in members:
        if wrong := address_problem(each):
            raise TargetFileError(f"--member: {wrong}")
    return replace(target, members=(*target.members, *members))


def _check(target: Target, offers: Collection[str], *, source: str) -> None:
    # One by one: what comes later may rest on what was found to be right before.
    for place, wrong in chain(_wrong_members(target), _wrong_offers(target, offers)):
        raise TargetFileError(f"{source}: {place}: {wrong}")


def _wrong_members(target: Target) -> Iterator[tuple[str, str]]:
    """The members that are wrong, each with what is wrong about it."""
    for name, address in _addresses(target):
        wrong = address_problem(address)
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
    if target.sftp and not is_listen_address(target.sftp.partition("/")[0]):
        yield "sftp", f"expected HOST:PORT, or HOST:PORT/FOLDER, got {target.sftp!r}"
    if not is_listen_address(target.receiver.listen):
        yield "receiver.listen", f"expected HOST:PORT, got {target.receiver.listen!r}"
    if target.receiver.url and not target.receiver.is_fixed:
        yield "receiver.listen", "expected the port that receiver.url leads to, got any free one"
    if target.receiver.key and not target.receiver.url:
        yield "receiver.key", "expected receiver.url beside it, where the target notifies; got none"
    if target.receiver.key and not re.fullmatch(WEBHOOK_KEY, target.receiver.key):
        yield "receiver.key", f"expected 64 hex digits, got {len(target.receiver.key)} signs"
    for name, theirs in (*target.brands.items(), *target.paths.items()):
        if not re.fullmatch(NAME, theirs):
            place = f"brands.{name}" if name in target.brands else f"paths.{name}"
            yield place, "expected letters, digits and any of -_./, got other signs, or none"
    for name in target.paths:
        if name not in PATHS:
            yield "paths", _unknown(name, PATHS)
    for each in fields(RequestLimits):
        limit = getattr(target.limits, each.name)
        if limit and not LIMIT_MIN <= limit <= LIMIT_MAX:
            between = f"expected 0 or a number from {LIMIT_MIN} to {LIMIT_MAX}"
            yield f"limits.{each.name}", f"{between}, got {limit}"
    yield from wrong_terminal_members(target.terminal)


def _wrong_offers(target: Target, offers: Collection[str]) -> Iterator[tuple[str, str]]:
    for offer in offers:
        if offer not in OFFERS:
            yield "offers", _unknown(offer, OFFERS)
        if offer in RESTS_ON and not _can_offer(target, offer, offers):
            needed = ", or ".join(" and ".join(names) for names in RESTS_ON[offer])
            yield "offers", f"{offer} needs {needed}; got no such member or offer"


def _can_offer(target: Target, offer: str, offers: Collection[str]) -> bool:
    return any(
        all(name in offers if name in OFFERS else attrgetter(name)(target) for name in names)
        for names in RESTS_ON[offer]
    )


def _addresses(target: Target) -> Iterator[tuple[str, str]]:
    named = [(name, getattr(target, name)) for name in ADDRESSES]
    named.append(("receiver.url", target.receiver.url))
    named += [("members", address) for address in target.members]
    return ((name, address) for name, address in named if address)


def _header_texts(target: Target) -> Iterator[tuple[str, str]]:
    for name in IN_HEADERS:
        yield name, getattr(target, name)
    for name, entity in target.entities.items():
        yield f"entities.{name}.entity_id", entity.entity_id
        yield f"entities.{name}.token", entity.token


def _offers(target: Target) -> frozenset[str]:
    """The offers of a target that does not list them, concluded from its addresses."""
    found: set[str] = set()
    for offer in RESTS_ON:
        found |= {offer} if _can_offer(target, offer, found) else set()
    if target.profile:
        found |= {"browser", "declines"}
    if not target.receiver.url and urlsplit(target.base_url).hostname not in LOOPBACK:
        found.discard("webhooks")
    return frozenset(found)


def _refuse_unknown(described: Mapping[str, Any], *, source: str) -> None:
    """Refuse unknown names, in the file and in its tables. Raises TargetFileError."""
    entities, cards = described.get("entities", {}), described.get("cards", {})
    parts: list[tuple[str, Any, type]] = [
        ("", described, Target),
        ("cards.", cards, TargetCards),
        ("limits.", described.get("limits", {}), RequestLimits),
        ("receiver.", described.get("receiver", {}), ReceiverAddress),
        ("terminal.", described.get("terminal", {}), TerminalOfTarget),
    ]
    if isinstance(cards, dict):
        parts.append(("cards.reference.", cards.get("reference", {}), ReferenceCard))
    if isinstance(entities, dict):
        parts += [(f"entities.{name}.", each, TargetEntity) for name, each in entities.items()]
    for place, table, kind in parts:
        known = [each.name for each in fields(kind)]
        # What should be a table and is none is refused for that, later.
        for name in table if isinstance(table, dict) else ():
            if name not in known:
                raise TargetFileError(f"{source}: {place}{_unknown(name, known)}")


def _unknown(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, known, 1)
    advice = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(sorted(known))}"
    return f"{name} is unknown; {advice}"
