"""Access tokens of merchants: issued, suspended, activated, rotated. Choice: D-112."""

from datetime import datetime
from hashlib import sha256
from typing import Literal, NamedTuple

from msgspec.structs import replace

from simulator.domain.core.entities import AccessToken, Merchant
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.ports import Ids, Vault
from simulator.domain.masking.refusals import refuse_secrets
from simulator.domain.merchants.names import refuse_controls

TOKEN_LENGTH = 48
LAST_DIGITS = 4
TOKENS_MAX = 100
ALIAS_LENGTH_MAX = 64


class Mint(NamedTuple):
    """What tokens are made with: chance, the vault of their sandbox, and the instant."""

    ids: Ids
    vault: Vault
    now: datetime


def token_hash(token: str) -> str:
    """What a token is found by: the token itself stands nowhere in the clear."""
    return sha256(token.encode()).hexdigest()


def new_token(mint: Mint, *, host: Host = TEST, alias: str = "") -> AccessToken:
    """A new token. Raises InvalidInputError for an alias that is too long, has control characters
    or holds a secret.
    """
    if len(alias) > ALIAS_LENGTH_MAX:
        raise InvalidInputError("alias", f"at most {ALIAS_LENGTH_MAX} characters", f"{len(alias)}")
    refuse_secrets(alias, "alias")
    refuse_controls(alias, "alias")
    identity, value = mint.ids.record(), mint.ids.hex(TOKEN_LENGTH)
    return AccessToken(
        id=identity,
        alias=alias,
        host=host,
        hash=token_hash(value),
        sealed=mint.vault.seal(identity, value),
        last_digits=value[-LAST_DIGITS:],
        created_at=mint.now,
    )


def token_of(merchant: Merchant, host: Host) -> AccessToken:
    """The token to use on `host`: the oldest that is active, else the oldest."""
    oldest = next(token for token in merchant.tokens if token.host == host)
    return active_token(merchant, host) or oldest


def active_token(merchant: Merchant, host: Host) -> AccessToken | None:
    """The oldest token that opens `host`; None where none does."""
    ours = (token for token in merchant.tokens if token.host == host)
    return next((token for token in ours if token.state == "active"), None)


def with_token(merchant: Merchant, token: AccessToken) -> Merchant:
    """The merchant with one more token. Raises InvalidInputError where it has too many."""
    if len(merchant.tokens) >= TOKENS_MAX:
        raise InvalidInputError(
            "tokens", f"at most {TOKENS_MAX} of a merchant", f"{TOKENS_MAX + 1}"
        )
    return replace(merchant, tokens=(*merchant.tokens, token))


def with_state(
    merchant: Merchant, token: AccessToken, state: Literal["active", "suspended"]
) -> Merchant:
    """The merchant with one of its tokens suspended, or active again."""
    return _exchanged(merchant, token, replace(token, state=state))


def rotated(merchant: Merchant, old: AccessToken, mint: Mint) -> tuple[Merchant, AccessToken]:
    """The merchant with a new token in the place of `old`, which ends, and the new one."""
    new = new_token(mint, host=old.host, alias=old.alias)
    return _exchanged(merchant, old, new), new


def _exchanged(merchant: Merchant, old: AccessToken, new: AccessToken) -> Merchant:
    return replace(
        merchant, tokens=tuple(new if each.id == old.id else each for each in merchant.tokens)
    )
