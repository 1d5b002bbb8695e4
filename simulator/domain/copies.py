"""A sandbox made from the data of another one, under ids and secrets of its own. Choices: D-631,
D-712.

What an id of the hierarchy names, where a checkout leads, and what opens a page of a shopper is
renamed wherever it stands in the data (`copied_names`); ids of records stay. Both seal with one
key, so what the records seal opens in the copy. What becomes of each kind of record says
`copied_records.COPIED`.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from simulator.domain.copied_names import Rename, renaming
from simulator.domain.copied_records import COPIED, CopyParts, Rule, along
from simulator.domain.core.entities import Channel, Merchant, Sandbox
from simulator.domain.core.ports import Ids, ServerVault
from simulator.domain.merchants.tokens import TOKEN_LENGTH, Mint, rotated, token_hash


class SandboxCopy(NamedTuple):
    """A sandbox that is made from the data of another one: what becomes of the text of its records,
    and of each record of every kind: None leaves one out. A kind without a change goes along.
    """

    sandbox: Sandbox
    rename: Rename
    changes: Mapping[type, Callable[[Any], Any] | None]


class CopyDefaults(NamedTuple):
    """What a copy gets of its server."""

    ids: Ids
    vault: ServerVault
    now: datetime


def decide_copy(was: Sandbox, seed: int, server: CopyDefaults) -> SandboxCopy:
    """A copy of a sandbox; the seed is that of the original, where it has one."""
    ids = {name: server.ids.record() for name in _ids_in(was)}
    identity, control_key = ids[was.id], server.ids.hex(TOKEN_LENGTH)
    key_sealed = server.vault.moved_key(was.id, was.key_sealed, identity)
    vault = server.vault.vault_of(identity, key_sealed)
    mint = Mint(server.ids, vault, server.now)
    sandbox = replace(
        was,
        id=identity,
        version=0,
        epoch=1,
        created_at=server.now,
        seed=seed if was.seed is None else was.seed,
        breakpoints=(),
        psp=ids[was.psp],
        division=ids[was.division],
        merchants=tuple(_copied_merchant(each, ids, mint) for each in was.merchants),
        key_sealed=key_sealed,
        control_key_hash=token_hash(control_key),
        control_key_sealed=vault.seal(identity, control_key),
    )
    rename = renaming(was.id, ids, key=server.ids.hex(TOKEN_LENGTH))
    parts = CopyParts(server.ids, vault, server.now, ids, rename)
    return SandboxCopy(sandbox, rename, _changes_with(parts))


def _ids_in(sandbox: Sandbox) -> Iterator[str]:
    yield from (sandbox.id, sandbox.psp, sandbox.division)
    for merchant in sandbox.merchants:
        yield merchant.id
        for channel in merchant.channels:
            yield from (channel.id, channel.merchant_account)


def _copied_merchant(was: Merchant, ids: Mapping[str, str], mint: Mint) -> Merchant:
    merchant = replace(
        was,
        id=ids[was.id],
        channels=tuple(_copied_channel(each, ids) for each in was.channels),
        dispatching=tuple(replace(each, channel=ids[each.channel]) for each in was.dispatching),
        sftp=None,
    )
    for token in was.tokens:
        merchant, _ = rotated(merchant, token, mint)
    return merchant


def _copied_channel(was: Channel, ids: Mapping[str, str]) -> Channel:
    return replace(was, id=ids[was.id], merchant_account=ids[was.merchant_account])


def _changes_with(parts: CopyParts) -> Mapping[type, Callable[[Any], Any] | None]:
    return {kind: None if rule is along else _change(rule, parts) for kind, rule in COPIED.items()}


def _change(rule: Rule, parts: CopyParts) -> Callable[[Any], Any]:
    return lambda record: rule(record, parts)
