"""EC_v1: a wallet token signed as CMS and encrypted to a key of the recipient.

The signature, detached, is over ephemeral key, data and transaction id; leaf and intermediate
certificate travel with it and carry two marks. The key is agreed on by ECDH on P-256 and derived as
NIST SP 800-56A, 5.8.1 says, with SHA-256; the data are AES-256-GCM with an initialisation vector of
zeros. Source: Mobile wallet, way 1; the protocol is the wallet provider's. Choices: D-151, D-152.
"""

import hashlib
import re
from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ec import ECDH, ECDSA, EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey as PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
)

from simulator.adapters.wallets.certificates import UNREADABLE, trusted_leaf
from simulator.adapters.wallets.json_parts import read_part
from simulator.adapters.wallets.signed_messages import refuse_crowded
from simulator.domain.core.money import CENT, Money
from simulator.domain.wallets import InvalidWalletTokenError, UnreadableWalletTokenError, WalletCard

if TYPE_CHECKING:
    from asn1crypto.cms import SignerInfo

VERSION = "EC_v1"
ALGORITHM = b"\x0did-aes256-GCM"
# The name of the provider, as both sides write it into the derivation of the key.
PARTY_U = bytes.fromhex("4170706c65")
IV = bytes(16)
KEY_BYTES = 32
# A signature much older, or of the future, is a replay or a wrong clock. Choice: D-152.
SIGNED_WITHIN = timedelta(minutes=5)
# The parts of what is signed have no lengths before them, so each that is a hash is a whole one.
HASH = re.compile("[0-9A-Fa-f]{64}")


class EcV1Header(msgspec.Struct, frozen=True):
    """What is needed to open the data."""

    ephemeralPublicKey: str
    publicKeyHash: str
    transactionId: str
    applicationData: str | None = None


class EcV1Token(msgspec.Struct, frozen=True):
    """A token as it travels, its parts in base64."""

    version: str
    data: str
    signature: str
    header: EcV1Header


class Cryptogram(msgspec.Struct, frozen=True):
    """The 3-D Secure data in it."""

    onlinePaymentCryptogram: str | None = None
    eciIndicator: str | None = None


class Data(msgspec.Struct, frozen=True):
    """The opened data; the date is YYMMDD, the amount in the smallest unit of the currency."""

    applicationPrimaryAccountNumber: str
    applicationExpirationDate: str
    currencyCode: str
    transactionAmount: int
    deviceManufacturerIdentifier: str = ""
    paymentDataType: str = "3DSecure"
    paymentData: Cryptogram = Cryptogram()


def open_token(
    text: bytes,
    *,
    recipient: EllipticCurvePrivateKey,
    merchant: str,
    authority: x509.Certificate,
    now: datetime,
) -> WalletCard:
    """What a token carries. Raises InvalidWalletTokenError, UnreadableWalletTokenError.

    `recipient` is the key it must be made for, `merchant` the identifier of its holder.
    """
    expected = f"a token of {VERSION}, got one that cannot be read"
    token = read_part(text, EcV1Token, expected)
    try:
        signed = signed_content(token.header, b64decode(token.data, validate=True))
        signature = b64decode(token.signature, validate=True)
    except (BadBase64, ValueError) as error:
        raise InvalidWalletTokenError(expected) from error
    _verify(signature, signed, authority=authority, now=now)
    if token.header.publicKeyHash != key_hash(recipient.public_key()):
        raise UnreadableWalletTokenError("one made for our key, got one for another")
    return _card_of(_opened(token, recipient, merchant), signed)


def signed_content(header: EcV1Header, data: bytes) -> bytes:
    """What the signature is over. Raises ValueError."""
    ephemeral = b64decode(header.ephemeralPublicKey, validate=True)
    extra = _hash(header.applicationData) if header.applicationData else b""
    return ephemeral + data + _hash(header.transactionId) + extra


def derived_key(shared: bytes, merchant: str) -> bytes:
    """The key of the data, of the shared secret and the merchant's identifier."""
    other = ALGORITHM + PARTY_U + hashlib.sha256(merchant.encode()).digest()
    return ConcatKDFHash(SHA256(), KEY_BYTES, otherinfo=other).derive(shared)


def key_hash(key: PublicKey) -> str:
    """How a token names the key it is made for."""
    spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return b64encode(hashlib.sha256(spki).digest()).decode()


