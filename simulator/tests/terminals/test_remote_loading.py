"""Keys that a terminal loads remotely: certified, encrypted, signed, once. Choice: D-510."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from pos_emulator.keys.element import SecureElement
from pos_emulator.keys.errors import InvalidKeyBlockError, InvalidKeyError
from pos_emulator.keys.remote import FILE, LoadingKey
from pos_emulator.terminal.setup import keep_identity, load_remotely
from simulator.tests.kit.gateway import Gateway
from simulator.tests.terminals.keys import NUMBER

NONCE = "0" * 32


@pytest.fixture
def gateway(tmp_path: Path):
    built = Gateway(tmp_path / "data")
    yield built
    built.close()


@dataclass
class Office:
    """The control API; `change` alters what it sends, `lost` loses the next answer."""

    gateway: Gateway
    lost: bool = False

    def __post_init__(self) -> None:
        self.sandbox = self.gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
        self.path = f"/sandboxes/{self.sandbox}/terminals"
        self.loads: list[dict[str, Any]] = []

    def create(self, **asked: str) -> dict[str, Any]:
        made = self.gateway.control("POST", self.path, {"loading": "remote", **asked})
        assert made.status_code == 201, made.text
        return made.json

    def post(self, terminal: str, what: str, **body: str):
        return self.gateway.control("POST", f"{self.path}/{terminal}/{what}", body)

    def certify(self, terminal: str, request: str) -> dict[str, Any]:
        made = self.post(terminal, "certificate", request=request)
        assert made.status_code == 201, made.text
        return made.json

    def keys(self, terminal: str, certificate: str, nonce: str) -> dict[str, Any]:
        made = self.post(terminal, "keys", certificate=certificate, nonce=nonce)
        assert made.status_code == 201, made.text
        self.loads.append(made.json)
        if self.lost:
            raise ConnectionResetError
        return made.json

    def next_keys(self, terminal: str, present: dict[str, str]) -> dict[str, Any]:
        made = self.ask_next(terminal, present)
        assert made.status_code == 201, made.text
        self.loads.append(made.json)
        if self.lost:
            raise ConnectionResetError
        return made.json

    def ask_next(self, terminal: str, present: dict[str, str]):
        return self.post(terminal, "rollover", pin=present["PIN"], data=present["DATA"])


@pytest.fixture
def office(gateway: Gateway) -> Office:
    return Office(gateway)


def pay(office: Office, folder: Path, terminal: str) -> str:
    """The result of a payment under the next key of the terminal in a folder."""
    element = SecureElement(folder, lambda count: bytes(count))
    sent = element.encrypt_account({"5A": bytes.fromhex(NUMBER), "5F24": b"\x34\x12\x31"})
    element.close()
    return office.gateway.send("/v1/payments", {
        "entityId": office.gateway.merchant.entity_id, "paymentType": "DB", "amount": "1.00",
        "currency": "EUR", "pos.entryMode": "MANUAL", "pos.terminalId": terminal,
        "pos.encryptedSred.data": sent.data, "pos.encryptedSred.ksn": sent.ksn,
    }).json["result"]["code"]  # fmt: skip


@pytest.mark.parametrize("method", ["AES", "TDES"])
def test_a_terminal_loads_its_first_keys_and_later_ones_remotely(office, tmp_path, method):
    folder = tmp_path / "terminal"
    made = office.create(method=method)
    identity = keep_identity(folder, made)
    assert (made["load"], made["keys"]) == (None, [])

    load_remotely(folder, office)
    first = pay(office, folder, identity.id)
    load_remotely(folder, office)
    second = pay(office, folder, identity.id)

    assert (first, second) == ("000.100.110", "000.100.110")
    known = office.gateway.control("GET", f"{office.path}/{identity.id}").json["keys"]
    assert [each["counter"] for each in known] == [0, 1]
    assert "PRIVATE" not in "".join(each.read_bytes().decode("latin1") for each in folder.iterdir())
    assert json.dumps(office.loads).count("B1") >= 4


def test_a_terminal_goes_on_with_its_keys_when_the_answers_of_loads_are_lost(office, tmp_path):
    folder = tmp_path / "terminal"
    identity = keep_identity(folder, office.create())
    load_remotely(folder, office)
    assert pay(office, folder, identity.id) == "000.100.110"
    office.lost = True

    for _ in range(3):
        with pytest.raises(ConnectionResetError):
            load_remotely(folder, office)

    assert pay(office, folder, identity.id) == "000.100.110"
    office.lost = False
    load_remotely(folder, office)
    assert pay(office, folder, identity.id) == "000.100.110"


def test_a_terminal_whose_certificate_has_expired_gets_another(office, tmp_path):
    folder = tmp_path / "terminal"
    keep_identity(folder, office.create())
    load_remotely(folder, office)
    years = office.gateway.control(
        "POST", f"/sandboxes/{office.sandbox}/clock/advance", {"by": "4000d"}
    )
    assert years.status_code == 200, years.text

    load_remotely(folder, office)

    assert len(office.loads) == 2


def certified(office: Office, folder: Path) -> LoadingKey:
    """A terminal that has a certificate and no keys yet."""
    identity = keep_identity(folder, office.create())
    own = LoadingKey(folder, identity.id, identity.device)
    own.keep_certificate(office.certify(identity.id, own.request()))
    return own


def other_end(digits: str) -> str:
    """The same digits with another one at the end."""
    return f"{digits[:-1]}{int(digits[-1], 16) ^ 1:X}"


@pytest.mark.parametrize(
    "change",
    [
        lambda load: {**load, "kbpk": other_end(load["kbpk"])},
        lambda load: {**load, "blocks": load["blocks"][:1]},
        lambda load: {**load, "blocks": load["blocks"][::-1]},
        lambda load: {**load, "signature": "00"},
        lambda load: {**load, "signature": None},
        lambda load: {},
    ],
    ids=["key", "a block less", "another order", "signature", "none", "empty"],
)
def test_a_changed_load_is_refused(office, tmp_path, change):
    own = certified(office, tmp_path / "terminal")
    terminal = json.loads((tmp_path / "terminal" / "identity.json").read_text())["id"]
    sent = office.keys(terminal, own.certificate, own.draw_nonce())

    with pytest.raises(InvalidKeyBlockError, match="signed by its authority for this load"):
        own.open(change(sent))
    own.close()


def test_a_load_is_opened_once_and_only_by_its_terminal(office, tmp_path):
    own, other = (certified(office, tmp_path / name) for name in ("one", "two"))
    terminal = json.loads((tmp_path / "one" / "identity.json").read_text())["id"]
    sent = office.keys(terminal, own.certificate, own.draw_nonce())
    other.nonce = own.nonce

    with pytest.raises(InvalidKeyBlockError):
        other.open(sent)
    assert len(own.open(sent).blocks) == 2
    with pytest.raises(InvalidKeyBlockError):
        own.open(sent)
    own.draw_nonce()
    with pytest.raises(InvalidKeyBlockError):
        own.open(sent)
    with pytest.raises(InvalidKeyError, match="for the key of this terminal"):
        own.keep_certificate(office.certify(other._terminal, other.request()))
    for each in (own, other):
        each.close()


def request_of(key: Any, terminal: str, device: str, *more: x509.NameAttribute) -> str:
    names = [
        x509.NameAttribute(NameOID.COMMON_NAME, terminal),
        x509.NameAttribute(NameOID.SERIAL_NUMBER, device),
        *more,
    ]
    asked = x509.CertificateSigningRequestBuilder().subject_name(x509.Name(names))
    return asked.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


@pytest.fixture(scope="module")
def rsa_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def test_only_an_rsa_key_for_the_terminal_itself_is_certified(office, rsa_key):
    made = office.create()
    numbers = made["id"], made["device"]
    company = x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Another")
    small = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    exponent_3 = rsa.generate_private_key(public_exponent=3, key_size=2048)
    curve = ec.generate_private_key(ec.SECP256R1())
    good = request_of(rsa_key, *numbers)
    refused = {
        "PKCS#10": ["", "no PEM", good.replace("REQUEST", "NOTHING"), "x" * 8_000],
        "2048 to 4096 bits": [request_of(each, *numbers) for each in (small, exponent_3, curve)],
        f"CN={made['id']}": [
            request_of(rsa_key, "10000001", made["device"]),
            request_of(rsa_key, made["id"], "1"),
            request_of(rsa_key, *numbers, company),
        ],
    }

    for expected, requests in refused.items():
        for each in requests:
            answer = office.post(made["id"], "certificate", request=each)
            assert answer.status_code == 400 and expected in answer.text, answer.text
    too_long = office.post(made["id"], "certificate", request="x" * 9_000)
    assert too_long.status_code == 400
    assert office.post("10000000", "certificate", request=good).status_code == 404
    assert office.post(made["id"], "certificate", request=good).status_code == 201


def test_only_a_certificate_of_this_sandbox_for_this_terminal_gets_keys(office, rsa_key, gateway):
    made, other = office.create(), office.create()
    own = office.certify(made["id"], request_of(rsa_key, made["id"], made["device"]))
    another = office.certify(other["id"], request_of(rsa_key, other["id"], other["device"]))

    for certificate in ("", "no PEM", own["authority"], another["certificate"]):
        answer = office.post(made["id"], "keys", certificate=certificate, nonce=NONCE)
        assert answer.status_code == 400 and '"where":"certificate"' in answer.text.replace(" ", "")
    for nonce in ("", "00", "g" * 32, "0" * 33):
        answer = office.post(made["id"], "keys", certificate=own["certificate"], nonce=nonce)
        assert answer.status_code == 400 and "nonce" in answer.text
    sandbox = gateway.control("POST", "/sandboxes", {}).json["id"]
    path = f"/sandboxes/{sandbox}/terminals/{made['id']}/keys"
    body = {"certificate": own["certificate"], "nonce": NONCE}
    assert gateway.control("POST", path, body).status_code == 404
    answer = gateway.client.simulate_post(f"/_sandbox/v1{office.path}/{made['id']}/keys", json=body)
    assert answer.status_code == 401
    shown = gateway.control("GET", f"{office.path}/{made['id']}").json
    assert shown["keys"] == []


def test_a_certificate_ends(office, rsa_key, gateway):
    made = office.create()
    own = office.certify(made["id"], request_of(rsa_key, made["id"], made["device"]))
    clock = f"/sandboxes/{office.sandbox}/clock"
    later = {"mode": "frozen", "at": "2045-01-01T00:00:00Z"}
    assert gateway.control("PUT", clock, later).status_code == 200

    answer = office.post(made["id"], "keys", certificate=own["certificate"], nonce=NONCE)

    assert answer.status_code == 400 and "valid at sandbox time" in answer.text


def test_the_key_lasts_and_is_sealed(office, tmp_path):
    own = certified(office, tmp_path / "terminal")
    certificate, request = own.certificate, own.request()
    own.close()

    again = LoadingKey(tmp_path / "terminal", own._terminal, own._device)

    assert again.certificate == certificate
    public = x509.load_pem_x509_csr(again.request().encode()).public_key()
    assert public == x509.load_pem_x509_csr(request.encode()).public_key()
    assert b"PRIVATE KEY" not in (tmp_path / "terminal" / FILE).read_bytes()
    again.close()
