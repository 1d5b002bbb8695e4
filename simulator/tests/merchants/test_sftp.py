"""Access of a merchant to the SFTP server, set over the control API."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from simulator.tests.kit.gateway import Gateway

PASSWORD = "a password of mine"


def path_of(gateway: Gateway) -> tuple[str, str]:
    """The path of the access of the first merchant of a new sandbox, and the merchant's id."""
    made = gateway.control("POST", "/sandboxes", {}).json
    merchant = made["entities"]["merchants"][0]["id"]
    return f"/sandboxes/{made['id']}/merchants/{merchant}/sftp", merchant


def public_of(key: object) -> str:
    """The line of a public key."""
    return key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()


def test_a_merchant_has_no_access_at_first(gateway: Gateway) -> None:
    path, _ = path_of(gateway)

    assert gateway.control("GET", path).status_code == 404
    assert gateway.control("DELETE", path).status_code == 404


def test_a_generated_password_is_shown_once(gateway: Gateway) -> None:
    path, merchant = path_of(gateway)

    granted = gateway.control("PUT", path, {}).json

    assert len(granted["password"]) == 32
    assert granted == {
        "user": merchant, "has_password": True, "keys": [], "password": granted["password"],
    }  # fmt: skip
    read = gateway.control("GET", path).json
    assert read == {"user": merchant, "has_password": True, "keys": []}
    assert gateway.control("PUT", path, {}).json["password"] != granted["password"]


def test_a_chosen_password_and_keys_are_not_shown_again(gateway: Gateway) -> None:
    path, merchant = path_of(gateway)
    key = public_of(Ed25519PrivateKey.generate())

    granted = gateway.control("PUT", path, {"password": PASSWORD, "keys": [f"{key} jane@till"]})

    assert PASSWORD not in granted.text and "jane" not in granted.text
    (shown,) = granted.json["keys"]
    assert shown["kind"] == "ssh-ed25519" and shown["fingerprint"].startswith("SHA256:")
    assert gateway.control("GET", path.removesuffix("/sftp")).json["id"] == merchant
    assert PASSWORD not in gateway.control("GET", path.removesuffix("/sftp")).text


def test_access_ends(gateway: Gateway) -> None:
    path, _ = path_of(gateway)
    gateway.control("PUT", path, {})

    assert gateway.control("DELETE", path).status_code == 200
    assert gateway.control("GET", path).status_code == 404


@pytest.mark.parametrize(
    ("asked", "named"),
    (
        ({"password": "eleven char"}, "password"),
        ({"password": "x" * 129}, "password"),
        ({"password": "a password\nof mine"}, "password"),
        ({"keys": ["ssh-ed25519"]}, "keys[0]"),
        ({"keys": ["ssh-ed25519 AAAA"]}, "keys[0]"),
        ({"keys": ["ssh-dss AAAAB3NzaC1kc3M="]}, "keys[0]"),
        ({"keys": ["ssh-rsa " + "A" * 3000]}, "keys[0]"),
        ({"keys": [public_of(Ed25519PrivateKey.generate())] * 11}, "keys"),
        ({"keys": [public_of(generate_private_key(65537, 1024))]}, "keys[0]"),
        ({"user": "jane"}, "user"),
    ),
)
def test_what_cannot_be_is_refused_by_name(
    gateway: Gateway, asked: dict[str, object], named: str
) -> None:
    path, _ = path_of(gateway)

    refused = gateway.control("PUT", path, asked)

    assert refused.status_code == 400
    assert named in refused.text
    for secret in filter(None, [asked.get("password")]):
        assert str(secret) not in refused.text
    assert gateway.control("GET", path).status_code == 404


def test_access_comes_along_in_a_snapshot(gateway: Gateway) -> None:
    path, merchant = path_of(gateway)
    gateway.control("PUT", path, {"password": PASSWORD})
    sandbox = path.split("/")[2]
    snapshot = gateway.control("GET", f"/sandboxes/{sandbox}/snapshot").content
    assert PASSWORD.encode() not in snapshot
    gateway.control("DELETE", path)

    headers = {"Content-Type": "application/octet-stream"}
    gateway.client.simulate_post(
        "/_sandbox/v1/sandboxes/restore",
        headers={**headers, "Authorization": "Bearer control-key-of-the-tests"},
        body=snapshot,
    )

    assert gateway.control("GET", path).json["user"] == merchant
