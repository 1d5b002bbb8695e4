"""The shopper of a checkout: the merchant prepares it, the shopper pays, the merchant reads it.

One user pays with the merchant's token, one opens the hosted form and pays with its capability.

One in ten leaves without paying. Each checkout is read once, so that a limit of two reads a
minute for one checkout is kept.
"""

from locust import FastHttpUser, task

from load.traffic.forms import form_parts, form_script, new_form_checkout, open_form, pay_in_form
from load.traffic.requests import new_checkout, pay_checkout, read_checkout_payment
from load.users.session import UserSession, configure_user, start_session

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


@configure_user
class FormUser(FastHttpUser):
    """A shopper whose browser opens the hosted form, as its script does, and pays in it."""

    weight = 10
    session: UserSession

    def on_start(self) -> None:
        """Open the session; the browser keeps what is the same for every checkout."""
        start_session(self)
        for part in form_parts():
            self.session.send(part)

    @task
    def check_out(self) -> None:
        """Prepare, load the script, open, pay, read."""
        payloads = self.session.payloads
        request = new_form_checkout(payloads)
        checkout_id = self.session.send(request)
        script = form_script(checkout_id, self.session.integrity)
        if not checkout_id or not self.session.send(script):
            return
        capability = self.session.send(open_form(payloads, checkout_id))
        if not capability or payloads.random.random() < ABANDONED_SHARE:
            return
        payment = pay_in_form(payloads, checkout_id, request, capability=capability)
        if self.session.send(payment):
            self.session.send(read_checkout_payment(checkout_id, request))
