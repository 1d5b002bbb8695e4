"""Certificates of the chip hold unchanged, for the card they name, until they expire."""

import hashlib
from datetime import date
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_emulator.keys import offline_rsa
from pos_emulator.keys.errors import InvalidCertificateError
from pos_emulator.keys.offline_rsa import PublicKey

PAN = "4761739001010119"
STATIC = bytes.fromhex("5A084761739001010119")
EXPIRY = bytes.fromhex("1231")
DAY = date(2026, 11, 23)
EXPONENT = b"\x03"
TERMINAL = bytes.fromhex("52BF4585")


class Signer(NamedTuple):
    """An RSA key with exponent 3, which signs as EMV has it."""

    public: PublicKey
    private: int

    def sign(self, signed: bytes, more: bytes = b"") -> bytes:
        """Return the signature over `signed`, which is filled to fit, and over `more`."""
        size = len(self.public.modulus)
        signed = signed + b"\xbb" * (size - 22 - len(signed))
        digest = hashlib.sha1(signed + more, usedforsecurity=False).digest()
        block = int.from_bytes(b"\x6a" + signed + digest + b"\xbc")
        return pow(block, self.private, int.from_bytes(self.public.modulus)).to_bytes(size)


def make_signer(bits: int) -> Signer:
    numbers = rsa.generate_private_key(3, bits).private_numbers()
    modulus = numbers.public_numbers.n.to_bytes(bits // 8)
    return Signer(PublicKey(modulus, EXPONENT), numbers.d)


@pytest.fixture(scope="module")
def signers() -> list[Signer]:
    """Authority, issuer and card; the issuer's key fits into its certificate, the card's not."""
    return [make_signer(1280), make_signer(1024), make_signer(1024)]


def certificate(
    signer: Signer, kind: int, named: str, key: PublicKey, more: bytes = b"", **changed: bytes
) -> tuple[bytes, bytes]:
    """Return a certificate and the remainder of its key; `changed` replaces parts of it."""
    parts = {
        "format": bytes([kind]),
        "subject": bytes.fromhex(named),
        "expiry": EXPIRY,
        "serial": bytes(3),
        "hash": b"\x01",
        "algorithm": b"\x01",
        "size": bytes([len(key.modulus)]),
        "exponent_size": b"\x01",
    } | changed
    head = b"".join(parts.values())
    room = len(signer.public.modulus) - 22 - len(head)
    held, remainder = key.modulus[:room], key.modulus[room:]
    return signer.sign(head + held, remainder + key.exponent + more), remainder


def issuer_certificate(signers: list[Signer], **changed: bytes) -> tuple[bytes, bytes]:
    return certificate(signers[0], 2, "476173FF", signers[1].public, **changed)


def open_issuer(signers: list[Signer], sent: tuple[bytes, bytes], pan: str = PAN) -> PublicKey:
    return offline_rsa.issuer_key(
        signers[0].public, sent[0], remainder=sent[1], exponent=EXPONENT, pan=pan, today=DAY
    ).key


def open_card(signers: list[Signer], static: bytes = STATIC, pan: str = PAN) -> PublicKey:
    made, remainder = certificate(
        signers[1], 4, PAN + "FFFF", signers[2].public, STATIC
    )  # fmt: skip
    return offline_rsa.card_key(
        signers[1].public, made, remainder=remainder, exponent=EXPONENT, static_data=static,
        pan=pan, today=DAY,
    ).key  # fmt: skip


def test_keys_are_recovered_from_the_authority_to_the_card(signers):
    assert open_issuer(signers, issuer_certificate(signers)) == signers[1].public
    assert open_card(signers) == signers[2].public


def test_a_key_longer_than_its_certificate_comes_with_a_remainder(signers):
    assert certificate(signers[1], 4, PAN + "FFFF", signers[2].public)[1]
    with pytest.raises(InvalidCertificateError, match="remainder"):
        open_issuer(signers, (issuer_certificate(signers)[0], b"\x01"))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": b"\x04"}, "format 02"),
        ({"subject": bytes.fromhex("476174FF")}, "another issuer"),
        ({"subject": bytes.fromhex("FFFFFFFF")}, "another issuer"),
        ({"expiry": bytes.fromhex("1026")}, "expired"),
        ({"expiry": bytes.fromhex("0A31")}, "no date"),
        ({"hash": b"\x02"}, "SHA-1"),
        ({"algorithm": b"\x02"}, "RSA"),
        ({"exponent_size": b"\x03"}, "exponent"),
        ({"size": b"\x00"}, "length"),
        ({"size": b"\xf8"}, "remainder"),
    ],
)
def test_a_certificate_that_says_something_else_is_refused(signers, changed, message):
    with pytest.raises(InvalidCertificateError, match=message):
        open_issuer(signers, issuer_certificate(signers, **changed))


def test_a_certificate_lasts_to_the_end_of_its_month(signers):
    sent = issuer_certificate(signers, expiry=bytes.fromhex("1126"))

    assert open_issuer(signers, sent) == signers[1].public


def test_a_certificate_of_another_card_or_of_other_data_is_refused(signers):
    with pytest.raises(InvalidCertificateError, match="another card"):
        open_card(signers, pan="4761739001010127")
    with pytest.raises(InvalidCertificateError, match="hash"):
        open_card(signers, static=STATIC[:-1] + b"\x20")


@pytest.mark.parametrize("place", range(0, 160, 7))
def test_a_certificate_that_was_changed_anywhere_is_refused(signers, place):
    made, remainder = issuer_certificate(signers)
    changed = made[:place] + bytes([made[place] ^ 1]) + made[place + 1 :]

    with pytest.raises(InvalidCertificateError):
        open_issuer(signers, (changed, remainder))


def test_static_data_are_signed_by_the_issuer(signers):
    signature = signers[1].sign(bytes.fromhex("0301DAC0"), STATIC)

    assert offline_rsa.static_code(signers[1].public, signature, STATIC).hex() == "dac0"
    with pytest.raises(InvalidCertificateError, match="hash"):
        offline_rsa.static_code(signers[1].public, signature, STATIC + b"\x00")
    with pytest.raises(InvalidCertificateError):
        offline_rsa.static_code(signers[2].public, signature, STATIC)


def test_dynamic_data_are_signed_by_the_card_for_this_terminal(signers):
    signature = signers[2].sign(bytes.fromhex("05010403AABBCC"), TERMINAL)

    assert offline_rsa.dynamic_data(signers[2].public, signature, TERMINAL).hex() == "03aabbcc"
    with pytest.raises(InvalidCertificateError, match="hash"):
        offline_rsa.dynamic_data(signers[2].public, signature, bytes(4))


def test_dynamic_data_that_are_cut_off_are_refused(signers):
    signature = signers[2].sign(bytes.fromhex("0501FF"), TERMINAL)

    with pytest.raises(InvalidCertificateError, match="cut off"):
        offline_rsa.dynamic_data(signers[2].public, signature, TERMINAL)


@given(modulus=st.binary(max_size=80), signature=st.binary(max_size=80), exponent=st.binary(
       max_size=3))  # fmt: skip
@settings(deadline=None)
def test_nothing_but_a_refusal_comes_of_what_is_no_signature(modulus, signature, exponent):
    with pytest.raises(InvalidCertificateError):
        offline_rsa.recover(PublicKey(modulus, exponent), signature)
