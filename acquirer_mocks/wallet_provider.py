"""The wallet provider: makes tokens for a gateway's key, and corrupts them where that is asked for.

Its authority and its keys are its own; a corrupted token has exactly one fault.
Source: Mobile wallet, way 1. Choices: D-151, D-154.
"""

import os
from base64 import b64encode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from simulator.adapters.wallets import certificates
from simulator.adapters.wallets import ec_v1 as ec_v1
from simulator.adapters.wallets import ecv2 as ecv2
from simulator.domain.core.money import Money, read_amount
from simulator.domain.wallets import Keyring, Recipient, TokenOrder

CRYPTOGRAM_BYTES = 20
# As far as the clock of a sandbox goes, and what is issued at its end.
AUTHORITY_FROM, AUTHORITY_UNTIL = datetime(1969, 12, 31), datetime(3005, 12, 31)
LEAF_FOR, KEY_FOR, MESSAGE_FOR = timedelta(days=760), timedelta(days=7), timedelta(hours=1)
AN_HOUR, A_DAY = timedelta(hours=1), timedelta(days=1)
ECI = "05"


def new_keyring() -> Keyring:
    """New keys: the gateway's to open tokens, the provider's to make them."""
    authority = generate_private_key(SECP256R1())
    return Keyring(
        recipient=_pem(generate_private_key(SECP256R1())),
        authority=_pem(authority),
        root=_pem(generate_private_key(SECP256R1())),
        certificate=_authority_of(authority).public_bytes(Encoding.PEM).decode(),
    )


def make_token(order: TokenOrder, keys: Keyring, recipient: Recipient, now: datetime) -> str:
    """A token as a wallet would give it to the shop."""
    if order.fault == "recipient":
        keys = keys._replace(recipient=_pem(generate_private_key(SECP256R1())))
    if order.fault == "chain":
        other = new_keyring()
        keys = keys._replace(
            authority=other.authority, root=other.root, certificate=other.certificate
        )
    make: Mapping[str, Callable[[], object]] = {
        ec_v1.VERSION: lambda: _ec_v1(order, keys, recipient.merchant, now),
        ecv2.VERSION: lambda: _ecv2(order, keys, recipient.gateway, now),
    }
    return msgspec.json.encode(make[order.protocol]()).decode()


def _ec_v1(order: TokenOrder, keys: Keyring, merchant: str, now: datetime) -> ec_v1.EcV1Token:
    recipient, ephemeral = _key(keys.recipient).public_key(), generate_private_key(SECP256R1())
    currency, units = ec_v1.coded(Money(read_amount(order.amount), order.currency))
    data = ec_v1.Data(
        applicationPrimaryAccountNumber=order.number,
        applicationExpirationDate=f"{order.expiryYear[2:]}{order.expiryMonth}28",
        currencyCode=currency,
        transactionAmount=units,
        deviceManufacturerIdentifier=os.urandom(6).hex(),
        paymentData=ec_v1.Cryptogram(_cryptogram(order), (order.eci or ECI).lstrip("0")),
    )
    key = ec_v1.derived_key(ephemeral.exchange(ECDH(), recipient), merchant)
    closed = AESGCM(key).encrypt(ec_v1.IV, msgspec.json.encode(data), None)
    header = ec_v1.EcV1Header(
        ephemeralPublicKey=b64encode(_spki(ephemeral.public_key())).decode(),
        publicKeyHash=ec_v1.key_hash(recipient),
        transactionId=os.urandom(32).hex(),
    )
    content = ec_v1.signed_content(header, closed)
    if order.fault == "signature":
        content += b"more"
    return ec_v1.EcV1Token(
        version=ec_v1.VERSION,
        data=b64encode(closed).decode(),
        signature=b64encode(_cms(content, keys, order, now)).decode(),
        header=header,
    )


def _cms(content: bytes, keys: Keyring, order: TokenOrder, now: datetime) -> bytes:
    """The detached signature of `content`, with the certificates it is made under."""
    authority = x509.load_pem_x509_certificate(keys.certificate.encode())
    between_key, leaf_key = (generate_private_key(SECP256R1()) for _ in range(2))
    between = _issued(
        "Sandgate Wallet Intermediate", between_key, authority, _key(keys.authority),
        mark=certificates.INTERMEDIATE_MARK, period=(AUTHORITY_FROM, AUTHORITY_UNTIL), issues=True,
    )  # fmt: skip
    begin = _naive(now) - (2 * LEAF_FOR if order.fault == "certificate" else A_DAY)
    leaf = _issued(
        "Sandgate Wallet Signing", leaf_key, between, between_key,
        mark=certificates.LEAF_MARK, period=(begin, begin + LEAF_FOR),
    )  # fmt: skip
    signed_at = now - AN_HOUR if order.fault == "stale" else now
    # Imported for the first token: most gateways make none.
    from acquirer_mocks.wallet_signature import signature_of

    return signature_of(content, leaf, between, key=leaf_key, signed_at=signed_at)


