"""The local certificate authority: made once, kept, renewed in time, its keys the owner's."""

import stat
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from simulator.adapters.http.tls import (
    ISSUED_ANEW,
    NOT_YET,
    certificate_for,
    problems_in,
    server_context,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def names_of(path) -> set[str]:
    leaf = x509.load_pem_x509_certificate(path.read_bytes())
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names}


def test_the_first_start_makes_a_certificate_for_the_local_names_and_the_public_one(tmp_path):
    certificate = certificate_for(["pay.example"], folder=tmp_path / "tls", now=NOW)

    assert names_of(certificate.chain) == {"localhost", "127.0.0.1", "::1", "pay.example"}
    assert server_context(certificate).cert_store_stats()["x509"] == 0


def test_private_keys_are_for_their_owner_alone(tmp_path):
    certificate_for([], folder=tmp_path / "tls", now=NOW)

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "tls").iterdir()}
    assert modes == {
        "ca.pem": 0o644,
        "ca-key.pem": 0o600,
        "server.pem": 0o644,
        "server-key.pem": 0o600,
    }


def test_a_later_start_keeps_every_file(tmp_path):
    first = certificate_for([], folder=tmp_path, now=NOW)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    assert certificate_for([], folder=tmp_path, now=NOW + timedelta(days=300)) == first
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_certificate_near_its_end_is_renewed_under_the_same_authority(tmp_path):
    first = certificate_for([], folder=tmp_path, now=NOW)
    authority, chain = first.ca.read_bytes(), first.chain.read_bytes()

    certificate_for([], folder=tmp_path, now=NOW + timedelta(days=380))

    assert first.ca.read_bytes() == authority
    assert first.chain.read_bytes() != chain


def test_a_certificate_that_is_not_yet_valid_is_renewed_under_the_same_authority(tmp_path):
    ahead = certificate_for([], folder=tmp_path, now=NOW + timedelta(days=730))
    authority = ahead.ca.read_bytes()

    certificate = certificate_for([], folder=tmp_path, now=NOW)

    assert certificate.ca.read_bytes() == authority
    assert not [*problems_in(tmp_path, now=NOW)]
    leaf = x509.load_pem_x509_certificate(certificate.chain.read_bytes())
    assert leaf.not_valid_before_utc < NOW < leaf.not_valid_after_utc


def test_an_authority_that_is_not_yet_valid_is_replaced(tmp_path):
    certificate = certificate_for([], folder=tmp_path, now=NOW)
    write_authority(tmp_path, NOW + timedelta(days=730))
    authority = certificate.ca.read_bytes()
    certificate_for([], folder=tmp_path, now=NOW + timedelta(days=731))

    assert [*problems_in(tmp_path, now=NOW)] == [
        (f"{certificate.ca}: not valid before 2028-11-19", NOT_YET),
        (f"{certificate.chain}: not valid before 2028-11-19", ISSUED_ANEW),
    ]
    certificate_for([], folder=tmp_path, now=NOW)

    assert certificate.ca.read_bytes() != authority
    assert not [*problems_in(tmp_path, now=NOW)]


def test_a_clock_far_behind_replaces_no_authority(tmp_path):
    authority = certificate_for([], folder=tmp_path, now=NOW).ca.read_bytes()

    again = certificate_for([], folder=tmp_path, now=datetime(1970, 1, 2, tzinfo=UTC))

    assert again.ca.read_bytes() == authority


def write_authority(folder, start) -> None:
    """Another authority, valid from this moment on."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Sandgate")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=9999))
        .add_extension(x509.BasicConstraints(ca=True, path_length=9), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, SHA256())
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    (folder / "ca-key.pem").write_bytes(pem)
    (folder / "ca.pem").write_bytes(made.public_bytes(Encoding.PEM))


def test_another_public_host_gets_another_certificate(tmp_path):
    certificate_for([], folder=tmp_path, now=NOW)

    assert "pay.example" in names_of(
        certificate_for(["pay.example"], folder=tmp_path, now=NOW).chain
    )


def test_a_damaged_file_is_made_anew(tmp_path):
    certificate = certificate_for([], folder=tmp_path, now=NOW)
    certificate.chain.write_text("no certificate")

    certificate_for([], folder=tmp_path, now=NOW)

    assert "localhost" in names_of(certificate.chain)


def test_an_authority_without_its_key_is_replaced_with_the_certificate_it_issued(tmp_path):
    certificate = certificate_for([], folder=tmp_path, now=NOW)
    old = certificate.chain.read_bytes()
    (tmp_path / "ca-key.pem").unlink()

    certificate_for([], folder=tmp_path, now=NOW)

    assert certificate.chain.read_bytes() != old
