"""The back office: captures what was ordered, gives back, and books what banks took back.

All of a process capture from one authorisation at the same time: whoever is too late is refused,
and the certificate shows that not a cent was captured twice.
"""

from locust import FastHttpUser, task

from load.orders import EXCEEDED, Purse, new_payment, reference
from load.users.desk import Desk, pause, take_seat, trust

COMMON_CENTS = 500_00
CHUNK_CENTS = (1_00, 30_00)


class BackOffice(FastHttpUser):
    """A clerk. Chargebacks are far more frequent than in life, so that each run has some."""

    weight = 8
    network_timeout = connection_timeout = 30.0
    max_redirects, insecure = 0, False
    ssl_context_factory = trust
    wait_time = pause
    desk: Desk

    def on_start(self) -> None:
        """Sit down."""
        take_seat(self)

    @task(10)
    def capture_from_the_common_sum(self) -> None:
        """CP of an authorisation that others capture from too: approved, or the sum is used up."""
        hall, draw = self.desk.hall, self.desk.draw
        if hall.common is None:
            hall.common = self._new_sum()
            return
        purse = hall.common
        cents = draw.random.randint(*CHUNK_CENTS)
        if not self.desk.ask(reference("CP", purse, cents, refusals=EXCEEDED)):
            hall.common = None if hall.common is purse else hall.common

    @task(4)
    def refund_twice(self) -> None:
        """A debit, and RF of both halves."""
        purse = self._debit()
        if purse:
            half = purse.cents // 2
            for cents in (half, purse.cents - half):
                self.desk.ask(reference("RF", purse, cents))

    @task(1)
    def charge_back(self) -> None:
        """A debit, and CB of all of it."""
        purse = self._debit()
        if purse:
            self.desk.ask(reference("CB", purse, purse.cents))

    def _debit(self) -> Purse | None:
        order = new_payment(self.desk.draw, "DB")
        made = self.desk.ask(order)
        return Purse(made, "DB", order.cents, order.root) if made else None

    def _new_sum(self) -> Purse | None:
        order = new_payment(self.desk.draw, "PA", COMMON_CENTS)
        made = self.desk.ask(order)
        return Purse(made, "PA", COMMON_CENTS, order.root) if made else None
