"""Account data that cannot be read has one answer, which does not show whether the padding was
right (D-480).
"""

from collections.abc import Iterator

import msgspec
import pytest

from simulator.adapters.terminals import hsm
from simulator.adapters.terminals.hsm import TerminalModule
from simulator.adapters.vault import KeyVault
from simulator.domain.terminals.errors import UnreadableDataError
from simulator.domain.terminals.serials import read_serial
from simulator.tests.kit.gateway import Gateway
from simulator.tests.terminals.keys import Device, account, sent_by, tlv

DIFFERS = ("id", "ndc", "timestamp")


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    built = Gateway(tmp_path_factory.mktemp("unreadable") / "data")
    yield built
    built.close()


@pytest.fixture(params=["TDES", "AES"])
def device(gateway: Gateway, request: pytest.FixtureRequest) -> Device:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    return Device.of(gateway, sandbox, method=request.param)


def test_wrong_padding_and_wrong_content_have_one_answer(gateway: Gateway, device: Device) -> None:
    ksn = device.next_ksn("DATA")
    size = 8 if len(ksn) == 20 else 16
    whole = account() + bytes(-len(account()) % size)
    unreadable = {
        "no padding": device.raw(b"\x57" * 48, ksn),
        "a padding of zeros alone": device.raw(bytes(48), ksn),
        "a padding of more than a block": device.raw(whole + b"\x80" + bytes(2 * size - 1), ksn),
        "something behind the mark": device.raw(whole + b"\x80" + bytes(size - 2) + b"\x01", ksn),
        "nothing but padding": device.encrypted(b"", ksn)[0],
        "no tags": device.encrypted(b"hello", ksn)[0],
        "a tag that is cut": device.encrypted(bytes([0x57, 0x7F]), ksn)[0],
        "no expiry": device.encrypted(tlv(("5A", "4200000000000000")), ksn)[0],
        "another key": device.encrypted(account())[0],
        "a cut block": device.encrypted(account(), ksn)[0][:-2],
    }

    answers = {name: refusal_of(gateway, device, data, ksn) for name, data in unreadable.items()}

    first = answers["no padding"]
    assert first[0] == 400
    assert {name: each for name, each in answers.items() if each != first} == {}
    paid = gateway.post(**sent_by(device, encrypt=lambda _: device.encrypted(account(), ksn)))
    assert paid.json["result"]["code"] == "000.100.110", "none of them has used the key"


@pytest.mark.parametrize("method", ["TDES", "AES"])
def test_what_has_a_wrong_padding_is_read_all_the_same(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the time of an answer would show that the padding was wrong. Choice: D-480."""
    module = TerminalModule(KeyVault(bytes(range(32))))
    sealed = module.new_keys()
    load = msgspec.to_builtins(module.load_keys(sealed, method, 7))
    device = Device({"id": "", "device": "", "model": "", "load": load})
    ksn = device.next_ksn("DATA")
    wrong = bytes.fromhex(device.raw(account() + bytes(-len(account()) % 16), ksn))
    read: list[bytes] = []
    monkeypatch.setattr(hsm, "read_account", read.append)

    with pytest.raises(UnreadableDataError):
        module.decrypt_data(sealed, read_serial(ksn, "pos.encryptedSred.ksn"), wrong)

    assert [len(each) for each in read] == [len(wrong)]


def refusal_of(gateway: Gateway, device: Device, data: str, ksn: str) -> tuple[int, dict]:
    """The status and all of an answer that does not differ by the request."""
    answer = gateway.post(**sent_by(device, encrypt=lambda _: (data, ksn)))
    return answer.status_code, {
        name: each for name, each in answer.json.items() if name not in DIFFERS
    }
