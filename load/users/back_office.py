"""The back office: captures authorizations, refunds, and records chargebacks.

All of a process capture from one authorization at the same time: a capture that comes too late is
refused, and the closing check shows that no cent was captured twice.
"""

from locust import FastHttpUser, task

from load.traffic.requests import EXCEEDED, referring_payment
from load.users.session import UserSession, configure_user

SHARED_CENTS = 500_00
CAPTURE_CENTS = (1_00, 30_00)


@configure_user
class BackOfficeUser(FastHttpUser):
    """A clerk. Chargebacks are far more frequent than in real life, so that each run has some."""

    weight = 8
    session: UserSession

    @task(10)
    def capture_shared_authorization(self) -> None:
        """CP of an authorization that others capture from too: approved, or nothing is left."""
        context = self.session.context
        if context.shared_authorization is None:
            context.shared_authorization = self.session.pay("PA", SHARED_CENTS)
            return
        payment = context.shared_authorization
        cents = self.session.payloads.random.randint(*CAPTURE_CENTS)
        request = referring_payment("CP", payment, cents, decline_codes=EXCEEDED)
        if not self.session.send(request) and context.shared_authorization is payment:
            context.shared_authorization = None

    @task(4)
    def refund_twice(self) -> None:
        """A debit, and RF of both halves."""
        payment = self.session.pay("DB")
        if payment:
            half = payment.cents // 2
            for cents in (half, payment.cents - half):
                self.session.send(referring_payment("RF", payment, cents))

    @task(1)
    def charge_back(self) -> None:
        """A debit, and CB of all of it."""
        payment = self.session.pay("DB")
        if payment:
            self.session.send(referring_payment("CB", payment, payment.cents))