def _ecv2(order: TokenOrder, keys: Keyring, name: str, now: datetime) -> ecv2.Ecv2Token:
    signing = generate_private_key(SECP256R1())
    until = now - AN_HOUR if order.fault == "certificate" else now + KEY_FOR
    signed_key = _json(
        ecv2.SignedKey(b64encode(_spki(signing.public_key())).decode(), _milliseconds(until))
    )
    message = _json(_closed(order, _key(keys.recipient).public_key(), now))
    signed = ecv2.signed_message_content(message, name)
    if order.fault == "signature":
        signed += b"more"
    root_signs = _key(keys.root).sign(ecv2.signed_key_content(signed_key), ECDSA(SHA256()))
    return ecv2.Ecv2Token(
        protocolVersion=ecv2.VERSION,
        signature=b64encode(signing.sign(signed, ECDSA(SHA256()))).decode(),
        intermediateSigningKey=ecv2.SigningKey(signed_key, (b64encode(root_signs).decode(),)),
        signedMessage=message,
    )


def _closed(
    order: TokenOrder, recipient: EllipticCurvePublicKey, now: datetime
) -> ecv2.SignedMessage:
    cryptogram = _cryptogram(order)
    message = ecv2.Ecv2Message(
        messageId=b64encode(os.urandom(24)).decode(),
        messageExpiration=_milliseconds(
            now - AN_HOUR if order.fault == "stale" else now + MESSAGE_FOR
        ),
        paymentMethodDetails=ecv2.Details(
            pan=order.number,
            expirationMonth=int(order.expiryMonth),
            expirationYear=int(order.expiryYear),
            authMethod="CRYPTOGRAM_3DS" if cryptogram else "PAN_ONLY",
            cryptogram=cryptogram,
            eciIndicator=(order.eci or ECI) if cryptogram else None,
        ),
    )
    ephemeral = generate_private_key(SECP256R1())
    point = ephemeral.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = ecv2.derived_keys(point, ephemeral.exchange(ECDH(), recipient))
    closed = ecv2.enciphered(keys, msgspec.json.encode(message))
    return ecv2.SignedMessage(
        encryptedMessage=b64encode(closed).decode(),
        ephemeralPublicKey=b64encode(point).decode(),
        tag=b64encode(ecv2.mac_of(keys, closed).finalize()).decode(),
    )


def _cryptogram(order: TokenOrder) -> str | None:
    if order.cryptogram is None:
        return b64encode(os.urandom(CRYPTOGRAM_BYTES)).decode()
    return order.cryptogram or None


def _authority_of(key: EllipticCurvePrivateKey) -> x509.Certificate:
    name = _named("Sandgate Wallet Authority")
    return (
        _begun(name, name, key, (AUTHORITY_FROM, AUTHORITY_UNTIL))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )


def _issued(
    name: str,
    key: EllipticCurvePrivateKey,
    issuer: x509.Certificate,
    issuer_key: EllipticCurvePrivateKey,
    *,
    mark: x509.ObjectIdentifier,
    period: tuple[datetime, datetime],
    issues: bool = False,
) -> x509.Certificate:
    """A certificate with the mark of its place in the chain."""
    return (
        _begun(_named(name), issuer.subject, key, period)
        .add_extension(x509.BasicConstraints(ca=issues, path_length=None), critical=True)
        .add_extension(x509.UnrecognizedExtension(mark, b"\x05\x00"), critical=False)
        .sign(issuer_key, SHA256())
    )


def _begun(
    subject: x509.Name,
    issuer: x509.Name,
    key: EllipticCurvePrivateKey,
    period: tuple[datetime, datetime],
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(period[0])
        .not_valid_after(period[1])
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _key(pem: str) -> EllipticCurvePrivateKey:
    key = load_pem_private_key(pem.encode(), None)
    assert isinstance(key, EllipticCurvePrivateKey), "every key of a keyring is one of these"
    return key


def _pem(key: EllipticCurvePrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _spki(key: EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _json(record: msgspec.Struct) -> str:
    return msgspec.json.encode(record).decode()


def _milliseconds(instant: datetime) -> str:
    return str(int(instant.timestamp() * 1000))


def _naive(instant: datetime) -> datetime:
    return instant.astimezone(UTC).replace(tzinfo=None)
