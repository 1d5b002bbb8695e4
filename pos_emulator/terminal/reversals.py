"""Reversals: a payment that was refused at the till must not stand at the gateway.

The gateway is asked by merchantTransactionId what became of the payment. An approved one is
reversed by RV, or refunded where the gateway allows no RV of its type; each try is a payment of its
own with one merchantTransactionId, and after a lost answer the gateway is asked for that one first.
What is unknown is asked for for a day, and after it at the end of each day. Choice: D-445.
"""

from collections.abc import Sequence
from dataclasses import replace

from pos_emulator.terminal.gateway import GatewayAnswer, LostAnswerError, NotSentError
from pos_emulator.terminal.memory.journal import Kept, Reversal
from pos_emulator.terminal.parameters import amount_parameter
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import Stage, TerminalEntry
from pos_emulator.terminal.unknown import was_unknown_long

REVERSED = "RV"


def reverse(parts: TerminalParts, reversal: Reversal) -> bool:
    """Carry out a reversal; False where it has to be tried again."""
    try:
        found = (*parts.gateway.find(reversal.transaction),)
        if not found:
            return _close_unknown(parts, reversal)
        if any(each.is_pending for each in found):
            return False
        standing = [each for each in found if each.is_approved]
        if standing and reversal.is_closed:
            reversal = _reopen(parts, reversal)
        if all(_take_back(parts, reversal, each) for each in standing):
            return _end(parts, reversal)
    except (NotSentError, LostAnswerError):
        pass
    return False


def reversal_name(transaction: str) -> str:
    """The merchantTransactionId of the reversal of a payment."""
    return f"{transaction}-{REVERSED}"


def _close_unknown(parts: TerminalParts, reversal: Reversal) -> bool:
    """Close a reversal of what was unknown for a day; it is kept, to be asked for at the end of
    each day.
    """
    if reversal.is_closed or not was_unknown_long(parts, reversal):
        return False
    closed = replace(reversal, is_closed=True)
    _write(parts, closed, _moved(parts, closed, Stage.MUST_REVERSE, Stage.REVERSED))
    return True


def _reopen(parts: TerminalParts, reversal: Reversal) -> Reversal:
    """A reversal that was closed, of a payment that has arrived since."""
    opened = replace(reversal, is_closed=False)
    _write(parts, opened, _moved(parts, opened, Stage.REVERSED, Stage.MUST_REVERSE))
    return opened


def _take_back(parts: TerminalParts, reversal: Reversal, payment: GatewayAnswer) -> bool:
    name = reversal_name(reversal.transaction)
    tried = parts.gateway.find(name)
    if any(each.is_approved for each in tried):
        return True
    if any(each.is_pending for each in tried):
        return False
    standing = reversal if payment.amount is None else replace(reversal, amount=payment.amount)
    return take_back(parts, standing, payment.payment, name).is_approved


def take_back(parts: TerminalParts, reversal: Reversal, payment: str, name: str) -> GatewayAnswer:
    """Reverse a payment, or refund it where it cannot be reversed, unless the reversal is pending.
    Raises NotSentError, LostAnswerError.
    """
    sent = {"merchantTransactionId": name}
    answer = parts.gateway.refer(payment, {"paymentType": REVERSED, **sent})
    if answer.is_approved or answer.is_pending or reversal.type == "PA":
        return answer
    money = {"amount": amount_parameter(reversal.amount), "currency": reversal.currency}
    return parts.gateway.refer(payment, {"paymentType": "RF", **sent, **money})


def _end(parts: TerminalParts, reversal: Reversal) -> bool:
    """The payment does not stand: its entry is reversed, if this was its last try."""
    done: list[Kept] = [reversal, *parts.journal.unknown(reversal.transaction)]
    _write(parts, _moved(parts, reversal, Stage.MUST_REVERSE, Stage.REVERSED), drop=done)
    return True


def _moved(
    parts: TerminalParts, reversal: Reversal, before: Stage, after: Stage
) -> TerminalEntry | None:
    """The entry of a reversal in its new stage, where this was its last try."""
    entry = parts.journal.entry(reversal.batch, reversal.receipt)
    if entry is None or entry.transaction != reversal.transaction or entry.stage is not before:
        return None
    return replace(entry, stage=after)


def _write(parts: TerminalParts, *kept: Kept | None, drop: Sequence[Kept] = ()) -> None:
    puts = [each for each in kept if each is not None]
    parts.journal.write(*puts, drop=drop)
    for each in puts:
        if isinstance(each, TerminalEntry):
            parts.notify("entry", each.stage.value, each.name, None)
