"""The encrypted variant, against a second implementation of its steps."""

import hashlib
import hmac
import json
import subprocess
from base64 import b64decode, b64encode

import pytest

from pos_emulator.ecr.nexo.server import serve_nexo
from pos_emulator.ecr.nexo.settings import NexoSettings, SealSettings
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.recording_terminal import AT
from pos_emulator.tests.ecr.till import Till

SEAL = SealSettings(
    passphrase="correct horse", salt="SaltOfTheVendor", key_identifier="key-1", key_version=1,
    version_member="VendorCryptoVersion",
)  # fmt: skip
NONCE = bytes(range(16))


def openssl(message: bytes, *options: str, nonce: bytes = NONCE) -> bytes:
    """AES as the command openssl does it, which shares no code with the terminal."""
    made = hashlib.pbkdf2_hmac("sha1", b"correct horse", b"SaltOfTheVendor", 4000, 80)
    iv = bytes(left ^ right for left, right in zip(made[64:], nonce, strict=True))
    command = ["openssl", "enc", "-aes-256-cbc", "-K", made[32:64].hex(), "-iv", iv.hex(), *options]
    return subprocess.run(command, input=message, capture_output=True, check=True).stdout


def mac(message: bytes) -> bytes:
    made = hashlib.pbkdf2_hmac("sha1", b"correct horse", b"SaltOfTheVendor", 4000, 80)
    return hmac.new(made[:32], message, "sha256").digest()


def sealed(message, **trailer):
    plain = json.dumps(message).encode()
    header = message["SaleToPOIRequest"]["MessageHeader"]
    written = {
        "KeyIdentifier": "key-1", "KeyVersion": 1, "VendorCryptoVersion": 1,
        "Nonce": b64encode(NONCE).decode(), "Hmac": b64encode(mac(plain)).decode(), **trailer,
    }  # fmt: skip
    blob = b64encode(openssl(plain)).decode()
    return {
        "SaleToPOIRequest": {
            "MessageHeader": header, "NexoBlob": blob, "SecurityTrailer": written
        }
    }  # fmt: skip


@pytest.fixture
def sealing_till(terminal, tmp_path):
    settings = NexoSettings(folder=tmp_path / "sealed", seal=SEAL)
    with serve_nexo(terminal, ANY_PORT, settings, now=lambda: AT) as url:
        yield Till(url, tmp_path / "sealed" / "ca.pem")


def test_an_encrypted_request_is_answered_encrypted(sealing_till):
    answer = sealing_till.send(sealed(sealing_till.message("Diagnosis", {})))

    members = answer["SaleToPOIResponse"]
    assert members["MessageHeader"]["MessageCategory"] == "Diagnosis"
    trailer = members["SecurityTrailer"]
    assert trailer["VendorCryptoVersion"] == 1
    plain = openssl(b64decode(members["NexoBlob"]), "-d", nonce=b64decode(trailer["Nonce"]))
    assert b64decode(trailer["Hmac"]) == mac(plain)
    body = json.loads(plain)["SaleToPOIResponse"]["DiagnosisResponse"]
    assert body["Response"] == {"Result": "Success"}


@pytest.mark.parametrize(
    "trailer",
    [
        {"Hmac": b64encode(bytes(32)).decode()},
        {"Nonce": b64encode(bytes(15)).decode()},
        {"Nonce": "no base64"},
        {"Nonce": 5},
        {"Hmac": None},
    ],
)
def test_a_message_that_was_changed_is_rejected(sealing_till, terminal, trailer):
    answer = sealing_till.send(sealed(sealing_till.message("Diagnosis", {}), **trailer))

    event = answer["SaleToPOIRequest"]["EventNotification"]
    assert event["EventDetails"].startswith("expected a message encrypted under the passphrase")


@pytest.mark.parametrize("change", ["NexoBlob", "SecurityTrailer"])
def test_a_message_without_its_parts_is_rejected(sealing_till, change):
    message = sealed(sealing_till.message("Diagnosis", {}))
    message["SaleToPOIRequest"][change] = None

    assert "EventNotification" in sealing_till.send(message)["SaleToPOIRequest"]


def test_plain_and_encrypted_tills_are_not_mixed(sealing_till, till):
    plain = sealing_till.ask("Diagnosis", {})["SaleToPOIRequest"]["EventNotification"]
    other = till.send(sealed(till.message("Diagnosis", {})))["SaleToPOIRequest"]

    assert "expected an encrypted message" in plain["EventDetails"]
    assert "expected a message in plain JSON" in other["EventNotification"]["EventDetails"]


def test_no_passphrase_is_shown():
    assert "correct horse" not in repr(NexoSettings(folder=".", seal=SEAL))
