"""A terminal of the target: it reads cards and encrypts what it read, as a device does.

It shares no code with a gateway: keys, cards and kernel are those of `pos_emulator`.
"""

import os
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import msgspec

from features.support.merchant import Merchant
from features.target.terminals import TerminalOfTarget
from pos_emulator.card.memory import RamMemory
from pos_emulator.card.slot import slot_of
from pos_emulator.kernel.contact import pay_with_chip
from pos_emulator.kernel.contactless import pay_with_tap
from pos_emulator.kernel.models import terminal_of
from pos_emulator.kernel.records import (
    CardOutcome,
    CardPayment,
    Devices,
    KernelTerminal,
    OnlineRequest,
    OnlineResponse,
    PinEntry,
    PinPrompt,
    PinStatus,
)
from pos_emulator.keys.element import Encrypted, SecureElement
from pos_emulator.keys.pinblocks import format_2
from pos_emulator.keys.remote import LoadingKey
from pos_emulator.tlv import build, find, find_all, parse
from simulator.client import Answer, Control

EURO = "978"
ACCOUNT, ACCOUNT_KEY = "pos.encryptedSred.data", "pos.encryptedSred.ksn"
PIN, PIN_KEY = "pos.encryptedPin.data", "pos.encryptedPin.ksn"
PIN_OF_CARD = "1234"
NAME_DIGITS = 16
ISSUER_DATA, SCRIPTS, DECLINED = "91", ("71", "72"), "05"


@dataclass(frozen=True)
class CardVerdict:
    """How a payment with a virtual card ended: at the card, and in the answers of the gateway."""

    outcome: CardOutcome
    answers: tuple[Answer, ...]


class TargetTerminal:
    """A terminal with the keys it was loaded with; `facts` are those of the control API."""

    def __init__(self, merchant: Merchant, facts: Mapping[str, Any], folder: Path):
        self._merchant = merchant
        self._facts = facts
        self._element = SecureElement(folder, os.urandom)
        load, held = facts["load"], self._element.status()
        blocks = [(each["usage"], each["block"]) for each in load["blocks"]]
        # A folder that is kept holds the keys with their counters already.
        new = [(usage, block) for usage, block in blocks if held[usage] is None]
        self._element.load(bytes.fromhex(load["kbpk"]), new)
        self._cards = RamMemory()

    def close(self) -> None:
        """Let go of the files of its keys."""
        self._element.close()

    @property
    def number(self) -> str:
        """The number of the test card that the target approves."""
        return self._merchant.card["card.number"]

    @property
    def expiry(self) -> str:
        """Its expiry as a chip has it (YYMMDD)."""
        card = self._merchant.card
        year, month = int(card["card.expiryYear"]), int(card["card.expiryMonth"])
        return f"{year % 100:02d}{month:02d}{monthrange(year, month)[1]:02d}"

    @property
    def pin(self) -> str:
        """Its PIN."""
        return str(self._facts.get("pin", PIN_OF_CARD))

    def encrypted(self, number: str, expiry: str = "340531") -> dict[str, str]:
        """The parameters of an account: number and expiry (YYMMDD), encrypted with a new key; what
        is empty is left out.
        """
        padded = number + "F" * (len(number) % 2)
        tags = {"5A": bytes.fromhex(padded), "5F24": bytes.fromhex(expiry)}
        values = {tag: value for tag, value in tags.items() if value}
        return _named(self._element.encrypt_account(values), ACCOUNT, ACCOUNT_KEY)

    def encrypted_pin(self, pin: str, number: str) -> dict[str, str]:
        """The parameters of a PIN, encrypted with a new key for this account number."""
        return _named(self._element.encrypt_pin(pin, number), PIN, PIN_KEY)

    def order(self, entry_mode: str, amount: str, currency: str) -> dict[str, str]:
        """The parameters of a debit at this terminal, without those of a card."""
        sent = {
            "paymentType": "DB", "amount": amount, "currency": currency,
            "pos.entryMode": entry_mode, "pos.terminalId": self._facts["id"],
            "pos.deviceId": self._facts["device"], "pos.deviceType": self._facts["model"],
            "pos.transactionSource": "POS", "pos.pinEntryCapability": "PIN_ENTRY_AVAILABLE",
        }  # fmt: skip
        return {name: value for name, value in sent.items() if value}

    def pay(self, parameters: Mapping[str, str]) -> Answer:
        """The answer to a payment with exactly these parameters."""
        return self._merchant.pay(parameters)

    def insert(
        self, card: str, amount: str, pin: str, more: Mapping[str, str] = MappingProxyType({})
    ) -> CardVerdict:
        """How a debit of `amount` EUR ends with this virtual card, whose holder types `pin`; `more`
        is sent besides.
        """
        return self._use(pay_with_chip, card, amount, pin=pin, more=more)

    def tap(self, card: str, amount: str) -> CardVerdict:
        """How a debit of `amount` EUR ends with this virtual card, which is tapped."""
        return self._use(pay_with_tap, card, amount, pin=PIN_OF_CARD, more={})

    def _use(
        self,
        pay: Callable[[KernelTerminal, CardPayment, Devices], CardOutcome],
        card: str,
        amount: str,
        *,
        pin: str,
        more: Mapping[str, str],
    ) -> CardVerdict:
        answers: list[Answer] = []

        def ask(request: OnlineRequest) -> OnlineResponse:
            answers.append(self.pay({**self._sent(request, amount), **more}))
            return _response_of(answers[-1])

        payment = CardPayment(
            amount=round(float(amount) * 100), currency=EURO, exponent=2, at=datetime.now(UTC),
            sequence=1,
        )  # fmt: skip
        devices = Devices(
            slot_of(card, self._cards), _PinPad(self._element, pin), ask, lambda labels: 0,
            os.urandom,
        )  # fmt: skip
        kernel = terminal_of("COUNTERTOP", terminal_id=self._facts["id"])
        return CardVerdict(pay(kernel, payment, devices), tuple(answers))

    def _sent(self, request: OnlineRequest, amount: str) -> dict[str, str]:
        read = {node.tag: node.value for node in parse(request.account)}
        account = _named(self._element.encrypt_account(read), ACCOUNT, ACCOUNT_KEY)
        pin = dict[str, str]()
        if request.pin is not None:
            pin = _named(msgspec.json.decode(request.pin, type=Encrypted), PIN, PIN_KEY)
        # A tap in magstripe mode says nothing of a chip.
        chip = {
            "pos.iccDataRequest": request.icc_data.hex().upper(),
            "pos.panSequenceNumber": request.sequence.hex(),
        }
        said = {name: value for name, value in chip.items() if value}
        order = self.order(request.entry_mode.value, amount, "EUR")
        return {**order, **account, **pin, **said}


