"""What a till orders, who stands at the terminal, and what the terminal answers and keeps.

Surfaces (page, text, scripts, interfaces of tills) know a terminal by this module and `Terminal`
alone. Amounts are decimal numbers of units of their currency.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Protocol

from pos_emulator.card.magstripe import Magstripe
from pos_emulator.card_numbers import MaskedError
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.records import Card, CardEvent, PinPrompt
from pos_emulator.receipts.conversion import Conversion
from pos_emulator.receipts.document import PaymentReceipt, ReceiptCopy


class OrderKind(Enum):
    """What a till orders."""

    SALE = "sale"
    REFUND = "refund"
    PRE_AUTHORIZATION = "pre-authorization"
    CAPTURE = "capture"
    VOID = "void"


@dataclass(frozen=True, kw_only=True)
class TillOrder:
    """One order of a till.

    `reference` is the till's own name for it, by which a lost answer is asked for. `receipt` is
    the receipt number of an earlier payment, or its batch and number: a capture and a void need
    it, a refund may have it; a refund without it reads a card. `amount` may be left out for a
    void, which is always whole, and for what refers to a receipt: it is the whole of what is open
    then. `cashback`, which is paid out in cash, and `tip` are charged on top of `amount`.
    `acquired` names a card that was read before (`AcquiredCard`).
    """

    operation: OrderKind = OrderKind.SALE
    amount: Decimal | None = None
    currency: str = "EUR"
    reference: str = ""
    receipt: str = ""
    cashback: Decimal = Decimal(0)
    tip: Decimal = Decimal(0)
    forced_online: bool = False
    acquired: str = ""


class Stage(Enum):
    """How far a payment is. It is written into the journal before the step that it names."""

    STARTED = "started"
    ASKED = "the gateway is asked"
    APPROVED = "approved"
    DECLINED = "declined"
    STORED = "approved offline, to be uploaded"
    MUST_REVERSE = "to be reversed"
    REVERSED = "reversed"
    FAILED = "not carried out"


class Ending(Enum):
    """How a payment ended, as the till gets to know it."""

    APPROVED = "approved"
    PARTIAL = "a part was approved"
    DECLINED = "declined"
    WRONG_PIN = "the PIN was wrong"
    CANCELED = "canceled by the cardholder"
    ABORTED = "aborted by the till"
    CARD_REMOVED = "the card was removed"
    CARD_REFUSED = "the card cannot be used"
    UNREACHABLE = "the gateway did not answer"
    TIMED_OUT = "no card was presented in time"
    POWER_CUT = "the power was cut"


COUNTED = frozenset({Ending.APPROVED, Ending.PARTIAL})


@dataclass(frozen=True, kw_only=True)
class TerminalEntry:
    """A payment in the journal of a terminal; `ending` is None while it is under way.

    `receipt` is its receipt number (6 digits, up to 009999), `trace` its trace number,
    `transaction` its merchantTransactionId, `payment` its id at the gateway. `tries_left` are those
    of the PIN after a wrong one; `conversion` is what the card is charged in its own currency,
    while `order` and `approved` stay in the till's. Nothing of it is secret: of the card it has the
    last four digits.
    """

    receipt: str
    trace: str
    batch: str
    order: TillOrder
    stage: Stage
    at: datetime
    transaction: str
    ending: Ending | None = None
    reason: str = ""
    payment: str = ""
    approved: Decimal | None = None
    is_offline: bool = False
    code: str = ""
    result_code: str = ""
    tries_left: int | None = None
    printed: PaymentReceipt | None = None
    conversion: Conversion | None = None

    @property
    def name(self) -> str:
        """Batch and receipt number, such as 0001-000012: no other payment has both."""
        return f"{self.batch}-{self.receipt}"

    @property
    def original(self) -> str:
        """The name of the payment that its order refers to, or nothing. A number alone was given
        when its own batch was open.
        """
        receipt = self.order.receipt
        return receipt if "-" in receipt or not receipt else f"{self.batch}-{receipt}"

    @property
    def is_open(self) -> bool:
        """Whether the terminal still has work with it: an answer, a reversal, an upload."""
        return self.stage in (Stage.STARTED, Stage.ASKED, Stage.STORED, Stage.MUST_REVERSE)


@dataclass(frozen=True)
class CurrencyTotals:
    """Count and sum of each kind of payment of a batch in one currency."""

    currency: str
    sales: int = 0
    sales_amount: Decimal = Decimal(0)
    refunds: int = 0
    refunds_amount: Decimal = Decimal(0)
    voids: int = 0
    voids_amount: Decimal = Decimal(0)
    declined: int = 0


@dataclass(frozen=True)
class BrandTotals:
    """Count and sum of what one brand paid in one currency, less refunds and voids. The brand is
    empty where the gateway has not named it, as after an offline approval.
    """

    currency: str
    brand: str
    payments: int = 0
    amount: Decimal = Decimal(0)


@dataclass(frozen=True)
class Totals:
    """A batch as the journal has it; `differences` name what the gateway says otherwise.

    `open_receipts` are payments that are still to be asked for, reversed or uploaded, those of an
    earlier batch with its number; `receipts` is how many there are, from `first_receipt` to
    `last_receipt`. Earlier builds kept no first and last: they began each batch with 1.
    """

    batch: str
    opened_at: datetime
    closed_at: datetime | None
    currencies: tuple[CurrencyTotals, ...]
    open_receipts: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    brands: tuple[BrandTotals, ...] = ()
    receipts: int = 0
    first_receipt: str = ""
    last_receipt: str = ""


@dataclass(frozen=True)
class Inserted:
    """A card with a chip, in the reader."""

    card: Card


@dataclass(frozen=True)
class Tapped:
    """A card or phone, in the field. `read` is what it said, where it was read before its payment;
    it has left the field since.
    """

    card: Card
    read: Dialog | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Swiped:
    """A magstripe, drawn through the reader."""

    magstripe: Magstripe


@dataclass(frozen=True)
class Keyed:
    """A card typed in by the merchant: number, expiry as YYMM, code."""

    number: str = field(repr=False)
    expiry: str = field(repr=False)
    code: str = field(default="", repr=False)


Presented = Inserted | Tapped | Swiped | Keyed
# A till that has a card read names an amount without a currency.
TAP_CURRENCY = "EUR"


@dataclass(frozen=True)
class CardPrompt:
    """What the display asks for: `readers` are those of "chip", "tap", "magstripe" and "manual"
    that may be used now. `conversion` is what the holder of the card chose to be charged.
    """

    text: str
    order: TillOrder
    readers: frozenset[str]
    conversion: Conversion | None = None


@dataclass(frozen=True)
class CurrencyOffer:
    """What the holder of a card of another currency chooses between, as it is shown: the amount of
    the till, the card's, and the terms of the card's: its rate and the markup in it.
    """

    till: str
    card: str
    terms: str


@dataclass(frozen=True)
class AcquiredCard:
    """A card that was read and waits in the terminal for its payment: last four digits, entry mode
    as it is printed, label and sequence number of its application. One that was tapped is for a
    sale or pre-authorization of this `amount` in TAP_CURRENCY.
    """

    name: str
    at: datetime
    digits: str
    entry_mode: str
    label: str = ""
    sequence: str = ""
    amount: Decimal | None = None
    presented: Presented | None = field(default=None, repr=False)


class DeskCanceledError(RuntimeError):
    """The cardholder pressed the red key."""


class DeskAbortedError(RuntimeError):
    """The till, or a time limit, ended the wait; `timed_out` says which."""

    def __init__(self, *, timed_out: bool = False) -> None:
        super().__init__("the time is over" if timed_out else "aborted by the till")
        self.timed_out = timed_out


class CardInsertedError(RuntimeError):
    """A card was inserted in place of an answer to a text of a till."""

    def __init__(self) -> None:
        super().__init__("a card was inserted before an answer")


class PaymentDesk(Protocol):
    """Who stands at the terminal: a person at the page or in a text window, or a script.

    Each method may wait for a person. They raise DeskCanceledError for the red key, and
    DeskAbortedError once `abort` was called or the time is over.
    """

    def present(self, prompt: CardPrompt) -> Presented:
        """The card that is presented."""

    def ask_pin(self, prompt: PinPrompt) -> str:
        """The digits of a PIN; empty where the holder skips it."""

    def choose(self, labels: Sequence[str]) -> int:
        """The place of the application that the holder chose."""

    def choose_currency(self, offer: CurrencyOffer) -> bool:
        """Whether the holder pays in the card's currency."""

    def confirm_signature(self, order: TillOrder) -> bool:
        """Whether the merchant accepts the signature."""

    def show(self, text: str) -> None:
        """Put a text on the display."""

    def print_receipt(self, receipt: PaymentReceipt, copy: ReceiptCopy) -> None:
        """Print one copy; a terminal without printer hands it to the till."""

    def abort(self, *, timed_out: bool = False) -> None:
        """End the wait of another thread in one of the methods above."""


@dataclass(frozen=True)
class Notice:
    """One thing that happened at a terminal, for those who watch: `kind` is "display", "card",
    "slot", "entry", "printer", "network" or "state"; `entry` is the name of its payment, or empty;
    `event` is the exchange with a card or None.
    """

    kind: str
    at: datetime
    text: str
    entry: str = ""
    event: CardEvent | None = None


Watch = Callable[[Notice], None]


class BusyError(RuntimeError):
    """Another payment is under way."""


class OutOfOrderError(RuntimeError):
    """The terminal cannot pay: no keys, keys used up, tampered with; the message says which."""


class UnreadableCardError(RuntimeError):
    """No card could be read."""


class OrderError(MaskedError, ValueError):
    """An order cannot be carried out; the message says what was expected and what was received."""
