"""What the server of the shop does at the gateway: prepare, read, and for some stories steer."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from demo_shop.masking import shown_text
from demo_shop.orders import CURRENCY, Order, TimelineEntry
from demo_shop.stories import VISA
from demo_shop.timeline import as_event, recording
from demo_shop.webhooks import decrypt_webhook
from simulator.client import Answer, Client, Control, GatewayAccess, Interceptor
from simulator.client.pictures import checked_picture
from simulator.client.shown.hidden import hiding
from simulator.client.shown.known_secrets import KnownSecrets

TO_GATEWAY, TO_CONTROL, FROM_GATEWAY = "Shop to gateway", "Demo to control API", "Gateway to shop"
BRANDS = ["VISA", "MASTER", "AMEX", "GIROPAY", "IDEAL"]
SANDBOX = {
    "merchants": [
        {"name": "Tea house",
         "channels": [{"brands": BRANDS, "three_d_secure": {"MASTER": "2.2.0"}}]}
    ]
}  # fmt: skip
CUSTOMER = {
    "customer.givenName": "Jane", "customer.surname": "Jones", "customer.email": "jane@example.com",
    "billing.street1": "Long Lane 7", "billing.city": "Riverside", "billing.postcode": "12345",
    "billing.country": "DE",
}  # fmt: skip
STORED = {
    "paymentBrand": "VISA", "card.number": VISA, "card.holder": "Jane Jones",
    "card.expiryMonth": "05", "card.expiryYear": "2034", "card.cvv": "123",
}  # fmt: skip
# What the answer to a new sandbox has of them.
CREDENTIALS = ("token", "live_token", "control_key")
# As long as an advance of the clock may take, with everything that is due on the way.
TIMEOUT_S = 60.0


class Merchant:
    """The merchant of one sandbox, and the sandbox itself for stories that need more.

    Every method raises OSError or http.client.HTTPException where the gateway does not answer, and
    ControlError where its control API refuses.
    """

    def __init__(self, access: GatewayAccess, ca_file: str | None = None):
        self._access = access
        self._ca_file = ca_file
        self._secret = secrets.token_hex(32)
        self._known = KnownSecrets(access.control_key, self._secret)
        with self._control() as control:
            self._facts: Mapping[str, Any] = control.create_sandbox(**SANDBOX)
        made = (self._facts.get(name) for name in CREDENTIALS)
        self._known = self._known.with_more(each for each in made if isinstance(each, str))
        self.sandbox: str = self._facts["id"]
        self.gateway = access.url

    def shown(self, text: str) -> str:
        """A text of others as a page may show it: they may know the secrets of the shop."""
        return shown_text(self.hide(text))

    def hide(self, text: str) -> str:
        """A text without the secrets of the shop."""
        return self._known.hidden_in(text)

    def listen_at(self, url: str) -> None:
        """Have webhooks sent to an address of the shop."""
        with self._control() as control:
            control.create_webhook(self.sandbox, url, secret=self._secret)

    def prepare(self, order: Order, result_url: str) -> None:
        """Prepare the checkout of an order; what went wrong is its problem."""
        sent = {
            "paymentType": "DB", "amount": str(order.amount), "currency": CURRENCY,
            "merchantTransactionId": order.number, "integrity": "true",
            "shopperResultUrl": result_url, **CUSTOMER,
        }  # fmt: skip
        if order.story.is_stored:
            sent["registrations[0].id"] = self._store_card(order)
        if order.story.behaviour:
            self._arm(order)
        why = "The shop says what is to be paid. The id of the answer goes into its page."
        answer = self._post(order, why, "v1/checkouts", sent)
        order.checkout, order.integrity = answer.id, str(answer.at("integrity") or "")
        order.problem = "" if answer.status == 200 else shown_text(answer.reason)

    def read_result(self, order: Order) -> None:
        """Ask the gateway how the payment of an order ended, unless the shop knows, or has to wait
        before it asks again.
        """
        if order.is_final or order.wait_s:
            return
        order.learn(self._read(order))

    def pass_time(self, order: Order, span: str) -> None:
        """Move the clock of the sandbox: what is due happens now."""
        with self._control(order, f"The clock of this sandbox moves by {span}.") as control:
            control.advance_clock(self.sandbox, by=span)

    def trace(self, order: Order) -> bytes:
        """Every message about the payment of an order, as a diagram in SVG."""
        with self._control() as control:
            drawn = control.trace(self.sandbox, order.payment, svg=True)
        return checked_picture(drawn, self.shown).encode()

    def read_webhook(self, headers: Mapping[str, str], body: bytes) -> tuple[str, TimelineEntry]:
        """The merchant's reference and the line of a webhook. Raises UnreadableWebhookError."""
        event = self._known.hidden_in_document(decrypt_webhook(headers, body, self._secret))
        payload = event.get("payload")
        about = Answer(0, {}, payload if isinstance(payload, dict) else {})
        title = f"Webhook {event.get('type', '')} {event.get('action', '')}".strip()
        why = "Arrived encrypted, and was decrypted with the secret of the shop's endpoint."
        entry = TimelineEntry(FROM_GATEWAY, title, about.code, why, as_event(event))
        return str(about.at("merchantTransactionId") or ""), entry

    def close(self) -> None:
        """Remove the sandbox with all it holds."""
        with self._control() as control:
            control.delete(self.sandbox)

    def _read(self, order: Order) -> Answer:
        why = (
            "An address can be forged, so the shop believes neither its page nor the browser: it "
            "asks the gateway about the checkout it prepared itself."
        )
        with self._client(order, why) as client:
            return client.get(f"v1/checkouts/{order.checkout}/payment")

    def _store_card(self, order: Order) -> str:
        why = "Played by the demo: the card that this shopper stored at an earlier visit."
        return self._post(order, why, "v1/registrations", STORED).id

    def _arm(self, order: Order) -> None:
        why = "The next payment of this order alone behaves so at the acquirer."
        with self._control(order, why) as control:
            match = {"merchantTransactionId": order.number}
            control.arm_script(self.sandbox, order.story.behaviour, match=match, times=1)

    def _post(self, order: Order, why: str, path: str, sent: Mapping[str, str]) -> Answer:
        with self._client(order, why) as client:
            return client.post(path, sent)

    @contextmanager
    def _client(self, order: Order, why: str) -> Iterator[Client]:
        client = Client(
            self._access.url, self._facts["token"], self._facts["entity_id"],
            ca_file=self._ca_file, around=self._hiding(recording(order, TO_GATEWAY, why)),
        )  # fmt: skip
        try:
            yield client
        finally:
            client.close()

    @contextmanager
    def _control(self, order: Order | None = None, why: str = "") -> Iterator[Control]:
        around = self._hiding(recording(order, TO_CONTROL, why) if order else None)
        control = Control(
            self._access.control_url, self._access.control_key,
            timeout_s=TIMEOUT_S, ca_file=self._ca_file, around=around,
        )  # fmt: skip
        try:
            yield control
        finally:
            control.close()

    def _hiding(self, around: Interceptor | None) -> Interceptor:
        """A gateway may repeat what it was sent: no page shows a secret of that."""
        return hiding(self._known.hidden_in_document, around)
