"""Endpoints of notifications: made, activated, changed, given another secret, removed.

Source: Events; how a URL is registered is not shown. Choice: D-85.
"""

import re
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from simulator.catalogue.events import SPECIFIED_TYPES, types_told
from simulator.domain.core.errors import ConflictError, InvalidInputError
from simulator.domain.core.ports import Ports, Unit, unit_of
from simulator.domain.core.records import Sandbox
from simulator.domain.webhooks.events import activation_notice, lonely_notices
from simulator.domain.webhooks.payloads import Scene
from simulator.domain.webhooks.records import INBOX, Delivery, Endpoint, Fields, Format, Reply
from simulator.domain.webhooks.targets import RefusedAddressError

SECRET = re.compile(r"[0-9a-fA-F]{64}")
SECRET_DIGITS = 64
NOT_CALLED = Reply(error="not called")


class UnknownEndpointError(Exception):
    """No endpoint has the id."""


class AskedEndpoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An endpoint as the control API takes it. Without `entity` it hears of the whole sandbox,
    without `types` of all that the sandbox tells of.
    """

    url: str
    entity: str | None = None
    types: tuple[str, ...] | None = None
    fields: Fields = "ALL"
    format: Format = "hex"
    secret: str | None = None
    skip_activation: bool = False


class AskedChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to change of an endpoint. Another `url` has to show that it listens, as a new one."""

    url: str | None = None
    entity: str | None = None
    types: tuple[str, ...] | None = None
    fields: Fields | None = None
    format: Format | None = None
    active: bool | None = None
    skip_activation: bool = False


def create_endpoint(ports: Ports, asked: AskedEndpoint) -> tuple[Endpoint, str, Reply]:
    """A new endpoint, its secret, and how it answered the activation call. Raises
    InvalidInputError.
    """
    _refuse(ports, url=asked.url, entity=asked.entity, types=asked.types)
    identity, secret = ports.ids.record(), _secret_in(asked.secret, ports)
    endpoint = Endpoint(
        id=identity,
        entity=asked.entity or ports.sandbox.psp,
        url=asked.url,
        types=_types_in(ports) if asked.types is None else asked.types,
        fields=asked.fields,
        format=asked.format,
        secret=ports.vault.seal(identity, secret),
        created_at=ports.clock.now(),
    )
    _save(ports, endpoint)
    made, reply = _begun(ports, identity, skip=asked.skip_activation)
    return made, secret, reply


def endpoints_in(ports: Ports) -> list[Endpoint]:
    """Every endpoint of the sandbox, oldest first."""
    return ports.store.find(Endpoint, "all", "yes")


def endpoint_with(ports: Ports, identity: str) -> Endpoint:
    """The endpoint with the id `identity`. Raises UnknownEndpointError."""
    endpoint = ports.store.get(Endpoint, identity)
    if endpoint is None:
        raise UnknownEndpointError(identity)
    return endpoint


def change_endpoint(ports: Ports, identity: str, asked: AskedChange) -> tuple[Endpoint, Reply]:
    """The endpoint as asked, and how it answered if it was called.

    Raises InvalidInputError, UnknownEndpointError.
    """
    _refuse(ports, url=asked.url, entity=asked.entity, types=asked.types)
    wanted = {
        name: value
        for name in ("url", "entity", "types", "fields", "format", "active")
        if (value := getattr(asked, name)) is not None
    }
    moved = asked.url is not None and asked.url != endpoint_with(ports, identity).url
    if moved:
        wanted["active"] = False
    changed = _change(ports, identity, lambda endpoint: replace(endpoint, **wanted))
    if moved:
        return _begun(ports, identity, skip=asked.skip_activation)
    return changed, NOT_CALLED


def remove_endpoint(ports: Ports, identity: str) -> None:
    """Remove the endpoint and what was still to be delivered to it. Raises UnknownEndpointError."""
    while True:
        endpoint = endpoint_with(ports, identity)
        pending = [
            each
            for each in ports.store.find(Delivery, "endpoint", identity)
            if each.settled_at is None
        ]
        lonely = lonely_notices(ports.store, pending)
        try:
            ports.store.commit(Unit(removes=(endpoint, *pending, *lonely)))
        except ConflictError:
            continue
        return ports.outbox.changed()


