"""Every card of the file pays at the gateway as its title says: card and kernel of `pos_emulator`
on one side, the gateway and its issuer on the other, and each verifies the other's cryptogram.
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from pos_emulator.card.magstripe import magstripe_of
from pos_emulator.card.memory import RamMemory
from pos_emulator.card.profiles import card_file
from pos_emulator.card.slot import slot_of
from pos_emulator.kernel.contact import pay_with_chip
from pos_emulator.kernel.contactless import pay_with_tap
from pos_emulator.kernel.magstripe import CHIP_FAILURES_MAX, Tries, pay_with_swipe
from pos_emulator.kernel.models import terminal_of
from pos_emulator.kernel.records import (
    CardOutcome,
    CardPayment,
    CardResult,
    Devices,
    OnlineRequest,
    OnlineResponse,
    PinEntry,
    PinPrompt,
    PinStatus,
)
from pos_emulator.keys.element import Encrypted, SecureElement
from pos_emulator.keys.pinblocks import format_2
from pos_emulator.tlv import build, find, find_all, parse
from simulator.tests.kit.gateway import Gateway

EUR = "978"
PROFILES = card_file().cards
APPROVED, DECLINED = CardResult.APPROVED, CardResult.DECLINED
# How the card is used, the amount in cents; then the card's result, and the issuer's response code.
ROWS = [
    ("gold", "insert", 92_00, APPROVED, "00"),
    ("gold", "tap", 92_00, APPROVED, "00"),
    ("sign", "insert", 92_00, APPROVED, "00"),
    ("offline", "insert", 92_00, APPROVED, "00"),
    ("online-only", "insert", 5_00, APPROVED, "00"),
    ("online-only", "tap", 5_00, APPROVED, "00"),
    ("wrong-pin-proof", "insert", 92_00, APPROVED, "00"),
    ("blocked", "insert", 92_00, DECLINED, "75"),
    ("stolen", "insert", 92_00, DECLINED, "43"),
    ("stolen", "tap", 20_00, DECLINED, "43"),
    ("poor", "insert", 50_00, APPROVED, "00"),
    ("poor", "insert", 100_01, DECLINED, "51"),
    ("tap", "tap", 92_00, APPROVED, "00"),
    ("tap-old", "tap", 20_00, APPROVED, "00"),
    ("dead-chip", "swipe", 92_00, APPROVED, "00"),
    ("two-apps", "insert", 92_00, APPROVED, "00"),
]


class Till:
    """A terminal of the default sandbox, with its keys; its holder types the PIN of the card."""

    def __init__(self, gateway: Gateway, cards: RamMemory, folder: Path):
        self._gateway, self._cards = gateway, cards
        sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
        made = gateway.control("POST", f"/sandboxes/{sandbox}/terminals", {}).json
        self._made, self.element = made, SecureElement(folder, os.urandom)
        blocks = [(each["usage"], each["block"]) for each in made["load"]["blocks"]]
        self.element.load(bytes.fromhex(made["load"]["kbpk"]), blocks)
        self.answers: list[dict] = []
        self.texts: list[str] = []
        self._pin, self._amount, self.mode = "", 0, "INTERNAL"

    def use(self, card: str, way: str, amount: int) -> CardOutcome:
        """How a payment of `amount` cents ends with a card, which counts what it is used for."""
        profile = PROFILES[card]
        self._pin, self._amount = profile.pin or "0000", amount
        kernel = terminal_of("COUNTERTOP", terminal_id=self._made["id"])
        payment = CardPayment(amount, EUR, 2, datetime.now(UTC), 1)
        devices = Devices(slot_of(card, self._cards), self, self.host, lambda _: 0, os.urandom)
        if way == "swipe":
            failed = pay_with_chip(kernel, payment, devices)
            assert failed.result is CardResult.CARD_ERROR
            return pay_with_swipe(
                kernel, payment, devices, magstripe=magstripe_of(profile),
                tries=Tries(CHIP_FAILURES_MAX),
            )  # fmt: skip
        return {"insert": pay_with_chip, "tap": pay_with_tap}[way](kernel, payment, devices)

    def ask(self, prompt: PinPrompt, account: str) -> PinEntry:
        """The PIN pad."""
        if not prompt.is_online:
            return PinEntry(PinStatus.ENTERED, format_2(self._pin))
        block = self.element.encrypt_pin(self._pin, account)
        return PinEntry(PinStatus.ENTERED, msgspec.json.encode(block))

    def host(self, request: OnlineRequest) -> OnlineResponse:
        """The gateway: the request as the parameters of a debit, its answer for the card."""
        account = self.element.encrypt_account(
            {each.tag: each.value for each in parse(request.account)}
        )
        sent = {
            "card.number": None, "card.holder": None, "card.expiryMonth": None,
            "card.expiryYear": None, "card.cvv": None, "paymentBrand": None,
            "amount": f"{self._amount / 100:.2f}", "testMode": self.mode,
            "pos.terminalId": self._made["id"], "pos.entryMode": request.entry_mode.value,
            "pos.encryptedSred.data": account.data, "pos.encryptedSred.ksn": account.ksn,
            "pos.panSequenceNumber": request.sequence.hex() or None,
            "pos.iccDataRequest": request.icc_data.hex().upper() or None,
        }  # fmt: skip
        if request.pin is not None:
            pin = msgspec.json.decode(request.pin, type=Encrypted)
            sent |= {"pos.encryptedPin.data": pin.data, "pos.encryptedPin.ksn": pin.ksn}
        answer = self._gateway.post(**sent)
        self.answers.append(answer.json)
        self.texts.append(answer.text)
        pos = answer.json["pos"]
        nodes = parse(bytes.fromhex(pos.get("iccDataResponse", "")))
        scripts = [(tag, each.value) for tag in ("71", "72") for each in find_all(nodes, tag)]
        code = pos["clearing"]["authorizationIssuerCode"]
        return OnlineResponse(code, find(nodes, "91") or b"", build(*scripts))


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    built = Gateway(tmp_path_factory.mktemp("cards") / "data")
    yield built
    built.close()


@pytest.fixture(scope="module")
def cards() -> RamMemory:
    """What the chips remember, as long as their issuer, which refuses a counter twice."""
    return RamMemory()


@pytest.fixture
def till(gateway: Gateway, cards: RamMemory, tmp_path: Path) -> Iterator[Till]:
    made = Till(gateway, cards, tmp_path)
    yield made
    made.element.close()


@pytest.mark.parametrize(("card", "way", "amount", "result", "code"), ROWS)
def test_a_card_ends_as_its_title_says(till, *, card, way, amount, result, code) -> None:
    outcome = till.use(card, way, amount)

    (answer,) = till.answers
    assert answer["pos"]["clearing"]["authorizationIssuerCode"] == code, answer
    assert (outcome.result, outcome.code) == (result, code), outcome.reason
    assert not outcome.must_reverse, "the card takes the answer for its issuer's"
    assert answer["result"]["code"].startswith("000.") == (result is APPROVED)
    assert PROFILES[card].number not in till.texts[0]


def test_every_card_of_the_file_pays_here() -> None:
    assert {row[0] for row in ROWS} == {*PROFILES}


def test_a_card_whose_counter_came_before_is_refused(gateway, cards, tmp_path) -> None:
    till, copy = (Till(gateway, each, tmp_path / name) for name, each in
                  (("own", cards), ("copy", RamMemory())))  # fmt: skip
    genuine, copied = (each.use("gold", "insert", 92_00) for each in (till, copy))
    till.element.close()
    copy.element.close()

    assert (genuine.result, copied.result, copied.code) == (APPROVED, DECLINED, "05")


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
def test_an_approved_part_is_given_back(tmp_path: Path, mode: str) -> None:
    gateway = Gateway(tmp_path / "data")
    till = Till(gateway, RamMemory(), tmp_path / "keys")
    till.mode = mode
    till.use("poor", "insert", 80_00)
    whole = till.use("poor", "insert", 50_00)
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    books = gateway.control("GET", f"/sandboxes/{sandbox}/books").json
    till.element.close()
    gateway.close()

    in_part = till.answers[0]
    assert in_part["result"]["code"] == "900.100.202"
    assert in_part["pos"]["clearing"]["authorizationIssuerCode"] == "10"
    assert (whole.result, whole.code) == (APPROVED, "00"), "the part is on the account again"
    assert books["agree"], books


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
def test_an_approved_part_is_paid_where_the_channel_takes_parts(tmp_path: Path, mode: str) -> None:
    gateway = Gateway(tmp_path / "data")
    till = Till(gateway, RamMemory(), tmp_path / "keys")
    till.mode = mode
    (sandbox,) = gateway.control("GET", "/sandboxes").json["sandboxes"]
    merchant = sandbox["merchants"][0]
    path = f"/sandboxes/{sandbox['id']}/merchants/{merchant['id']}/channels"
    for channel in merchant["channels"]:
        gateway.control("PATCH", f"{path}/{channel['id']}", {"partial_approvals": True})
    in_part, rest = till.use("poor", "insert", 80_00), till.use("poor", "insert", 1)
    books = gateway.control("GET", f"/sandboxes/{sandbox['id']}/books").json
    gateway.control("POST", f"/sandboxes/{sandbox['id']}/clock/advance", {"by": "8d"})
    gateway.control("POST", f"/sandboxes/{sandbox['id']}/settlements", {})
    lines = [
        line
        for file in tmp_path.glob("data/*/outgoing/**/*.csv")
        for line in file.read_text().splitlines()
    ]
    till.element.close()
    gateway.close()

    first = till.answers[0]
    assert (in_part.result, first["amount"]) == (APPROVED, "50.00")
    assert first["pos"]["statusText"] == "PARTIAL"
    assert first["pos"]["clearing"]["authorizationAcquirerCode"]
    assert (rest.result, rest.code) == (DECLINED, "51")
    assert [";50.00;EUR;" in line for line in lines if first["id"] in line] == [True], lines
    assert books["agree"], books
