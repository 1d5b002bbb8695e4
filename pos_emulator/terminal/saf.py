"""Store and forward: payments approved offline are kept, and uploaded in their order.

A payment is encrypted when it is uploaded, and the same message is sent again after a lost answer:
the gateway takes its key once, so that it never pays twice. Once the gateway refuses the key and
knows no payment, the message can no longer pay, and another is encrypted. Choice: D-446.
"""

import json
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
# Choice: D-409, a key whose counter is not above that of the last payment.
USED_KEY = "200.200.106"


class StoreAndForward:
    """The payments that were approved offline. `alone` are the names of those whose last try failed
    for a reason of their own: they keep no other back.
    """

    def __init__(self, parts: TerminalParts, limits: StoreLimits = DEFAULT_LIMITS):
        self._parts, self._limits = parts, limits
        self.alone: set[str] = set()

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
        self.alone.discard(stored.transaction)
        if not stored.message:
            return self._send(stored)
        known = self._known(stored)
        if known is None:
            answer = self._pay(stored)
            if answer.result_code != USED_KEY:
                return self._end(stored, answer)
            known = self._known(stored)
        return self._send(stored) if known is None else known

    def _known(self, stored: Stored) -> bool | None:
        """Whether an upload is decided, or it is pending; None where neither is."""
        known = self._parts.gateway.find(stored.transaction)
        decided = next((each for each in known if each.is_decided), None)
        if decided is not None:
            return self._end(stored, decided)
        return False if any(each.is_pending for each in known) else None

    def _send(self, stored: Stored) -> bool:
        """Upload a payment in a message of its own, whose key no other has."""
        message = json.dumps(self._parameters(stored)).encode()
        sealed = self._parts.seal.seal(message, stored.transaction)
        sent = replace(stored, sent_at=self._parts.now(), message=sealed)
        self._parts.journal.write(sent)
        try:
            answer = self._pay(sent)
        except NotSentError:
            self._parts.journal.write(stored)
            raise
        return self._end(sent, answer)

    def _pay(self, stored: Stored) -> GatewayAnswer:
        message = self._parts.seal.open(stored.message, stored.transaction)
        return self._parts.gateway.pay(json.loads(message))

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
        """What the issuer says of an upload is final, and a loss where it is declined. What is
        refused without the issuer stays stored.
        """
        if not answer.is_decided:
            self.alone |= {stored.transaction} if answer.fails_alone else set()
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
