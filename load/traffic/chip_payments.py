"""Payments by chip and PIN: what a device sends, by its keys, a card and the kernel."""

import os
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from pos_emulator.card.memory import RamMemory
from pos_emulator.card.personalization import personalize
from pos_emulator.card.profiles import card_file
from pos_emulator.card.slot import CardSlot
from pos_emulator.kernel.contact import pay_with_chip
from pos_emulator.kernel.models import terminal_of
from pos_emulator.kernel.records import (
    CardPayment,
    Devices,
    HostUnreachableError,
    OnlineRequest,
    OnlineResponse,
    PinEntry,
    PinPrompt,
    PinStatus,
)
from pos_emulator.keys.element import SecureElement
from pos_emulator.tlv import find, parse
from simulator.client import SandboxClient

CARD, PIN = "gold", "1234"
NUMBER_TAG = "57"


class ChipTerminal:
    """A terminal of a sandbox with a card of its own: the counters of keys and card only rise.

    `number`, from 1 to 99, is the sequence number of the card; the keys are in `folder`.
    """

    def __init__(self, sandbox: SandboxClient, folder: Path, number: int):
        self._made = sandbox.control.create_terminal(sandbox.id)
        load = self._made["load"]
        self._element = SecureElement(folder, os.urandom)
        blocks = [(each["usage"], each["block"]) for each in load["blocks"]]
        self._element.load(bytes.fromhex(load["kbpk"]), blocks)
        cards = card_file()
        profile = replace(cards.cards[CARD], sequence=f"{number:02d}")
        cards = replace(cards, cards={CARD: profile})
        self._slot = CardSlot(personalize(CARD, cards), RamMemory())
        self._kernel = terminal_of("COUNTERTOP", terminal_id=self._made["id"])
        self._payments = 0

    def read_card(self) -> OnlineRequest:
        """Let the card ask its issuer for 1.00 EUR: what the terminal has to send."""
        self._payments += 1
        host = _Recorder()
        devices = Devices(self._slot, _EnteredPin(), host, lambda labels: 0, os.urandom)
        payment = CardPayment(
            amount=100, currency="978", exponent=2, at=datetime.now(UTC), sequence=self._payments,
            forced_online=True,
        )  # fmt: skip
        pay_with_chip(self._kernel, payment, devices)
        (asked,) = host.asked
        return asked

    def parameters(self, asked: OnlineRequest) -> dict[str, str]:
        """The parameters of a payment, account and PIN under the next keys of the terminal."""
        read = {node.tag: node.value for node in parse(asked.account)}
        track = (find(parse(asked.account), NUMBER_TAG) or b"").hex()
        account = self._element.encrypt_account(read)
        pin = self._element.encrypt_pin(PIN, track.partition("d")[0])
        return {
            "pos.entryMode": "ICC", "pos.terminalId": self._made["id"],
            "pos.deviceId": self._made["device"], "pos.deviceType": self._made["model"],
            "pos.transactionSource": "POS", "pos.pinEntryCapability": "PIN_ENTRY_AVAILABLE",
            "pos.panSequenceNumber": asked.sequence.hex(),
            "pos.iccDataRequest": asked.icc_data.hex().upper(),
            "pos.encryptedSred.data": account.data, "pos.encryptedSred.ksn": account.ksn,
            "pos.encryptedPin.data": pin.data, "pos.encryptedPin.ksn": pin.ksn,
        }  # fmt: skip

    def close(self) -> None:
        """Close the files of the keys."""
        self._element.close()


class _EnteredPin:
    """Says that a PIN was entered; its block is made when the payment is sent."""

    def ask(self, prompt: PinPrompt, account: str) -> PinEntry:
        return PinEntry(PinStatus.ENTERED, b"entered")


class _Recorder:
    """A host that is never reached, and remembers what it would have been asked."""

    def __init__(self) -> None:
        self.asked: list[OnlineRequest] = []

    def __call__(self, request: OnlineRequest) -> OnlineResponse:
        self.asked.append(request)
        raise HostUnreachableError("the payment is sent later")
