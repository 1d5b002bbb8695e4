"""The merchant of a scenario: a client with one method for each thing a merchant does."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from features.spec.companions import REFERENCE_CARD, Sent
from simulator.client import Answer, Client, form_of

PAYMENTS = "v1/payments"


@dataclass(frozen=True)
class Merchant:
    """One merchant, its channels by name, and the test card it is paid by.

    `sandbox` is empty where there is none.
    """

    client: Client
    sandbox: str = ""
    channels: Mapping[str, str] | None = None
    live_token: str = field(default="", repr=False)
    entity: str = ""
    card: Sent = field(default_factory=lambda: REFERENCE_CARD)

    @property
    def debit(self) -> Sent:
        """The parameters of an ordinary debit by the test card."""
        return self.by_card("DB", "92.00", "EUR")

    def by_card(
        self, payment_type: str, amount: str, currency: str, more: Sent | None = None
    ) -> dict[str, str]:
        """The parameters of a payment by the test card; an empty value leaves one out."""
        sent = {"paymentType": payment_type, "amount": amount, "currency": currency, **self.card}
        return {name: value for name, value in {**sent, **(more or {})}.items() if value}

    def pay(self, parameters: Sent) -> Answer:
        """The answer to a payment with exactly these parameters."""
        return self.client.post(PAYMENTS, parameters)

    def pay_by_card(
        self, payment_type: str, amount: str, currency: str, more: Sent | None = None
    ) -> Answer:
        """The answer to a payment by the test card; an empty value leaves a parameter out."""
        return self.pay(self.by_card(payment_type, amount, currency, more))

    def pay_leaving_empty(self, name: str, amount: str, currency: str) -> Answer:
        """The answer to a payment by the test card with one parameter sent without a value."""
        return self.pay({**self.by_card("DB", amount, currency), name: ""})

    def presenting(self, credentials: str | None, parameters: Sent) -> Answer:
        """The answer to a payment with exactly these credentials, or with none at all."""
        body = form_of({"entityId": self.client.entity_id, **parameters})
        headers = {"Authorization": credentials}
        return self.client.request("POST", PAYMENTS, headers=headers, body=body)

    def refer(self, payment_id: str, payment_type: str, **more: str) -> Answer:
        """The answer to a request that refers to a payment, such as a capture."""
        return self.client.post(f"{PAYMENTS}/{payment_id}", {"paymentType": payment_type, **more})

    def read(self, payment_id: str) -> Answer:
        """The answer to reading a payment."""
        return self.client.get(f"{PAYMENTS}/{payment_id}")

    def on_channel(self, name: str) -> "Merchant":
        """The same merchant with the same token, on another of its channels."""
        return self._with(self.client.token, (self.channels or {})[name])

    def on_own_connection(self) -> "Merchant":
        """The same merchant on a connection of its own, which has to be closed."""
        return replace(self, client=self.client.on_own_connection())

    def with_token(self, token: str) -> "Merchant":
        """The same merchant presenting another token."""
        return self._with(token, self.client.entity_id)

    def naming(self, entity_id: str) -> "Merchant":
        """The same merchant with its own token, naming another entity."""
        return self._with(self.client.token, entity_id)

    def _with(self, token: str, entity_id: str) -> "Merchant":
        return replace(self, client=self.client.with_credentials(token, entity_id))
