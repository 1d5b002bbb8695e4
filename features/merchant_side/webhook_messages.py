"""Webhook notifications: wrappers of type, action and payload.

Source: Events. What the specification does not show is as clients expect it (W2, W3).
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

Wrapper = Mapping[str, Any]

PAID, PAID_LIVE, PENDING, DECLINED = "000.100.110", "000.000.000", "000.200.000", "800.100.152"
DESCRIPTIONS = {
    PAID: "Request successfully processed in 'Merchant in Integrator Test Mode'",
    PAID_LIVE: "Transaction succeeded",
    PENDING: "transaction pending",
    DECLINED: "transaction declined by authorization system",
}
ENTITY = "8a8294174b7ecb28014b9699220015ca"
# Source: Limits, cart items.
CART_ITEMS_MAX = 1000


@dataclass(frozen=True, slots=True)
class NotifiedPayment:
    """A payment in notifications. Its first event was ten minutes before now."""

    id: str
    reference: str
    began: datetime

    def notification(
        self, code: str, action: str | None = "CREATED", *, minute: int = 0
    ) -> Wrapper:
        """The notification of a result code, `minute` minutes after the first event.

        Without `action` the member is missing, which clients expect too (W4).
        """
        wrapper = {"type": "PAYMENT", "payload": self._payload(code, minute)}
        return wrapper if action is None else wrapper | {"action": action}

    def _payload(self, code: str, minute: int) -> Mapping[str, Any]:
        return {
            "id": self.id,
            "paymentType": "DB",
            "paymentBrand": "VISA",
            "amount": "92.00",
            "currency": "EUR",
            "presentationAmount": "92.00",
            "presentationCurrency": "EUR",
            "merchantTransactionId": self.reference,
            "result": result_of(code),
            "card": {"bin": "420000", "last4Digits": "0000", "holder": "Jane Jones",
                     "expiryMonth": "05", "expiryYear": "2034"},
            "customer": {"givenName": "Jane", "surname": "Jones"},
            "authentication": {"entityId": ENTITY},
            "timestamp": timestamp(self.began + timedelta(minutes=minute)),
            "ndc": f"{ENTITY}-{hex_id()}",
        }  # fmt: skip


def new_payment() -> NotifiedPayment:
    """A new payment, unknown to the merchant."""
    return NotifiedPayment(hex_id(), f"order-{secrets.token_hex(6)}", now() - timedelta(minutes=10))


def registration() -> Wrapper:
    """The notification of a stored card."""
    payload = {
        "id": hex_id(),
        "result": result_of(PAID),
        "paymentBrand": "VISA",
        "card": {"bin": "420000", "last4Digits": "0000"},
        "timestamp": timestamp(now()),
    }
    return {"type": "REGISTRATION", "action": "CREATED", "payload": payload}  # fmt: skip


def activation() -> Wrapper:
    """The notification that activates a new endpoint. Source: W3."""
    payload = {"result": {"code": PAID}, "timestamp": timestamp(now())}
    return {"type": "test", "action": "webhook activation", "payload": payload}


def schedule() -> Wrapper:
    """The notification of a schedule, a type beyond the specification that gateways send."""
    payload = {"id": hex_id(), "paymentType": "SD", "result": result_of(PAID)}
    return {"type": "SCHEDULE", "action": "CREATED", "payload": payload}


def unknown_type() -> Wrapper:
    """A notification of an unknown type and action."""
    return {"type": "WEATHER", "action": "FORECAST", "payload": {"id": hex_id(), "sky": ["blue"]}}


def with_payload(wrapper: Wrapper, **members: Any) -> Wrapper:
    """The notification with more members in its payload."""
    return {**wrapper, "payload": {**wrapper["payload"], **members}}


def full_cart() -> list[Mapping[str, str]]:
    """As many cart items as a payment may have, some 100 KB of them."""
    return [
        {"name": f"Article {number}", "merchantItemId": f"{number:012d}", "quantity": "1",
         "price": "0.09", "totalAmount": "0.09"}
        for number in range(CART_ITEMS_MAX)
    ]  # fmt: skip


def result_of(code: str) -> Mapping[str, str]:
    """A result code and its text."""
    return {"code": code, "description": DESCRIPTIONS[code]}


def hex_id() -> str:
    """An id as payments and registrations have it: 32 hex digits that begin with 8a82."""
    return "8a82" + secrets.token_hex(14)


def now() -> datetime:
    """The time of this moment."""
    return datetime.now(UTC)


def timestamp(at: datetime) -> str:
    """A time as answers show it."""
    return at.strftime("%Y-%m-%d %H:%M:%S+0000")
