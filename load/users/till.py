"""The till: takes payments at a terminal of its own, refunds and voids some of them."""

from locust import FastHttpUser, task
from locust.exception import StopUser

from load.traffic.requests import OpenPayment, referring_payment, reversal
from load.traffic.terminals import VirtualTerminal, terminal_payment
from load.users.session import UserSession, configure_user, start_session


@configure_user
class TerminalUser(FastHttpUser):
    """A till with a terminal, whose keys no other user has: each counter is used once."""

    weight = 15
    session: UserSession

    def on_start(self) -> None:
        """Open the session, and take a terminal that no other user has."""
        start_session(self)
        free = self.session.context.terminals
        if not free:
            raise StopUser
        self.terminal: VirtualTerminal = free.pop()

    def on_stop(self) -> None:
        """Leave the terminal to the next user."""
        if hasattr(self, "terminal"):
            self.session.context.terminals.append(self.terminal)

    @task(20)
    def sell(self) -> None:
        """DB: a sale."""
        self._pay("DB")

    @task(2)
    def refund(self) -> None:
        """RF: a sale whose goods come back."""
        payment = self._pay("DB")
        if payment:
            self.session.send(referring_payment("RF", payment, payment.cents))

    @task(2)
    def void(self) -> None:
        """RV: a pre-authorization that is not captured."""
        payment = self._pay("PA")
        if payment:
            self.session.send(reversal(payment))

    def _pay(self, kind: str) -> OpenPayment | None:
        request = terminal_payment(self.session.payloads, self.terminal, kind)
        identity = self.session.send(request)
        return OpenPayment(identity, kind, request.cents, request.root) if identity else None
