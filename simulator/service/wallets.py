"""Wallet payments: an encrypted token becomes the card data it carries. Source: Mobile wallet."""

from collections.abc import Mapping
from typing import Protocol

import msgspec
from msgspec.structs import replace

from simulator.domain.core.card_ranges import BIN_LENGTH, detected_brand
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal
from simulator.domain.core.ports import HasClock, HasSandbox, HasStore, HasVault, unit_of
from simulator.domain.core.transact import transact
from simulator.domain.payments.initial import PaymentAttempt, TransactionIds, money_in
from simulator.domain.ports.simulators import HasWallets
from simulator.domain.wallets import (
    KEYS,
    TOKEN,
    InvalidWalletTokenError,
    Keyring,
    Recipient,
    TokenOrder,
    UsedToken,
    WalletKeys,
    carried,
    recipient_of,
    refuse_other_money,
)


class WalletPorts(HasClock, HasSandbox, HasStore, HasVault, HasWallets, Protocol):
    """What a wallet token is opened and made with."""


def decrypt_wallet_data(
    context: ChannelContext[WalletPorts], sent: Mapping[str, str], ticket: TransactionIds
) -> tuple[Mapping[str, str], UsedToken]:
    """`sent` with the card data of its wallet token in place of the token, and the record that the
    token was used. Raises InvalidWalletTokenError, UnreadableWalletTokenError.
    """
    ports = context.ports
    card = ports.wallets.open(sent[TOKEN], keyring(ports), recipient(ports), ticket.now)
    refuse_other_money(money_in(sent), card)
    return carried(sent, card), UsedToken(id=card.identity, payment=ticket.id)


def brand_in_token(ports: WalletPorts, token: str) -> str | None:
    """The brand of the card in a wallet token; None in one that pays nothing."""
    try:
        card = ports.wallets.open(token, keyring(ports), recipient(ports), ports.clock.now())
    except Refusal:
        return None
    return detected_brand(card.number[:BIN_LENGTH])


def with_brand_of_token(ports: WalletPorts, sent: Mapping[str, str]) -> Mapping[str, str]:
    """What is sent, with the brand that the payment will have where only a wallet token says it."""
    token = sent.get(TOKEN)
    if token is None or "paymentBrand" in sent or "card.number" in sent:
        return sent
    brand = brand_in_token(ports, token)
    return sent if brand is None else {**sent, "paymentBrand": brand}


def refuse_used_token(
    ports: WalletPorts, attempt: PaymentAttempt, token: UsedToken
) -> PaymentAttempt:
    """The attempt, which stores that its token was used.

    Raises InvalidWalletTokenError if it was used before.
    """
    if ports.store.get(UsedToken, token.id) is not None:
        raise InvalidWalletTokenError("a new one, this one was used before")
    return replace(attempt, records=(*attempt.records, token))


def make_token(ports: WalletPorts, order: TokenOrder) -> str:
    """A token as a wallet would give it to a shop of this sandbox. Raises InvalidInputError."""
    order.check()
    return ports.wallets.make(order, keyring(ports), recipient(ports), ports.clock.now())


def recipient(ports: WalletPorts) -> Recipient:
    """How tokens name the gateway of this sandbox."""
    return recipient_of(ports.sandbox.id)


def keyring(ports: WalletPorts) -> Keyring:
    """The wallet keys of a sandbox, made and stored when first asked for."""

    def change() -> Keyring:
        stored = ports.store.get(WalletKeys, KEYS)
        if stored is not None:
            return Keyring(*msgspec.json.decode(ports.vault.open(KEYS, stored.sealed)))
        keys = ports.wallets.new_keys()
        secret = msgspec.json.encode(tuple(keys)).decode()
        ports.store.commit(unit_of(WalletKeys(sealed=ports.vault.seal(KEYS, secret))))
        return keys

    return transact(ports.store, change)
