"""The merchant: takes payments at the till, captures, gives back, and looks some of them up.

The weights are those of a shop in the net: two debits to one authorisation, nearly every
authorisation captured within the run, one refund to fifteen payments, one reversal to ten
authorisations, and one attempt in ten declined, as is usual where no card is present.
"""

from locust import FastHttpUser, task

from load.orders import (
    Purse,
    declined_payment,
    new_payment,
    read_payment,
    reference,
    refused_capture,
    reversal,
)
from load.users.desk import Desk, pause, take_seat, trust

KEPT_MAX = 50


class Merchant(FastHttpUser):
    """A till of a shop. What it authorised and took is its own: nobody else touches it."""

    weight = 55
    network_timeout = connection_timeout = 30.0
    max_redirects, insecure = 0, False
    ssl_context_factory = trust
    wait_time = pause
    desk: Desk

    def on_start(self) -> None:
        """Sit down."""
        self.authorised: list[Purse] = []
        self.taken: list[Purse] = []
        take_seat(self)

    @task(40)
    def debit(self) -> None:
        """DB: take money at once."""
        self._keep_taken(self._pay("DB"))

    @task(20)
    def authorise(self) -> None:
        """PA: reserve money."""
        made = self._pay("PA")
        if made:
            self.authorised = [*self.authorised[-KEPT_MAX:], made]

    @task(1)
    def credit(self) -> None:
        """CD: give money to a shopper."""
        self._pay("CD")

    @task(7)
    def decline(self) -> None:
        """A card that is declined; where the target declines none, a debit."""
        if not self.desk.hall.plan.declines:
            return self.debit()
        self.desk.ask(declined_payment(self.desk.draw))
        return None

    @task(16)
    def capture(self) -> None:
        """CP: take an authorisation, wholly or in part."""
        if not self.authorised:
            return self.authorise()
        purse = self.authorised.pop(0)
        cents = self.desk.draw.part_of(purse.cents)
        made = self.desk.ask(reference("CP", purse, cents))
        if made:
            self._keep_taken(Purse(made, "CP", cents, purse.root))
            self._overdraw(purse, purse.cents - cents)
        return None

    @task(4)
    def refund(self) -> None:
        """RF: give some of a payment back."""
        if not self.taken:
            return self.debit()
        purse = self.taken.pop(0)
        self.desk.ask(reference("RF", purse, self.desk.draw.part_of(purse.cents)))
        return None

    @task(2)
    def reverse(self) -> None:
        """RV: let an authorisation go."""
        if not self.authorised:
            return self.authorise()
        self.desk.ask(reversal(self.authorised.pop(0)))
        return None

    @task(10)
    def read(self) -> None:
        """GET: look up a payment of this process, a declined one too."""
        recent = self.desk.hall.recent
        if not recent:
            return self.debit()
        paid = self.desk.draw.random.choice(recent)
        self.desk.ask(read_payment(paid.id, paid.code))
        return None

    def _pay(self, kind: str) -> Purse | None:
        order = new_payment(self.desk.draw, kind)
        made = self.desk.ask(order)
        return Purse(made, kind, order.cents, order.root) if made else None

    def _keep_taken(self, purse: Purse | None) -> None:
        if purse:
            self.taken = [*self.taken[-KEPT_MAX:], purse]

    def _overdraw(self, purse: Purse, left: int) -> None:
        """Try a cent too many of one capture in ten: it has to be refused."""
        if self.desk.draw.random.random() < 0.1:
            self.desk.ask(refused_capture(purse._replace(cents=left)))
