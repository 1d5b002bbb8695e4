"""The reporter: queries transactions one by one, by reference, and by days."""

from datetime import UTC, datetime, timedelta

from locust import FastHttpUser, task

from load.ledger.records import RequestRecord
from load.traffic.requests import report_of_days, report_of_payment, report_of_tree
from load.users.session import UserSession, configure_user

PAGE_SIZE = 50


@configure_user
class ReportingUser(FastHttpUser):
    """A bookkeeper, who queries one transaction far more often than a whole day."""

    weight = 5
    session: UserSession

    @task(6)
    def query_payment(self) -> None:
        """Query one transaction."""
        payment = self._recent_payment()
        if payment:
            self.session.send(report_of_payment(payment.id, payment.code))

    @task(3)
    def query_reference(self) -> None:
        """Query every transaction of a merchantTransactionId."""
        payment = self._recent_payment()
        if payment:
            self.session.send(report_of_tree(payment.root))

    @task(1)
    def query_days(self) -> None:
        """Query a page of yesterday and today."""
        today = datetime.now(UTC).date()
        self.session.send(report_of_days(today - timedelta(days=1), today, PAGE_SIZE))

    def _recent_payment(self) -> RequestRecord | None:
        """Return a payment of this process. If there is none yet, create one and return None."""
        recent = self.session.context.recent
        if not recent:
            self.session.pay("DB")
            return None
        payment: RequestRecord = self.session.payloads.random.choice(recent)
        return payment
