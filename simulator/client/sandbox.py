"""One sandbox as a test sees it: its merchant, its shopper's card, its clock, scripts and inbox."""

from collections.abc import Mapping
from typing import Any

from simulator.client.control import Control
from simulator.client.merchant import Client
from simulator.client.wire import Answer, Parameters, pairs_of

# The VISA test card of the specification: approved in every new sandbox.
VISA: Mapping[str, str] = {
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
}


class SandboxClient:
    """One sandbox: `merchant` speaks the merchant API, every method beside steers the sandbox.

    `facts` are those the control API gave when it made the sandbox: `id`, `token`, `entity_id`,
    `control_key`, `entities` and, with a live host, `live_token`; `ca_file` is the certificate
    authority of a gateway that is reached over TLS. Every method raises
    ControlError where the control API refuses, and OSError where the gateway does not answer.
    """

    def __init__(
        self, facts: Mapping[str, Any], url: str, control: Control, *, ca_file: str | None = None
    ):
        self.facts = facts
        self.id: str = facts["id"]
        self.url = url
        self.token: str = facts["token"]
        self.entity_id: str = facts["entity_id"]
        self.control = control
        self.ca_file = ca_file
        self.merchant = Client(url, self.token, self.entity_id, ca_file=ca_file)

    def pay(
        self,
        amount: str,
        currency: str = "EUR",
        payment_type: str = "DB",
        *,
        card: Mapping[str, str] = VISA,
        parameters: Parameters = (),
    ) -> Answer:
        """The answer to a card payment; `parameters` are sent too and replace those of the same
        name.
        """
        sent = {"paymentType": payment_type, "amount": amount, "currency": currency, **card}
        return self.merchant.post("v1/payments", sent | dict(pairs_of(parameters)))

    def refer(
        self,
        payment: str | Answer,
        payment_type: str,
        amount: str | None = None,
        currency: str = "EUR",
    ) -> Answer:
        """The answer to a payment that refers to another, such as CP, RF or RV: to the id of that
        one, or to what it was answered.
        """
        payment = payment if isinstance(payment, str) else payment.id
        money = {} if amount is None else {"amount": amount, "currency": currency}
        return self.merchant.post(f"v1/payments/{payment}", {"paymentType": payment_type, **money})

    def arm(self, behaviour: str | Mapping[str, Any], **options: Any) -> str:
        """Arm a behaviour, by name or written out, and return the id of the script.

        Options are `match` and `times`. `sandgate behaviours list` has the names.
        """
        return str(self.control.arm_script(self.id, behaviour, **options)["id"])

    def disarm(self, script: str) -> None:
        """Remove a script."""
        self.control.disarm_script(self.id, script)

    def freeze(self, at: str | None = None) -> None:
        """Stop the clock of the sandbox, at an instant such as 2030-01-01T00:00:00Z or at now."""
        self.control.set_clock(self.id, "frozen", **({} if at is None else {"at": at}))

    def advance(self, by: str) -> None:
        """Move the clock by a span such as 29m or 40d, and do everything that is due on the way."""
        self.control.advance_clock(self.id, by=by)

    def listen(self, **options: Any) -> None:
        """Have webhooks sent to the inbox of the sandbox; options are those of an endpoint."""
        self.control.create_webhook(self.id, "inbox", **options)

    def inbox(self, count: int = 0, wait: str = "5s") -> list[Mapping[str, Any]]:
        """What arrived in the inbox, oldest first: as soon as it is `count`, or after `wait`."""
        return self.control.inbox(self.id, count=count, wait=wait)

    def journal(self, **search: str | int) -> list[Mapping[str, Any]]:
        """The entries of the journal, newest first; `Control.journal` says what to search for."""
        return list(self.control.journal(self.id, **search)["entries"])

    def trace(self, payment: str | Answer) -> str:
        """Every message about a payment, in order, as text."""
        return self.control.trace(self.id, payment if isinstance(payment, str) else payment.id)

    def drain(self, timeout: str = "10s") -> bool:
        """Whether nothing was under way any more within so much time."""
        return self.control.drain(self.id, timeout)

    def close(self) -> None:
        """Close the connections; the sandbox stays."""
        self.merchant.close()
        self.control.close()
