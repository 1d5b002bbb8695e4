"""The desk as a payment sees it: what is shown and printed is also noticed, and waits can end."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TypeVar

from pos_emulator.kernel.records import (
    HostUnreachableError,
    OnlineRequest,
    OnlineResponse,
    PinEntry,
    PinPrompt,
    PinStatus,
)
from pos_emulator.keys.element import SecureElement
from pos_emulator.keys.errors import InvalidPinError
from pos_emulator.keys.pinblocks import format_2
from pos_emulator.receipts.document import PaymentReceipt, ReceiptCopy
from pos_emulator.terminal.memory.sealing import BrokenElement
from pos_emulator.terminal.records import (
    CardPrompt,
    CurrencyOffer,
    DeskCanceledError,
    Inserted,
    PaymentDesk,
    Presented,
    TillOrder,
)

T = TypeVar("T")
Notify = Callable[[str, str], None]
PROMPTS_MAX = 16
INSERTED, REMOVED = "card inserted", "card removed"


class Stand:
    """Passes everything on to the desk, and knows whether a person is waited for."""

    def __init__(self, desk: PaymentDesk, notify: Notify):
        self.desk = desk
        self._notify = notify
        self._lock = Lock()
        self._waits = self._holds_card = False

    def end_wait(self) -> bool:
        """End the wait of the payment's thread; whether it waited."""
        with self._lock:
            if self._waits:
                self.desk.abort()
            return self._waits

    def present(self, prompt: CardPrompt) -> Presented:
        """The card that is presented. Raises DeskCanceledError, DeskAbortedError."""
        self.give_back()
        self._notify("display", prompt.text)
        presented = self._wait(lambda: self.desk.present(prompt))
        if isinstance(presented, Inserted):
            self._holds_card = True
            self._notify("slot", INSERTED)
        return presented

    def give_back(self) -> None:
        """The card that was inserted leaves the reader: its payment or its try is over."""
        if self._holds_card:
            self._holds_card = False
            self._notify("slot", REMOVED)

    def ask_pin(self, prompt: PinPrompt) -> str:
        """The digits of a PIN. Raises as `present` does."""
        self._notify("display", "ENTER PIN")
        return self._wait(lambda: self.desk.ask_pin(prompt))

    def choose(self, labels: Sequence[str]) -> int | None:
        """The place of the chosen application; None to cancel. Raises DeskAbortedError."""
        self._notify("display", "CHOOSE APPLICATION")
        try:
            return self._wait(lambda: self.desk.choose(labels))
        except DeskCanceledError:
            return None

    def choose_currency(self, offer: CurrencyOffer) -> bool:
        """Whether the holder pays in the card's currency. Raises as `present` does."""
        self._notify("display", "CHOOSE A CURRENCY")
        return self._wait(lambda: self.desk.choose_currency(offer))

    def confirm_signature(self, order: TillOrder) -> bool:
        """Whether the signature is accepted. Raises as `present` does."""
        self._notify("display", "CHECK SIGNATURE")
        return self._wait(lambda: self.desk.confirm_signature(order))

    def show(self, text: str) -> None:
        """Put a text on the display."""
        self._notify("display", text)
        self.desk.show(text)

    def print_receipt(self, receipt: PaymentReceipt, copy: ReceiptCopy) -> None:
        """Print one copy."""
        self._notify("printer", copy.value)
        self.desk.print_receipt(receipt, copy)

    def _wait(self, act: Callable[[], T]) -> T:
        with self._lock:
            self._waits = True
        try:
            return act()
        finally:
            with self._lock:
                self._waits = False


class DeskPinPad:
    """The kernel's PIN pad: an online PIN leaves it encrypted, as data and serial number in hex.

    `tries_left` is what is known of an online PIN after an incorrect one.
    """

    def __init__(
        self, stand: Stand, element: SecureElement | BrokenElement, tries_left: int | None
    ):
        self._stand, self._element, self._tries_left = stand, element, tries_left

    def ask(self, prompt: PinPrompt, account: str) -> PinEntry:
        """An entry of the PIN. Raises KeysError, DeskAbortedError."""
        left = self._tries_left if prompt.is_online else prompt.tries_left
        asked = PinPrompt(prompt.amount, prompt.currency, prompt.is_online, left)
        for _ in range(PROMPTS_MAX):
            try:
                pin = self._stand.ask_pin(asked)
                return self._entry(pin, account, is_online=prompt.is_online)
            except DeskCanceledError:
                return PinEntry(PinStatus.CANCELED)
            except InvalidPinError:
                self._stand.show("PIN HAS 4 TO 12 DIGITS")
        return PinEntry(PinStatus.FAILED)

    def _entry(self, pin: str, account: str, *, is_online: bool) -> PinEntry:
        if not pin:
            return PinEntry(PinStatus.BYPASSED)
        if not is_online:
            return PinEntry(PinStatus.ENTERED, format_2(pin))
        sent = self._element.encrypt_pin(pin, account)
        return PinEntry(PinStatus.ENTERED, f"{sent.data} {sent.ksn}".encode("ascii"))


def no_host(request: OnlineRequest) -> OnlineResponse:
    """The host of a card that is only read. Raises HostUnreachableError."""
    raise HostUnreachableError("a card that is only read pays nothing")
