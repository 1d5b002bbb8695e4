"""Only a chip approves offline: of what else claims it (8A) the issuer decides as of any other."""

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
