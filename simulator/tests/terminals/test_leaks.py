"""What a terminal encrypts is nowhere in the clear: log, journal, trace, event, snapshot, file."""

import logging
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from falcon.testing import Result
from psec import tr31

from simulator.tests.kit.gateway import Gateway
from simulator.tests.terminals.keys import Device, sent_by, tlv, track_of

NUMBER, PIN, CODE = "4012000000060085", "8642", "917"
TYPED = tlv(("5A", NUMBER), ("5F24", "340531"), ("DF01", CODE.encode().hex()))
SWIPED = f";{track_of(NUMBER).rstrip('F').replace('D', '=')}?".encode()
# What a terminal encrypts of a card, by the way it was read.
READ = {
    "ICC": tlv(("57", track_of(NUMBER))),
    "NFC_ICC": tlv(("57", track_of(NUMBER)), ("5F34", "01")),
    "NFC_MAGSTRIPE": SWIPED,
    "MAGSTRIPE": SWIPED,
    "MAGSTRIPE_AS_FALLBACK": SWIPED,
    "MANUAL": TYPED,
}
CHIP = tlv(("9F26", "0102030405060708"), ("57", track_of(NUMBER)), ("5A", NUMBER))
PASSPHRASE = "a passphrase of the test"


class Left(NamedTuple):
    """Everything that a gateway left behind, and the keys that it may not show."""

    texts: dict[str, str]
    keys: tuple[str, ...]


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Left]:
    folder = tmp_path_factory.mktemp("leaks")
    gateway, log = Gateway(folder / "data", durability="disk"), StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    try:
        yield use(gateway, folder, log)
    finally:
        logging.getLogger().removeHandler(handler)
        gateway.close()


def use(gateway: Gateway, folder: Path, log: StringIO) -> Left:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    path = f"/sandboxes/{sandbox}"
    gateway.control("POST", f"{path}/webhooks", {"url": "inbox"})
    answers, keys, blocks = [], [], []
    for method in ("TDES", "AES"):
        made = gateway.control("POST", f"{path}/terminals", {"method": method}).json
        device = Device(made)
        keys += secrets_of(made)
        for mode in ("INTERNAL", "EXTERNAL"):
            block, ksn = device.pin(PIN, NUMBER)
            blocks.append(block)
            more = {"pos.encryptedPin.data": block, "pos.encryptedPin.ksn": ksn, "testMode": mode,
                    "pos.iccDataRequest": CHIP.hex().upper()}  # fmt: skip
            plain = READ["ICC"]
            paid = gateway.post(**sent_by(device, plain, **more))
            assert paid.status_code == 200, paid.json
            answers += [paid, gateway.post(**sent_by(device, plain, **more))]
            answers.append(gateway.post(**sent_by(device, plain, **{**more, "amount": "x"})))
            answers += traces_of(gateway, path, paid.json["id"])
            for entry_mode in READ.keys() - {"ICC"}:
                answers += pay(gateway, path, device, entry_mode, mode)
    answers += [gateway.control("GET", f"{path}/{each}") for each in
                ("journal?limit=500", "inbox", "notices", "terminals", "books")]  # fmt: skip
    for each in gateway.control("GET", f"{path}/journal?limit=500").json["entries"]:
        answers.append(gateway.control("GET", f"{path}/journal/{each['ndc']}"))
    snapshot = gateway.client.simulate_get(
        f"/_sandbox/v1{path}/snapshot",
        headers={"Authorization": "Bearer control-key-of-the-tests",
                 "Sandgate-Passphrase": PASSPHRASE},
    )  # fmt: skip
    assert snapshot.status_code == 200
    texts = {f"answer {number}": each.text for number, each in enumerate(answers)}
    texts |= {"snapshot": snapshot.content.decode("latin-1"), "log": log.getvalue()}
    texts |= {
        str(each): each.read_bytes().decode("latin-1")
        for each in folder.rglob("*")
        if each.is_file()
    }
    return Left(texts, (*keys, *blocks))


def pay(gateway: Gateway, path: str, device: Device, entry_mode: str, mode: str) -> list[Result]:
    """A payment of a card that was read so, one that is refused, and the traces of the first."""
    more = {"pos.entryMode": entry_mode, "testMode": mode}
    paid = gateway.post(**sent_by(device, READ[entry_mode], **more))
    assert paid.status_code == 200, (entry_mode, paid.json)
    refused = gateway.post(**sent_by(device, READ[entry_mode], **more, amount="x"))
    assert refused.status_code == 400
    return [paid, refused, *traces_of(gateway, path, paid.json["id"])]


def traces_of(gateway: Gateway, path: str, payment: str) -> list[Result]:
    places = ("trace.json", "trace")
    return [gateway.control("GET", f"{path}/payments/{payment}/{each}") for each in places]


def secrets_of(made: dict) -> list[str]:
    kbpk = made["load"]["kbpk"]
    blocks = [each["block"] for each in made["load"]["blocks"]]
    keys = [tr31.unwrap(bytes.fromhex(kbpk), each)[1].hex() for each in blocks]
    return [kbpk, *blocks, *keys]


@pytest.mark.parametrize(
    "secret",
    [
        NUMBER,
        NUMBER.encode().hex(),
        track_of(NUMBER).rstrip("F"),
        SWIPED.decode(),
        SWIPED.hex(),
        track_of(NUMBER)[16:-1],
        TYPED.hex(),
        f"DF0103{CODE.encode().hex()}",
        f'"{CODE}"',
        CHIP.hex(),
        "0102030405060708",
    ],
)
def test_what_a_terminal_read_is_nowhere_in_the_clear(left: Left, secret: str) -> None:
    found = [name for name, text in left.texts.items() if secret.upper() in text.upper()]
    assert found == []


def test_no_key_and_no_pin_block_is_anywhere_in_the_clear(left: Left) -> None:
    assert len(left.keys) == 14
    for secret in left.keys:
        for name, text in left.texts.items():
            assert secret.upper() not in text.upper(), name


def test_no_pin_is_anywhere_in_the_clear(left: Left) -> None:
    for name, text in left.texts.items():
        if name.startswith("answer"):
            assert f'"{PIN}"' not in text
    journal = [text for name, text in left.texts.items() if "encryptedPin" in text]
    assert journal, "the journal shows that there was one"
