"""The reporter: asks for transactions one by one, by reference, and by days."""

from datetime import UTC, datetime, timedelta

from locust import FastHttpUser, task

from load.ledger import Told
from load.orders import new_payment, report_of_days, report_of_one, report_of_tree
from load.users.desk import Desk, pause, take_seat, trust

PAGE = 50


class Reporter(FastHttpUser):
    """A bookkeeper: one transaction far more often than a whole day."""

    weight = 5
    network_timeout = connection_timeout = 30.0
    max_redirects, insecure = 0, False
    ssl_context_factory = trust
    wait_time = pause
    desk: Desk

    def on_start(self) -> None:
        """Sit down."""
        take_seat(self)

    @task(6)
    def by_id(self) -> None:
        """One transaction."""
        paid = self._some()
        if paid:
            self.desk.ask(report_of_one(paid.id, paid.code))

    @task(3)
    def by_reference(self) -> None:
        """Every transaction of an order."""
        paid = self._some()
        if paid:
            self.desk.ask(report_of_tree(paid.root))

    @task(1)
    def by_days(self) -> None:
        """A page of yesterday and today."""
        today = datetime.now(UTC).date()
        self.desk.ask(report_of_days(today - timedelta(days=1), today, PAGE))

    def _some(self) -> Told | None:
        """A payment of this process; where there is none yet, one is made."""
        recent = self.desk.hall.recent
        if recent:
            return self.desk.draw.random.choice(recent)
        self.desk.ask(new_payment(self.desk.draw, "DB"))
        return None
