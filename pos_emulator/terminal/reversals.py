"""Reversals: a payment that was refused at the till must not stand at the gateway.

The gateway is asked by merchantTransactionId what became of the payment. An approved one is
reversed by RV, or refunded where the gateway allows no RV of its type; each try is a payment of its
own with one merchantTransactionId, and after a lost answer the gateway is asked for that one first.
Choice: D-445.
"""

from dataclasses import replace
from datetime import timedelta

from pos_emulator.terminal.gateway import GatewayAnswer, LostAnswerError, NotSentError
from pos_emulator.terminal.memory.journal import Reversal
from pos_emulator.terminal.parameters import amount_parameter
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import Stage

REVERSED = "RV"


def reverse(parts: TerminalParts, reversal: Reversal) -> bool:
    """Carry out a reversal; False where it has to be tried again."""
    try:
        found = (*parts.gateway.find(reversal.transaction),)
        if not found:
            return _is_settled(parts, reversal) and _end(parts, reversal)
        if any(each.is_pending for each in found):
            return False
        standing = [each for each in found if each.is_approved]
        if all(_take_back(parts, reversal, each) for each in standing):
            return _end(parts, reversal)
    except (NotSentError, LostAnswerError):
        pass
    return False


def _is_settled(parts: TerminalParts, reversal: Reversal) -> bool:
    """Whether a payment that the gateway does not know can no longer arrive there."""
    return parts.now() - reversal.asked_at >= timedelta(seconds=parts.gateway.timeout_s)


def _take_back(parts: TerminalParts, reversal: Reversal, payment: GatewayAnswer) -> bool:
    name = f"{reversal.transaction}-{REVERSED}"
    if any(each.is_approved for each in parts.gateway.find(name)):
        return True
    standing = reversal if payment.amount is None else replace(reversal, amount=payment.amount)
    return take_back(parts, standing, payment.payment, name).is_approved


def take_back(parts: TerminalParts, reversal: Reversal, payment: str, name: str) -> GatewayAnswer:
    """Reverse a payment, or refund it where it cannot be reversed. Raises NotSentError,
    LostAnswerError.
    """
    sent = {"merchantTransactionId": name}
    answer = parts.gateway.refer(payment, {"paymentType": REVERSED, **sent})
    if answer.is_approved or reversal.type == "PA":
        return answer
    money = {"amount": amount_parameter(reversal.amount), "currency": reversal.currency}
    return parts.gateway.refer(payment, {"paymentType": "RF", **sent, **money})


def _end(parts: TerminalParts, reversal: Reversal) -> bool:
    """The payment does not stand: its entry is reversed, if this was its last try."""
    entry = parts.journal.entry(reversal.batch, reversal.receipt)
    is_last = entry is not None and entry.transaction == reversal.transaction
    if entry is None or not is_last or entry.stage is not Stage.MUST_REVERSE:
        parts.journal.write(drop=(reversal,))
        return True
    ended = replace(entry, stage=Stage.REVERSED)
    parts.journal.write(ended, drop=(reversal,))
    parts.notify("entry", ended.stage.value, ended.name, None)
    return True