def coded(money: Money) -> tuple[str, int]:
    """An amount as tokens write it: the number of its currency, and how many smallest units."""
    # Imported when first asked for: it reads its data file at import.
    import iso4217

    currency = iso4217.Currency(money.currency)
    return f"{currency.number:03d}", int(money.amount.scaleb(currency.exponent or 0))


def _hash(digits: str) -> bytes:
    if HASH.fullmatch(digits) is None:
        raise ValueError("a hash has 64 hex digits")
    return bytes.fromhex(digits)


def _opened(token: EcV1Token, recipient: EllipticCurvePrivateKey, merchant: str) -> Data:
    try:
        ephemeral = load_der_public_key(b64decode(token.header.ephemeralPublicKey))
        if not isinstance(ephemeral, PublicKey):
            raise InvalidWalletTokenError("an ephemeral key on P-256, got one of another kind")
        key = derived_key(recipient.exchange(ECDH(), ephemeral), merchant)
        plain = AESGCM(key).decrypt(IV, b64decode(token.data), None)
        return msgspec.json.decode(plain, type=Data)
    except (InvalidTag, ValueError, msgspec.DecodeError) as error:
        raise UnreadableWalletTokenError("one that our key opens, got another") from error


def _card_of(data: Data, signed: bytes) -> WalletCard:
    date, cryptogram = data.applicationExpirationDate, data.paymentData
    if len(date) != 6 or not date.isdecimal():
        raise UnreadableWalletTokenError("an expiry YYMMDD in it, got something else")
    eci = cryptogram.eciIndicator
    return WalletCard(
        number=data.applicationPrimaryAccountNumber,
        expiry_month=date[2:4],
        expiry_year=f"20{date[:2]}",
        cryptogram=cryptogram.onlinePaymentCryptogram,
        eci=None if eci is None else eci.zfill(2),
        identity=hashlib.sha256(f"{VERSION} ".encode() + signed).hexdigest(),
        money=_money_of(data),
    )


def _money_of(data: Data) -> Money:
    import iso4217

    found = [each for each in iso4217.Currency if f"{each.number:03d}" == data.currencyCode]
    if not found:
        raise UnreadableWalletTokenError("a currency of ISO 4217 in it, got something else")
    amount = Decimal(data.transactionAmount).scaleb(-(found[0].exponent or 0))
    return Money(amount.quantize(CENT), found[0].code)


def _verify(signature: bytes, signed: bytes, *, authority: x509.Certificate, now: datetime) -> None:
    """Raise InvalidWalletTokenError unless it is signed, just now, under our authority."""
    # Imported for the first token: most gateways see none.
    from asn1crypto.cms import ContentInfo

    refuse_crowded(signature)
    try:
        content = ContentInfo.load(signature)["content"]
        certificates = [
            x509.load_der_x509_certificate(each.dump()) for each in content["certificates"]
        ]
        (signer,) = content["signer_infos"]
        attributes = {each["type"].native: each["values"] for each in signer["signed_attrs"]}
        digest = attributes["message_digest"][0].native
        signed_at = attributes["signing_time"][0].native
    except UNREADABLE as error:
        raise InvalidWalletTokenError(
            "a signed CMS message as the signature, got something else"
        ) from error
    leaf = trusted_leaf(certificates, authority, now)
    _verify_attributes(signer, leaf)
    if digest != hashlib.sha256(signed).digest():
        raise InvalidWalletTokenError("a signature over the data in it, got one over other data")
    if abs(now - signed_at) > SIGNED_WITHIN:
        raise InvalidWalletTokenError(
            f"one signed within {SIGNED_WITHIN.seconds // 60} minutes of {now:%F %T}, "
            f"got one signed {signed_at:%F %T}"
        )


def _verify_attributes(signer: "SignerInfo", leaf: x509.Certificate) -> None:
    try:
        key: Any = leaf.public_key()
        # Signed is the set itself, not the tag it is implied by.
        attributes = signer["signed_attrs"].untag().dump()
        key.verify(signer["signature"].native, attributes, ECDSA(SHA256()))
    except (InvalidSignature, AttributeError, *UNREADABLE) as error:
        raise InvalidWalletTokenError(
            "a signature of its certificate, got one that does not verify"
        ) from error
