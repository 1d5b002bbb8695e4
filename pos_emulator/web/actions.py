"""What the page may ask to be done: one row an address, and what its body has to be."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from pos_emulator.counter.desk import CounterDesk
from pos_emulator.counter.till import CounterTill, amount_in
from pos_emulator.terminal.memory.journal import BATCH_DIGITS, DIGITS
from pos_emulator.terminal.records import OrderError, OrderKind, TillOrder
from pos_emulator.terminal.terminal import Terminal
from pos_emulator.web.documents import totals_document

Name = Annotated[str, Meta(max_length=40)]
Digits = Annotated[str, Meta(max_length=20, pattern="^[0-9]*$")]
Receipt = Annotated[str, Meta(max_length=12, pattern="^(([0-9]+-)?[0-9]+)?$")]
Currency = Annotated[str, Meta(pattern="^[A-Z]{3}$")]
Amount = Annotated[str, Meta(max_length=13)]


class BadActionError(ValueError):
    """A body that is not what an address expects; the message says what is, and repeats nothing."""


class Nothing(Struct, forbid_unknown_fields=True):
    """No members."""


class PresentCard(Struct, forbid_unknown_fields=True):
    """A card of the tray, at "chip", "tap" or "magstripe"."""

    card: Name
    reader: Name


class TypeCard(Struct, forbid_unknown_fields=True):
    """A card that is typed in; expiry as YYMM."""

    number: Digits
    expiry: Digits
    code: Digits = ""


class EnterPin(Struct, forbid_unknown_fields=True):
    """The digits before the green key; none skips the PIN."""

    pin: Annotated[str, Meta(max_length=12)]


class Choose(Struct, forbid_unknown_fields=True):
    """The place of a label."""

    place: Annotated[int, Meta(ge=0, le=50)]


class TypeText(Struct, forbid_unknown_fields=True):
    """What the customer types for a till."""

    text: Annotated[str, Meta(max_length=100)]


class Sign(Struct, forbid_unknown_fields=True):
    """Whether the signature is accepted."""

    accepted: bool


class ChooseFault(Struct, forbid_unknown_fields=True):
    """What goes wrong with the next card."""

    fault: Name


class Plug(Struct, forbid_unknown_fields=True):
    """Whether the network cable is in."""

    up: bool


class Move(Struct, forbid_unknown_fields=True):
    """Where a terminal with GPS is; empty where it receives nothing."""

    position: Annotated[str, Meta(max_length=60)]


class GiveOrder(Struct, forbid_unknown_fields=True):
    """An order of the till; amounts as text, in units of the currency."""

    operation: Name
    amount: Amount = ""
    currency: Currency = "EUR"
    receipt: Receipt = ""
    cashback: Amount = ""
    tip: Amount = ""


# What the till is asked next: what became of the order before is in the journal.
AT_TILL = frozenset({"work", "totals", "close-batch"})


class Actions:
    """Does what the page asks for, at one terminal."""

    def __init__(self, terminal: Terminal, desk: CounterDesk, till: CounterTill) -> None:
        self._terminal = terminal
        self._desk = desk
        self._till = till
        self._rows: Mapping[str, tuple[type[Struct], Callable[[Any], object]]] = {
            "card": (PresentCard, lambda sent: desk.present_card(sent.card, sent.reader)),
            "typed-card": (
                TypeCard, lambda sent: desk.type_card(sent.number, sent.expiry, sent.code)
            ),
            "pin": (EnterPin, lambda sent: desk.enter_pin(sent.pin)),
            "choice": (Choose, lambda sent: desk.choose_label(sent.place)),
            "text": (TypeText, lambda sent: desk.type_text(sent.text)),
            "signature": (Sign, lambda sent: desk.judge_signature(accepted=sent.accepted)),
            "red-key": (Nothing, lambda sent: desk.press_cancel()),
            "pull": (Nothing, lambda sent: desk.pull_card()),
            "fault": (ChooseFault, lambda sent: desk.choose_fault(sent.fault)),
            "network": (Plug, self._plug),
            "position": (Move, lambda sent: terminal.gps.move(sent.position)),
            "order": (GiveOrder, self._give_order),
            "abort": (Nothing, lambda sent: self._abort()),
            "work": (Nothing, lambda sent: {"remain": till.work_at_once()}),
            "totals": (Nothing, lambda sent: totals_document(terminal.totals())),
            "close-batch": (Nothing, lambda sent: totals_document(terminal.close_batch())),
        }  # fmt: skip

    def knows(self, name: str) -> bool:
        """Whether there is an action of this name."""
        return name in self._rows

    def do(self, name: str, body: bytes) -> object:
        """Do it, and return what there is to say about it. Raises BadActionError."""
        shape, act = self._rows[name]
        if name in AT_TILL:
            self._till.forget_message()
        return act(read_body(body, shape))

    def _give_order(self, sent: GiveOrder) -> None:
        try:
            self._till.start(order_of(sent))
        except ValueError:
            # It is what was asked last, and what became of the one before is in the journal.
            self._till.forget_message()
            raise

    def _plug(self, sent: Plug) -> None:
        self._terminal.network_up = sent.up

    def _abort(self) -> None:
        self._terminal.abort("")


def order_of(sent: GiveOrder) -> TillOrder:
    """The order that a form of the till describes. Raises OrderError."""
    try:
        operation = OrderKind(sent.operation)
    except ValueError:
        known = ", ".join(each.value for each in OrderKind)
        raise OrderError(f"operation: expected one of {known}") from None
    return TillOrder(
        operation=operation,
        amount=_amount_of(sent.amount),
        currency=sent.currency,
        receipt=_receipt_of(sent.receipt),
        cashback=_amount_of(sent.cashback) or Decimal(0),
        tip=_amount_of(sent.tip) or Decimal(0),
    )


def _receipt_of(text: str) -> str:
    """A receipt number, with its batch where that is before it; noughts may be left out."""
    batch, separator, number = text.rpartition("-")
    named = f"{batch.rjust(BATCH_DIGITS, '0')}-" if separator else ""
    return named + number.rjust(DIGITS, "0") if number else ""


def _amount_of(text: str) -> Decimal | None:
    return amount_in(text) if text.strip() else None


def read_body(body: bytes, shape: type[Struct]) -> Struct:
    try:
        return msgspec.json.decode(body or b"{}", type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError):
        # The library's message may repeat what was sent, and a PIN may stand in it.
        members = ", ".join(shape.__struct_fields__) or "no member"
        raise BadActionError(f"expected a JSON object with {members}") from None
