"""What a check works with: the receiver, what its merchant believes, and its shop."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from features.merchant_side.payment_states import (
    UNKNOWN,
    MerchantPaymentState,
    PaymentStateError,
    ReadState,
)
from features.merchant_side.shop import MerchantShop
from features.merchant_side.webhook_encryption import (
    EncryptedNotification,
    WebhookFormat,
    encrypt_notification,
)
from features.merchant_side.webhook_messages import PAID, NotifiedPayment, Wrapper, new_payment
from features.merchant_side.webhook_sender import WebhookReply, WebhookSender
from reports.events import RecordedExchange

PAUSE_S = 0.02
BACK_S_MAX = 30.0
MISSING_STATE = "neither --state-url nor --state-command was given"
MISSING_SHOP = "--shop-result-url was not given"


class CheckFinding(NamedTuple):
    """Whether a rule holds, what it demands, and what came instead or indeed."""

    holds: bool
    expected: str
    came: str


class NotCheckableError(Exception):
    """Why a rule cannot be checked with what is given."""


class NotRequestedError(Exception):
    """Why a rule was not asked for."""


@dataclass(frozen=True)
class CheckContext:
    """The merchant under judgement. `key` has 32 bytes; `settle_s` is the rest before a look back.

    The first of `forms` is the one everything travels in.
    """

    # Without slots: what is asked once is kept beside the fields.
    key: bytes = field(repr=False)
    forms: Sequence[WebhookFormat]
    sender: WebhookSender
    believes: ReadState | None = None
    settle_s: float = 1.0
    shop: MerchantShop | None = None
    restart: Callable[[], None] | None = None

    def letter(self, wrapper: Wrapper, form: WebhookFormat | None = None) -> EncryptedNotification:
        """A genuine notification, ready to be posted. Raises NotCheckableError where nobody answers
        one.
        """
        if not self.first.status:
            raise NotCheckableError(f"a genuine notification is not taken: {self.first.error}")
        return encrypt_notification(wrapper, self.key, form or self.forms[0])

    def tell(self, wrapper: Wrapper, form: WebhookFormat | None = None) -> WebhookReply:
        """How the receiver answers a genuine notification, in a form of its own or that of all."""
        return self.sender.post(self.letter(wrapper, form))

    def exchanges(self) -> list[RecordedExchange]:
        """What was posted and visited since the last call, and forget it."""
        return self.sender.exchanges() + (self.shop.exchanges() if self.shop else [])

    def taken(self, *replies: WebhookReply) -> CheckFinding:
        """The finding that every one of these was taken."""
        left = [reply for reply in replies if not reply.is_taken]
        limit = f"2xx within {self.sender.time_limit_s:g} s"
        if len(replies) == 1:
            return CheckFinding(not left, limit, str(replies[0]))
        came = f"{len(left)} of them not: {left[0]}" if left else "all of them 2xx"
        return CheckFinding(not left, f"{limit}, {len(replies)} times", came)

    def taken_and_known(
        self, payments: Sequence[NotifiedPayment], *replies: WebhookReply
    ) -> CheckFinding:
        """The finding that these were taken, and are known as paid where the merchant tells."""
        finding = self.taken(*replies)
        if self.believes is None or not finding.holds:
            return finding
        self.demand_beliefs()
        lost = self._not_paid_soon(payments)
        came = f"{finding.came}, but {len(lost)} forgotten" if lost else finding.came
        return CheckFinding(not lost, f"{finding.expected}, and known as paid", came)

    def demand_taking(self) -> None:
        """Raises NotCheckableError where a genuine notification is refused: then refusals mean
        nothing.
        """
        if not self.first.is_taken:
            came = self.first.error or self.first.status
            raise NotCheckableError(f"a genuine notification is not taken: {came}")

    def demand_beliefs(self) -> None:
        """Raises NotCheckableError where nobody tells, or what is told does not follow a payment."""
        if self.believes is None:
            raise NotCheckableError(MISSING_STATE)
        if self._shown.state != "paid":
            raise NotCheckableError(
                f"the state of a paid payment is not paid but {self._shown.state}"
            )

    def belief(self, payment: NotifiedPayment) -> MerchantPaymentState:
        """What the merchant believes now. Raises NotCheckableError."""
        if self.believes is None:
            raise NotCheckableError(MISSING_STATE)
        try:
            return self.believes(payment)
        except PaymentStateError as error:
            raise NotCheckableError(str(error)) from error

    def belief_soon(self, payment: NotifiedPayment, state: str) -> MerchantPaymentState:
        """What the merchant believes as soon as it is `state`, at the latest after a rest."""
        end = time.monotonic() + self.settle_s
        while (belief := self.belief(payment)).state != state and time.monotonic() < end:
            time.sleep(PAUSE_S)
        return belief

    def _not_paid_soon(self, payments: Sequence[NotifiedPayment]) -> list[NotifiedPayment]:
        """Those of the payments that are not believed to be paid after one rest for all of them."""
        end = time.monotonic() + self.settle_s
        lost = list(payments)
        while lost := [each for each in lost if self.belief(each).state != "paid"]:
            if time.monotonic() >= end:
                break
            time.sleep(PAUSE_S)
        return lost

    def belief_later(self, payment: NotifiedPayment) -> MerchantPaymentState:
        """What the merchant believes once it had time to make up its mind."""
        time.sleep(self.settle_s)
        return self.belief(payment)

    def belief_when_back(self, payment: NotifiedPayment) -> MerchantPaymentState:
        """What the merchant believes once it answers again, after a restart. Raises
        NotCheckableError.
        """
        end = time.monotonic() + BACK_S_MAX
        while True:
            try:
                return self.belief(payment)
            except NotCheckableError:
                if time.monotonic() >= end:
                    raise
            time.sleep(PAUSE_S)

    def acted(self, payments: Sequence[NotifiedPayment]) -> list[int]:
        """Which of these payments the merchant has heard of, by their places, after a rest."""
        time.sleep(self.settle_s)
        beliefs = [self.belief(payment) for payment in payments]
        return [at for at, belief in enumerate(beliefs) if belief.state != UNKNOWN]

    def demand_shop(self) -> MerchantShop:
        """The shop. Raises NotCheckableError where there is none, or its page never says paid."""
        if self.shop is None:
            raise NotCheckableError(MISSING_SHOP)
        if not self.shop.says_paid:
            raise NotCheckableError(f"a paid order does not show {self.shop.paid_text!r} either")
        return self.shop

    @cached_property
    def first(self) -> WebhookReply:
        """How the receiver answers the notification of a payment: asked once, before all else."""
        return self.sender.post(
            encrypt_notification(new_payment().told(PAID), self.key, self.forms[0])
        )

    @cached_property
    def _shown(self) -> MerchantPaymentState:
        payment = new_payment()
        self.tell(payment.told(PAID))
        return self.belief_soon(payment, "paid")


RunCheck = Callable[[CheckContext], CheckFinding]
