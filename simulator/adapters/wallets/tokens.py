"""Wallet tokens of both protocols: opened here, made by the wallet provider."""

from collections.abc import Callable
from datetime import datetime

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from simulator.adapters.wallets import ec_v1 as wallet_ec_v1
from simulator.adapters.wallets import ecv2 as wallet_ecv2
from simulator.adapters.wallets.json_parts import read_part
from simulator.domain.wallets import (
    InvalidWalletTokenError,
    Keyring,
    Recipient,
    TokenOrder,
    WalletCard,
)


class Version(msgspec.Struct, frozen=True):
    """What distinguishes the two protocols."""

    version: str = ""
    protocolVersion: str = ""


class TokenWallets:
    """As ports.Wallets. `new_keys` and `make` are the provider's."""

    def __init__(
        self,
        *,
        new_keys: Callable[[], Keyring],
        make: Callable[[TokenOrder, Keyring, Recipient, datetime], str],
    ):
        self.new_keys = new_keys
        self.make = make

    def open(self, token: str, keys: Keyring, recipient: Recipient, now: datetime) -> WalletCard:
        """What a token carries. Raises InvalidWalletTokenError, UnreadableWalletTokenError."""
        text = token.encode()
        said = read_part(text, Version, "a JSON object, got something else")
        ours = _key(keys.recipient)
        if said.version == wallet_ec_v1.VERSION:
            authority = x509.load_pem_x509_certificate(keys.certificate.encode())
            return wallet_ec_v1.open_token(
                text, recipient=ours, merchant=recipient.merchant, authority=authority, now=now
            )
        if said.protocolVersion == wallet_ecv2.VERSION:
            root = _key(keys.root).public_key()
            return wallet_ecv2.open_token(
                text, recipient=ours, name=recipient.gateway, root=root, now=now
            )
        known = f"{wallet_ec_v1.VERSION} or {wallet_ecv2.VERSION}"
        raise InvalidWalletTokenError(f"a token of version {known}, got another")


def _key(pem: str) -> EllipticCurvePrivateKey:
    key = load_pem_private_key(pem.encode(), None)
    assert isinstance(key, EllipticCurvePrivateKey), "every key of a keyring is one of these"
    return key
