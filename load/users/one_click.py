"""The one-click shopper: registers a card once and pays with it again and again."""

from locust import FastHttpUser, task

from load.traffic.requests import new_registration, pay_registration
from load.users.session import UserSession, configure_user, start_session

INITIAL, REPEATED = "INITIAL", "REPEATED"
CHARGES_MAX = 20


@configure_user
class OneClickUser(FastHttpUser):
    """A shopper with a registered card, replaced by another one after CHARGES_MAX payments."""

    weight = 12
    session: UserSession

    def on_start(self) -> None:
        """Open the session."""
        self.registration_id = ""
        self.charges = 0
        start_session(self)

    @task
    def charge(self) -> None:
        """Register a card, or pay with the registered one."""
        payloads = self.session.payloads
        if not self.registration_id or self.charges >= CHARGES_MAX:
            self.registration_id = self.session.send(new_registration(payloads))
            self.charges = 0
            return
        mode = REPEATED if self.charges else INITIAL
        if self.session.send(pay_registration(payloads, self.registration_id, mode=mode)):
            self.charges += 1
