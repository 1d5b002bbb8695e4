"""Only a chip approves offline, by a transaction certificate (9F26, 9F27): of what else claims it
(8A) the issuer decides as of any other payment.
"""

from collections.abc import Iterator

import pytest

from scenarios.terminal_cards import terminal_cards
from simulator.tests.kit.gateway import Gateway
from simulator.tests.terminals.keys import Device, sent_by, tlv

CARD = terminal_cards().cards["stolen"]
TYPED = tlv(("5A", CARD.number), ("5F24", f"{CARD.expiry}31"))


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    built = Gateway(tmp_path_factory.mktemp("claims") / "data")
    yield built
    built.close()


@pytest.mark.parametrize("test_mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize(
    ("entry_mode", "says", "code"),
    [
        ("MANUAL", b"Y1", "43"),
        ("MANUAL", b"Y3", "43"),
        ("MAGSTRIPE", b"Y1", "05"),
        ("MAGSTRIPE_AS_FALLBACK", b"Y3", "05"),
        ("NFC_MAGSTRIPE", b"Y1", "05"),
    ],
)
def test_what_is_no_chip_approves_nothing_offline(
    gateway: Gateway, entry_mode: str, says: bytes, code: str, test_mode: str
) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    device = Device.of(gateway, sandbox)
    more = {"pos.entryMode": entry_mode, "testMode": test_mode,
            "pos.iccDataRequest": tlv(("8A", says.hex())).hex()}  # fmt: skip

    answer = gateway.post(**sent_by(device, TYPED, **more))

    assert answer.status_code == 400
    assert answer.json["pos"]["clearing"]["authorizationIssuerCode"] == code


@pytest.mark.parametrize("test_mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize(
    ("entry_mode", "says", "proof", "is_approved"),
    [
        ("ICC", b"Y1", [], False),
        ("NFC_ICC", b"Y1", [], False),
        ("ICC", b"Y3", [("9F27", "40")], False),
        ("ICC", b"Y1", [("9F26", "00" * 8)], False),
        ("ICC", b"Y3", [("9F26", "00" * 8), ("9F27", "80")], False),
        ("ICC", b"Y1", [("9F26", "00" * 8), ("9F27", "00")], False),
        ("ICC", b"Y1", [("9F26", "00" * 8), ("9F27", "C0")], False),
        ("ICC", b"Y1", [("9F26", "00" * 7), ("9F27", "40")], False),
        ("ICC", b"Y1", [("9F26", "00" * 8), ("9F27", "4000")], False),
        ("ICC", b"Z1", [("9F26", "00" * 8), ("9F27", "40")], False),
        ("ICC", b"Y1", [("9F26", "00" * 8), ("9F27", "40")], True),
        ("NFC_ICC", b"Y3", [("9F26", "00" * 8), ("9F27", "48")], True),
    ],
)
def test_a_chip_approves_by_its_certificate_alone(
    gateway: Gateway, entry_mode: str, says: bytes, proof: list, is_approved: bool, test_mode: str
) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    device = Device.of(gateway, sandbox)
    chip = tlv(*proof, ("8A", says.hex())).hex()
    more = {"pos.entryMode": entry_mode, "testMode": test_mode, "pos.iccDataRequest": chip}

    answer = gateway.post(**sent_by(device, TYPED, **more))

    code = answer.json["pos"]["clearing"]["authorizationIssuerCode"]
    assert (answer.status_code == 200, code) == (is_approved, "00" if is_approved else "05")
