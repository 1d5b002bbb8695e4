"""What a kernel is given, what it asks of others, and how a payment ends."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Protocol

from pos_emulator.card.records import Interface
from pos_emulator.keys.offline_rsa import PublicKey


@dataclass(frozen=True)
class ActionCodes:
    """Which bits of the verification results mean refusal, online, and refusal if not online."""

    denial: bytes = bytes.fromhex("0010000000")
    online: bytes = bytes.fromhex("FC78FCF800")
    default: bytes = bytes.fromhex("FC5098A000")


@dataclass(frozen=True)
class TapLimits:
    """Amounts in minor units: above `floor` a tap is online, above `cvm` it needs a verification,
    above `most` the card has to be inserted.
    """

    floor: int = 0
    cvm: int = 50_00
    most: int = 500_00


@dataclass(frozen=True)
class AcceptedApplication:
    """An application that the terminal accepts; `is_partial` accepts all that begin like it.

    Amounts in minor units. Of payments below `random_above` a share of `random_percent` goes
    online by chance, rising to `random_percent_max` just under the floor limit.
    """

    aid: bytes
    is_partial: bool = True
    version: bytes = bytes.fromhex("0096")
    actions: ActionCodes = ActionCodes()
    floor_limit: int = 50_00
    random_above: int = 20_00
    random_percent: int = 0
    random_percent_max: int = 0
    tap: TapLimits = TapLimits()
    default_ddol: bytes = bytes.fromhex("9F3704")


@dataclass(frozen=True)
class KernelTerminal:
    """What the terminal is and knows. Codes as EMV has them: 9F35, 9F33, 9F40, 9F66, 9F1A."""

    model: str
    terminal_type: bytes
    capabilities: bytes
    additional_capabilities: bytes
    qualifiers: bytes
    country: bytes
    terminal_id: str
    serial_number: str
    applications: tuple[AcceptedApplication, ...]
    authorities: Mapping[tuple[bytes, int], PublicKey]
    reads: frozenset[str]
    merchant_name: str = ""
    merchant_category: str = "5999"
    uses_directory: bool = True
    authenticates_data: bool = True
    exception_file: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def is_online_only(self) -> bool:
        return self.terminal_type[0] & 0x07 in (1, 4)

    @property
    def is_offline_only(self) -> bool:
        return self.terminal_type[0] & 0x07 in (3, 6)

    @property
    def is_unattended(self) -> bool:
        return self.terminal_type[0] & 0x07 in (4, 5, 6)


class SaleKind(Enum):
    """The transaction type (9C)."""

    PURCHASE = 0x00
    CASH = 0x01
    CASHBACK = 0x09
    REFUND = 0x20


@dataclass(frozen=True)
class CardPayment:
    """What is to be paid: amounts in minor units, currency by its number (ISO 4217), local time."""

    amount: int
    currency: str
    exponent: int
    at: datetime
    sequence: int
    kind: SaleKind = SaleKind.PURCHASE
    cashback: int = 0
    forced_online: bool = False


class EntryMode(Enum):
    """pos.entryMode of the gateway's specification."""

    ICC = "ICC"
    NFC_ICC = "NFC_ICC"
    NFC_MAGSTRIPE = "NFC_MAGSTRIPE"
    MAGSTRIPE = "MAGSTRIPE"
    MAGSTRIPE_AS_FALLBACK = "MAGSTRIPE_AS_FALLBACK"
    MANUAL = "MANUAL"


class PinStatus(Enum):
    """How asking for a PIN ended."""

    ENTERED = "entered"
    BYPASSED = "bypassed"
    CANCELED = "canceled"
    FAILED = "the PIN pad does not work"


@dataclass(frozen=True)
class PinPrompt:
    """What the holder is asked. `tries_left` after an incorrect PIN, else None."""

    amount: int
    currency: str
    is_online: bool
    tries_left: int | None = None


@dataclass(frozen=True)
class PinEntry:
    """An answer of the PIN pad.

    `content` of an online PIN is its enciphered block, opaque to the kernel; of an offline PIN it
    is the PIN block in format 2, which goes to the card and nowhere else.
    """

    status: PinStatus
    content: bytes = field(default=b"", repr=False)


class Card(Protocol):
    """A card in reach: see `pos_emulator.card.slot`, whose errors it raises."""

    def power(self, interface: Interface = Interface.CONTACT) -> None: ...

    def transmit(self, command: bytes) -> bytes: ...


class PinPad(Protocol):
    """Asks the holder for a PIN. `account` is the number that an online block is bound to."""

    def ask(self, prompt: PinPrompt, account: str) -> PinEntry: ...


class HostUnreachableError(RuntimeError):
    """The host did not answer, or there is no connection."""


@dataclass(frozen=True)
class OnlineRequest:
    """What goes to the host. `account` is a list of data objects with number and track 2."""

    entry_mode: EntryMode
    icc_data: bytes
    account: bytes = field(repr=False)
    track2: bytes = field(repr=False)
    sequence: bytes
    pin: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class OnlineResponse:
    """The host's answer: response code (8A), issuer authentication data (91), scripts (71, 72)."""

    code: str
    issuer_data: bytes = b""
    scripts: bytes = b""
    authorization: str = ""


Host = Callable[[OnlineRequest], OnlineResponse]
Choose = Callable[[Sequence[str]], int | None]


@dataclass(frozen=True)
class Devices:
    """What the kernel reaches: the card, the holder, the host, and chance.

    `choose` gets labels and returns the place of the chosen one, or None to cancel.
    `random_bytes` returns as many bytes as it is asked for. `notice` is given each thing as it
    happens, which the outcome has as its history too.
    """

    card: Card
    pin_pad: PinPad
    host: Host
    choose: Choose
    random_bytes: Callable[[int], bytes]
    notice: Callable[["CardEvent"], None] = lambda event: None


class CardResult(Enum):
    """How it ended, for the terminal to act on."""

    APPROVED = "approved"
    DECLINED = "declined"
    CANCELED = "canceled by the holder"
    NOT_ACCEPTED = "no application that the terminal accepts"
    CARD_ERROR = "the chip cannot be used"
    CARD_REMOVED = "the card was removed"
    INSERT_CARD = "the card has to be inserted"
    USE_CHIP = "the card has a chip, which has to be used"
    USE_MAGSTRIPE = "the magstripe has to be used"
    TAP_AGAIN = "the card has to be tapped again"


@dataclass(frozen=True)
class CardOutcome:
    """The end of one try.

    `must_reverse` says that the host has approved what the card or the terminal then refused.
    `values` are data objects for receipt and advice, by tag, without those that are secret.
    """

    result: CardResult
    reason: str
    entry_mode: EntryMode = EntryMode.ICC
    code: str = ""
    is_offline: bool = False
    must_reverse: bool = False
    needs_signature: bool = False
    pin_was_wrong: bool = False
    authorization: str = ""
    icc_data: bytes = b""
    account: bytes = field(default=b"", repr=False)
    values: Mapping[str, bytes] = field(default_factory=dict)
    history: tuple["CardEvent", ...] = ()


@dataclass(frozen=True)
class CardEvent:
    """One thing that happened: a step in words, and of an exchange both sides with their tags.

    All of it may be shown: account number, track, PIN and what they can be computed from are left
    out.
    """

    step: str
    text: str
    command: str = ""
    response: str = ""
    objects: tuple[str, ...] = ()


class EndError(RuntimeError):
    """The payment ends here."""

    def __init__(self, result: CardResult, reason: str) -> None:
        super().__init__(reason)
        self.result = result
        self.reason = reason
