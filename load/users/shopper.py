"""The shopper of a checkout: the merchant prepares it, the shopper pays, the merchant reads it.

One in ten leaves without paying. Each checkout is read once, so that a limit of two reads a
minute for one checkout is kept.
"""

from locust import FastHttpUser, task

from load.traffic.requests import new_checkout, pay_checkout, read_checkout_payment
from load.users.session import UserSession, configure_user

ABANDONED_SHARE = 0.1


@configure_user
class CheckoutUser(FastHttpUser):
    """A shopper who pays in a payment form."""

    weight = 20
    session: UserSession

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
