"""The published values of terminal-vectors.csv: how each kind of row is computed here.

`python -m pos_emulator.tests.keys.vectors` prints as JSON how many rows there are and which differ.

`what` says what is computed and over which text; `inputs` are names with hex. Rows of DUKPT begin
with the initial key of their group, as a device does.
"""

import csv
import json
import re
import sys
from collections.abc import Callable, Mapping
from datetime import date
from math import comb
from pathlib import Path
from typing import NamedTuple

import pydukpt

from pos_emulator.keys import cryptograms, dukpt_aes, dukpt_tdes, key_blocks, macs, offline_rsa
from pos_emulator.keys.account_data import encrypt_aes_blocks
from pos_emulator.keys.dukpt_aes import AES_BY_BYTES, AES_DUKPT, HMAC_BY_BYTES, Algorithm, Usage
from pos_emulator.keys.dukpt_tdes import TDES_DUKPT, TdesUsage
from pos_emulator.keys.offline_rsa import AuthorityKey, PublicKey
from pos_emulator.keys.pinblocks import encipher_format_0, encipher_format_4
from pos_emulator.keys.triple_des import encrypt
from pos_emulator.tests.keys.device import load_and_take

FILE = Path(__file__).with_name("terminal-vectors.csv")
INITIAL_KEY = "initial key"
ABOVE = "of the ARQC above"
TAGS = ("9f02", "9f03", "9f1a", "95", "5f2a", "9a", "9c", "9f37", "82")
DAY = date(2026, 11, 23)
EXPONENT_3 = b"\x03"


class Vector(NamedTuple):
    """One row, and the number of its line."""

    line: int
    group: str
    what: str
    inputs: str
    expected: str
    source: str

    @property
    def name(self) -> str:
        """The id of its test."""
        ksn = self.values.get("ksn", "")
        return f"{self.line}-{self.group}-{self.what[:40]}-{ksn}".replace(" ", "_").rstrip("-")

    @property
    def values(self) -> Mapping[str, str]:
        """The inputs by name, as text."""
        return dict(each.split("=", 1) for each in self.inputs.split() if "=" in each)

    def bytes(self, name: str) -> bytes:
        """An input, which is hex."""
        return bytes.fromhex(self.values[name])


def read_vectors() -> list[Vector]:
    """Return all rows of the file."""
    with FILE.open(newline="", encoding="utf-8") as file:
        return [Vector(line, **row) for line, row in enumerate(csv.DictReader(file), 2)]


VECTORS = read_vectors()


def compute(vector: Vector) -> str:
    """Return what the emulator computes for a row, as the row states its result."""
    subject = f"{vector.group}: {vector.what}"
    for pattern, solve in SOLVERS:
        if found := re.search(pattern, subject):
            return solve(vector, *found.groups())
    raise LookupError(subject)


def initial_key_of(group: str) -> bytes:
    return bytes.fromhex(next(
        each.expected for each in VECTORS if each.group == group and each.what == INITIAL_KEY
    ))  # fmt: skip


def tdes_initial_key(vector: Vector) -> str:
    return pydukpt.derive_ipek(vector.bytes("bdk"), vector.bytes("ksn")).hex()


def tdes_key(vector: Vector) -> bytes:
    ksn = vector.bytes("ksn")
    counter = int.from_bytes(ksn) & dukpt_tdes.COUNTER_MASK
    initial_key = initial_key_of(vector.group)
    return load_and_take(TDES_DUKPT, initial_key, dukpt_tdes.identity_of(ksn), counter).key


def tdes_pin(vector: Vector, pin: str, pan: str) -> str:
    return encipher_format_0(dukpt_tdes.variant_of(tdes_key(vector), TdesUsage.PIN), pin, pan).hex()


def tdes_mac(vector: Vector, direction: str, text: str) -> str:
    usage = TdesUsage.MAC_REQUEST if direction == "request" else TdesUsage.MAC_RESPONSE
    return macs.retail_mac(dukpt_tdes.variant_of(tdes_key(vector), usage), text.encode()).hex()


def tdes_data(vector: Vector, text: str, zeros: str) -> str:
    key = dukpt_tdes.variant_of(tdes_key(vector), TdesUsage.DATA_REQUEST)
    return encrypt(key, text.encode() + bytes(int(zeros))).hex()


def aes_initial_key(vector: Vector) -> str:
    base, identity = vector.bytes("bdk"), vector.bytes("ikid")
    algorithm = AES_BY_BYTES[len(base)]
    return dukpt_aes.working_key(base, identity, Usage.INITIAL_KEY, algorithm).hex()


