"""The certificate under which a terminal is reached over HTTPS in its own network.

Authority and certificate live in one folder and are made at the first start. A till trusts
`ca.pem`; private keys are readable by their owner alone.
"""

import os
import ssl
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
AUTHORITY, AUTHORITY_KEY, CHAIN, KEY = "ca.pem", "ca-key.pem", "server.pem", "server-key.pem"
LIFETIME = timedelta(days=397)  # The longest that current clients accept of a server certificate.
RENEWED_BEFORE = timedelta(days=30)
BACKDATED = timedelta(days=1)  # A till whose clock runs late must not find it not yet valid.


def server_context(folder: Path, hosts: Iterable[str], *, now: datetime) -> ssl.SSLContext:
    """The TLS settings of a server for the local names and `hosts`: 1.2 and newer.

    The authority is made once, so a till that trusts it goes on trusting it. Raises OSError.
    """
    wanted = tuple(dict.fromkeys((*LOCAL_HOSTS, *hosts)))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _make_authority(folder, now) or not _serves(folder, wanted, now):
        _issue(folder, wanted, now)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(folder / CHAIN, folder / KEY)
    context.set_alpn_protocols(["http/1.1"])
    return context


def _make_authority(folder: Path, now: datetime) -> bool:
    valid = _leaf(folder / AUTHORITY, now + RENEWED_BEFORE) is not None
    if valid and (folder / AUTHORITY_KEY).exists():
        return False
    import trustme  # Slow to import, and needed once in a year.

    authority = trustme.CA(organization_name="Sandgate", organization_unit_name="Terminals")
    _write(folder / AUTHORITY_KEY, authority.private_key_pem.bytes(), mode=0o600)
    _write(folder / AUTHORITY, authority.cert_pem.bytes(), mode=0o644)
    return True


def _issue(folder: Path, hosts: tuple[str, ...], now: datetime) -> None:
    import trustme

    authority = trustme.CA.from_pem(
        (folder / AUTHORITY).read_bytes(), (folder / AUTHORITY_KEY).read_bytes()
    )
    issued = authority.issue_cert(*hosts, not_before=now - BACKDATED, not_after=now + LIFETIME)
    _write(folder / KEY, issued.private_key_pem.bytes(), mode=0o600)
    _write(folder / CHAIN, b"".join(pem.bytes() for pem in issued.cert_chain_pems), mode=0o644)


def _serves(folder: Path, hosts: tuple[str, ...], now: datetime) -> bool:
    leaf = _leaf(folder / CHAIN, now + RENEWED_BEFORE)
    if leaf is None or not (folder / KEY).exists():
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
