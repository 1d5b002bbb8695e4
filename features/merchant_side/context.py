"""What a check works with: the webhook receiver, the merchant's payment states, and the shop."""

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
    """Whether a rule holds, what was expected, and what came."""

    holds: bool
    expected: str
    came: str


class NotCheckableError(Exception):
    """A check that cannot be made with the given options; the message says why."""


class NotRequestedError(Exception):
    """A check that was not requested; the message says why."""


@dataclass(frozen=True)
class CheckContext:
    """The merchant under test. `key` has 32 bytes; `settle_s` is the wait before a state is read.

    The first of `forms` is the format of every notification.
    """

    # Without slots: cached properties are kept beside the fields.
    key: bytes = field(repr=False)
    forms: Sequence[WebhookFormat]
    sender: WebhookSender
    read_state: ReadState | None = None
    settle_s: float = 1.0
    shop: MerchantShop | None = None
    restart: Callable[[], None] | None = None

    def notification(
        self, wrapper: Wrapper, form: WebhookFormat | None = None
    ) -> EncryptedNotification:
        """A genuine notification, ready to be sent. Raises NotCheckableError without a receiver."""
        if not self.first.status:
            raise NotCheckableError(f"a genuine notification is not accepted: {self.first.error}")
        return encrypt_notification(wrapper, self.key, form or self.forms[0])

    def notify(self, wrapper: Wrapper, form: WebhookFormat | None = None) -> WebhookReply:
        """The receiver's reply to a genuine notification, in a given format or that of all."""
        return self.sender.post(self.notification(wrapper, form))

    def exchanges(self) -> list[RecordedExchange]:
        """The exchanges since the last call, which are then dropped."""
        return self.sender.exchanges() + (self.shop.exchanges() if self.shop else [])

    def accepted(self, *replies: WebhookReply) -> CheckFinding:
        """The finding that every one of these was accepted."""
        left = [reply for reply in replies if not reply.is_accepted]
        limit = f"2xx within {self.sender.time_limit_s:g} s"
        if len(replies) == 1:
            return CheckFinding(not left, limit, str(replies[0]))
        came = f"{len(left)} of them not: {left[0]}" if left else "all of them 2xx"
        return CheckFinding(not left, f"{limit}, {len(replies)} times", came)

    def accepted_and_paid(
        self, payments: Sequence[NotifiedPayment], *replies: WebhookReply
    ) -> CheckFinding:
        """The finding that these were accepted, and are paid where the state can be read."""
        finding = self.accepted(*replies)
        if self.read_state is None or not finding.holds:
            return finding
        self.demand_states()
        lost = self._not_paid_soon(payments)
        came = f"{finding.came}, but {len(lost)} unknown" if lost else finding.came
        return CheckFinding(not lost, f"{finding.expected}, and known as paid", came)

    def demand_accepting(self) -> None:
        """Raises NotCheckableError where genuine notifications are refused too."""
        if not self.first.is_accepted:
            came = self.first.error or self.first.status
            raise NotCheckableError(f"a genuine notification is not accepted: {came}")

    def demand_states(self) -> None:
        """Raises NotCheckableError where no state can be read, or a paid payment is not paid."""
        if self.read_state is None:
            raise NotCheckableError(MISSING_STATE)
        if self._shown.state != "paid":
            raise NotCheckableError(
                f"the state of a paid payment is not paid but {self._shown.state}"
            )

    def state(self, payment: NotifiedPayment) -> MerchantPaymentState:
        """The state of a payment at the merchant now. Raises NotCheckableError."""
        if self.read_state is None:
            raise NotCheckableError(MISSING_STATE)
        try:
            return self.read_state(payment)
        except PaymentStateError as error:
            raise NotCheckableError(str(error)) from error

    def state_soon(self, payment: NotifiedPayment, state: str) -> MerchantPaymentState:
        """The state of a payment at the merchant as soon as it is `state`, at the latest after a
        wait.
        """
        end = time.monotonic() + self.settle_s
        while (known := self.state(payment)).state != state and time.monotonic() < end:
            time.sleep(PAUSE_S)
        return known

    def _not_paid_soon(self, payments: Sequence[NotifiedPayment]) -> list[NotifiedPayment]:
        """The payments that are not paid at the merchant after one wait for all of them."""
        end = time.monotonic() + self.settle_s
        lost = list(payments)
        while lost := [each for each in lost if self.state(each).state != "paid"]:
            if time.monotonic() >= end:
                break
            time.sleep(PAUSE_S)
        return lost

    def state_after_wait(self, payment: NotifiedPayment) -> MerchantPaymentState:
        """The state of a payment at the merchant after a wait."""
        time.sleep(self.settle_s)
        return self.state(payment)

    def state_after_restart(self, payment: NotifiedPayment) -> MerchantPaymentState:
        """The state of a payment once the merchant answers again. Raises NotCheckableError."""
        end = time.monotonic() + BACK_S_MAX
        while True:
            try:
                return self.state(payment)
            except NotCheckableError:
                if time.monotonic() >= end:
                    raise
            time.sleep(PAUSE_S)

    def known_among(self, payments: Sequence[NotifiedPayment]) -> list[int]:
        """The indexes of those payments that the merchant knows, after a wait."""
        time.sleep(self.settle_s)
        states = [self.state(payment) for payment in payments]
        return [at for at, known in enumerate(states) if known.state != UNKNOWN]

    def demand_shop(self) -> MerchantShop:
        """The shop. Raises NotCheckableError without one, or where its page never says paid."""
        if self.shop is None:
            raise NotCheckableError(MISSING_SHOP)
        if not self.shop.shows_paid_text:
            raise NotCheckableError(f"a paid order does not show {self.shop.paid_text!r} either")
        return self.shop

    @cached_property
    def first(self) -> WebhookReply:
        """The receiver's reply to the first notification, which is sent once."""
        return self.sender.post(
            encrypt_notification(new_payment().notification(PAID), self.key, self.forms[0])
        )

    @cached_property
    def _shown(self) -> MerchantPaymentState:
        payment = new_payment()
        self.notify(payment.notification(PAID))
        return self.state_soon(payment, "paid")


RunCheck = Callable[[CheckContext], CheckFinding]
