"""What the sandbox and the records of a snapshot must be before anything of them is used.

A snapshot comes from outside: its ids name files, its tokens authenticate, its settings rule
payments. It may hold nothing that the control API would not have taken. Choice: D-295.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.throttles import FORMER_OPERATIONS
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.clock import EARLIEST, LATEST, ClockSetting, is_coherent
from simulator.domain.core.entities import AccessToken, Merchant, Sandbox
from simulator.domain.core.errors import InvalidInputError, TamperedSecretError
from simulator.domain.core.hosts import HOSTS
from simulator.domain.core.ports import Vault
from simulator.domain.merchants.entities import (
    ENTITIES_MAX,
    refuse_invalid_channel,
    with_rules,
)
from simulator.domain.merchants.hierarchy import SEED_MAX
from simulator.domain.merchants.names import refuse_controls, refuse_name
from simulator.domain.merchants.passwords import refuse_other_secret
from simulator.domain.merchants.sftp import password_of, refuse_invalid_access
from simulator.domain.merchants.tokens import (
    ALIAS_LENGTH_MAX,
    LAST_DIGITS,
    TOKENS_MAX,
    token_hash,
)
from simulator.domain.throttling.tables import asked_table
from simulator.domain.throttling.windows import ThrottleSetting
from simulator.grammar.choices import UnknownChoiceError, choose
from simulator.grammar.throttles import ThrottleTable

ID = re.compile(r"[0-9a-f]{32}")
NUMBER_MAX = 2**31
SERIAL_MAX = 10**12 - 1
RECORD_ID_LENGTH_MAX = 512
SHOWN_LENGTH = 40
UTC_OFFSET = timedelta(0)


class Demand(NamedTuple):
    """Where a value stands, what it has to be, whether it is, and how an error shows it."""

    where: str
    expected: str
    is_met: bool
    got: object


def refuse_invalid_ids(sandbox: Sandbox) -> None:
    """Raise InvalidInputError unless every id is one: before any of them is used."""
    seen: set[str] = set()
    for where, identity in _ids_in(sandbox):
        is_id = ID.fullmatch(identity) is not None
        _check(Demand(where, "an id, 32 lowercase hex digits", is_id, identity))
        _check(Demand(where, "an id of its own", identity not in seen, "one used before"))
        seen.add(identity)


def refuse_invalid_sandbox(sandbox: Sandbox, vault: Vault) -> None:
    """Raise InvalidInputError for what the control API would not have taken, and for a hash that is
    not that of the secret sealed beside it. The ids are checked already.
    """
    for demand in _numbers_of(sandbox):
        _check(demand)
    _refuse_naive_instants(sandbox, "sandbox")
    _refuse_settings(sandbox)
    for place, merchant in enumerate(sandbox.merchants):
        _refuse_merchant(merchant, f"merchants[{place}]", vault)
    _refuse_foreign_hash(
        "control_key_hash",
        sandbox.control_key_hash,
        vault,
        identity=sandbox.id,
        sealed=sandbox.control_key_sealed,
    )


def refuse_invalid_record(identity: str, serial: int, record: Any) -> None:
    """Raise InvalidInputError for a record of the log, stored under `identity`, that no gateway
    stored.
    """
    is_named = record.id == identity and identity.isprintable()
    for demand in (
        Demand("record", "the id it is stored under", is_named, identity),
        Demand("record", "a short id", len(identity) <= RECORD_ID_LENGTH_MAX, "a longer one"),
        Demand("record", "a serial number of 1 or more", 0 < serial <= SERIAL_MAX, serial),
        Demand("record", "version 1 or later", 0 < record.version <= SEED_MAX, record.version),
    ):
        _check(demand)
    _refuse_naive_instants(record, "record")
    if isinstance(record, ClockSetting):
        _refuse_clock(record)
    if isinstance(record, ThrottleSetting):
        _refuse_tables(record.throttle, record.live_throttle)


def _ids_in(sandbox: Sandbox) -> Iterator[tuple[str, str]]:
    yield from (("id", sandbox.id), ("psp", sandbox.psp), ("division", sandbox.division))
    for place, merchant in enumerate(sandbox.merchants):
        where = f"merchants[{place}]"
        yield f"{where}.id", merchant.id
        for number, channel in enumerate(merchant.channels):
            yield f"{where}.channels[{number}].id", channel.id
            yield f"{where}.channels[{number}].merchant_account", channel.merchant_account
        for number, token in enumerate(merchant.tokens):
            yield f"{where}.tokens[{number}].id", token.id


def _numbers_of(sandbox: Sandbox) -> tuple[Demand, ...]:
    count, seed = len(sandbox.merchants), sandbox.seed
    merchants = f"1 to {ENTITIES_MAX} merchants"
    return (
        Demand("epoch", "1 or more", 1 <= sandbox.epoch <= NUMBER_MAX, sandbox.epoch),
        Demand("version", "0 or more", 0 <= sandbox.version <= SEED_MAX, sandbox.version),
        Demand("seed", f"0 to {SEED_MAX}", seed is None or 0 <= seed <= SEED_MAX, seed),
        Demand("merchants", merchants, 1 <= count <= ENTITIES_MAX, count),
    )


def _refuse_settings(sandbox: Sandbox) -> None:
    try:
        choose(CHOICES, sandbox.profile, sandbox.overrides)
    except UnknownChoiceError as error:
        raise InvalidInputError(error.where, error.expected, error.got) from None
    _refuse_clock(sandbox.clock)
    _refuse_tables(sandbox.throttle, sandbox.live_throttle)


def _refuse_clock(clock: ClockSetting) -> None:
    expected = f"real, or at an instant from {EARLIEST.isoformat()} to {LATEST.isoformat()}"
    _check(Demand("clock", expected, is_coherent(clock), f"{clock.mode} at {clock.world}"))


def _refuse_tables(*tables: ThrottleTable | None) -> None:
    for table in tables:
        if table is not None:
            rows = (row for row in table.limits if row.operation not in FORMER_OPERATIONS)
            limits = [msgspec.to_builtins(row) for row in rows]
            asked_table({"name": table.name, "limits": limits}, "throttle")


def _refuse_merchant(merchant: Merchant, where: str, vault: Vault) -> None:
    refuse_name(merchant.name, f"{where}.name")
    hosts = {token.host for token in merchant.tokens}
    counts = (
        (f"{where}.channels", 1, len(merchant.channels), ENTITIES_MAX),
        (f"{where}.tokens", len(HOSTS), len(merchant.tokens), TOKENS_MAX),
        (f"{where}.dispatching", 0, len(merchant.dispatching), ENTITIES_MAX),
    )
    for place, least, count, most in counts:
        _check(Demand(place, f"{least} to {most}", least <= count <= most, count))
    expected = "a token for each host"
    _check(Demand(f"{where}.tokens", expected, hosts == set(HOSTS), "none for one of them"))
    for number, channel in enumerate(merchant.channels):
        refuse_invalid_channel(channel, f"{where}.channels[{number}]")
    with_rules(merchant, merchant.dispatching)
    for number, token in enumerate(merchant.tokens):
        _refuse_token(token, f"{where}.tokens[{number}]", vault)
    if merchant.sftp is not None:
        refuse_invalid_access(merchant.sftp, f"{where}.sftp")
        _refuse_foreign_password(merchant, f"{where}.sftp.password", vault)


def _refuse_foreign_password(merchant: Merchant, where: str, vault: Vault) -> None:
    try:
        refuse_other_secret(password_of(merchant, vault), where)
    except TamperedSecretError:
        raise InvalidInputError(where, "one sealed for this merchant", "another") from None


def _refuse_token(token: AccessToken, where: str, vault: Vault) -> None:
    expected = f"at most {ALIAS_LENGTH_MAX} characters"
    is_short = len(token.alias) <= ALIAS_LENGTH_MAX
    _check(Demand(f"{where}.alias", expected, is_short, len(token.alias)))
    refuse_controls(token.alias, f"{where}.alias")
    value = _refuse_foreign_hash(
        f"{where}.hash", token.hash, vault, identity=token.id, sealed=token.sealed
    )
    is_end = token.last_digits == value[-LAST_DIGITS:]
    _check(Demand(f"{where}.last_digits", "those of the token", is_end, "others"))


def _refuse_foreign_hash(
    where: str, found: str, vault: Vault, *, identity: str, sealed: str
) -> str:
    """The secret that is sealed, of which `found` must be the hash."""
    try:
        secret = vault.open(identity, sealed)
    except TamperedSecretError:
        raise InvalidInputError(where, "a secret sealed for this sandbox", "another") from None
    is_ours = token_hash(secret) == found
    _check(Demand(where, "the hash of the secret sealed beside it", is_ours, "another hash"))
    return secret


def _refuse_naive_instants(record: object, where: str) -> None:
    for instant in _instants_in(record):
        got = instant.isoformat()
        _check(Demand(where, "instants in UTC", instant.utcoffset() == UTC_OFFSET, got))


def _instants_in(value: object) -> Iterator[datetime]:
    if isinstance(value, datetime):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _instants_in(getattr(value, name))
    elif isinstance(value, Mapping):
        yield from _instants_in(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _instants_in(each)


def _check(demand: Demand) -> None:
    if not demand.is_met:
        shown = beginning_of(ascii(demand.got), SHOWN_LENGTH)
        raise InvalidInputError(demand.where, demand.expected, shown)
