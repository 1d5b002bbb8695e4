"""Create, activate, change and remove endpoints, and rotate their secrets.

Source: Events; the specification does not show how a URL is registered. Choice: D-85.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Protocol

import msgspec
from msgspec.structs import replace

from simulator.catalogue.events import SPECIFIED_TYPES, emitted_types
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DiskError, InvalidInputError
from simulator.domain.core.ports import (
    HasChoices,
    HasClock,
    HasIds,
    HasSandbox,
    HasStore,
    HasVault,
    unit_of,
)
from simulator.domain.core.slices import change_in_slices
from simulator.domain.core.transact import transact
from simulator.domain.masking.refusals import refuse_sure_secrets
from simulator.domain.ports.webhooks import HasDispatcher
from simulator.domain.webhooks.events import create_activation_event
from simulator.domain.webhooks.payloads import EventContext
from simulator.domain.webhooks.records import (
    ENDPOINTS_MAX,
    INBOX,
    SECRET_DIGITS,
    AttemptResult,
    Delivery,
    Endpoint,
    Fields,
    Format,
    give_up_delivery,
)
from simulator.domain.webhooks.targets import RefusedAddressError

SECRET = re.compile(r"[0-9a-fA-F]{64}")
NOT_CALLED = AttemptResult(error="not called")


class EndpointPorts(
    HasChoices, HasClock, HasDispatcher, HasIds, HasSandbox, HasStore, HasVault, Protocol
):
    """What a change of an endpoint needs."""


class UnknownEndpointError(Exception):
    """No endpoint has the id."""


class AskedEndpoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An endpoint as the control API takes it. Without `entity` it gets the events of the whole
    sandbox, without `types` those of every type.
    """

    url: str
    entity: str | None = None
    types: tuple[str, ...] | None = None
    fields: Fields = "ALL"
    format: Format = "hex"
    secret: str | None = None
    skip_activation: bool = False


class AskedEndpointChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change of an endpoint. Another `url` has to be activated as a new one."""

    url: str | None = None
    entity: str | None = None
    types: tuple[str, ...] | None = None
    fields: Fields | None = None
    format: Format | None = None
    active: bool | None = None
    skip_activation: bool = False


def create_endpoint(
    ports: EndpointPorts, asked: AskedEndpoint
) -> tuple[Endpoint, str, AttemptResult]:
    """A new endpoint, its secret, and the result of its activation call. Raises
    InvalidInputError.
    """
    _check_request(ports, url=asked.url, entity=asked.entity, types=asked.types)
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
    transact(ports.store, partial(_add, ports, endpoint))
    created, result = _begin(ports, endpoint, skip=asked.skip_activation)
    return created, secret, result


def _add(ports: EndpointPorts, endpoint: Endpoint) -> None:
    held = list_endpoints(ports)
    if len(held) >= ENDPOINTS_MAX:
        expected = f"at most {ENDPOINTS_MAX} endpoints of a sandbox; remove some first"
        raise InvalidInputError("webhooks", expected, f"{len(held) + 1}")
    # Of two that count the same ones at once, one conflicts in the newest of them.
    _save(ports, endpoint, *held[-1:])


def list_endpoints(ports: EndpointPorts) -> list[Endpoint]:
    """Every endpoint of the sandbox, oldest first."""
    return ports.store.find(Endpoint, "all", "yes")


def read_endpoint(ports: EndpointPorts, identity: str) -> Endpoint:
    """The endpoint with the id `identity`. Raises UnknownEndpointError."""
    endpoint = ports.store.get(Endpoint, identity)
    if endpoint is None:
        raise UnknownEndpointError("no webhook endpoint has the id in the path")
    return endpoint


def change_endpoint(
    ports: EndpointPorts, identity: str, asked: AskedEndpointChange
) -> tuple[Endpoint, AttemptResult]:
    """The changed endpoint, and the result of its activation call if there was one.

    Raises InvalidInputError, UnknownEndpointError.
    """
    _check_request(ports, url=asked.url, entity=asked.entity, types=asked.types)
    changes = {
        name: value
        for name in ("url", "entity", "types", "fields", "format", "active")
        if (value := getattr(asked, name)) is not None
    }

    def change(endpoint: Endpoint) -> Endpoint:
        changed = replace(endpoint, **changes)
        return changed if changed.url == endpoint.url else replace(changed, active=False)

    before, after = _change(ports, identity, change)
    if after.url != before.url:
        return _begin(ports, after, skip=asked.skip_activation)
    return after, NOT_CALLED


def remove_endpoint(ports: EndpointPorts, identity: str) -> None:
    """Remove the endpoint and give up its pending deliveries; they stay readable with their events.

    Raises UnknownEndpointError. Choice: D-360.
    """

    def remove() -> None:
        ports.store.commit(unit_of(removes=(read_endpoint(ports, identity),)))

    transact(ports.store, remove)
    ports.dispatcher.reload_endpoints()
    found = ports.store.ids_found(Delivery, "endpoint", identity)
    # What a crash or the disk leaves is given up when it would be attempted.
    with suppress(DiskError):
        change_in_slices(ports, Delivery, found, partial(_given_up, at=ports.clock.now()))


def _given_up(delivery: Delivery, *, at: datetime) -> Delivery | None:
    return give_up_delivery(delivery, at=at) if delivery.settled_at is None else None


def activate_endpoint(ports: EndpointPorts, identity: str) -> tuple[Endpoint, AttemptResult]:
    """Call the endpoint with a test event and make it active if it answers 2xx and still has the
    URL that did. Raises UnknownEndpointError.
    """
    endpoint = read_endpoint(ports, identity)
    context = EventContext(ports.sandbox, ports.choices, ports.clock.now())
    event = create_activation_event(ports.ids.record(), context, ports.ids.hex(32))
    result = ports.dispatcher.attempt_once(endpoint, event)
    if result.is_success:
        endpoint = _activate(ports, endpoint)
    return endpoint, result


def rotate_secret(ports: EndpointPorts, identity: str, secret: str | None) -> tuple[Endpoint, str]:
    """Give the endpoint a next secret; the present one is used until `finish_rotation`.

    Raises InvalidInputError, UnknownEndpointError.
    """
    chosen = _secret_in(secret, ports)
    sealed = ports.vault.seal(identity, chosen)
    _, rotated = _change(ports, identity, lambda each: replace(each, next_secret=sealed))
    return rotated, chosen


def finish_rotation(ports: EndpointPorts, identity: str) -> Endpoint:
    """Replace the present secret by the next one. Raises InvalidInputError,
    UnknownEndpointError.
    """

    def finish(endpoint: Endpoint) -> Endpoint:
        if endpoint.next_secret is None:
            raise InvalidInputError("rotate/finish", "a rotation in progress", "none")
        return replace(endpoint, secret=endpoint.next_secret, next_secret=None)

    _, finished = _change(ports, identity, finish)
    return finished


def _begin(
    ports: EndpointPorts, endpoint: Endpoint, *, skip: bool
) -> tuple[Endpoint, AttemptResult]:
    """Activate a new URL by a call. The inbox needs none, and a request may skip it."""
    if not skip and endpoint.url != INBOX:
        return activate_endpoint(ports, endpoint.id)
    return _activate(ports, endpoint), NOT_CALLED


def _activate(ports: EndpointPorts, endpoint: Endpoint) -> Endpoint:
    """The endpoint as it is stored then: active, unless it has another URL by now."""

    def activate(stored: Endpoint) -> Endpoint:
        return replace(stored, active=True) if stored.url == endpoint.url else stored

    _, activated = _change(ports, endpoint.id, activate)
    return activated


def _change(
    ports: EndpointPorts, identity: str, change: Callable[[Endpoint], Endpoint]
) -> tuple[Endpoint, Endpoint]:
    """The endpoint before a change and after it; `change` decides by what is stored."""

    def store_changed() -> tuple[Endpoint, Endpoint]:
        before = read_endpoint(ports, identity)
        after = change(before)
        _save(ports, after)
        return before, after

    return transact(ports.store, store_changed)


def _save(ports: EndpointPorts, *endpoints: Endpoint) -> None:
    ports.store.commit(unit_of(*endpoints))
    ports.dispatcher.reload_endpoints()


def _check_request(
    ports: EndpointPorts, *, url: str | None, entity: str | None, types: tuple[str, ...] | None
) -> None:
    """Raise InvalidInputError for a refused address, one that holds a card number, token or key,
    an unknown entity, or unknown types.
    """
    if entity is not None and entity not in _entities(ports.sandbox):
        expected = "the id of a PSP, division, merchant or channel of this sandbox"
        raise InvalidInputError("entity", expected, beginning_of(entity, 40))
    emitted = _types_in(ports)
    unknown = [each for each in types or () if each not in emitted]
    if unknown or types == ():
        more = "; profile field sends others too" if emitted == SPECIFIED_TYPES else ""
        got = ", ".join(unknown) or "none"
        raise InvalidInputError(
            "types", f"some of {', '.join(emitted)}{more}", beginning_of(got, 80)
        )
    if url is None:
        return
    refuse_sure_secrets(url, "url")
    try:
        ports.dispatcher.check_url(url)
    except RefusedAddressError as error:
        expected = "an address that webhooks may be sent to"
        raise InvalidInputError("url", expected, str(error)) from None


def _types_in(ports: EndpointPorts) -> tuple[str, ...]:
    """The types of events that this sandbox sends."""
    return emitted_types(field_events=ports.choices["field_events"] == "send")


def _entities(sandbox: Sandbox) -> set[str]:
    below = {
        identity
        for merchant in sandbox.merchants
        for identity in (merchant.id, *(channel.id for channel in merchant.channels))
    }
    return below | {sandbox.psp, sandbox.division}


def _secret_in(secret: str | None, ports: EndpointPorts) -> str:
    """The secret in the request, or a new one. No message repeats it."""
    if secret is None:
        return ports.ids.hex(SECRET_DIGITS)
    if not SECRET.fullmatch(secret):
        got = f"{len(secret)} other characters"
        raise InvalidInputError("secret", f"{SECRET_DIGITS} hex digits", got)
    return secret.lower()
