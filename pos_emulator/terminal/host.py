"""The host of the kernel: asks the gateway, and stores a reversal where its answer is lost."""

from dataclasses import replace

from pos_emulator.kernel.completion import APPROVED_CODES
from pos_emulator.kernel.records import HostUnreachableError, OnlineRequest, OnlineResponse
from pos_emulator.terminal.gateway import (
    NOT_DECIDED,
    GatewayAnswer,
    LostAnswerError,
    NotSentError,
)
from pos_emulator.terminal.memory.journal import Reversal
from pos_emulator.terminal.orders import charged
from pos_emulator.terminal.parameters import PAYMENT_TYPES, ReadCard, payment_parameters
from pos_emulator.terminal.parts import TerminalParts
from pos_emulator.terminal.records import Stage, TerminalEntry
from pos_emulator.tlv import TlvError, build, find, find_all, parse

# The host of the acquirer does not answer: the terminal decides as it does without a connection.
UNAVAILABLE = frozenset({"900.100.600"})
NO_ANSWER = "the gateway did not answer"
DECLINED = "05"
ISSUER_DATA, SCRIPTS = "91", ("71", "72")


class GatewayHost:
    """One try of a payment. `answer` is what the card was given, `was_lost` says that none came,
    `was_unreachable` that none could come.
    """

    def __init__(self, parts: TerminalParts, entry: TerminalEntry):
        self.entry = entry
        self.answer: GatewayAnswer | None = None
        self.was_lost = self.was_unreachable = False
        self._parts = parts

    def __call__(self, request: OnlineRequest) -> OnlineResponse:
        """The answer for the card. Raises HostUnreachableError, KeysError."""
        parts = self._parts
        asked = replace(
            self.entry,
            stage=Stage.ASKED,
            transaction=parts.new_transaction(self.entry.trace),
            at=parts.now(),
        )
        # Keys that fail leave an entry that the gateway was not asked for.
        sent = self._parameters(request) | {"merchantTransactionId": asked.transaction}
        self.entry = parts.keep(asked)
        parts.stand.show("PLEASE WAIT")
        try:
            answer = parts.gateway.pay(sent)
        except NotSentError as error:
            self.was_unreachable = True
            raise HostUnreachableError(str(error)) from None
        except LostAnswerError as error:
            self._store_reversal(str(error))
            raise HostUnreachableError(str(error)) from None
        if answer.is_pending:
            self._store_reversal(NOT_DECIDED, answer)
            raise HostUnreachableError("the acquirer has not decided")
        if answer.is_approved and not answer.can_be_of(*charged(self.entry)):
            self._store_reversal(f"approved: {answer.amount} {answer.currency}", answer)
            raise HostUnreachableError("the gateway approved another amount")
        if answer.result_code in UNAVAILABLE:
            self.was_unreachable = True
            raise HostUnreachableError("the card host cannot be reached")
        self.answer = answer
        return response_of(answer)

    def _parameters(self, request: OnlineRequest) -> dict[str, str]:
        amount, currency = charged(self.entry)
        card = ReadCard(
            entry_mode=request.entry_mode,
            account=request.account,
            icc_data=request.icc_data,
            sequence=request.sequence,
            pin=request.pin,
            position=self._parts.gps.position,
        )
        return payment_parameters(
            self._parts,
            card,
            type=PAYMENT_TYPES[self.entry.order.operation],
            amount=amount,
            currency=currency,
            trace=self.entry.trace,
        )

    def _store_reversal(self, reason: str, answer: GatewayAnswer | None = None) -> None:
        self.was_lost = True
        self._parts.journal.write(reversal_of(self.entry, reason, answer))


def reversal_of(entry: TerminalEntry, reason: str, answer: GatewayAnswer | None = None) -> Reversal:
    """The reversal of the try that an entry names."""
    amount, currency = charged(entry)
    return Reversal(
        transaction=entry.transaction,
        type=PAYMENT_TYPES[entry.order.operation],
        batch=entry.batch,
        receipt=entry.receipt,
        amount=amount,
        currency=currency,
        asked_at=entry.at,
        reason=reason,
        payment=answer.payment if answer else "",
    )


def response_of(answer: GatewayAnswer) -> OnlineResponse:
    """What the card is given. A payment that the gateway declined is declined for the card, also
    where the issuer's code alone reads like an approval. Choice: D-407.
    """
    code = answer.issuer_code[:2]
    if answer.is_approved:
        code = code if code in APPROVED_CODES else "00"
    elif len(code) != len(DECLINED) or code in APPROVED_CODES:
        code = DECLINED
    try:
        nodes = parse(answer.chip)
    except TlvError:
        nodes = ()
    scripts = [(tag, each.value) for tag in SCRIPTS for each in find_all(nodes, tag)]
    return OnlineResponse(
        code,
        find(nodes, ISSUER_DATA) or b"",
        build(*scripts),
        answer.authorization,
    )
