"""Payments at a terminal: account data encrypted with a key that is used once.

The keys are those of a device, `pos_emulator`; their counters are kept in memory, since a terminal
lives no longer than its run.
"""

from typing import Any

from load.plan.plan import PlannedTerminal
from load.traffic.payloads import Payloads, format_amount
from load.traffic.requests import CURRENCY, PlannedRequest
from pos_emulator.keys.account_data import account_data
from pos_emulator.keys.slot import KeySlot

DATA = "DATA"
ENTRY_MODES = ("ICC", "NFC_ICC", "MAGSTRIPE", "NFC_MAGSTRIPE", "MAGSTRIPE_AS_FALLBACK", "MANUAL")
# Most cards are tapped or inserted.
ENTRY_WEIGHTS = (30, 60, 4, 3, 2, 1)


class MemoryStore:
    """Keeps the state of keys as long as the process."""

    def __init__(self) -> None:
        self._state: bytes | None = None

    def read(self) -> bytes | None:
        return self._state

    def write(self, state: bytes) -> None:
        self._state = state


class VirtualTerminal:
    """A terminal with its key for account data. Raises KeysError for keys that are none."""

    def __init__(self, planned: PlannedTerminal):
        self.planned = planned
        self._slot = KeySlot(MemoryStore())
        self._slot.load(planned.block, bytes.fromhex(planned.protection_key))

    def encrypt(self, number: str, expiry: tuple[str, str]) -> dict[str, str]:
        """The parameters of an account: its number, and month and year (YYYY) of its expiry."""
        month, year = expiry
        digits = number + "F" * (len(number) % 2)
        tags = {"5A": bytes.fromhex(digits), "5F24": bytes.fromhex(f"{year[2:]}{month}28")}
        key = self._slot.take()
        data = key.encrypt_account(account_data(tags))
        return {
            "pos.encryptedSred.data": data.hex().upper(),
            "pos.encryptedSred.ksn": key.ksn.hex().upper(),
        }


def planned_terminal(created: Any) -> PlannedTerminal:
    """What a run keeps of a terminal as the control API created it."""
    load = created["load"]
    (block,) = (each["block"] for each in load["blocks"] if each["usage"] == DATA)
    return PlannedTerminal(
        id=created["id"],
        device=created["device"],
        model=created["model"],
        protection_key=load["kbpk"],
        block=block,
    )


def terminal_payment(payloads: Payloads, terminal: VirtualTerminal, kind: str) -> PlannedRequest:
    """Return a PA or DB at a terminal that has to be approved."""
    shopper, root, cents = payloads.draw_shopper(), payloads.next_reference(), payloads.draw_cents()
    (mode,) = payloads.random.choices(ENTRY_MODES, ENTRY_WEIGHTS)
    form = {
        "amount": format_amount(cents),
        "currency": CURRENCY,
        "paymentType": kind,
        "merchantTransactionId": root,
        "pos.entryMode": mode,
        "pos.terminalId": terminal.planned.id,
        "pos.deviceId": terminal.planned.device,
        "pos.deviceType": terminal.planned.model,
        "pos.transactionSource": "POS",
        **terminal.encrypt(shopper.card.number, shopper.expiry),
    }
    return PlannedRequest(
        "create_payment", "POST", "v1/payments", form, type=kind, cents=cents, root=root
    )
