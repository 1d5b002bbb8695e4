"""The shopper of a checkout: the merchant prepares it, the shopper pays, the merchant reads it.

One in ten leaves without paying, and each checkout is read once, so that a limit of two reads a
minute for one checkout is kept.
"""

from locust import FastHttpUser, task

from load.orders import new_checkout, pay_checkout, read_checkout_payment
from load.users.desk import Desk, pause, take_seat, trust

LEAVES_SHARE = 0.1


class CheckoutShopper(FastHttpUser):
    """Somebody who pays in a form."""

    weight = 20
    network_timeout = connection_timeout = 30.0
    max_redirects, insecure = 0, False
    ssl_context_factory = trust
    wait_time = pause
    desk: Desk

    def on_start(self) -> None:
        """Sit down."""
        take_seat(self)

    @task
    def check_out(self) -> None:
        """Prepare, pay, read."""
        draw = self.desk.draw
        made = new_checkout(draw)
        checkout = self.desk.ask(made)
        if not checkout or draw.random.random() < LEAVES_SHARE:
            return
        if self.desk.ask(pay_checkout(draw, checkout, made)):
            self.desk.ask(read_checkout_payment(checkout, made))
