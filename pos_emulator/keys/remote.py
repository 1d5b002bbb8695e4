"""Remote key loading: keys that come over a line which others can read. Choice: D-510.

The terminal makes an RSA key once and has it certified. A load brings the protection key of the key
blocks, encrypted for that key, and a signature of the authority over all of it and over a number
that the terminal drew: another load, an older one and a changed one are refused.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import NameOID

from pos_emulator.keys.errors import InvalidKeyBlockError, InvalidKeyError, StorageError
from pos_emulator.keys.storage import SealedFile, storage_key

FILE = "remote.keys"
RSA_BITS, NONCE_BYTES = 2048, 16
OAEP = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, UnsupportedAlgorithm)


class OpenedLoad(NamedTuple):
    """What was loaded: the protection key, and usage and TR-31 block of each key."""

    protection_key: bytes
    blocks: list[tuple[str, str]]

    def __repr__(self) -> str:
        return "OpenedLoad(...)"


class LoadingKey:
    """The RSA key of a terminal with its certificate. `terminal` and `device` are its numbers."""

    def __init__(self, folder: Path, terminal: str, device: str):
        self._file = SealedFile(folder / FILE, storage_key(folder))
        self._terminal, self._device = terminal, device
        self._kept = self._opened()
        self.nonce = ""

    def close(self) -> None:
        """Let another process open the file."""
        self._file.close()

    @property
    def certificate(self) -> str:
        """The certificate as PEM, or "" before there is one."""
        return self._kept.get("certificate", "")

    def request(self) -> str:
        """What an authority certifies, as PEM. Makes the key at first use. Raises StorageError."""
        if "key" not in self._kept:
            made = rsa.generate_private_key(public_exponent=65537, key_size=RSA_BITS)
            self._keep(key=made.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ).decode())  # fmt: skip
        name = x509.Name([
            x509.NameAttribute(NameOID.COMMON_NAME, self._terminal),
            x509.NameAttribute(NameOID.SERIAL_NUMBER, self._device),
        ])  # fmt: skip
        asked = x509.CertificateSigningRequestBuilder().subject_name(name)
        signed = asked.sign(self._key(), hashes.SHA256())
        return signed.public_bytes(serialization.Encoding.PEM).decode()

    def keep_certificate(self, document: Mapping[str, Any]) -> None:
        """Keep a `certificate` and its `authority`; the first authority stays the only one.

        Raises InvalidKeyError, StorageError.
        """
        try:
            pem, authority = str(document["certificate"]), str(document["authority"])
            shown = x509.load_pem_x509_certificate(pem.encode())
            shown.verify_directly_issued_by(x509.load_pem_x509_certificate(authority.encode()))
            is_own = shown.public_key() == self._key().public_key()
        except (*UNREADABLE, InvalidSignature):
            raise InvalidKeyError("expected a certificate that its authority issued") from None
        if not is_own:
            raise InvalidKeyError("expected a certificate for the key of this terminal")
        if self._kept.get("authority", authority) != authority:
            raise InvalidKeyError(
                "the certificate is of another authority than the one before; load a new terminal "
                "into another folder"
            )
        self._keep(certificate=pem, authority=authority)

    def draw_nonce(self) -> str:
        """A number for the next load, in hex; a load is opened for the last one drawn, once."""
        self.nonce = os.urandom(NONCE_BYTES).hex().upper()
        return self.nonce

    def open(self, document: Mapping[str, Any]) -> OpenedLoad:
        """The keys of a load: `kbpk`, `blocks`, `signature`. Raises InvalidKeyBlockError."""
        nonce, self.nonce = self.nonce, ""
        try:
            blocks = [(str(each["usage"]), str(each["block"])) for each in document["blocks"]]
            kbpk, signature = str(document["kbpk"]), bytes.fromhex(document["signature"])
            written = (f"{usage}={block}" for usage, block in blocks)
            text = "|".join((self._terminal, nonce, kbpk, *written)).encode("ascii")
            authority = x509.load_pem_x509_certificate(self._kept["authority"].encode())
            signer = authority.public_key()
            if not nonce or not isinstance(signer, ec.EllipticCurvePublicKey):
                raise InvalidSignature
            signer.verify(signature, text, ec.ECDSA(hashes.SHA256()))
            return OpenedLoad(self._key().decrypt(bytes.fromhex(kbpk), OAEP), blocks)
        except (*UNREADABLE, InvalidSignature):
            raise InvalidKeyBlockError(
                "expected keys for this terminal, signed by its authority for this load"
            ) from None

    def _key(self) -> rsa.RSAPrivateKey:
        key = serialization.load_pem_private_key(self._kept["key"].encode(), None)
        if not isinstance(key, rsa.RSAPrivateKey):
            raise StorageError(f"{FILE} is malformed")
        return key

    def _opened(self) -> dict[str, str]:
        stored = self._file.read()
        try:
            return {} if stored is None else dict(json.loads(stored))
        except (ValueError, TypeError):
            raise StorageError(f"{FILE} is malformed") from None

    def _keep(self, **more: str) -> None:
        kept = {**self._kept, **more}
        self._file.write(json.dumps(kept).encode())
        self._kept = kept
