"""A wallet token holds no more than wallets send: more is refused before it costs others time."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import datetime, timedelta
from time import process_time

import pytest
from asn1crypto.cms import ContentInfo
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from acquirer_mocks.wallet_provider import make_token, new_keyring
from simulator.adapters.wallets import certificates as marks
from simulator.adapters.wallets.signed_messages import (
    ELEMENTS_MAX,
    VALUE_BYTES_MAX,
    refuse_crowded,
)
from simulator.adapters.wallets.tokens import TokenWallets
from simulator.domain.wallets import InvalidWalletTokenError, Recipient, TokenOrder
from simulator.tests.kit.making import NOON

KEYS = new_keyring()
WHO = Recipient("merchant.test", "gateway:test")
WALLETS = TokenWallets(new_keys=new_keyring, make=make_token)
TOKEN = json.loads(make_token(TokenOrder(), KEYS, WHO, NOON))
GENUINE = ContentInfo.load(b64decode(TOKEN["signature"]))
SIGNED = GENUINE["content"]
(SIGNER,) = SIGNED["signer_infos"]
NULL, ATTRIBUTE = b"\x05\x00", bytes.fromhex("300706032a03043100")
Wrap = Callable[[int, bytes], bytes]


def definite(tag: int, content: bytes) -> bytes:
    """An element with its length before it."""
    size = len(content)
    digits = b"" if size < 128 else size.to_bytes((size.bit_length() + 7) // 8)
    return bytes([tag, 128 + len(digits) if digits else size]) + digits + content


def marked(tag: int, content: bytes) -> bytes:
    """An element that ends with a mark, as some wallets write it."""
    return bytes([tag, 128]) + content + b"\0\0"


def signed_by(attributes: bytes) -> bytes:
    """The signer of the genuine message, with these signed attributes."""
    first = SIGNER["version"].dump() + SIGNER["sid"].dump() + SIGNER["digest_algorithm"].dump()
    last = SIGNER["signature_algorithm"].dump() + SIGNER["signature"].dump()
    return definite(0x30, first + definite(0xA0, attributes) + last)


GENUINE_ATTRIBUTES = b"".join(each.dump() for each in SIGNER["signed_attrs"])
CERTIFICATES = b"".join(each.dump() for each in SIGNED["certificates"])


def message(
    attributes: bytes = GENUINE_ATTRIBUTES,
    *,
    certificates: bytes = CERTIFICATES,
    more: bytes = b"",
    wrap: Wrap = definite,
) -> bytes:
    """The genuine message with other parts, `more` behind the last."""
    first = SIGNED["version"].dump() + SIGNED["digest_algorithms"].dump()
    first += SIGNED["encap_content_info"].dump()
    signers = definite(0x31, signed_by(attributes))
    signed = wrap(0x30, first + wrap(0xA0, certificates) + signers + more)
    return wrap(0x30, GENUINE["content_type"].dump() + wrap(0xA0, signed))


def detail_of(signature: bytes) -> str:
    """How the token with this signature is refused, or nothing where it is opened."""
    text = json.dumps({**TOKEN, "signature": b64encode(signature).decode()})
    try:
        WALLETS.open(text, KEYS, WHO, NOON)
    except InvalidWalletTokenError as refusal:
        return refusal.detail
    return ""


def certificate(subject: str, issuer: str, mark: x509.ObjectIdentifier, key: object) -> bytes:
    """A certificate of this key, signed by another one."""
    name, by = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, each)])
                for each in (subject, issuer))  # fmt: skip
    began = datetime(2020, 1, 1)
    made = (
        x509.CertificateBuilder(by, name, key, 5, began, began + timedelta(days=9000))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.UnrecognizedExtension(mark, NULL), critical=False)
    )
    return made.sign(ec.generate_private_key(ec.SECP256R1()), SHA256()).public_bytes(Encoding.DER)


@pytest.mark.parametrize("wrap", [definite, marked])
def test_what_wallets_send_is_opened(wrap: Wrap) -> None:
    assert detail_of(message(wrap=wrap)) == ""
    authority = x509.load_pem_x509_certificate(KEYS.certificate.encode())
    whole = CERTIFICATES + authority.public_bytes(Encoding.DER)
    assert detail_of(message(certificates=whole, wrap=wrap)) == ""


def long_tag(count: int) -> bytes:
    """An element with a tag of so many bytes."""
    return b"\x3f" + b"\xff" * count + b"\x01\x00"


UNITS = {
    "attributes": ATTRIBUTE,
    "sequences": b"\x30\x00",
    "names": definite(0x30, definite(6, b"\x2a" + b"\x81" * 900 + b"\x01") + b"\x31\x00"),
}
# fmt: off
CROWDED = {
    "attributes":     (message(GENUINE_ATTRIBUTES + ATTRIBUTE * 400), "at most 512 elements"),
    "of no length":   (message(GENUINE_ATTRIBUTES + b"\x30\x00" * 3000), "at most 512 elements"),
    "members":        (message(more=NULL * 3000), "at most 512 elements"),
    "certificates":   (message(certificates=CERTIFICATES * 10), "elements"),
    "until a mark":   (message(more=NULL * 3000, wrap=marked), "at most 512 elements"),
    "bytes":          (message(more=definite(4, b"x" * 1000) * 8), "at most 8192 bytes"),
    "a long name":    (message(GENUINE_ATTRIBUTES + definite(6, b"\x2a" + b"\x81" * 5000)),
                       "at most 1024 bytes of a value"),
    "a long tag":     (long_tag(8000), "a signed CMS message"),
    "one inside":     (message(GENUINE_ATTRIBUTES + long_tag(6000)), "a signed CMS message"),
    "nested":         (marked(0x30, marked(0x30, b"")) + b"\x30\x80" * 3000, "elements"),
    "hidden":         (message(definite(0x30, bytes.fromhex("04820400")) + ATTRIBUTE * 500),
                       "a signed CMS message"),
}
# fmt: on


@pytest.mark.parametrize(("signature", "named"), CROWDED.values(), ids=CROWDED)
def test_more_than_wallets_send_is_refused_before_it_is_read(signature: bytes, named: str) -> None:
    assert named in detail_of(signature)
    with pytest.raises(InvalidWalletTokenError):
        refuse_crowded(signature)


@pytest.mark.parametrize("cut", range(1, 40))
def test_a_message_that_is_cut_off_is_none(cut: int) -> None:
    for whole in (message(), message(wrap=marked)):
        with pytest.raises(InvalidWalletTokenError):
            refuse_crowded(whole[:-cut])
        with pytest.raises(InvalidWalletTokenError):
            refuse_crowded(whole[:cut])


def test_a_certificate_of_an_rsa_key_is_refused_before_it_verifies() -> None:
    modulus = (1 << 3072) - 12345
    long = rsa.RSAPublicNumbers(modulus - 2, modulus).public_key()
    leaf_key = ec.generate_private_key(ec.SECP256R1()).public_key()
    pair = certificate("leaf", "between", marks.LEAF_MARK, leaf_key)
    pair += certificate("between", "authority", marks.INTERMEDIATE_MARK, long)
    assert "keys on elliptic curves" in detail_of(message(certificates=pair))


@pytest.mark.cost
@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_the_fullest_token_costs_little_more_than_a_genuine_one(unit: bytes) -> None:
    fullest = next(
        each
        for count in range(ELEMENTS_MAX, 0, -1)
        if is_taken(each := message(GENUINE_ATTRIBUTES + unit * count))
    )
    assert len(fullest) > len(message())
    assert cost(fullest) < 8 * cost(message())


def is_taken(signature: bytes) -> bool:
    """Whether so much may be parsed."""
    try:
        refuse_crowded(signature)
    except InvalidWalletTokenError:
        return False
    return True


def cost(signature: bytes) -> float:
    """The least seconds of processor time that such a token takes."""
    taken = []
    for _ in range(5):
        began = process_time()
        detail_of(signature)
        taken.append(process_time() - began)
    return min(taken)


def test_a_value_may_be_as_long_as_is_said() -> None:
    refuse_crowded(definite(4, b"x" * VALUE_BYTES_MAX))
    with pytest.raises(InvalidWalletTokenError):
        refuse_crowded(definite(4, b"x" * (VALUE_BYTES_MAX + 1)))
