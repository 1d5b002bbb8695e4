"""The local certificate authority: made once, kept, renewed in time, its keys the owner's."""

import stat
from datetime import UTC, datetime, timedelta

from cryptography import x509

from simulator.adapters.http.tls import certificate_for, server_context

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
