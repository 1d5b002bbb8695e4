"""What a cardholder and a merchant do, in the order in which a script has it."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from pos_emulator.card.memory import MemoryPort
from pos_emulator.card.profiles import card_file
from pos_emulator.card_numbers import MaskedError, without_card_numbers
from pos_emulator.counter.tray import FAULTS, TrayError, take_card
from pos_emulator.kernel.models import CHIP, MAGSTRIPE, TAP
from pos_emulator.kernel.records import PinPrompt
from pos_emulator.receipts.document import PaymentReceipt, ReceiptCopy
from pos_emulator.terminal.records import (
    CardPrompt,
    CurrencyOffer,
    DeskAbortedError,
    DeskCanceledError,
    Keyed,
    Presented,
    TillOrder,
)
from simulator.client.shown.misfits import one_of

SHOWN_MAX = PRINTED_MAX = 200
WORD_SHOWN_MAX = 40


def check_known(name: str, word: str, known: Iterable[str]) -> None:
    """Raise ValueError where a word of a story is none of those that are known."""
    if word not in (words := tuple(known)):
        got = without_card_numbers(word)[:WORD_SHOWN_MAX]
        raise ValueError(f"{name}: expected {one_of(words, got)}, got {got!r}")


class Act(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One act: exactly one of `insert`, `tap`, `swipe`, `type` (each a card by its name), `pin`,
    `press`, `choose` (a label, or the code of a currency) and `signature`.

    `fault` is what goes wrong with an inserted or tapped card, by its name on the counter.
    """

    insert: str | None = None
    tap: str | None = None
    swipe: str | None = None
    type: str | None = None
    pin: str | None = None
    press: Literal["cancel", "skip", "nothing"] | None = None
    choose: str | None = None
    signature: Literal["accepted", "refused"] | None = None
    fault: str = "none"

    def __post_init__(self) -> None:
        if len(self.given) != 1:
            names = ", ".join(name for name in self.__struct_fields__ if name != "fault")
            raise ValueError(f"expected exactly one of {names}, got {len(self.given)}")
        check_known("fault", self.fault, FAULTS)

    @property
    def given(self) -> list[str]:
        """The names of the fields that are set; one."""
        fields = (name for name in self.__struct_fields__ if name != "fault")
        return [name for name in fields if getattr(self, name) is not None]

    @property
    def name(self) -> str:
        """What is done: insert, pin, and so on."""
        return self.given[0]

    def __repr__(self) -> str:
        """Without the PIN."""
        shown = "" if self.pin is not None else getattr(self, self.name)
        return f"Act({self.name} {shown})"


READERS = {"insert": CHIP, "tap": TAP, "swipe": MAGSTRIPE}


class ActError(MaskedError, RuntimeError):
    """The terminal asks for something else than the script does next."""


class ScriptedDesk:
    """The people at a terminal, as a script has them. A signature is accepted unless it says else.

    `shown` are the texts of the display, `printed` the receipts, the oldest first.
    """

    def __init__(self, cards: MemoryPort) -> None:
        self._cards = cards
        self._acts: deque[Act] = deque()
        self.shown: deque[str] = deque(maxlen=SHOWN_MAX)
        self.printed: deque[tuple[PaymentReceipt, ReceiptCopy]] = deque(maxlen=PRINTED_MAX)

    def plan(self, acts: Iterable[Act]) -> None:
        """Do these in the next payment, and nothing that is left from the one before."""
        self._acts = deque(acts)
        self.shown.clear()

    @property
    def left(self) -> tuple[Act, ...]:
        """What was not asked for."""
        return tuple(self._acts)

    def present(self, prompt: CardPrompt) -> Presented:
        """Present the next card. Raises ActError, DeskCanceledError, DeskAbortedError."""
        act = self._next(*READERS, "type", asked="a card")
        if act.type is not None:
            return _typed(act.type)
        name = getattr(act, act.name)
        try:
            return take_card(name, READERS[act.name], self._cards, act.fault)
        except TrayError as error:
            raise ActError(str(error)) from None

    def ask_pin(self, prompt: PinPrompt) -> str:
        """Type the next PIN. Raises ActError, DeskCanceledError, DeskAbortedError."""
        act = self._next("pin", "press", asked="a PIN")
        return act.pin or ""

    def choose(self, labels: Sequence[str]) -> int:
        """Choose an application. Raises ActError, DeskCanceledError, DeskAbortedError."""
        label = self._next("choose", asked=f"a choice of {', '.join(labels)}").choose
        if label not in labels:
            raise ActError(f"expected a choice of {', '.join(labels)}, got {label}")
        return labels.index(label)

    def choose_currency(self, offer: CurrencyOffer) -> bool:
        """Choose one of two currencies. Raises ActError, DeskCanceledError, DeskAbortedError."""
        codes = (_code_of(offer.till), _code_of(offer.card))
        code = self._next("choose", asked=f"a choice of {' or '.join(codes)}").choose
        if code not in codes:
            raise ActError(f"expected a choice of {' or '.join(codes)}, got {code}")
        return code == codes[1]

    def confirm_signature(self, order: TillOrder) -> bool:
        """Accept the signature unless the next act refuses it."""
        if self._acts and self._acts[0].signature is not None:
            return self._acts.popleft().signature == "accepted"
        return True

    def show(self, text: str) -> None:
        """Keep what the display shows."""
        self.shown.append(text)

    def print_receipt(self, receipt: PaymentReceipt, copy: ReceiptCopy) -> None:
        """Keep one copy."""
        self.printed.append((receipt, copy))

    def abort(self, *, timed_out: bool = False) -> None:
        """Nothing waits here: a script acts at once, or not at all."""

    def _next(self, *names: str, asked: str) -> Act:
        if not self._acts:
            raise ActError(f"the terminal asks for {asked}, and the script ends here")
        act = self._acts.popleft()
        if act.press == "cancel":
            raise DeskCanceledError("the red key was pressed")
        if act.press == "nothing":
            raise DeskAbortedError(timed_out=True)
        if act.name not in names:
            raise ActError(f"the terminal asks for {asked}, the script has {act.name}")
        return act


def _code_of(shown: str) -> str:
    """The currency of an amount as it is shown, such as EUR 51.75."""
    return shown.partition(" ")[0]


def _typed(name: str) -> Keyed:
    profile = card_file().cards.get(name)
    if profile is None:
        got = without_card_numbers(name)[:WORD_SHOWN_MAX]
        raise ActError(f"expected {one_of(card_file().cards, got)}, got {got!r}")
    return Keyed(profile.number, profile.expiry)
