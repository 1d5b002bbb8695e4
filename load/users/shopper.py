"""The shopper of a checkout: the merchant prepares it, the shopper pays, the merchant reads it.

One in ten leaves without paying. Each checkout is read once, so that a limit of two reads a
minute for one checkout is kept.
"""

from locust import FastHttpUser, task

from load.traffic.requests import new_checkout, pay_checkout, read_checkout_payment
from load.users.session import UserSession, next_pause_s, ssl_context_of, start_session

ABANDONED_SHARE = 0.1


class CheckoutUser(FastHttpUser):
    """A shopper who pays in a payment form."""

    weight = 20
    network_timeout = connection_timeout = 30.0
    max_redirects, insecure = 0, False
    ssl_context_factory = ssl_context_of
    wait_time = next_pause_s
    session: UserSession

    def on_start(self) -> None:
        """Open the session."""
        start_session(self)

    @task
    def check_out(self) -> None:
        """Prepare, pay, read."""
        payloads = self.session.payloads
        request = new_checkout(payloads)
        checkout_id = self.session.send(request)
        if not checkout_id or payloads.random.random() < ABANDONED_SHARE:
            return
        if self.session.send(pay_checkout(payloads, checkout_id, request)):
            self.session.send(read_checkout_payment(checkout_id, request))