def aes_key(vector: Vector) -> bytes:
    ksn = vector.bytes("ksn")
    counter = int.from_bytes(ksn[dukpt_aes.IDENTITY_BYTES :])
    identity = dukpt_aes.identity_of(ksn)
    return load_and_take(AES_DUKPT, initial_key_of(vector.group), identity, counter).key


def aes_working_key(vector: Vector, usage: Usage, algorithm: Algorithm) -> bytes:
    return dukpt_aes.working_key(aes_key(vector), vector.bytes("ksn"), usage, algorithm)


USAGES = {
    "PIN": Usage.PIN,
    "MAC generation": Usage.MAC_GENERATION,
    "data encryption": Usage.DATA_ENCRYPTION,
}
DIRECTIONS = {
    "request": (Usage.MAC_GENERATION, Usage.DATA_ENCRYPTION),
    "response": (Usage.MAC_VERIFICATION, Usage.DATA_DECRYPTION),
}


def aes_named_key(vector: Vector, usage: str, bits: str) -> str:
    return aes_working_key(vector, USAGES[usage], AES_BY_BYTES[int(bits) // 8]).hex()


def aes_pin(vector: Vector, pan: str, pin_field: str) -> str:
    key = aes_working_key(vector, Usage.PIN, Algorithm.AES128)
    return encipher_format_4(key, bytes.fromhex(pin_field), pan).hex()


def aes_cmac(vector: Vector, direction: str, text: str) -> str:
    usage, _ = DIRECTIONS[direction]
    return macs.cmac(aes_working_key(vector, usage, Algorithm.AES128), text.encode()).hex()


def aes_hmac(vector: Vector, direction: str, text: str) -> str:
    usage, _ = DIRECTIONS[direction]
    return macs.hmac_sha256(aes_working_key(vector, usage, HMAC_BY_BYTES[16]), text.encode()).hex()


def aes_data(vector: Vector, direction: str, text: str) -> str:
    _, usage = DIRECTIONS[direction]
    padded = text.encode() + bytes(-len(text) % 16)
    return encrypt_aes_blocks(aes_working_key(vector, usage, Algorithm.AES128), padded).hex()


def update_key(vector: Vector, algorithm: str) -> str:
    identity = vector.bytes("ikid")
    source = dukpt_aes.update_key_source(vector.bytes("ik"), identity)
    return dukpt_aes.update_key(source, identity, Algorithm[algorithm]).hex()


def usable_counters(vector: Vector, ones: str) -> str:
    assert AES_DUKPT.ones_max == int(ones)
    bits = AES_DUKPT.counter_bits
    return str(sum(comb(bits, count) for count in range(1, AES_DUKPT.ones_max + 1)))


def unwrapped(vector: Vector, version: str, serial_number: str | None) -> str:
    found = key_blocks.unwrap(vector.bytes("kbpk"), vector.values["block"])
    assert vector.values["block"].startswith(version)
    assert found.serial_number == (bytes.fromhex(serial_number) if serial_number else None)
    return found.key.hex()


def request_above(vector: Vector) -> Vector:
    return VECTORS[vector.line - 3]


def version_key(vector: Vector, version: cryptograms.CryptogramVersion) -> tuple[bytes, bytes]:
    """The key of the card and that of the transaction."""
    card_key = cryptograms.derive_card_key(
        vector.bytes("imk_ac"), vector.values["pan"], vector.values["psn"],
        option_b=version.option_b,
    )  # fmt: skip
    counter, number = vector.bytes("atc"), vector.bytes("tag_9f37")
    return card_key, cryptograms.session_key(version, card_key, counter, number)


def version_request(vector: Vector, number: str) -> str:
    version = cryptograms.VERSIONS[int(number)]
    _, key = version_key(vector, version)
    data = b"".join(vector.bytes(f"tag_{tag}") for tag in TAGS) + vector.bytes("atc")
    rest = [name for name in ("cvr", "tag_9f10", "counters") if name in vector.values]
    return cryptograms.cryptogram(
        key, data + b"".join(map(vector.bytes, rest)), version.padding
    ).hex()


def version_response(vector: Vector, number: str) -> str:
    version, request = cryptograms.VERSIONS[int(number)], request_above(vector)
    card_key, key = version_key(request, version)
    return cryptograms.response_cryptogram(
        version, bytes.fromhex(compute(request)), vector.bytes("answer"), card_key=card_key, key=key
    ).hex()


def common_request(vector: Vector) -> str:
    card_key = common_card_key(vector)
    key = cryptograms.derive_session_key(card_key, vector.bytes("r"))
    return cryptograms.cryptogram(key, vector.bytes("data")).hex()


def common_response(vector: Vector) -> str:
    request = request_above(vector)
    sent = bytes.fromhex(compute(request))
    return cryptograms.response_1(common_card_key(request), sent, vector.bytes("answer")).hex()


def common_card_key(vector: Vector) -> bytes:
    values = vector.values
    return cryptograms.derive_card_key(vector.bytes("imk"), values["pan"], values["psn"])


def rsa_vector(word: str) -> Vector:
    return next(each for each in VECTORS if each.group == "EMV RSA" and word in each.what)


def authority_key() -> AuthorityKey:
    row = rsa_vector("CA public key")
    modulus = bytes.fromhex(row.expected)
    return AuthorityKey(
        row.bytes("rid"), row.bytes("index"), PublicKey(modulus, row.bytes("exponent"))
    )


def checked_authority(vector: Vector) -> str:
    authority = authority_key()
    assert authority.has_checksum(vector.bytes("checksum"))
    return authority.key.modulus.hex()


def issuer_modulus() -> bytes:
    row, card = rsa_vector("issuer certificate"), rsa_vector("card certificate")
    pan = re.search(r"PAN (\d+)", card.what)
    assert pan
    return offline_rsa.issuer_key(
        authority_key().key, row.bytes("certificate"), exponent=EXPONENT_3, pan=pan[1], today=DAY
    ).key.modulus


def issuer_result(vector: Vector) -> str:
    return f"issuer modulus={issuer_modulus().hex()}"


def card_result(vector: Vector) -> str:
    issuer = PublicKey(issuer_modulus(), EXPONENT_3)
    recovered = offline_rsa.recover(issuer, vector.bytes("certificate"))
    start = vector.expected.removeprefix("starts ")
    return f"starts {(b'j' + recovered.signed).hex()[: len(start)]}"


def static_result(vector: Vector) -> str:
    issuer = PublicKey(issuer_modulus(), EXPONENT_3)
    recovered = offline_rsa.recover(issuer, vector.bytes("ssad"))
    return f"data authentication code {offline_rsa.data_authentication_code(recovered).hex()}"


TEXT = r"over ASCII (\S+)$"
SOLVERS: tuple[tuple[str, Callable[..., str]], ...] = (
    (r"^TDES DUKPT: initial key$", tdes_initial_key),
    (r"^TDES DUKPT: transaction key$", lambda vector: tdes_key(vector).hex()),
    (r"^TDES DUKPT: format 0 PIN block, PIN (\d+), PAN (\d+)$", tdes_pin),
    (rf"^TDES DUKPT: retail MAC of (request|response) {TEXT}", tdes_mac),
    (r"^TDES DUKPT: data request key, .* ASCII (\S+) and (\d+) zero bytes$", tdes_data),
    (r"^AES DUKPT AES\d+: initial key$", aes_initial_key),
    (r"^AES DUKPT AES\d+: transaction key$", lambda vector: aes_key(vector).hex()),
    (r"^AES DUKPT AES\d+: (.*) key AES-(\d+)$", aes_named_key),
    (r"^AES DUKPT AES\d+: format 4 PIN block, .* PAN (\d+), PIN field ([0-9A-F]+)$", aes_pin),
    (rf"^AES DUKPT AES\d+: CMAC (request|response) {TEXT}", aes_cmac),
    (rf"^AES DUKPT AES\d+: HMAC-SHA256 (request|response) {TEXT}", aes_hmac),
    (rf"^AES DUKPT AES\d+: data (request|response) CBC .* {TEXT}", aes_data),
    (r"^AES DUKPT: update key .*, (\w+)$", update_key),
    (r"^AES DUKPT: number of counters with at most (\d+) bits set$", usable_counters),
    (r"^TR-31: unwrap version ([A-D])(?: with KS (\w+))?$", unwrapped),
    (r"^EMV CVN (\d+) .*: ARQC$", version_request),
    (r"^EMV CVN (\d+) .*: ARPC$", version_response),
    (r"^EMV: .*, ARQC, EMV padding$", common_request),
    (r"^EMV: ARPC method 1 ", common_response),
    (r"^EMV RSA: test CA public key ", checked_authority),
    (r"^EMV RSA: issuer certificate ", issuer_result),
    (r"^EMV RSA: card certificate ", card_result),
    (r"^EMV RSA: signed static application data ", static_result),
)


if __name__ == "__main__":
    differing = [each.name for each in VECTORS if compute(each).upper() != each.expected.upper()]
    sys.stdout.write(json.dumps({"rows": len(VECTORS), "differing": differing}) + "\n")
