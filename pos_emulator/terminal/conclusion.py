"""How a payment with a card ends: signature, journal, reversal or store, receipt.

The end is in the journal before it is printed, and a receipt that a power cut kept from being
printed is printed when the terminal is opened again.
"""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from iso4217 import Currency

from pos_emulator.kernel.records import CardOutcome, CardResult
from pos_emulator.terminal.facts import receipt_of
from pos_emulator.terminal.gateway import GatewayAnswer
from pos_emulator.terminal.host import reversal_of
from pos_emulator.terminal.memory.journal import Kept, Printing
from pos_emulator.terminal.orders import asked_amount, charged
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.presentation import PIN_TRIES, Presentation
from pos_emulator.terminal.records import (
    DeskAbortedError,
    DeskCanceledError,
    Ending,
    Stage,
    TerminalEntry,
)
from pos_emulator.terminal.saf import StoreAndForward

# fmt: off
ENDINGS: Mapping[CardResult, Ending] = {
    CardResult.APPROVED:      Ending.APPROVED,
    CardResult.DECLINED:      Ending.DECLINED,
    CardResult.CANCELED:      Ending.CANCELED,
    CardResult.CARD_REMOVED:  Ending.CARD_REMOVED,
}
TEXTS: Mapping[Ending, str] = {
    Ending.APPROVED:     "APPROVED",
    Ending.PARTIAL:      "PARTLY APPROVED",
    Ending.DECLINED:     "DECLINED",
    Ending.WRONG_PIN:    "WRONG PIN",
    Ending.CANCELED:     "CANCELED",
    Ending.ABORTED:      "ABORTED",
    Ending.CARD_REMOVED: "CARD REMOVED",
    Ending.CARD_REFUSED: "CARD NOT ACCEPTED",
    Ending.UNREACHABLE:  "NO CONNECTION",
    Ending.TIMED_OUT:    "TIME OVER",
    Ending.POWER_CUT:    "POWER CUT",
}
# fmt: on
PIN_CODES = frozenset({"55", "75"})
NO_HOST_CODES = frozenset({"900.100.300", "900.100.301", "900.100.600"})
VOIDED = "VOIDED"
NOT_ASKED = GatewayAnswer()


def conclude(
    parts: TerminalParts, presentation: Presentation, outcome: CardOutcome
) -> TerminalEntry:
    """The entry of a payment that card and host have decided, written and printed."""
    host = presentation.host
    answer = host.answer or NOT_ASKED
    entry = _decided(presentation, outcome, answer)
    if entry.stage is Stage.APPROVED:
        entry = _signed(parts, entry, outcome)
    beside: list[Kept] = []
    if entry.stage is Stage.MUST_REVERSE and not host.was_lost:
        beside.append(reversal_of(entry, entry.reason, answer))
    if entry.stage is Stage.STORED:
        trace = entry.trace
        entry = replace(entry, transaction=parts.new_transaction(trace))
        beside.append(StoreAndForward(parts).stored_of(entry, outcome))
    status = _status(entry, answer)
    receipt = receipt_of(parts.identity, entry, outcome=outcome, answer=answer, status=status)
    entry = replace(entry, printed=receipt)
    if receipt is not None:
        beside.append(Printing(batch=entry.batch, receipt=entry.receipt))
    parts.journal.write(entry, *beside)
    parts.notify("entry", entry.stage.value, entry.name, None)
    return entry


def stopped(
    parts: TerminalParts, entry: TerminalEntry, ending: Ending, reason: str
) -> TerminalEntry:
    """An entry that ends without an answer of card or host."""
    parts.stand.show(TEXTS[ending])
    return parts.keep(replace(entry, stage=Stage.FAILED, ending=ending, reason=reason))


def _decided(
    presentation: Presentation, outcome: CardOutcome, answer: GatewayAnswer
) -> TerminalEntry:
    host = presentation.host
    entry = replace(
        host.entry,
        reason=answer.reason if answer.result_code and not answer.is_approved else outcome.reason,
        payment=answer.payment,
        code=answer.issuer_code or outcome.code,
        result_code=answer.result_code,
        is_offline=outcome.is_offline,
    )
    ending = ENDINGS.get(outcome.result, Ending.CARD_REFUSED)
    if outcome.must_reverse or (host.was_lost and outcome.result is not CardResult.APPROVED):
        lost = Ending.UNREACHABLE if host.was_lost else ending
        return replace(entry, stage=Stage.MUST_REVERSE, ending=lost)
    if outcome.result is CardResult.APPROVED:
        return _approved(entry, outcome, answer)
    return _declined(presentation, entry, answer, ending)


def _approved(entry: TerminalEntry, outcome: CardOutcome, answer: GatewayAnswer) -> TerminalEntry:
    stage = Stage.STORED if outcome.is_offline else Stage.APPROVED
    asked, _ = charged(entry)
    if answer.amount in (None, asked) or outcome.is_offline:
        whole = asked_amount(entry.order)
        return replace(entry, stage=stage, ending=Ending.APPROVED, approved=whole)
    return replace(_in_part(entry, answer.amount), stage=stage, ending=Ending.PARTIAL)


def _in_part(entry: TerminalEntry, amount: Decimal | None) -> TerminalEntry:
    """The entry of which this was approved, in the currency that the card is charged in."""
    if entry.conversion is None or amount is None:
        return replace(entry, approved=amount)
    exponent = Currency(entry.order.currency).exponent or 0
    approved = entry.conversion.back(amount, exponent)
    return replace(entry, approved=approved, conversion=replace(entry.conversion, amount=amount))


def _declined(
    presentation: Presentation, entry: TerminalEntry, answer: GatewayAnswer, ending: Ending
) -> TerminalEntry:
    if answer.issuer_code in PIN_CODES:
        left = max(1, PIN_TRIES - presentation.wrong_pins)
        left = 0 if answer.issuer_code == "75" else left
        return replace(entry, stage=Stage.DECLINED, ending=Ending.WRONG_PIN, tries_left=left)
    is_silent = presentation.host.was_unreachable or answer.result_code in NO_HOST_CODES
    if ending is Ending.DECLINED and is_silent:
        return replace(entry, stage=Stage.FAILED, ending=Ending.UNREACHABLE)
    stage = Stage.DECLINED if ending is Ending.DECLINED else Stage.FAILED
    return replace(entry, stage=stage, ending=ending)


def _signed(parts: TerminalParts, entry: TerminalEntry, outcome: CardOutcome) -> TerminalEntry:
    """The entry once the merchant has compared the signature; one that is refused is reversed."""
    if not outcome.needs_signature:
        return entry
    try:
        is_accepted = parts.stand.confirm_signature(entry.order)
        ending, reason = Ending.DECLINED, "the signature was refused"
    except DeskCanceledError:
        is_accepted, ending, reason = False, Ending.CANCELED, "canceled at the signature"
    except DeskAbortedError as error:
        is_accepted, reason = False, str(error)
        ending = Ending.TIMED_OUT if error.timed_out else Ending.ABORTED
    if is_accepted:
        return entry
    return replace(entry, stage=Stage.MUST_REVERSE, ending=ending, reason=reason, approved=None)


def _status(entry: TerminalEntry, answer: GatewayAnswer) -> str:
    """What is printed in place of approved or declined: what the acquirer said, where it was asked
    and its word holds.
    """
    if entry.stage is Stage.MUST_REVERSE:
        return VOIDED
    if entry.is_offline or not answer.status:
        return TEXTS[entry.ending or Ending.DECLINED] + (" OFFLINE" if entry.is_offline else "")
    return answer.status
