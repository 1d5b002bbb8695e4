"""A sandbox made from the data of another one, under ids and secrets of its own. Choice: D-631.

What an id of the hierarchy names, and where a checkout leads, is renamed wherever it stands in the
data; ids of records stay. Both seal with one key, so what the records seal opens in the copy.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from simulator.domain.checkouts.ids import moved_checkout_id, sandbox_in
from simulator.domain.checkouts.summaries import KeptForm
from simulator.domain.core.entities import Channel, Merchant, Sandbox
from simulator.domain.core.ports import Ids, ServerVault
from simulator.domain.merchants.tokens import TOKEN_LENGTH, Mint, rotated, token_hash
from simulator.domain.payments.repeats import TransactionKey
from simulator.domain.settlement.pushing import FilePush, PushTarget
from simulator.domain.webhooks.records import INBOX, Delivery, Endpoint, give_up_delivery

# An id alone, or after a NUL as JSON writes it; a longer run of digits is another value.
NAMED = re.compile(
    rb"(?:(?<=\\u0000)|(?<![0-9A-Fa-f]))(?:[0-9a-f]{32}|[0-9A-F]{32}\.[0-9a-z]{15})(?![0-9A-Za-z])"
)


class SandboxCopy(NamedTuple):
    """A sandbox that is made from the data of another one: what becomes of the text of its records,
    and of each record of some kinds; None leaves one out.
    """

    sandbox: Sandbox
    rename: Callable[[bytes], bytes]
    changes: Mapping[type, Callable[[Any], Any]]


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
    return SandboxCopy(sandbox, _renaming(was.id, identity, ids), _changes_at(server.now))


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


def _renaming(was: str, identity: str, ids: Mapping[str, str]) -> Callable[[bytes], bytes]:
    names = {before.encode(): after.encode() for before, after in ids.items()}

    def renamed(found: re.Match[bytes]) -> bytes:
        name = found[0]
        if b"." not in name:
            return names.get(name, name)
        checkout = name.decode()
        leads_here = sandbox_in(checkout) == was
        return moved_checkout_id(checkout, identity).encode() if leads_here else name

    return lambda text: NAMED.sub(renamed, text)


def _changes_at(now: datetime) -> Mapping[type, Callable[[Any], Any]]:
    """Nothing of the original's is delivered or pushed again by a copy, or outlives it there: keys
    made of an id of the hierarchy would not be found.
    """

    def without(record: object) -> None:
        return None

    def with_inbox(endpoint: Endpoint) -> Endpoint | None:
        return endpoint if endpoint.url == INBOX else None

    def given_up(delivery: Delivery) -> Delivery:
        is_over = delivery.settled_at is not None
        return delivery if is_over else give_up_delivery(delivery, at=now)

    return {
        KeptForm: without,
        TransactionKey: without,
        PushTarget: without,
        FilePush: without,
        Endpoint: with_inbox,
        Delivery: given_up,
    }