def activate_endpoint(ports: Ports, identity: str) -> tuple[Endpoint, Reply]:
    """Call the endpoint with a test event; it is active once it answers 2xx.

    Raises UnknownEndpointError.
    """
    endpoint = endpoint_with(ports, identity)
    scene = Scene(ports.sandbox, ports.choices, ports.clock.now())
    notice = activation_notice(ports.ids.record(), scene, ports.ids.hex(32))
    reply = ports.outbox.try_now(endpoint, notice)
    if reply.is_success:
        endpoint = _change(ports, identity, lambda each: replace(each, active=True))
    return endpoint, reply


def rotate_secret(ports: Ports, identity: str, secret: str | None) -> tuple[Endpoint, str]:
    """Give the endpoint another secret, which waits: the old one is used until `finish_rotation`.

    Raises InvalidInputError, UnknownEndpointError.
    """
    chosen = _secret_in(secret, ports)
    sealed = ports.vault.seal(identity, chosen)
    return _change(ports, identity, lambda each: replace(each, next_secret=sealed)), chosen


def finish_rotation(ports: Ports, identity: str) -> Endpoint:
    """Use the secret that waits, and forget the old one. Raises InvalidInputError,
    UnknownEndpointError.
    """
    if endpoint_with(ports, identity).next_secret is None:
        raise InvalidInputError("rotate/finish", "a rotation that was begun", "none")
    return _change(
        ports, identity, lambda each: replace(each, secret=each.next_secret, next_secret=None)
    )


def _begun(ports: Ports, identity: str, *, skip: bool) -> tuple[Endpoint, Reply]:
    """A new address is called; the inbox and whoever skips it is active without."""
    if not skip and endpoint_with(ports, identity).url != INBOX:
        return activate_endpoint(ports, identity)
    return _change(ports, identity, lambda each: replace(each, active=True)), NOT_CALLED


def _change(ports: Ports, identity: str, change: Callable[[Endpoint], Endpoint]) -> Endpoint:
    while True:
        endpoint = change(endpoint_with(ports, identity))
        try:
            _save(ports, endpoint)
        except ConflictError:
            continue
        return endpoint


def _save(ports: Ports, endpoint: Endpoint) -> None:
    ports.store.commit(unit_of(endpoint))
    ports.outbox.changed()


def _refuse(
    ports: Ports, *, url: str | None, entity: str | None, types: tuple[str, ...] | None
) -> None:
    """Raise InvalidInputError for an address nothing may go to, an unknown entity, or unknown
    types.
    """
    if entity is not None and entity not in _entities(ports.sandbox):
        expected = "the id of a PSP, division, merchant or channel of this sandbox"
        raise InvalidInputError("entity", expected, entity[:40])
    told = _types_in(ports)
    unknown = [each for each in types or () if each not in told]
    if unknown or types == ():
        more = "; profile field tells of others too" if told == SPECIFIED_TYPES else ""
        got = ", ".join(unknown) or "none"
        raise InvalidInputError("types", f"some of {', '.join(told)}{more}", got[:80])
    if url is None:
        return
    try:
        ports.outbox.check(url)
    except RefusedAddressError as error:
        raise InvalidInputError("url", "an address notifications may go to", str(error)) from None


def _types_in(ports: Ports) -> tuple[str, ...]:
    """The types of events that this sandbox tells of."""
    return types_told(field_events=ports.choices["field_events"] == "send")


def _entities(sandbox: Sandbox) -> set[str]:
    below = {
        identity
        for merchant in sandbox.merchants
        for identity in (merchant.id, *(channel.id for channel in merchant.channels))
    }
    return below | {sandbox.psp, sandbox.division}


def _secret_in(secret: str | None, ports: Ports) -> str:
    """The secret that was sent, or a new one. It is never repeated."""
    if secret is None:
        return ports.ids.hex(SECRET_DIGITS)
    if not SECRET.fullmatch(secret):
        got = f"{len(secret)} characters that are none"
        raise InvalidInputError("secret", f"{SECRET_DIGITS} hex digits", got)
    return secret.lower()
