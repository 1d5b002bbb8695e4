"""A person at the terminal: what it asks for stands here until a person acts.

One thread, the terminal's, waits in a method of `PaymentDesk`; others act for the person. What is
asked and what is shown are read as a `DeskView`; a PIN passes through and is kept nowhere.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Condition
from typing import Any

from pos_emulator.card.memory import MemoryPort
from pos_emulator.card_numbers import MaskedError, without_card_numbers
from pos_emulator.counter.tray import FAULTS, HeldCard, TrayError, take_card
from pos_emulator.ecr.ports import InputPrompt
from pos_emulator.kernel.models import CHIP, MANUAL
from pos_emulator.kernel.records import PinPrompt
from pos_emulator.receipts.document import (
    PaymentReceipt,
    PrintedLine,
    ReceiptCopy,
    ReceiptError,
    amount_text,
    document_of,
)
from pos_emulator.terminal.orders import asked_amount
from pos_emulator.terminal.records import (
    CardInsertedError,
    CardPrompt,
    CurrencyOffer,
    DeskAbortedError,
    DeskCanceledError,
    Inserted,
    Keyed,
    Presented,
    TillOrder,
)

# As long as a person may take; then the payment ends.
WAIT_S_MAX = 180.0
PAPERS_MAX = 40
DISPLAY_CHARACTERS_MAX = 160
PIN_DIGITS = range(4, 13)
NUMBER_DIGITS, EXPIRY_DIGITS, CODE_DIGITS = range(12, 20), range(4, 5), (0, 3, 4)
IDLE = "READY"
# What a till asks the customer: see `ending_at_card`.
INTERRUPTED = frozenset({"choice", "text"})
CHOICES = frozenset({"choice", "currency"})


class NotAskedError(MaskedError, RuntimeError):
    """The terminal does not ask for this now; the message says what it asks for."""


@dataclass(frozen=True)
class DeskQuestion:
    """What the terminal waits for: `kind` is "card", "pin", "choice", "currency", "signature" or
    "text".

    `prompt` is what may be typed for a text, `terms` are those of the second of two currencies.
    """

    kind: str
    number: int
    text: str = ""
    readers: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    is_online: bool = False
    tries_left: int | None = None
    prompt: InputPrompt | None = None
    terms: str = ""


@dataclass(frozen=True)
class Paper:
    """What came out of the printer: `name` says which copy or document it is, `receipt` is the
    number of a receipt.
    """

    number: int
    name: str
    lines: tuple[PrintedLine, ...] = field(repr=False)
    receipt: str = ""


@dataclass(frozen=True)
class DeskView:
    """What a person sees: display, question, the card in the chip reader, the next fault."""

    display: str = IDLE
    question: DeskQuestion | None = None
    inserted: str = ""
    fault: str = "none"


class CounterDesk:
    """A `PaymentDesk` whose waits end when a person acts. `changed` is called after each change."""

    def __init__(
        self,
        cards: MemoryPort,
        changed: Callable[[], None] = lambda: None,
        *,
        wait_s_max: float = WAIT_S_MAX,
    ) -> None:
        self._cards = cards
        self._tell = changed
        self._wait_s_max = wait_s_max
        self._moved = Condition()
        self._view = DeskView()
        self._held: HeldCard | None = None
        self._answer: Any = None
        self._ended: Exception | None = None
        self._early: Presented | None = None
        self._ends_at_card = False
        self._due = ""
        self._asked = 0
        self._printed = 0
        self._papers: deque[Paper] = deque(maxlen=PAPERS_MAX)

    @property
    def view(self) -> DeskView:
        with self._moved:
            return self._view

    @property
    def papers(self) -> tuple[Paper, ...]:
        """The last documents that were printed, oldest first."""
        with self._moved:
            return tuple(self._papers)

    # What terminal and till do: see `PaymentDesk` and `CustomerDesk`.

    def present(self, prompt: CardPrompt) -> Presented:
        early, self._early = self._early, None
        if early is not None and CHIP in prompt.readers:
            return early
        # The card of the payment before, or of the try before, is taken back.
        self._held = None
        self._due = _due_for(prompt)
        self._change(inserted="")
        presented: Presented = self._ask(
            "card", text=prompt.text, readers=tuple(sorted(prompt.readers))
        )
        return presented

    def ask_pin(self, prompt: PinPrompt) -> str:
        text = "ENTER PIN" if prompt.tries_left is None else "WRONG PIN, TRY AGAIN"
        pin: str = self._ask(
            "pin", text=text, is_online=prompt.is_online, tries_left=prompt.tries_left
        )
        return pin

    def choose(self, labels: Sequence[str]) -> int:
        place: int = self._ask("choice", text="CHOOSE", labels=tuple(labels))
        return place

    def choose_currency(self, offer: CurrencyOffer) -> bool:
        # Both amounts are choices; neither is due yet.
        due, self._due = self._due, ""
        place: int = self._ask(
            "currency", text="CHOOSE A CURRENCY", labels=(offer.till, offer.card), terms=offer.terms
        )
        self._due = offer.card if place else due
        return bool(place)

    def confirm_signature(self, order: TillOrder) -> bool:
        accepted: bool = self._ask("signature", text="SIGNATURE ACCEPTED?")
        return accepted

    def show(self, text: str) -> None:
        self._change(display=text[:DISPLAY_CHARACTERS_MAX])

    def print_receipt(self, receipt: PaymentReceipt, copy: ReceiptCopy) -> None:
        self._print(copy.value, document_of(receipt, copy), receipt.receipt_number)

    def ask_text(self, prompt: InputPrompt) -> str:
        self._due = ""
        shown = prompt.text[:DISPLAY_CHARACTERS_MAX]
        typed: str = self._ask("text", text=shown, prompt=prompt)
        return typed

    @contextmanager
    def ending_at_card(self) -> Iterator[None]:
        self._ends_at_card = True
        try:
            yield
        finally:
            self._ends_at_card = False

    def print_lines(self, name: str, lines: Sequence[PrintedLine]) -> None:
        self._print(name, tuple(lines))

    def abort(self, *, timed_out: bool = False) -> None:
        self._end(DeskAbortedError(timed_out=timed_out))

    # What a person does. Each raises NotAskedError where the terminal does not ask for it.

    def present_card(self, name: str, reader: str) -> None:
        """Hold a card of the tray to a reader, with the fault that was chosen; it happens once.

        Raises TrayError for a card that this reader cannot read.
        """
        self._refuse_reader(reader)
        presented = take_card(name, reader, self._cards, self.view.fault)
        if self._is_interrupted():
            self._early = presented
            self._end(CardInsertedError())
        else:
            self._reply("card", presented)
        if isinstance(presented, Inserted) and isinstance(presented.card, HeldCard):
            self._hold(presented.card)
        self._change(fault="none")

    def type_card(self, number: str, expiry: str, code: str) -> None:
        """Type a card in: number, expiry as YYMM, code. Raises TrayError for what is no digits."""
        self._refuse_reader(MANUAL)
        for text, lengths in (
            (number, NUMBER_DIGITS), (expiry, EXPIRY_DIGITS), (code, CODE_DIGITS),
        ):  # fmt: skip
            if len(text) not in lengths or not (text.isdecimal() and text.isascii() or not text):
                raise TrayError(
                    "expected 12 to 19 digits, YYMM, and no code or one of 3 or 4 digits"
                )
        self._reply("card", Keyed(number, expiry, code))

    def enter_pin(self, pin: str) -> None:
        """Press the green key after these digits, none to skip the PIN. Raises TrayError."""
        is_pin = pin.isdecimal() and pin.isascii() and len(pin) in PIN_DIGITS
        if pin and not is_pin:
            raise TrayError("expected a PIN of 4 to 12 digits")
        self._reply("pin", pin)

    def choose_label(self, place: int) -> None:
        """Choose an application or a currency. Raises TrayError for a place not offered."""
        question = self.view.question
        if question is None or question.kind not in CHOICES:
            raise NotAskedError(_asked_for(question))
        if place not in range(len(question.labels)):
            raise TrayError(f"expected one of {len(question.labels)} places, got {place}")
        self._reply(question.kind, place)

    def type_text(self, text: str) -> None:
        """Type what a till asks for. Raises TrayError, which does not repeat it."""
        question = self.view.question
        if question and question.prompt and (found := question.prompt.complaint_about(text)):
            raise TrayError(found)
        self._reply("text", text)

    def judge_signature(self, *, accepted: bool) -> None:
        """Say whether the signature is accepted."""
        self._reply("signature", accepted)

    def press_cancel(self) -> None:
        """Press the red key; it refuses a signature, and ends any other wait."""
        question = self.view.question
        if question is not None and question.kind == "signature":
            self.judge_signature(accepted=False)
        elif not self._end(DeskCanceledError("the red key was pressed")):
            raise NotAskedError(_asked_for(None))

    def pull_card(self) -> None:
        """Take the card out of the chip reader, at any time."""
        held = self._held
        if held is None:
            raise NotAskedError("no card is in the chip reader")
        held.pull()
        self._release(held)

    def _hold(self, card: HeldCard) -> None:
        """Show a card in the chip reader, until it is pulled or a fault takes it out."""
        card.slipped = lambda: self._release(card)
        with self._moved:
            self._held = card
            self._change(inserted=card.name)
        if card.is_out:
            self._release(card)

    def _release(self, card: HeldCard) -> None:
        with self._moved:
            if self._held is not card:
                return
            self._held = self._early = None
            self._change(inserted="")

    def choose_fault(self, name: str) -> None:
        """Choose what goes wrong with the next card. Raises TrayError."""
        if name not in FAULTS:
            raise TrayError(f"expected one of {', '.join(FAULTS)}")
        self._change(fault=name)

    def _print(self, name: str, lines: tuple[PrintedLine, ...], receipt: str = "") -> None:
        with self._moved:
            self._printed += 1
            self._papers.append(Paper(self._printed, name, lines, receipt))
        self._tell()

    def _ask(self, kind: str, **facts: Any) -> Any:
        with self._moved:
            self._asked += 1
            self._answer = self._ended = None
            if self._ends_at_card and kind in INTERRUPTED:
                facts["readers"] = (CHIP,)
            question = DeskQuestion(kind, self._asked, **facts)
            display = f"{self._due}\n{question.text}".strip()
            self._view = replace(self._view, question=question, display=display)
        self._tell()
        try:
            return self._answer_in_time()
        finally:
            self._change(question=None)

    def _answer_in_time(self) -> Any:
        with self._moved:
            self._moved.wait_for(
                lambda: self._answer is not None or self._ended is not None, self._wait_s_max
            )
            answer, ended, self._answer, self._ended = self._answer, self._ended, None, None
        if ended is not None:
            raise ended
        if answer is None:
            raise DeskAbortedError(timed_out=True)
        return answer

    def _reply(self, kind: str, answer: object) -> None:
        with self._moved:
            question = self._view.question
            if question is None or question.kind != kind:
                raise NotAskedError(_asked_for(question))
            self._answer = answer
            # Two keys pressed at once are one answer.
            self._view = replace(self._view, question=None)
            self._moved.notify_all()

    def _end(self, error: Exception) -> bool:
        with self._moved:
            if self._view.question is None:
                return False
            self._ended = error
            self._moved.notify_all()
            return True

    def _refuse_reader(self, reader: str) -> None:
        question = self.view.question
        if question is None or (question.kind != "card" and not question.readers):
            raise NotAskedError(_asked_for(question))
        if reader not in question.readers:
            offered = ", ".join(question.readers) or "no reader"
            raise NotAskedError(
                f"the terminal reads {offered} now, not {without_card_numbers(reader)[:20]}"
            )

    def _is_interrupted(self) -> bool:
        """Whether a card ends the wait for something else."""
        question = self.view.question
        return question is not None and question.kind in INTERRUPTED

    def _change(self, **changed: Any) -> None:
        with self._moved:
            self._view = replace(self._view, **changed)
        self._tell()


def _due_for(prompt: CardPrompt) -> str:
    """The amount, as the display shows it above what it asks for."""
    order, chosen = prompt.order, prompt.conversion
    if chosen is not None:
        return amount_text(chosen.amount, chosen.currency)
    if order.amount is None:
        return ""
    try:
        return amount_text(asked_amount(order), order.currency)
    except ReceiptError:
        return f"{order.currency} {asked_amount(order):f}"


def _asked_for(question: DeskQuestion | None) -> str:
    if question is None:
        return "the terminal asks for nothing now; start a payment at the till"
    return f"the terminal asks for a {question.kind} now"
