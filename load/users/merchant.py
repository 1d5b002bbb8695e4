"""The merchant: takes payments, captures, refunds, reverses, and reads some of the payments.

The weights are those of an online shop: two debits to one authorization, nearly every
authorization captured within the run, one refund to fifteen payments, one reversal to ten
authorizations, and one attempt in ten declined, as is usual where no card is present.
"""

from locust import FastHttpUser, task

from load.traffic.requests import (
    OpenPayment,
    declined_payment,
    excessive_capture,
    read_payment,
    referring_payment,
    reversal,
)
from load.users.session import UserSession, configure_user, start_session

OPEN_PAYMENTS_MAX = 50


@configure_user
class MerchantUser(FastHttpUser):
    """A till of a shop. No other user refers to its authorizations and captures."""

    weight = 55
    session: UserSession

    def on_start(self) -> None:
        """Open the session."""
        self.authorized: list[OpenPayment] = []
        self.captured: list[OpenPayment] = []
        start_session(self)

    @task(40)
    def debit(self) -> None:
        """DB: authorize and capture at once."""
        self._keep_captured(self.session.pay("DB"))

    @task(20)
    def authorize(self) -> None:
        """PA: reserve an amount."""
        payment = self.session.pay("PA")
        if payment:
            self.authorized = [*self.authorized[-OPEN_PAYMENTS_MAX:], payment]

    @task(1)
    def credit(self) -> None:
        """CD: credit a shopper."""
        self.session.pay("CD")

    @task(7)
    def decline(self) -> None:
        """A card that is declined; a debit if the target has no such test cards."""
        if not self.session.context.plan.declines:
            return self.debit()
        self.session.send(declined_payment(self.session.payloads))
        return None

    @task(16)
    def capture(self) -> None:
        """CP: capture an authorization, in full or in part."""
        if not self.authorized:
            return self.authorize()
        payment = self.authorized.pop(0)
        cents = self.session.payloads.draw_part(payment.cents)
        capture_id = self.session.send(referring_payment("CP", payment, cents))
        if capture_id:
            self._keep_captured(OpenPayment(capture_id, "CP", cents, payment.root))
            self._overdraw(payment, payment.cents - cents)
        return None

    @task(4)
    def refund(self) -> None:
        """RF: refund a payment, in full or in part."""
        if not self.captured:
            return self.debit()
        payment = self.captured.pop(0)
        cents = self.session.payloads.draw_part(payment.cents)
        self.session.send(referring_payment("RF", payment, cents))
        return None

    @task(2)
    def reverse(self) -> None:
        """RV: reverse an authorization."""
        if not self.authorized:
            return self.authorize()
        self.session.send(reversal(self.authorized.pop(0)))
        return None

    @task(10)
    def read(self) -> None:
        """GET: read a recent payment of this process, which may be a declined one."""
        recent = self.session.context.recent
        if not recent:
            return self.debit()
        payment = self.session.payloads.random.choice(recent)
        self.session.send(read_payment(payment.id, payment.code))
        return None

    def _keep_captured(self, payment: OpenPayment | None) -> None:
        if payment:
            self.captured = [*self.captured[-OPEN_PAYMENTS_MAX:], payment]

    def _overdraw(self, payment: OpenPayment, left_cents: int) -> None:
        """After one capture in ten try a cent more than is left, which has to be refused."""
        if self.session.payloads.random.random() < 0.1:
            self.session.send(excessive_capture(payment._replace(cents=left_cents)))
