"""A certificate authority of the sandbox's own, and the server certificate it issues.

Both live in one folder and are made at the first start. A client trusts `ca.pem`; private keys are
readable by their owner alone from the moment they exist.
"""

import logging
import os
import ssl
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from simulator.adapters.access import naming
from simulator.adapters.key_files import UnsafeKeyFileError
from simulator.adapters.tls.settings import restrict

LOG = logging.getLogger("sandgate.serving")
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
LIFETIME = timedelta(days=397)  # The longest that current clients accept of a server certificate.
RENEWED_BEFORE = timedelta(days=30)
BACKDATED = timedelta(days=1)  # A client whose clock runs late must not find it not yet valid.
# Those that are made here are valid from then on: to make another would not help a clock before it.
AUTHORITIES_FROM = datetime(2000, 1, 1, tzinfo=UTC)
ISSUED_ANEW = "start the gateway again: it issues another"
AUTHORITY_ANEW = (
    "remove the folder tls: the next start makes another authority, which clients have to trust "
    "anew; or put it back from a backup"
)
NOT_YET = (
    "correct the clock of the machine; if it is right, start the gateway again: it makes another "
    "authority, which clients have to trust anew"
)
AUTHORITY_REPLACED = (
    "put it back from a backup: the next start makes another authority, which clients have to "
    "trust anew"
)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Where the files are: the authority's certificate, the server's chain and its private key."""

    ca: Path
    chain: Path
    key: Path


def certificate_for(hosts: Iterable[str], *, folder: Path, now: datetime) -> Certificate:
    """The server certificate for the local names and `hosts`: kept over starts, renewed in time.

    The authority is made once, so a client that trusts it goes on trusting it. Raises
    OSError, and UnsafeKeyFileError where a certificate has to be issued and its key is none.
    """
    wanted = tuple(dict.fromkeys((*LOCAL_HOSTS, *hosts)))
    files = Certificate(folder / "ca.pem", folder / "server.pem", folder / "server-key.pem")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    new_authority = _make_authority(files.ca, folder / "ca-key.pem", now)
    if new_authority or not _serves(files, wanted, now):
        _issue(files, folder / "ca-key.pem", hosts=wanted, now=now)
    return files


def server_context(certificate: Certificate) -> ssl.SSLContext:
    """The TLS settings of a listener with this certificate: 1.2 and newer."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    restrict(context)
    context.load_cert_chain(certificate.chain, certificate.key)
    context.set_alpn_protocols(["http/1.1"])
    return context


def problems_in(folder: Path, *, now: datetime) -> Iterator[tuple[str, str]]:
    """What is wrong with the files of a folder that a start has used, and what to do about it.
    Raises OSError.
    """
    authority, key = folder / "ca.pem", folder / "ca-key.pem"
    chain, chain_key = folder / "server.pem", folder / "server-key.pem"
    if not chain.exists():
        return
    leaf, root = _certificate_in(chain), _certificate_in(authority)
    if root is None or not key.exists():
        missing = f"{key} is gone" if root else f"{authority} holds no certificate"
        yield missing, AUTHORITY_REPLACED
    elif not _is_key_of(root, key):
        yield f"{key} is not the key of {authority}", AUTHORITY_ANEW
    elif _is_ahead(root, now):
        yield f"{authority}: {_start_of(root)}", NOT_YET
    if leaf is None:
        yield f"{chain} is not readable", ISSUED_ANEW
    elif leaf.not_valid_after_utc <= now:
        yield f"valid until {leaf.not_valid_after_utc:%Y-%m-%d}", ISSUED_ANEW
    elif _is_ahead(leaf, now):
        yield f"{chain}: {_start_of(leaf)}", ISSUED_ANEW
    elif not _is_key_of(leaf, chain_key):
        yield f"{chain_key} is not the key of {chain}", ISSUED_ANEW
    elif root is not None and not _is_issued_by(root, leaf):
        yield f"{chain} was not issued by {authority}", ISSUED_ANEW


def valid_until(folder: Path) -> datetime | None:
    """When the certificate of the folder ends; None where there is none that can be read."""
    leaf = _certificate_in(folder / "server.pem")
    return None if leaf is None else leaf.not_valid_after_utc


def _make_authority(certificate: Path, key: Path, now: datetime) -> bool:
    if key.exists() and _valid(certificate, now) is not None:
        return False
    import trustme  # Slow to import, and needed once in a year.

    if key.exists() or certificate.exists():
        LOG.warning("another authority is made, which clients have to trust anew: %s", certificate)
    authority = trustme.CA(organization_name="Sandgate", organization_unit_name="Local authority")
    _write(key, authority.private_key_pem.bytes(), mode=0o600)
    _write(certificate, authority.cert_pem.bytes(), mode=0o644)
    return True


def _issue(files: Certificate, ca_key: Path, *, hosts: tuple[str, ...], now: datetime) -> None:
    import trustme

    root = _certificate_in(files.ca)
    if root is None or not _is_key_of(root, ca_key):
        expected = f"expected the private key of {files.ca}, got else"
        raise UnsafeKeyFileError(f"{ca_key}: {expected}; {AUTHORITY_ANEW}")
    authority = trustme.CA.from_pem(files.ca.read_bytes(), ca_key.read_bytes())
    issued = authority.issue_cert(*hosts, not_before=now - BACKDATED, not_after=now + LIFETIME)
    _write(files.key, issued.private_key_pem.bytes(), mode=0o600)
    _write(files.chain, b"".join(pem.bytes() for pem in issued.cert_chain_pems), mode=0o644)


def _serves(files: Certificate, hosts: tuple[str, ...], now: datetime) -> bool:
    leaf, root = _valid(files.chain, now), _certificate_in(files.ca)
    if leaf is None or root is None:
        return False
    if not _is_key_of(leaf, files.key) or not _is_issued_by(root, leaf):
        LOG.warning(
            "another certificate is issued: its key or authority is another: %s", files.chain
        )
        return False
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names} >= set(hosts)


def _valid(path: Path, now: datetime) -> x509.Certificate | None:
    """The first certificate of a file if it is readable and valid, and goes on to be."""
    certificate = _certificate_in(path)
    if certificate is None or _is_ahead(certificate, now):
        return None
    return certificate if certificate.not_valid_after_utc > now + RENEWED_BEFORE else None


def _is_ahead(certificate: x509.Certificate, now: datetime) -> bool:
    """Whether it is not yet valid, as after a start with the clock ahead."""
    return certificate.not_valid_before_utc > max(now, AUTHORITIES_FROM)


def _start_of(certificate: x509.Certificate) -> str:
    return f"not valid before {certificate.not_valid_before_utc:%Y-%m-%d}"


def _certificate_in(path: Path) -> x509.Certificate | None:
    """The first certificate of a file; None where it holds none. Raises OSError."""
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def _is_key_of(certificate: x509.Certificate, path: Path) -> bool:
    """Whether the file holds the private key of the certificate. Raises OSError."""
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (FileNotFoundError, ValueError, TypeError, UnsupportedAlgorithm):
        return False
    return key.public_key() == certificate.public_key()


def _is_issued_by(root: x509.Certificate, leaf: x509.Certificate) -> bool:
    try:
        leaf.verify_directly_issued_by(root)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def _write(path: Path, content: bytes, *, mode: int) -> None:
    # The mode is given as the file is made, and the rename makes it whole or not there at all.
    new = path.with_suffix(".new")
    with naming(path):
        new.unlink(missing_ok=True)
        try:
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
                file.write(content)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
