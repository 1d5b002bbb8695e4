"""The authority for keys of terminals: certifies them, wraps a protection key, signs a load.

Source: PKCS#10, X.509, RSA-OAEP (PKCS#1), ECDSA; the shape of a load follows ANSI X9 TR-34.
Choice: D-510.
"""

from datetime import datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import NameOID

from simulator.domain.core.ports import Vault
from simulator.domain.terminals.errors import RefusedCertificateError
from simulator.domain.terminals.loading import AUTHORITY, TerminalAuthority
from simulator.domain.terminals.terminals import Terminal

NAME = "Sandgate terminal keys"
LIFETIME, BACKDATED = timedelta(days=3650), timedelta(days=1)
# Smaller keys protect nothing, larger ones take long to check.
RSA_BITS, RSA_EXPONENT = range(2048, 4097), 65537
OAEP = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
SIGNED_BY = ec.ECDSA(hashes.SHA256())
UNREADABLE = (ValueError, TypeError, UnsupportedAlgorithm)


class TerminalKeyAuthority:
    """The authority of one sandbox, as ports.KeyAuthority; `vault` seals its private key."""

    __slots__ = ("_vault",)

    def __init__(self, vault: Vault):
        self._vault = vault

    def new(self, now: datetime) -> TerminalAuthority:
        """An authority with a new key."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
        made = (
            _builder(name, name, now)
            .public_key(key.public_key())
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(key, hashes.SHA256())
        )
        private = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        sealed = self._vault.seal(AUTHORITY, private.decode())
        return TerminalAuthority(certificate=_pem(made), sealed=sealed)

    def certify(
        self, authority: TerminalAuthority, request: str, terminal: Terminal, now: datetime
    ) -> str:
        """The certificate for the key of a terminal's request. Raises RefusedCertificateError."""
        asked = _request_in(request)
        if not _is_signed(asked) or not _names(asked.subject, terminal):
            raise RefusedCertificateError(
                "request", f"signed by its key, for {_subject_text(terminal)}"
            )
        issuer = x509.load_pem_x509_certificate(authority.certificate.encode()).subject
        made = (
            _builder(asked.subject, issuer, now)
            .public_key(_rsa_key(asked, "request"))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .sign(self._key(authority), hashes.SHA256())
        )
        return _pem(made)

    def encrypt_for(
        self,
        authority: TerminalAuthority,
        certificate: str,
        key: bytes,
        *,
        terminal: Terminal,
        now: datetime,
    ) -> bytes:
        """A key under RSA-OAEP for the terminal of a certificate. Raises RefusedCertificateError
        for one that this authority did not issue to it, or that is no longer valid.
        """
        try:
            shown = x509.load_pem_x509_certificate(certificate.encode())
            issuer = x509.load_pem_x509_certificate(authority.certificate.encode())
            shown.verify_directly_issued_by(issuer)
        except (*UNREADABLE, InvalidSignature):
            expected = "as PEM, issued by the authority of this sandbox"
            raise RefusedCertificateError("certificate", expected) from None
        if not _names(shown.subject, terminal):
            raise RefusedCertificateError("certificate", f"one for {_subject_text(terminal)}")
        if not shown.not_valid_before_utc <= now <= shown.not_valid_after_utc:
            raise RefusedCertificateError("certificate", "one that is valid at sandbox time")
        return _rsa_key(shown, "certificate").encrypt(key, OAEP)

    def sign(self, authority: TerminalAuthority, content: bytes) -> bytes:
        """The signature of the authority, DER."""
        return self._key(authority).sign(content, SIGNED_BY)

    def _key(self, authority: TerminalAuthority) -> ec.EllipticCurvePrivateKey:
        opened = self._vault.open(AUTHORITY, authority.sealed)
        key = serialization.load_pem_private_key(opened.encode(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return key


def _request_in(text: str) -> x509.CertificateSigningRequest:
    try:
        return x509.load_pem_x509_csr(text.encode())
    except UNREADABLE:
        raise RefusedCertificateError("request", "PKCS#10 as PEM") from None


def _is_signed(request: x509.CertificateSigningRequest) -> bool:
    _rsa_key(request, "request")
    try:
        return request.is_signature_valid
    except (*UNREADABLE, InvalidSignature):
        return False


def _rsa_key(
    found: x509.CertificateSigningRequest | x509.Certificate, where: str
) -> rsa.RSAPublicKey:
    try:
        key = found.public_key()
    except UNREADABLE:
        key = None
    if (
        not isinstance(key, rsa.RSAPublicKey)
        or key.key_size not in RSA_BITS
        or key.public_numbers().e != RSA_EXPONENT
    ):
        bits = f"{RSA_BITS.start} to {RSA_BITS.stop - 1} bits"
        expected = f"an RSA key of {bits} with the exponent {RSA_EXPONENT}"
        raise RefusedCertificateError(where, expected)
    return key


def _names(subject: x509.Name, terminal: Terminal) -> bool:
    """Whether it is the terminal and nothing else, so that no text of a client is certified."""
    named = [(each.oid, each.value) for each in subject]
    return sorted(named, key=str) == sorted(
        [(NameOID.COMMON_NAME, terminal.id), (NameOID.SERIAL_NUMBER, terminal.device)], key=str
    )


def _subject_text(terminal: Terminal) -> str:
    return f"CN={terminal.id}, serialNumber={terminal.device}"


def _builder(subject: x509.Name, issuer: x509.Name, now: datetime) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now + LIFETIME)
    )


def _pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()
