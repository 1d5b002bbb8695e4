"""One sandbox as a test sees it: its merchant, its shopper's card, its clock, scripts and inbox."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from simulator.client.control import Control
from simulator.client.merchant import Client
from simulator.client.wire import ANSWERED_S_MAX, Answer, Parameters, pairs_of

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
    `control_key`, `entities` and, with a live host, `live_token`; `ca_file` and `timeout_s` are
    those of `GatewayAccess`. Every method raises
    ControlError where the control API refuses, OSError where the gateway does not answer, and
    TypeError for an argument of another type.
    """

    def __init__(
        self,
        facts: Mapping[str, Any],
        url: str,
        control: Control,
        *,
        timeout_s: float = ANSWERED_S_MAX,
        ca_file: str | None = None,
    ):
        __tracebackhide__ = True
        self.facts = facts
        self.id: str = facts["id"]
        self.url = url
        self.token: str = facts["token"]
        self.entity_id: str = facts["entity_id"]
        self.control = control
        self.ca_file = ca_file
        self.merchant = Client(
            url, self.token, self.entity_id, timeout_s=timeout_s, ca_file=ca_file
        )

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
        if not isinstance(card, Mapping):
            raise _unfit("card", "a mapping such as {'card.number': ...}", card)
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
        payment = _id_of(payment)
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

    def freeze(self, at: str | datetime | None = None) -> None:
        """Stop the clock of the sandbox, at an instant such as 2030-01-01T00:00:00Z or at now. An
        instant without a zone is one of UTC.
        """
        self.control.set_clock(self.id, "frozen", **({} if at is None else {"at": _instant(at)}))

    def advance(self, by: str | timedelta) -> None:
        """Move the clock by a span such as 29m or 40d, and do everything that is due on the way."""
        self.control.advance_clock(self.id, by=_span(by, "by"))

    def listen(self, **options: Any) -> None:
        """Have webhooks sent to the inbox of the sandbox; options are those of an endpoint."""
        self.control.create_webhook(self.id, "inbox", **options)

    def inbox(self, count: int = 0, wait: str | timedelta = "5s") -> list[Mapping[str, Any]]:
        """What arrived in the inbox, oldest first: as soon as it is `count`, or after `wait`."""
        return self.control.inbox(self.id, count=count, wait=_span(wait, "wait"))

    def journal(self, **search: str | int) -> list[Mapping[str, Any]]:
        """The entries of the journal, newest first; `Control.journal` says what to search for."""
        return list(self.control.journal(self.id, **search)["entries"])

    def trace(self, payment: str | Answer) -> str:
        """Every message about a payment, in order, as text."""
        return self.control.trace(self.id, _id_of(payment))

    def drain(self, timeout: str | timedelta = "10s") -> bool:
        """Whether nothing was under way any more within so much time."""
        return self.control.drain(self.id, _span(timeout, "timeout"))

    def close(self) -> None:
        """Close the connections; the sandbox stays."""
        self.merchant.close()
        self.control.close()


def _id_of(payment: str | Answer) -> str:
    """The id of a payment. Raises TypeError."""
    if isinstance(payment, Answer):
        return payment.id
    if isinstance(payment, str):
        return payment
    raise _unfit("payment", "its id, or the answer to it", payment)


def _instant(at: str | datetime) -> str:
    """An instant as the control API reads it. Raises TypeError."""
    if isinstance(at, datetime):
        return at.isoformat()
    if isinstance(at, str):
        return at
    raise _unfit("at", "an instant such as 2030-01-01T00:00:00Z, or a datetime", at)


def _span(span: str | timedelta, name: str) -> str:
    """A span as the control API reads it. Raises TypeError."""
    if isinstance(span, timedelta):
        return f"{span // timedelta(microseconds=1) / 1_000_000:f}s"
    if isinstance(span, str):
        return span
    raise _unfit(name, "a span such as 29m or 40d, or a timedelta", span)


def _unfit(name: str, expected: str, value: object) -> TypeError:
    """What is said of an argument of another type; its value may be a card number."""
    return TypeError(f"{name}: expected {expected}; got {type(value).__name__}")
