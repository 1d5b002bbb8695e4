"""Merchants, channels and tokens of a sandbox that exists: what is under way in it goes on."""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from simulator.domain.core.entities import AccessToken, Channel, Merchant, Sandbox
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import Vault
from simulator.domain.core.transact import transact
from simulator.domain.merchants.credentials import (
    MerchantCredentials,
    merchant_credentials,
    value_of,
)
from simulator.domain.merchants.entities import (
    AskedMerchant,
    AskedMerchantChange,
    added_channel,
    added_merchant,
    changed_channel,
    new_channel,
    new_merchant,
    with_channel,
    with_merchant,
    with_rules,
)
from simulator.domain.merchants.names import Namer, refuse_name
from simulator.domain.merchants.sizes import refuse_long_settings
from simulator.domain.merchants.tokens import Mint, new_token, rotated, with_state, with_token
from simulator.domain.ports.server import ServerPorts
from simulator.service.sandboxes.sandboxes import sandbox_with, vault_of

Entity = TypeVar("Entity", Merchant, Channel, AccessToken)
Answer = TypeVar("Answer")


class UnknownEntityError(Exception):
    """No merchant, channel or token of the sandbox has the id."""


class EntityPath(NamedTuple):
    """Where a channel or a token stands: the ids of its sandbox, of its merchant, and its own."""

    sandbox: str
    merchant: str
    id: str


class Issued(NamedTuple):
    """A new token and its value, which is shown this once."""

    token: AccessToken
    value: str


def add_merchant(server: ServerPorts, sandbox: str, asked: AskedMerchant) -> MerchantCredentials:
    """A new merchant with its channels and tokens, and its credentials. Raises BadInput."""

    def decide(before: Sandbox) -> tuple[Sandbox, MerchantCredentials]:
        mint, namer = _tools(server, before)
        merchant = new_merchant(asked, mint, namer, number=len(before.merchants))
        return added_merchant(before, merchant), merchant_credentials(merchant, mint.vault)

    return _change(server, sandbox, decide)


def change_merchant(
    server: ServerPorts, sandbox: str, merchant: str, asked: AskedMerchantChange
) -> Merchant:
    """The merchant with another name or other rules. Raises UnknownEntity, BadInput."""

    def decide(_: Sandbox, before: Merchant) -> tuple[Merchant, Merchant]:
        after = replace(before, name=asked.name or before.name)
        refuse_name(after.name, "name")
        if asked.dispatching is not None:
            after = with_rules(after, asked.dispatching)
        return after, after

    return change_merchant_with(server, sandbox, merchant, decide)


def add_channel(
    server: ServerPorts, sandbox: str, merchant: str, settings: Mapping[str, object]
) -> Channel:
    """A new channel of the merchant. Raises UnknownEntity, BadInput."""

    def decide(world: Sandbox, before: Merchant) -> tuple[Merchant, Channel]:
        mint, namer = _tools(server, world)
        place = world.merchants.index(before), len(before.channels)
        name, account = namer.channel(*place), namer.account(*place)
        channel = new_channel(settings, mint, name=name, account=account)
        return added_channel(before, channel), channel

    return change_merchant_with(server, sandbox, merchant, decide)


def change_channel(
    server: ServerPorts, place: EntityPath, settings: Mapping[str, object]
) -> Channel:
    """The channel at `place` with other settings. Raises UnknownEntity, BadInput."""
    sandbox, merchant, channel = place

    def decide(_: Sandbox, before: Merchant) -> tuple[Merchant, Channel]:
        after = changed_channel(one_of(before.channels, channel), settings)
        return with_channel(before, after), after

    return change_merchant_with(server, sandbox, merchant, decide)


def issue_token(
    server: ServerPorts, sandbox: str, merchant: str, *, host: Host, alias: str
) -> Issued:
    """Another token of the merchant. Raises UnknownEntity, BadInput."""

    def decide(world: Sandbox, before: Merchant) -> tuple[Merchant, Issued]:
        mint, _ = _tools(server, world)
        token = new_token(mint, host=host, alias=alias)
        return with_token(before, token), Issued(token, value_of(token, mint.vault))

    return change_merchant_with(server, sandbox, merchant, decide)


def set_token_state(
    server: ServerPorts, place: EntityPath, state: Literal["active", "suspended"]
) -> AccessToken:
    """Suspend the token at `place`, or activate it. Raises UnknownEntity."""
    sandbox, merchant, token = place

    def decide(_: Sandbox, before: Merchant) -> tuple[Merchant, AccessToken]:
        after = with_state(before, one_of(before.tokens, token), state)
        return after, one_of(after.tokens, token)

    return change_merchant_with(server, sandbox, merchant, decide, is_bounded=False)


def rotate_token(server: ServerPorts, place: EntityPath) -> Issued:
    """A new token in the place of the one at `place`, which ends at once. Raises UnknownEntity."""
    sandbox, merchant, token = place

    def decide(world: Sandbox, before: Merchant) -> tuple[Merchant, Issued]:
        mint, _ = _tools(server, world)
        after, new = rotated(before, one_of(before.tokens, token), mint)
        return after, Issued(new, value_of(new, mint.vault))

    return change_merchant_with(server, sandbox, merchant, decide)


def one_of(held: tuple[Entity, ...], identity: str) -> Entity:
    """The one with the id `identity`. Raises UnknownEntity."""
    found = next((each for each in held if each.id == identity), None)
    if found is None:
        raise UnknownEntityError("no merchant, channel or token has the id in the path")
    return found


def _tools(server: ServerPorts, sandbox: Sandbox) -> tuple[Mint, Namer]:
    vault: Vault = vault_of(server, sandbox)
    mint = Mint(server.ids, vault, server.clock.now())
    return mint, Namer(server.names, sandbox.seed)


def _change(
    server: ServerPorts,
    identity: str,
    decide: Callable[[Sandbox], tuple[Sandbox, Answer]],
    *,
    is_bounded: bool = True,
) -> Answer:
    """What `decide` answers beside the changed sandbox, stored; decided anew on a conflict."""

    def change() -> Answer:
        before = sandbox_with(server, identity)
        after, answer = decide(before)
        if is_bounded:
            refuse_long_settings(after, before)
        server.registry.save(after)
        return answer

    return transact(server.registry, change)


def change_merchant_with(
    server: ServerPorts,
    sandbox: str,
    merchant: str,
    decide: Callable[[Sandbox, Merchant], tuple[Merchant, Answer]],
    *,
    is_bounded: bool = True,
) -> Answer:
    """What `decide` answers beside the changed merchant, stored; decided anew on a conflict. A
    token is suspended also where the settings are as long as they may be.

    Raises UnknownSandboxError, UnknownEntityError.
    """

    def decide_whole(before: Sandbox) -> tuple[Sandbox, Answer]:
        after, answer = decide(before, one_of(before.merchants, merchant))
        return with_merchant(before, after), answer

    return _change(server, sandbox, decide_whole, is_bounded=is_bounded)