class _PinPad:
    """Types the same PIN whenever it is asked."""

    def __init__(self, element: SecureElement, pin: str):
        self._element = element
        self._pin = pin

    def ask(self, prompt: PinPrompt, account: str) -> PinEntry:
        if not prompt.is_online:
            return PinEntry(PinStatus.ENTERED, format_2(self._pin))
        block = self._element.encrypt_pin(self._pin, account)
        return PinEntry(PinStatus.ENTERED, msgspec.json.encode(block))


@contextmanager
def opened_terminal_of(merchant: Merchant, known: TerminalOfTarget) -> Iterator[TargetTerminal]:
    """The terminal of a target file until the end of the block; its keys count on in its folder.

    Raises KeysError, also where another process uses the folder.
    """
    blocks = [{"usage": usage, "block": block} for usage, block in known.blocks]
    facts = {
        "id": known.id, "device": known.device, "model": known.type, "pin": known.pin,
        "load": {"kbpk": known.protection_key, "blocks": blocks},
    }  # fmt: skip
    # Other keys are another folder, so that a new block in the target file is loaded.
    name = sha256("".join(block for _, block in known.blocks).encode()).hexdigest()[:NAME_DIGITS]
    terminal = TargetTerminal(merchant, facts, Path(known.folder) / name)
    try:
        yield terminal
    finally:
        terminal.close()


@contextmanager
def opened_terminal(merchant: Merchant, facts: Mapping[str, Any]) -> Iterator[TargetTerminal]:
    """A terminal until the end of the block; its keys go with it."""
    with TemporaryDirectory() as folder:
        terminal = TargetTerminal(merchant, facts, Path(folder))
        try:
            yield terminal
        finally:
            terminal.close()


def load_remotely(control: Control, sandbox: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a terminal as a key-loading facility hands them over, loaded over a line that
    others can read. Raises InvalidKeyError, InvalidKeyBlockError.
    """
    keys, identity = control.terminal_keys, facts["id"]
    with TemporaryDirectory() as folder:
        own = LoadingKey(Path(folder), identity, facts["device"])
        try:
            own.keep_certificate(keys.certify(sandbox, identity, own.request()))
            nonce = own.draw_nonce()
            found = own.open(keys.load(sandbox, identity, own.certificate, nonce))
        finally:
            own.close()
    blocks = [{"usage": usage, "block": block} for usage, block in found.blocks]
    return {"kbpk": found.protection_key.hex(), "blocks": blocks}


def _named(encrypted: Encrypted, data: str, key: str) -> dict[str, str]:
    return {data: encrypted.data, key: encrypted.ksn}


def _response_of(answer: Answer) -> OnlineResponse:
    """What the card gets back. Without a response code of the issuer nothing was approved."""
    nodes = parse(bytes.fromhex(str(answer.at("pos.iccDataResponse") or "")))
    scripts = [(tag, each.value) for tag in SCRIPTS for each in find_all(nodes, tag)]
    return OnlineResponse(
        str(answer.at("pos.clearing.authorizationIssuerCode") or DECLINED),
        find(nodes, ISSUER_DATA) or b"",
        build(*scripts),
    )
