"""ECv2: a wallet token signed by an intermediate key and encrypted to a key of the recipient.

A root key signs the intermediate one, that signs the message; strings are signed with their lengths
before them. The keys are agreed on by ECDH on P-256 and derived by HKDF-SHA256; the message is
AES-256-CTR under an HMAC-SHA256. Source: Mobile wallet, way 1; the protocol is the wallet
provider's. Choices: D-151, D-152.
"""

import hashlib
from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
)
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import load_der_public_key

from simulator.adapters.wallets.json_parts import read_part
from simulator.domain.wallets import InvalidWalletTokenError, UnreadableWalletTokenError, WalletCard

VERSION = "ECv2"
# The name of the provider, as both sides write it into signatures and derivations.
SENDER = bytes.fromhex("476f6f676c65")
KEY_BYTES = 32
# Root keys are changed one after another; each signature takes a tenth of a millisecond to try.
SIGNATURES_MAX = 16
NONCE = bytes(16)


class SigningKey(msgspec.Struct, frozen=True):
    """The intermediate key, and the root's signatures of it; `signedKey` is JSON in a string."""

    signedKey: str
    signatures: tuple[str, ...]


class Ecv2Token(msgspec.Struct, frozen=True):
    """A token as it travels; `signedMessage` is JSON in a string."""

    protocolVersion: str
    signature: str
    intermediateSigningKey: SigningKey
    signedMessage: str


class SignedKey(msgspec.Struct, frozen=True):
    """The intermediate key, and when it expires, in milliseconds since 1970."""

    keyValue: str
    keyExpiration: str


class SignedMessage(msgspec.Struct, frozen=True):
    """The closed message."""

    encryptedMessage: str
    ephemeralPublicKey: str
    tag: str


class Details(msgspec.Struct, frozen=True, omit_defaults=True):
    """The card in it."""

    pan: str
    expirationMonth: int
    expirationYear: int
    authMethod: str = "CRYPTOGRAM_3DS"
    cryptogram: str | None = None
    eciIndicator: str | None = None


class Ecv2Message(msgspec.Struct, frozen=True):
    """The opened message."""

    messageId: str
    messageExpiration: str
    paymentMethodDetails: Details
    paymentMethod: str = "CARD"
    gatewayMerchantId: str = ""


class Keys(NamedTuple):
    """The two keys of a message."""

    cipher: bytes
    mac: bytes


def open_token(
    text: bytes,
    *,
    recipient: EllipticCurvePrivateKey,
    name: str,
    root: EllipticCurvePublicKey,
    now: datetime,
) -> WalletCard:
    """What a token carries. Raises InvalidWalletTokenError, UnreadableWalletTokenError.

    `recipient` is the key it must be made for, `name` how it names the recipient.
    """
    expected = f"a token of {VERSION}, got one that cannot be read"
    token = read_part(text, Ecv2Token, expected)
    key = read_part(token.intermediateSigningKey.signedKey, SignedKey, expected)
    closed = read_part(token.signedMessage, SignedMessage, expected)
    _verify(token, key, name=name, root=root)
    _refuse_late("intermediate key", key.keyExpiration, now)
    message = _opened(closed, recipient)
    _refuse_late("message", message.messageExpiration, now)
    return _card_of(message)


def framed(*parts: bytes) -> bytes:
    """Strings with their lengths before them, four bytes each, the lowest first."""
    return b"".join(len(part).to_bytes(4, "little") + part for part in parts)


def signed_key_content(signed_key: str) -> bytes:
    """What the root signs."""
    return framed(SENDER, VERSION.encode(), signed_key.encode())


def signed_message_content(message: str, name: str) -> bytes:
    """What the intermediate key signs."""
    return framed(SENDER, name.encode(), VERSION.encode(), message.encode())


def derived_keys(ephemeral: bytes, shared: bytes) -> Keys:
    """The keys of a message, of its ephemeral key as a point and the shared secret."""
    derived = HKDF(SHA256(), 2 * KEY_BYTES, salt=None, info=SENDER).derive(ephemeral + shared)
    return Keys(derived[:KEY_BYTES], derived[KEY_BYTES:])


def enciphered(keys: Keys, message: bytes) -> bytes:
    """The message closed, or opened: in this mode it is the same."""
    return Cipher(AES(keys.cipher), CTR(NONCE)).encryptor().update(message)


def mac_of(keys: Keys, closed: bytes) -> HMAC:
    """The authentication of a closed message, to be finished or verified."""
    mac = HMAC(keys.mac, SHA256())
    mac.update(closed)
    return mac


def _verify(token: Ecv2Token, key: SignedKey, *, name: str, root: EllipticCurvePublicKey) -> None:
    """Raise InvalidWalletTokenError unless root and intermediate key have signed."""
    signed = signed_key_content(token.intermediateSigningKey.signedKey)
    signatures = token.intermediateSigningKey.signatures
    if len(signatures) > SIGNATURES_MAX:
        expected = f"at most {SIGNATURES_MAX} signatures of the intermediate key"
        raise InvalidWalletTokenError(f"{expected}, got {len(signatures)}")
    if not _any_verifies(root, signatures, signed):
        raise InvalidWalletTokenError(
            "an intermediate key that a root key has signed, no signature verifies"
        )
    try:
        signing = load_der_public_key(b64decode(key.keyValue, validate=True))
    except (BadBase64, ValueError) as error:
        raise InvalidWalletTokenError("an intermediate key on P-256, got something else") from error
    message = signed_message_content(token.signedMessage, name)
    if not isinstance(signing, EllipticCurvePublicKey) or not _any_verifies(
        signing, (token.signature,), message
    ):
        raise InvalidWalletTokenError(
            "a signature of the intermediate key, got one that does not verify"
        )


def _any_verifies(key: EllipticCurvePublicKey, signatures: Iterable[str], signed: bytes) -> bool:
    for each in signatures:
        try:
            key.verify(b64decode(each, validate=True), signed, ECDSA(SHA256()))
        except (InvalidSignature, BadBase64, ValueError):
            continue
        return True
    return False


def _refuse_late(what: str, milliseconds: str, now: datetime) -> None:
    try:
        until = datetime.fromtimestamp(int(milliseconds) / 1000, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidWalletTokenError(f"an expiry of the {what} in milliseconds") from error
    if until <= now:
        raise InvalidWalletTokenError(
            f"the {what} to be valid at {now:%F %T}, it expired {until:%F %T}"
        )


def _opened(closed: SignedMessage, recipient: EllipticCurvePrivateKey) -> Ecv2Message:
    try:
        point = b64decode(closed.ephemeralPublicKey, validate=True)
        ephemeral = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
        keys = derived_keys(point, recipient.exchange(ECDH(), ephemeral))
        content = b64decode(closed.encryptedMessage, validate=True)
        mac_of(keys, content).verify(b64decode(closed.tag, validate=True))
        return msgspec.json.decode(enciphered(keys, content), type=Ecv2Message)
    except (InvalidSignature, BadBase64, ValueError, msgspec.DecodeError) as error:
        raise UnreadableWalletTokenError("one that our key opens, got another") from error


def _card_of(message: Ecv2Message) -> WalletCard:
    details = message.paymentMethodDetails
    eci = details.eciIndicator
    return WalletCard(
        number=details.pan,
        expiry_month=f"{details.expirationMonth:02d}",
        expiry_year=str(details.expirationYear),
        cryptogram=details.cryptogram,
        eci=None if eci is None else eci.zfill(2),
        identity=hashlib.sha256(f"{VERSION} {message.messageId}".encode()).hexdigest(),
    )
