"""Store and forward: payments approved offline are kept, and uploaded in their order.

A stored payment is encrypted anew for each upload, since the gateway takes each key once. It is
uploaded once: after a lost answer the gateway is asked for it first. Choice: D-446.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal

from pos_emulator.kernel.records import CardOutcome
from pos_emulator.terminal.gateway import GatewayAnswer, NotSentError
from pos_emulator.terminal.memory.journal import Stored
from pos_emulator.terminal.orders import charged
from pos_emulator.terminal.parameters import (
    PAYMENT_TYPES,
    ReadCard,
    payment_parameters,
    read_card_of,
)
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import Ending, OrderKind, Stage, TerminalEntry


@dataclass(frozen=True, kw_only=True)
class StoreLimits:
    """How many payments may be stored, up to which sum of amounts, and for how long the oldest."""

    count: int = 50
    amount: Decimal = Decimal(1_000)
    age: timedelta = timedelta(days=3)


DEFAULT_LIMITS = StoreLimits()


class StoreAndForward:
    """The payments that were approved offline."""

    def __init__(self, parts: TerminalParts, limits: StoreLimits = DEFAULT_LIMITS):
        self._parts, self._limits = parts, limits

    def has_room(self, amount: Decimal) -> bool:
        """Whether one more payment may be approved offline."""
        stored, limits = self._parts.journal.stored(), self._limits
        if any(self._parts.now() - each.at > limits.age for each in stored):
            return False
        total = sum((each.amount for each in stored), amount)
        return len(stored) < limits.count and total <= limits.amount

    def stored_of(self, entry: TerminalEntry, outcome: CardOutcome) -> Stored:
        """What is kept of an offline approval."""
        card = ReadCard(
            entry_mode=outcome.entry_mode,
            account=outcome.account,
            icc_data=outcome.icc_data,
            sequence=outcome.values.get("5F34", b""),
            position=self._parts.gps.position,
        )
        amount, currency = charged(entry)
        return Stored(
            transaction=entry.transaction,
            batch=entry.batch,
            receipt=entry.receipt,
            amount=amount,
            currency=currency,
            at=entry.at,
            sealed=self._parts.seal.seal(card.encode(), entry.transaction),
        )

    def upload(self, stored: Stored) -> bool:
        """Upload one payment; False where it has to be tried again. Raises NotSentError,
        LostAnswerError, KeysError.
        """
        gateway = self._parts.gateway
        if stored.sent_at:
            known = gateway.find(stored.transaction)
            decided = next(filter(_is_decided, known), None)
            if decided is not None:
                return self._end(stored, decided)
            if any(each.is_pending for each in known) or not self._is_settled(stored):
                return False
        sent = replace(stored, sent_at=self._parts.now())
        self._parts.journal.write(sent)
        try:
            answer = gateway.pay(self._parameters(sent))
        except NotSentError:
            self._parts.journal.write(stored)
            raise
        return self._end(sent, answer)

    def _is_settled(self, stored: Stored) -> bool:
        """Whether an upload that the gateway does not know can no longer arrive."""
        assert stored.sent_at is not None
        limit = timedelta(seconds=self._parts.gateway.timeout_s)
        return self._parts.now() - stored.sent_at >= limit

    def _parameters(self, stored: Stored) -> dict[str, str]:
        journal, seal = self._parts.journal, self._parts.seal
        entry = journal.entry(stored.batch, stored.receipt)
        card = read_card_of(seal.open(stored.sealed, stored.transaction))
        sent = payment_parameters(
            self._parts,
            card,
            type=PAYMENT_TYPES[OrderKind.SALE],
            amount=stored.amount,
            currency=stored.currency,
            trace=entry.trace if entry else "0",
        )
        return sent | {"merchantTransactionId": stored.transaction}

    def _end(self, stored: Stored, answer: GatewayAnswer) -> bool:
        """What the host says of an upload is final, and a loss where it is declined. What the
        gateway refuses without it stays stored.
        """
        if not _is_decided(answer):
            return False
        journal = self._parts.journal
        entry = journal.entry(stored.batch, stored.receipt)
        if entry is None:
            journal.write(drop=(stored,))
            return True
        ended = replace(
            entry,
            stage=Stage.APPROVED if answer.is_approved else Stage.FAILED,
            payment=answer.payment,
            result_code=answer.result_code,
            reason=entry.reason if answer.is_approved else f"refused: {answer.reason}",
        )
        if not answer.is_approved:
            ended = replace(ended, ending=Ending.DECLINED)
        journal.write(ended, drop=(stored,))
        self._parts.notify("entry", ended.stage.value, ended.name, None)
        return True


def _is_decided(answer: GatewayAnswer) -> bool:
    """Whether the host has said yes or no, rather than nothing."""
    return answer.is_approved or (bool(answer.issuer_code) and not answer.is_pending)
