"""A payment at a terminal as parameters of the merchant API.

Source: specification, POS terminal.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from pos_emulator.bits import Capability, is_set
from pos_emulator.gps import Position, position_in
from pos_emulator.kernel.records import EntryMode
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import OrderKind
from pos_emulator.tlv import leaves, parse

PAYMENT_TYPES: Mapping[OrderKind, str] = {
    OrderKind.SALE: "DB",
    OrderKind.PRE_AUTHORIZATION: "PA",
    OrderKind.REFUND: "CD",
}
CHIP_MODES = frozenset({EntryMode.ICC, EntryMode.NFC_ICC})


@dataclass(frozen=True, kw_only=True)
class ReadCard:
    """What was read of a card: data objects of its account, of its chip, its sequence number.

    `pin` is an encrypted PIN: data and serial number in hex. `position` is where it was read, None
    where that is not known.
    """

    entry_mode: EntryMode
    account: bytes = field(repr=False)
    icc_data: bytes = field(default=b"", repr=False)
    sequence: bytes = b""
    pin: bytes | None = field(default=None, repr=False)
    position: Position | None = None

    def encode(self) -> bytes:
        """What an upload needs of it, to be sealed."""
        parts = {"mode": self.entry_mode.value, "account": self.account.hex()}
        more = {"chip": self.icc_data.hex(), "sequence": self.sequence.hex()}
        if self.position is not None:
            more["position"] = str(self.position)
        return json.dumps(parts | more).encode()


def read_card_of(sealed: bytes) -> ReadCard:
    """What `encode` gave."""
    parts = json.loads(sealed)
    position = parts.get("position")
    return ReadCard(
        entry_mode=EntryMode(parts["mode"]),
        account=bytes.fromhex(parts["account"]),
        icc_data=bytes.fromhex(parts["chip"]),
        sequence=bytes.fromhex(parts["sequence"]),
        position=None if position is None else position_in(position),
    )


def payment_parameters(
    parts: TerminalParts, card: ReadCard, *, type: str, amount: Decimal, currency: str, trace: str
) -> dict[str, str]:
    """A new payment but for its merchantTransactionId; each call uses a key of its own for the
    account. Raises KeysError.
    """
    values = {node.tag: node.value for node in leaves(parse(card.account))}
    account = parts.element.encrypt_account(values)
    sent = {
        "paymentType": type,
        "amount": amount_parameter(amount),
        "currency": currency,
        "pos.entryMode": card.entry_mode.value,
        "pos.terminalId": parts.identity.id,
        "pos.deviceId": parts.identity.device,
        "pos.deviceType": parts.identity.device_type,
        "pos.transactionSource": "POS",
        "pos.transactionSequenceNumber": trace,
        "pos.pinEntryCapability": _pin_entry(parts),
        "pos.encryptedSred.data": account.data,
        "pos.encryptedSred.ksn": account.ksn,
    }
    return sent | _optional(card)


def amount_parameter(amount: Decimal) -> str:
    """An amount with two decimals, as the gateway writes every currency."""
    return f"{amount:.2f}"


def _pin_entry(parts: TerminalParts) -> str:
    has = is_set(parts.kernel.capabilities, Capability.ONLINE_PIN)
    return "PIN_ENTRY_AVAILABLE" if has else "PIN_ENTRY_UNAVAILABLE"


def _optional(card: ReadCard) -> dict[str, str]:
    sent = {}
    if card.entry_mode in CHIP_MODES and card.icc_data:
        sent["pos.iccDataRequest"] = card.icc_data.hex().upper()
    if card.sequence:
        sent["pos.panSequenceNumber"] = card.sequence.hex()
    if card.position is not None:
        sent |= card.position.parameters()
    if card.pin is not None:
        data, ksn = card.pin.decode("ascii").split()
        sent |= {"pos.encryptedPin.data": data, "pos.encryptedPin.ksn": ksn}
    return sent
