"""The returning shopper: stores a card once and pays with it again and again."""

from locust import FastHttpUser, task

from load.orders import new_registration, pay_registration
from load.users.desk import Desk, pause, take_seat, trust

INITIAL, REPEATED = "INITIAL", "REPEATED"
CHARGES_MAX = 20


class OneClickShopper(FastHttpUser):
    """Somebody whose card is known. After some charges it is another card."""

    weight = 12
    network_timeout = connection_timeout = 30.0
    max_redirects, insecure = 0, False
    ssl_context_factory = trust
    wait_time = pause
    desk: Desk

    def on_start(self) -> None:
        """Sit down."""
        self.registration = ""
        self.charges = 0
        take_seat(self)

    @task
    def charge(self) -> None:
        """Store a card, or charge the stored one."""
        if not self.registration or self.charges >= CHARGES_MAX:
            self.registration = self.desk.ask(new_registration(self.desk.draw))
            self.charges = 0
            return
        mode = REPEATED if self.charges else INITIAL
        if self.desk.ask(pay_registration(self.desk.draw, self.registration, mode=mode)):
            self.charges += 1
