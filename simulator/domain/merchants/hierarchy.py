"""The hierarchy of a sandbox: PSP, division, merchants, channels, merchant accounts.

What is asked for is a document of the control API; what is left out gets a sensible default.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Protocol

import msgspec

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.throttles import THROTTLES
from simulator.domain.core.clock import ClockSetting, Mode, read_instant, refuse_idle, set_mode
from simulator.domain.core.entities import Channel, Merchant, Sandbox
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import Clock, Ids, Names, ServerVault
from simulator.domain.core.records import AccountHierarchy
from simulator.domain.core.shapes import At, Overrides, Profile, Table, shape
from simulator.domain.documents import joined
from simulator.domain.merchants.entities import ENTITIES_MAX, AskedMerchant, new_merchant
from simulator.domain.merchants.names import Namer
from simulator.domain.merchants.tokens import TOKEN_LENGTH, Mint, token_hash
from simulator.domain.throttling.tables import asked_table
from simulator.domain.throttling.windows import ServerTables
from simulator.grammar.choices import choose
from simulator.grammar.throttles import ThrottleTable

SEED_MAX = 2**53

Merchants = Annotated[
    tuple[AskedMerchant, ...], msgspec.Meta(min_length=1, max_length=ENTITIES_MAX)
]


class AskedClock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A clock as the control API takes it: `at` is where it stands or starts, ISO 8601."""

    mode: Mode = "real"
    at: At | None = None
    rate: Annotated[float, shape(exclusiveMinimum=0)] | None = None


class AskedSandbox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sandbox as the control API takes it."""

    profile: Profile | None = None
    overrides: Overrides | None = None
    throttle: Table = None
    live_throttle: Table = None
    clock: AskedClock = AskedClock()
    seed: (
        Annotated[int, msgspec.Meta(ge=0, le=SEED_MAX, description="Values in answers follow it.")]
        | None
    ) = None
    merchants: Merchants = (AskedMerchant(),)


class SandboxDefaults(Protocol):
    """What a new sandbox gets of its server: ids, keys, names, and what was not asked for."""

    @property
    def ids(self) -> Ids: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def vault(self) -> ServerVault: ...

    @property
    def names(self) -> Names: ...

    @property
    def profile(self) -> str: ...

    @property
    def overrides(self) -> Mapping[str, str]: ...

    @property
    def throttles(self) -> ServerTables: ...


def decide_sandbox(asked: AskedSandbox, server: SandboxDefaults) -> Sandbox:
    """A new sandbox with its entities and credentials, the credentials sealed.

    Raises UnknownChoiceError for a profile or override that does not exist, InvalidInputError for
    the rest.
    """
    ids, now = server.ids, server.clock.now()
    profile = asked.profile or server.profile
    overrides = server.overrides if asked.overrides is None else asked.overrides
    choose(CHOICES, profile, overrides)
    identity, control_key = ids.record(), ids.hex(TOKEN_LENGTH)
    key_sealed = server.vault.new_key(identity)
    vault = server.vault.vault_of(identity, key_sealed)
    mint, namer = Mint(ids, vault, now), Namer(server.names, asked.seed)
    return Sandbox(
        id=identity,
        created_at=now,
        profile=profile,
        overrides=overrides,
        throttle=_table(asked.throttle, "throttle", server),
        live_throttle=_table(asked.live_throttle, "live_throttle", server),
        seed=asked.seed,
        clock=_clock_of(asked.clock, now),
        psp=ids.record(),
        division=ids.record(),
        merchants=tuple(
            new_merchant(each, mint, namer, number=number, where=f"merchants[{number}]")
            for number, each in enumerate(asked.merchants)
        ),
        key_sealed=key_sealed,
        control_key_hash=token_hash(control_key),
        control_key_sealed=vault.seal(identity, control_key),
    )


def known_tables(server: SandboxDefaults) -> dict[str, ThrottleTable]:
    """The throttle tables a control call may name: the shipped ones and the server's own."""
    ours = server.throttles
    return {**THROTTLES, **{each.name: each for each in (ours.throttle, ours.live_throttle)}}


def _table(asked: object, where: str, server: SandboxDefaults) -> ThrottleTable | None:
    return None if asked is None else asked_table(asked, where, known_tables(server))


def _clock_of(asked: AskedClock, real_now: datetime) -> ClockSetting:
    """The clock of a new sandbox. Raises InvalidInputError with its place in the document."""
    try:
        return clock_of(asked, real_now)
    except InvalidInputError as error:
        where = joined("clock", error.where)
        raise InvalidInputError(where, error.expected, error.got) from None


def clock_of(asked: AskedClock, real_now: datetime) -> ClockSetting:
    """The clock of a new sandbox: unlike a running one it may begin in the past. Raises
    InvalidInputError.
    """
    if asked.mode == "real":
        refuse_idle(at=asked.at, rate=asked.rate)
        return ClockSetting()
    at = read_instant(asked.at) if asked.at else real_now
    before = ClockSetting(mode=asked.mode, world=at, real=real_now)
    return set_mode(before, asked.mode, at=at, rate=asked.rate, real_now=real_now)


def stamp_of(sandbox: Sandbox, merchant: Merchant, channel: Channel) -> AccountHierarchy:
    """Whom a payment of `channel` belongs to."""
    return AccountHierarchy(
        psp=sandbox.psp,
        division=sandbox.division,
        merchant=merchant.id,
        channel=channel.id,
        merchant_account=channel.merchant_account,
        clearing_institute=channel.clearing_institute,
    )
