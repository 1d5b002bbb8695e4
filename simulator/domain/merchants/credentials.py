"""What a merchant's developer needs to use a sandbox, in the clear: shown, never stored."""

import msgspec

from simulator.domain.core.entities import AccessToken, Channel, DispatchRule, Merchant, Sandbox
from simulator.domain.core.hosts import LIVE, TEST, Host
from simulator.domain.core.ports import Vault
from simulator.domain.core.shapes import Id
from simulator.domain.merchants.tokens import active_token, token_of


class MerchantCredentials(msgspec.Struct, frozen=True, kw_only=True):
    """A merchant with the value of a token for each host."""

    id: Id
    name: str
    token: str
    live_token: str
    channels: tuple[Channel, ...]
    dispatching: tuple[DispatchRule, ...]


class EntityCredentials(msgspec.Struct, frozen=True, kw_only=True):
    """The entities of a sandbox, each merchant with its tokens."""

    psp: Id
    division: Id
    merchants: tuple[MerchantCredentials, ...]


class Credentials(msgspec.Struct, frozen=True, kw_only=True):
    """The credentials of a sandbox; tokens and entity id are those of its first channel."""

    id: Id
    token: str
    live_token: str
    entity_id: Id
    control_key: str
    entities: EntityCredentials


class CurrentAccess(msgspec.Struct, frozen=True, kw_only=True):
    """What opens a sandbox now: its first channel, and a token of its first merchant for each host,
    empty where none is active. Choice: D-716.
    """

    sandbox_id: Id
    entity_id: Id
    token: str
    live_token: str


def current_access(sandbox: Sandbox, vault: Vault) -> CurrentAccess:
    """The access to `sandbox`, opened with its own vault."""
    merchant = sandbox.merchants[0]

    def opens(host: Host) -> str:
        token = active_token(merchant, host)
        return "" if token is None else value_of(token, vault)

    return CurrentAccess(
        sandbox_id=sandbox.id,
        entity_id=merchant.channels[0].id,
        token=opens(TEST),
        live_token=opens(LIVE),
    )


def credentials_of(sandbox: Sandbox, vault: Vault) -> Credentials:
    """The credentials of `sandbox`, opened with its own vault."""
    merchants = tuple(merchant_credentials(merchant, vault) for merchant in sandbox.merchants)
    return Credentials(
        id=sandbox.id,
        token=merchants[0].token,
        live_token=merchants[0].live_token,
        entity_id=sandbox.merchants[0].channels[0].id,
        control_key=vault.open(sandbox.id, sandbox.control_key_sealed),
        entities=EntityCredentials(psp=sandbox.psp, division=sandbox.division, merchants=merchants),
    )


def merchant_credentials(merchant: Merchant, vault: Vault) -> MerchantCredentials:
    """A merchant with a token for each host."""
    return MerchantCredentials(
        id=merchant.id,
        name=merchant.name,
        token=value_of(token_of(merchant, TEST), vault),
        live_token=value_of(token_of(merchant, LIVE), vault),
        channels=merchant.channels,
        dispatching=merchant.dispatching,
    )


def value_of(token: AccessToken, vault: Vault) -> str:
    """What the merchant sends in the Authorization header."""
    return vault.open(token.id, token.sealed)
