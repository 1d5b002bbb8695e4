"""What a chip is, what it remembers without power, and where a session with a terminal stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from pos_emulator.card.cryptograms import ChipKeys
from pos_emulator.card.rsa import PrivateKey
from pos_emulator.dol import Dol

Records = Mapping[tuple[int, int], bytes]


class Interface(Enum):
    """How a terminal reaches the chip."""

    CONTACT = "contact"
    CONTACTLESS = "contactless"


class Protocol(Enum):
    """How responses travel: T=0 hands long ones over in two steps (61, 6C), T=1 at once."""

    T0 = "T=0"
    T1 = "T=1"


class ChipStage(Enum):
    """Where a payment stands for the card."""

    IDLE = "no application selected"
    SELECTED = "application selected"
    STARTED = "processing options given"
    REQUESTED = "online authorization requested"
    DONE = "second cryptogram given, or the first was final"


@dataclass(frozen=True)
class ChipApplication:
    """An application: what its selection answers. A low priority comes first, 0 is none."""

    aid: bytes
    label: str
    priority: int
    confirm: bool = False
    is_blocked: bool = False
    extra: bytes = b""


@dataclass(frozen=True)
class Options:
    """What GET PROCESSING OPTIONS answers on one interface, and the records it points to."""

    aip: bytes
    afl: bytes
    pdol: Dol
    pdol_bytes: bytes
    records: Records = field(repr=False)


@dataclass(frozen=True)
class TapRules:
    """How the chip answers a tap; see `Tap` in `profiles`."""

    is_magstripe: bool
    ctq: bytes = b""
    ctq_above: bytes = b""
    currency: bytes = b""
    magstripe_template: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class Chip:
    """A personalized chip. Nothing in it changes; what changes is in `Memory`."""

    name: str
    scheme: str
    cvn: int
    issuer_data: bytes
    answers: str
    applications: tuple[ChipApplication, ...]
    contact: Options | None
    contactless: Options | None
    tap: TapRules | None
    cdol1: Dol
    cdol2: Dol
    ddol: Dol
    track2: bytes = field(repr=False)
    sequence: bytes
    keys: ChipKeys = field(repr=False)
    rsa: PrivateKey | None = field(repr=False)
    pin_check: bytes = field(repr=False)
    pin_tries: int | None
    log_format: Dol
    limits: Mapping[str, bytes] = field(default_factory=dict)
    protocol: Protocol = Protocol.T1
    directory: tuple[tuple[int, ...], ...] | None = None


@dataclass(frozen=True)
class Memory:
    """What the chip keeps without power; saved before a response leaves the card.

    `pin_check` is empty as long as the PIN is the personalized one. `data` are values that the
    issuer has put, by tag.
    """

    atc: int = 0
    last_online_atc: int = 0
    pin_tries: int = 0
    offline_in_a_row: int = 0
    offline_amount: int = 0
    online_pending: bool = False
    issuer_failed: bool = False
    scripts: int = 0
    script_failed: bool = False
    card_blocked: bool = False
    blocked: tuple[str, ...] = ()
    unblocked: tuple[str, ...] = ()
    pin_check: bytes = field(default=b"", repr=False)
    data: Mapping[str, bytes] = field(default_factory=dict)
    log: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class ChipSession:
    """What the chip forgets when the terminal lets go of it."""

    interface: Interface = Interface.CONTACT
    stage: ChipStage = ChipStage.IDLE
    application: int | None = None
    selected_name: bytes = b""
    directory: bool = False
    values: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    hashed: bytes = field(default=b"", repr=False)
    challenge: bytes = field(default=b"", repr=False)
    challenges: int = 0
    request: bytes = b""
    first: int | None = None
    was_online_pending: bool = False
    dda_done: bool = False
    pin_checked: bool | None = None
    issuer_checked: bool | None = None
    status_update: bytes = b""
    scripts: int = 0
    waiting: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class ChipState:
    """A chip under power."""

    chip: Chip
    memory: Memory
    session: ChipSession = ChipSession()
    refuses_issuer: bool = False

    @property
    def options(self) -> Options | None:
        """What the chip offers on the interface in use."""
        is_contact = self.session.interface is Interface.CONTACT
        return self.chip.contact if is_contact else self.chip.contactless

    @property
    def counter(self) -> bytes:
        """The transaction counter (9F36)."""
        return self.memory.atc.to_bytes(2, "big")


def power_on(chip: Chip, memory: Memory, interface: Interface = Interface.CONTACT) -> ChipState:
    """The chip as a terminal finds it: nothing selected."""
    return ChipState(chip, memory, ChipSession(interface=interface))


def fresh_memory(chip: Chip) -> Memory:
    """The memory of a card that has left personalization."""
    return Memory(pin_tries=chip.pin_tries or 0)
