"""The keys of the directory server: a root of its own, and what an ACS signs under it.

Keys are made when they are first needed, and are gone with the process. Choice: D-201.
"""

from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from joserfc.jwk import ECKey, RSAKey

Algorithm = Literal["ES256", "PS256"]
PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey
# Clocks of sandboxes stand anywhere between these.
VALID_FROM, VALID_UNTIL = datetime(2000, 1, 1), datetime(2099, 12, 31)
RSA_BITS = 2048
CORRUPTED = {"acsURL": "https://acs.example/another"}


class Signed(NamedTuple):
    """A key and the certificate of its public half."""

    key: PrivateKey
    certificate: x509.Certificate


class Signer:
    """Signs as the ACS, with a certificate of the directory server."""

    def __init__(self, algorithm: Algorithm = "ES256"):
        self._algorithm = algorithm

    @property
    def certificate(self) -> bytes:
        """The root certificate of the directory server, PEM."""
        return self._root.certificate.public_bytes(Encoding.PEM)

    def signed(self, content: Mapping[str, Any], *, is_corrupted: bool = False) -> str:
        """A JWS in compact form; a corrupted one was signed over something else."""
        # Imported for the first one: most gateways sign nothing.
        from joserfc import jws

        header = {"alg": self._algorithm, "x5c": self._chain}
        made = jws.serialize_compact(
            header, msgspec.json.encode(content), self._jwk, algorithms=[self._algorithm]
        )
        if not is_corrupted:
            return made
        other = jws.serialize_compact(
            header, msgspec.json.encode(CORRUPTED), self._jwk, algorithms=[self._algorithm]
        )
        return ".".join((*made.split(".")[:2], other.split(".")[2]))

    def ephemeral(self) -> Mapping[str, str]:
        """acsEphemPubKey as a JWK: a browser never answers in its key, so that it is a stand-in."""
        from joserfc.jwk import ECKey

        point = self._root.certificate.public_key()
        made = ECKey.import_key(_public_pem(point)).as_dict(private=False)
        return {name: str(made[name]) for name in ("kty", "crv", "x", "y")}

    @cached_property
    def _root(self) -> Signed:
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name("Sandgate Directory Server Root")
        return Signed(key, _certified(name, key, issuer=name, by=key, is_authority=True))

    @cached_property
    def _leaf(self) -> Signed:
        key = _new_key(self._algorithm)
        name, root = _name("Sandgate ACS Signing"), self._root
        issuer = root.certificate.subject
        return Signed(key, _certified(name, key, issuer=issuer, by=root.key, is_authority=False))

    @cached_property
    def _jwk(self) -> "ECKey | RSAKey":
        from joserfc.jwk import ECKey, RSAKey

        pem = self._leaf.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return (ECKey if self._algorithm == "ES256" else RSAKey).import_key(pem.decode())

    @cached_property
    def _chain(self) -> list[str]:
        certificates = (self._leaf.certificate, self._root.certificate)
        return [b64encode(each.public_bytes(Encoding.DER)).decode() for each in certificates]


def _new_key(algorithm: Algorithm) -> PrivateKey:
    if algorithm == "ES256":
        return ec.generate_private_key(ec.SECP256R1())
    return rsa.generate_private_key(public_exponent=65537, key_size=RSA_BITS)


def _certified(
    name: x509.Name, key: PrivateKey, *, issuer: x509.Name, by: PrivateKey, is_authority: bool
) -> x509.Certificate:
    usage = x509.KeyUsage(
        digital_signature=not is_authority, key_cert_sign=is_authority, crl_sign=is_authority,
        content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip
    public = by.public_key()
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(VALID_FROM)
        .not_valid_after(VALID_UNTIL)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False)
        .sign(by, SHA256())
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _public_pem(key: Any) -> str:
    made: bytes = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return made.decode()
