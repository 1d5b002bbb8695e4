"""What the gateway says otherwise of single payments of a terminal, at the end of its day.

It is asked for each merchantTransactionId, and for what reversed it: all payments with one name are
compared. Choice: D-448.
"""

from collections.abc import Sequence
from decimal import Decimal

from pos_emulator.terminal.gateway import GatewayAnswer, LostAnswerError, NotSentError
from pos_emulator.terminal.orders import asked_amount
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import COUNTED, OrderKind, Stage, TerminalEntry
from pos_emulator.terminal.reversals import reversal_name


def difference(parts: TerminalParts, entry: TerminalEntry) -> str:
    """What the gateway says otherwise of an entry that has ended; nothing where both agree."""
    if not entry.transaction:
        return ""
    name = f"receipt {entry.receipt}"
    try:
        found = _standing(parts, entry)
    except (NotSentError, LostAnswerError) as error:
        return f"{name}: not compared, {error}"
    if not _stands(entry):
        return f"{name}: not approved here, {_amounts(found)} at the gateway" if found else ""
    if not found:
        return f"{name}: {_money(entry)} here, not approved at the gateway"
    if len(found) > 1 or _is_other(entry, found[0].amount):
        return f"{name}: {_money(entry)} here, {_amounts(found)} at the gateway"
    return ""


def late_difference(entry: TerminalEntry) -> str:
    """That an entry counts otherwise since its batch was closed."""
    ending = "not approved" if entry.ending not in COUNTED else "approved"
    kind = entry.order.operation.value
    return f"receipt {entry.name}: {kind} of {_money(entry)}, {ending} after the end of its batch"


def _stands(entry: TerminalEntry) -> bool:
    """Whether the gateway has to have an entry: one that was voided later, too, if it had it."""
    if entry.ending not in COUNTED:
        return False
    return entry.stage is Stage.APPROVED or (entry.stage is Stage.REVERSED and entry.payment != "")


def _standing(parts: TerminalParts, entry: TerminalEntry) -> Sequence[GatewayAnswer]:
    """The approved payments with the name of an entry; of one that must not stand, those that the
    terminal has not reversed.
    """
    found = _approved(parts, entry.transaction)
    if _stands(entry) or not found:
        return found
    return found[len(_approved(parts, reversal_name(entry.transaction))) :]


def _approved(parts: TerminalParts, name: str) -> list[GatewayAnswer]:
    return [each for each in parts.gateway.find(name) if each.is_approved]


def _is_other(entry: TerminalEntry, amount: Decimal | None) -> bool:
    if entry.order.operation is OrderKind.VOID:
        return False
    approved = entry.approved if entry.conversion is None else entry.conversion.amount
    return amount is not None and approved not in (None, amount)


def _amounts(found: Sequence[GatewayAnswer]) -> str:
    if len(found) == 1:
        return str(found[0].amount)
    return ", ".join(f"{each.type} {each.amount}" for each in found)


def _money(entry: TerminalEntry) -> str:
    return f"{entry.approved or asked_amount(entry.order)} {entry.order.currency}"
