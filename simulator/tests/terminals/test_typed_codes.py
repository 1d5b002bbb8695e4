"""The code of a card that is typed in at a terminal travels with its account, encrypted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.tests.kit.gateway import Gateway
from simulator.tests.terminals.keys import NUMBER, Device, sent_by, tlv


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    folder: Path = tmp_path_factory.mktemp("codes") / "data"
    built = Gateway(folder)
    yield built
    built.close()


@pytest.fixture(params=["TDES", "AES"])
def device(gateway: Gateway, request: pytest.FixtureRequest) -> Device:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    return Device.of(gateway, sandbox, method=request.param)


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("917", "000.100.110"),
        ("9171", "100.100.601"),
        ("91", "200.300.404"),
        ("91a", "200.300.404"),
        ("", "200.300.404"),
    ],
)
def test_a_code_that_is_typed_in_obeys_the_rules_of_one(gateway, device, code, result):
    plain = tlv(("5A", NUMBER), ("5F24", "311231"), ("DF01", code.encode().hex()))
    sent = sent_by(device, plain, **{"pos.entryMode": "MANUAL"})

    answer = gateway.post(**sent)

    assert answer.json["result"]["code"] == result
    assert "card.cvv" not in answer.json
    assert sent["pos.encryptedSred.data"] not in answer.text
