"""A certificate authority of the sandbox's own, and the server certificate it issues.

Both live in one folder and are made at the first start. A client trusts `ca.pem`; private keys are
readable by their owner alone from the moment they exist.
"""

import os
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
LIFETIME = timedelta(days=397)  # The longest that current clients accept of a server certificate.
RENEWED_BEFORE = timedelta(days=30)
BACKDATED = timedelta(days=1)  # A client whose clock runs late must not find it not yet valid.


@dataclass(frozen=True, slots=True)
class Certificate:
    """Where the files are: the authority's certificate, the server's chain and its private key."""

    ca: Path
    chain: Path
    key: Path


def certificate_for(hosts: Iterable[str], *, folder: Path, now: datetime) -> Certificate:
    """The server certificate for the local names and `hosts`: kept over starts, renewed in time.

    The authority is made once, so a client that trusts it goes on trusting it.
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
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate.chain, certificate.key)
    context.set_alpn_protocols(["http/1.1"])
    return context


def _make_authority(certificate: Path, key: Path, now: datetime) -> bool:
    if key.exists() and _leaf(certificate, now + RENEWED_BEFORE) is not None:
        return False
    import trustme  # Slow to import, and needed once in a year.

    authority = trustme.CA(organization_name="Sandgate", organization_unit_name="Local authority")
    _write(key, authority.private_key_pem.bytes(), mode=0o600)
    _write(certificate, authority.cert_pem.bytes(), mode=0o644)
    return True


def _issue(files: Certificate, ca_key: Path, *, hosts: tuple[str, ...], now: datetime) -> None:
    import trustme

    authority = trustme.CA.from_pem(files.ca.read_bytes(), ca_key.read_bytes())
    issued = authority.issue_cert(*hosts, not_before=now - BACKDATED, not_after=now + LIFETIME)
    _write(files.key, issued.private_key_pem.bytes(), mode=0o600)
    _write(files.chain, b"".join(pem.bytes() for pem in issued.cert_chain_pems), mode=0o644)


def _serves(files: Certificate, hosts: tuple[str, ...], now: datetime) -> bool:
    leaf = _leaf(files.chain, now + RENEWED_BEFORE)
    if leaf is None or not files.key.exists():
        return False
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names} >= set(hosts)


def _leaf(path: Path, at: datetime) -> x509.Certificate | None:
    """The first certificate of a file if it is readable and valid at `at`."""
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError):
        return None
    return certificate if certificate.not_valid_after_utc > at else None


def _write(path: Path, content: bytes, *, mode: int) -> None:
    # The mode is given as the file is made, and the rename makes it whole or not there at all.
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
    new.replace(path)
