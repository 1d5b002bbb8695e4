"""Payments that refer to an earlier one by its receipt number: void, capture, refund.

They need no card. Where the answer is lost or pending the gateway is asked what became of it, and
what it says counts: a refund cannot be taken back. What it does not know is asked for for a day,
and after it at the end of each day. Choice: D-447.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from pos_emulator.receipts.conversion import Conversion
from pos_emulator.terminal.facts import receipt_of_reference
from pos_emulator.terminal.gateway import (
    NOT_DECIDED,
    GatewayAnswer,
    LostAnswerError,
    NotSentError,
)
from pos_emulator.terminal.memory.journal import Kept, Printing, Stored
from pos_emulator.terminal.orders import REFERRED, charged
from pos_emulator.terminal.parameters import amount_parameter
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import (
    Ending,
    OrderError,
    OrderKind,
    Stage,
    TerminalEntry,
    TillOrder,
)
from pos_emulator.terminal.unknown import was_unknown_long

# What an RV is refused with where the gateway reverses no payment of this type.
FALLBACK_TYPE = "RF"


def original_of(parts: TerminalParts, entry: TerminalEntry) -> TerminalEntry:
    """The payment that an order names. Raises OrderError."""
    order = entry.order
    found = _meant(parts, entry)
    if found is None:
        raise OrderError(f"receipt: no payment has the number {order.receipt[:16]!r}")
    operation, suitable = found.order.operation, REFERRED[order.operation]
    if operation not in suitable or found.stage not in (Stage.APPROVED, Stage.STORED):
        expected = " or ".join(sorted(each.value for each in suitable))
        raise OrderError(
            f"receipt: expected an approved {expected}, "
            f"received a {operation.value} that is {found.stage.value}"
        )
    if order.amount is not None and found.order.currency != order.currency:
        raise OrderError(f"currency: expected {found.order.currency}, that of the payment")
    if found.stage is Stage.STORED and not _can_discard(parts, order, found):
        raise OrderError("receipt: the payment was approved offline and is not uploaded yet")
    return found


def find_receipt(parts: TerminalParts, receipt: str) -> TerminalEntry | None:
    """A payment by its receipt number in the open batch, or by batch and number: "0001-000012"."""
    batch, separator, number = receipt.rpartition("-")
    return parts.journal.entry(batch if separator else parts.journal.batch, number)


def find_reservation(parts: TerminalParts, receipt: str) -> TerminalEntry | None:
    """An approved pre-authorization by its receipt number, of any batch that is kept. Raises
    OrderError where several have it, as an earlier build gave it.
    """
    return _only(parts.journal.reservations(receipt))


def _meant(parts: TerminalParts, entry: TerminalEntry) -> TerminalEntry | None:
    """The payment that an order names: a number alone may be that of an earlier reservation."""
    receipt, here = entry.order.receipt, find_receipt(parts, entry.original)
    if "-" in receipt or entry.order.operation is OrderKind.REFUND:
        return here
    held = parts.journal.reservations(receipt)
    if entry.order.operation is OrderKind.VOID and here is not None and here not in held:
        held = (*held, here)
    return _only(held) or here


def _only(found: Sequence[TerminalEntry]) -> TerminalEntry | None:
    if len(found) > 1:
        names = ", ".join(each.name for each in found)
        raise OrderError(f"receipt: several have this number, name one with its batch: {names}")
    return found[0] if found else None


def refer(parts: TerminalParts, entry: TerminalEntry, original: TerminalEntry) -> TerminalEntry:
    """Carry out an order about an earlier payment."""
    if original.stage is Stage.STORED:
        return _discard(parts, entry, original)
    trace = parts.journal.next_trace()
    left = _open_amount(parts, original)
    amount = entry.order.amount or left
    if amount <= 0 or _is_above(amount, left, original):
        reason = f"{left if left > 0 else 'nothing'} is left of receipt {original.receipt}"
        return parts.keep(
            replace(entry, stage=Stage.DECLINED, ending=Ending.DECLINED, reason=reason)
        )
    entry = replace(
        entry,
        order=replace(entry.order, amount=amount),
        conversion=_conversion_of(parts, original, amount),
        stage=Stage.ASKED,
        trace=trace,
        transaction=parts.new_transaction(trace),
        at=parts.now(),
    )
    parts.keep(entry)
    parts.stand.show("PLEASE WAIT")
    try:
        answer = _ask(parts, entry, original)
        if answer.is_pending:
            raise LostAnswerError(NOT_DECIDED)
        return end(parts, entry, answer)
    except NotSentError as error:
        failed = replace(entry, stage=Stage.FAILED, ending=Ending.UNREACHABLE, reason=str(error))
        return parts.keep(failed)
    except LostAnswerError as error:
        entry = parts.keep(replace(entry, ending=Ending.UNREACHABLE, reason=str(error)))
        return settle(parts, entry) or entry


def settle(parts: TerminalParts, entry: TerminalEntry) -> TerminalEntry | None:
    """The end of an entry whose answer was lost, as the gateway has it; None while it is open."""
    try:
        found = parts.gateway.find(entry.transaction)
    except (NotSentError, LostAnswerError):
        return None
    if any(each.is_pending for each in found):
        return None
    approved = next((each for each in found if each.is_approved), None)
    if approved is not None:
        return end(parts, entry, approved)
    if found and not _may_follow(entry, found):
        return end(parts, entry, found[-1])
    if entry.stage is Stage.FAILED or not was_unknown_long(parts, entry):
        return None
    if found:
        return end(parts, entry, found[-1])
    return parts.keep(replace(entry, stage=Stage.FAILED, ending=Ending.UNREACHABLE))


def _may_follow(entry: TerminalEntry, found: Sequence[GatewayAnswer]) -> bool:
    """Whether a refund may be on its way after the RV of a void that was declined."""
    is_void = entry.order.operation is OrderKind.VOID
    return is_void and all(each.type != FALLBACK_TYPE for each in found)


def end(parts: TerminalParts, entry: TerminalEntry, answer: GatewayAnswer) -> TerminalEntry:
    """An entry with the answer of the gateway; what is voided is so from then on."""
    original = find_receipt(parts, entry.original)
    is_done = answer.is_approved
    ended = replace(
        entry,
        stage=Stage.APPROVED if is_done else Stage.DECLINED,
        ending=Ending.APPROVED if is_done else Ending.DECLINED,
        approved=entry.order.amount if is_done else None,
        reason=answer.reason,
        payment=answer.payment,
        code=answer.issuer_code,
        result_code=answer.result_code,
    )
    printed = receipt_of_reference(original.printed if original else None, ended, answer)
    ended = replace(ended, printed=printed)
    beside: list[Kept] = []
    if printed is not None:
        beside.append(Printing(batch=ended.batch, receipt=ended.receipt))
    if is_done and original is not None and entry.order.operation is OrderKind.VOID:
        beside.append(replace(original, stage=Stage.REVERSED))
    parts.journal.write(ended, *beside, drop=parts.journal.unknown(entry.transaction))
    parts.notify("entry", ended.stage.value, ended.name, None)
    parts.print_receipt(ended)
    return ended


def _ask(parts: TerminalParts, entry: TerminalEntry, original: TerminalEntry) -> GatewayAnswer:
    name = {"merchantTransactionId": entry.transaction}
    amount, currency = charged(entry)
    money = {"amount": amount_parameter(amount), "currency": currency}
    if entry.order.operation is OrderKind.CAPTURE:
        return parts.gateway.refer(original.payment, {"paymentType": "CP", **name, **money})
    if entry.order.operation is OrderKind.VOID:
        answer = parts.gateway.refer(original.payment, {"paymentType": "RV", **name})
        is_hold = original.order.operation is OrderKind.PRE_AUTHORIZATION
        if answer.is_approved or answer.is_pending or is_hold:
            return answer
    return parts.gateway.refer(original.payment, {"paymentType": "RF", **name, **money})


def _open_amount(parts: TerminalParts, original: TerminalEntry) -> Decimal:
    """What later payments have left of one, as far as this terminal knows."""
    taken = (each.approved or Decimal(0) for each in _taken(parts, original))
    return (original.approved or Decimal(0)) - sum(taken, Decimal(0))


def _is_above(amount: Decimal, left: Decimal, original: TerminalEntry) -> bool:
    """Whether the gateway could not see that an amount is more than what is left: in the card's
    currency both may be the same.
    """
    return original.conversion is not None and amount > left


def _taken(parts: TerminalParts, original: TerminalEntry) -> list[TerminalEntry]:
    """The later payments that were approved of one."""
    return [
        each
        for each in parts.journal.entries()
        if each.original == original.name and each.stage is Stage.APPROVED
    ]


def _conversion_of(
    parts: TerminalParts, original: TerminalEntry, amount: Decimal
) -> Conversion | None:
    """What an amount of a payment is in the card's currency, at the rate of that payment. The last
    part is what is left there, so that no rounding is left over.
    """
    if original.conversion is None:
        return None
    converted = (each.conversion for each in _taken(parts, original) if each.conversion)
    left = original.conversion.amount - sum((each.amount for each in converted), Decimal(0))
    part = original.conversion.of(amount)
    is_last = amount == _open_amount(parts, original) or part.amount > left
    return replace(part, amount=left) if is_last and left > 0 else part


def _stored(parts: TerminalParts, original: TerminalEntry) -> list[Stored]:
    """What is kept of a payment to be uploaded."""
    transaction = original.transaction
    return [each for each in parts.journal.stored() if each.transaction == transaction]


def _can_discard(parts: TerminalParts, order: TillOrder, original: TerminalEntry) -> bool:
    """Whether an order is a void of what only this terminal knows of."""
    is_void = order.operation is OrderKind.VOID
    return is_void and not any(each.sent_at for each in _stored(parts, original))


def _discard(parts: TerminalParts, entry: TerminalEntry, original: TerminalEntry) -> TerminalEntry:
    """Void what only this terminal knows of: it is never uploaded."""
    ended = replace(
        entry,
        order=replace(entry.order, amount=original.approved),
        conversion=original.conversion,
        stage=Stage.APPROVED,
        ending=Ending.APPROVED,
        approved=original.approved,
        is_offline=True,
        trace=parts.journal.next_trace(),
        reason="voided before it was uploaded",
    )
    printed = receipt_of_reference(original.printed, ended, GatewayAnswer(status="VOIDED"))
    ended = replace(ended, printed=printed)
    voided = replace(original, stage=Stage.REVERSED)
    printing = Printing(batch=ended.batch, receipt=ended.receipt)
    parts.journal.write(
        ended, voided, *([printing] if printed else []), drop=_stored(parts, original)
    )
    parts.notify("entry", ended.stage.value, ended.name, None)
    parts.print_receipt(ended)
    return ended
