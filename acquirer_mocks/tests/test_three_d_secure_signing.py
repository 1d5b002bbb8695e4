"""What the ACS signs: two implementations and the chain of certificates agree on it."""

import json
from base64 import b64decode, urlsafe_b64decode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jws
from joserfc.errors import BadSignatureError
from joserfc.jwk import ECKey, RSAKey
from jwcrypto.jwk import JWK
from jwcrypto.jws import JWS, InvalidJWSSignature

from acquirer_mocks.tests.bench import Bench, steps
from acquirer_mocks.three_d_secure.signing import Signer
from acquirer_mocks.three_d_secure.write_schemas import FOLDER, schema_files

KEYS = {"ES256": ECKey, "PS256": RSAKey}


def header_of(signed: str) -> dict:
    """The protected header."""
    head = signed.partition(".")[0]
    return json.loads(urlsafe_b64decode(head + "=" * (-len(head) % 4)))


def chain_of(signed: str) -> list[x509.Certificate]:
    """The certificates it names, the signer's first."""
    return [x509.load_der_x509_certificate(b64decode(each)) for each in header_of(signed)["x5c"]]


def public_pem(certificate: x509.Certificate) -> bytes:
    """The key of a certificate."""
    return certificate.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def opened(signed: str) -> dict:
    """The content, verified. Raises BadSignatureError."""
    algorithm = header_of(signed)["alg"]
    registry = jws.JWSRegistry(algorithms=[algorithm])
    registry.max_header_length = 8192
    key = KEYS[algorithm].import_key(public_pem(chain_of(signed)[0]).decode())
    found = jws.deserialize_compact(signed, key, algorithms=[algorithm], registry=registry)
    return json.loads(found.payload)


@pytest.mark.parametrize("algorithm", list(KEYS))
def test_signed_content_verifies_under_the_root_of_the_directory_server(algorithm):
    bench = Bench(signer=Signer(algorithm))
    ares = bench.areq()
    signed = ares["acsSignedContent"]
    assert header_of(signed)["alg"] == algorithm
    content = opened(signed)
    for name in ("acsURL", "acsTransID", "dsTransID", "threeDSServerTransID"):
        assert content[name] == ares[name]
    assert (content["acsEphemPubKey"]["kty"], content["acsEphemPubKey"]["crv"]) == ("EC", "P-256")
    assert "d" not in content["acsEphemPubKey"]
    leaf, root = chain_of(signed)
    answer = bench.client.simulate_get("/ds/certificate")
    assert x509.load_pem_x509_certificate(answer.content) == root
    leaf.verify_directly_issued_by(root)
    root.verify_directly_issued_by(root)
    assert not leaf.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


@pytest.mark.parametrize("algorithm", list(KEYS))
def test_another_implementation_agrees(algorithm):
    signer = Signer(algorithm)
    for is_corrupted in (False, True):
        signed = signer.signed({"acsURL": "x"}, is_corrupted=is_corrupted)
        token = JWS()
        token.allowed_algs = [algorithm]
        token.deserialize(signed)
        key = JWK.from_pem(public_pem(chain_of(signed)[0]))
        if is_corrupted:
            with pytest.raises(InvalidJWSSignature):
                token.verify(key)
        else:
            token.verify(key)


def test_a_bad_signature_does_not_fit_what_it_stands_under():
    bench = Bench(steps("bad_signature"))
    ares = bench.areq()
    with pytest.raises(BadSignatureError):
        opened(ares["acsSignedContent"])
    payload = ares["acsSignedContent"].split(".")[1]
    content = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    assert content["acsURL"] == ares["acsURL"]


def test_the_same_keys_sign_as_long_as_the_server_runs():
    bench = Bench()
    first, second = (chain_of(bench.areq()["acsSignedContent"])[0] for _ in range(2))
    assert first == second


def test_the_schemas_in_files_are_those_the_servers_judge_by():
    for path, text in schema_files():
        assert path.read_text(encoding="utf-8") == text, (
            f"{path.name}: write them anew with python -m acquirer_mocks.three_d_secure."
            "write_schemas, and look at the difference"
        )
    assert {path.name for path in FOLDER.iterdir()} == {path.name for path, _ in schema_files()}
