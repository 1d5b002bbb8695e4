"""The hierarchy of a sandbox: PSP, division, merchants, channels, merchant accounts.

What is asked for is a document of the control API; what is left out gets a sensible default.
"""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256

import msgspec

from simulator.catalogue.choices import CHOICES
from simulator.domain.clock import ClockSetting, Mode, read_instant, set_mode
from simulator.domain.ports import Ids, ServerPorts, Vault
from simulator.domain.records import Channel, Merchant, Sandbox, Stamp
from simulator.grammar.choices import choose

TOKEN_LENGTH = 48


class AskedMerchant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A merchant as the control API takes it; a channel may set any field of Channel but its ids."""

    name: str = "Sandgate Merchant"
    channels: tuple[Mapping[str, object], ...] = ({},)


class AskedClock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A clock as the control API takes it: `at` is where it stands or starts, ISO 8601."""

    mode: Mode = "real"
    at: str | None = None
    rate: float | None = None


class AskedSandbox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sandbox as the control API takes it."""

    profile: str | None = None
    overrides: Mapping[str, str] | None = None
    clock: AskedClock = AskedClock()
    merchants: tuple[AskedMerchant, ...] = (AskedMerchant(),)


def token_hash(token: str) -> str:
    """What a token is found by: the token itself stands nowhere in the clear."""
    return sha256(token.encode()).hexdigest()


def decide_sandbox(asked: AskedSandbox, server: ServerPorts) -> Sandbox:
    """A new sandbox with its entities and credentials, the credentials sealed.

    Raises UnknownChoice for a profile or override that does not exist, msgspec.ValidationError for a
    channel that cannot be.
    """
    ids, vault = server.ids, server.vault
    profile = asked.profile or server.profile
    overrides = server.overrides if asked.overrides is None else asked.overrides
    choose(CHOICES, profile, overrides)
    identity = ids.record()
    control_key = ids.hex(TOKEN_LENGTH)
    return Sandbox(
        id=identity,
        created_at=server.clock.now(),
        profile=profile,
        overrides=overrides,
        clock=clock_of(asked.clock, server.clock.now()),
        psp=ids.record(),
        division=ids.record(),
        merchants=tuple(_merchant(each, ids, vault) for each in asked.merchants),
        control_key_hash=token_hash(control_key),
        control_key_sealed=vault.seal(identity, control_key),
    )


def clock_of(asked: AskedClock, real_now: datetime) -> ClockSetting:
    """The clock of a new sandbox: unlike a running one it may begin in the past. Raises BadInput."""
    if asked.mode == "real":
        return ClockSetting()
    at = read_instant(asked.at) if asked.at else real_now
    before = ClockSetting(mode=asked.mode, world=at, real=real_now)
    return set_mode(before, asked.mode, at=at, rate=asked.rate, real_now=real_now)


def _merchant(asked: AskedMerchant, ids: Ids, vault: Vault) -> Merchant:
    identity = ids.record()
    token = ids.hex(TOKEN_LENGTH)
    return Merchant(
        id=identity,
        name=asked.name,
        token_hash=token_hash(token),
        token_sealed=vault.seal(identity, token),
        channels=tuple(_channel(each, ids) for each in asked.channels),
    )


def _channel(asked: Mapping[str, object], ids: Ids) -> Channel:
    given = {"id": ids.record(), "merchant_account": ids.record()}
    return msgspec.convert({"name": "Sandgate Channel", **asked, **given}, Channel)


def stamp_of(sandbox: Sandbox, merchant: Merchant, channel: Channel) -> Stamp:
    """Whom a payment of `channel` belongs to."""
    return Stamp(
        psp=sandbox.psp,
        division=sandbox.division,
        merchant=merchant.id,
        channel=channel.id,
        merchant_account=channel.merchant_account,
        clearing_institute=channel.clearing_institute,
    )


class Credentials(msgspec.Struct, frozen=True, kw_only=True):
    """What a merchant's developer needs to use a sandbox, in the clear: shown, never stored."""

    id: str
    token: str
    entity_id: str
    control_key: str
    entities: Mapping[str, object]


def credentials_of(sandbox: Sandbox, vault: Vault) -> Credentials:
    """The credentials of `sandbox`; token and entity id are those of its first merchant and channel."""
    merchants = [_merchant_shown(merchant, vault) for merchant in sandbox.merchants]
    return Credentials(
        id=sandbox.id,
        token=merchants[0]["token"],
        entity_id=sandbox.merchants[0].channels[0].id,
        control_key=vault.open(sandbox.id, sandbox.control_key_sealed),
        entities={"psp": sandbox.psp, "division": sandbox.division, "merchants": merchants},
    )


def _merchant_shown(merchant: Merchant, vault: Vault) -> dict:
    return {
        "id": merchant.id,
        "name": merchant.name,
        "token": vault.open(merchant.id, merchant.token_sealed),
        "channels": merchant.channels,
    }
