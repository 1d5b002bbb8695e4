"""The payment side of a small shop. It needs only an address and credentials."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request
from typing import NamedTuple


class Answer(NamedTuple):
    """What the gateway answered."""

    status: int
    body: dict

    @property
    def id(self) -> str:
        return self.body["id"]

    @property
    def code(self) -> str:
        return self.body["result"]["code"]


class Shop:
    """A merchant with one entity at one gateway."""

    def __init__(self, url: str, token: str, entity_id: str):
        self._url = url
        self._token = token
        self._entity_id = entity_id

    def pay(self, amount: str, card: dict, kind: str = "DB") -> Answer:
        """Charge a card (DB), or authorize an amount (PA)."""
        sent = {"paymentType": kind, "amount": amount, "currency": "EUR"}
        return self._post("v1/payments", sent | {f"card.{name}": card[name] for name in card})

    def capture(self, payment: str, amount: str) -> Answer:
        """Capture an authorized amount, or a part of it."""
        sent = {"paymentType": "CP", "amount": amount, "currency": "EUR"}
        return self._post(f"v1/payments/{payment}", sent)

    def refund(self, payment: str, amount: str) -> Answer:
        """Refund a captured amount, or a part of it."""
        sent = {"paymentType": "RF", "amount": amount, "currency": "EUR"}
        return self._post(f"v1/payments/{payment}", sent)

    def _post(self, path: str, sent: dict) -> Answer:
        form = urllib.parse.urlencode({"entityId": self._entity_id, **sent}).encode()
        headers = {"Authorization": f"Bearer {self._token}"}
        request = urllib.request.Request(self._url + path, form, headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return Answer(response.status, json.load(response))
        except urllib.error.HTTPError as refused:
            return Answer(refused.code, json.load(refused))


def shop_from_environment() -> Shop:
    """The shop that `sandgate run` describes."""
    return Shop(
        os.environ["SANDGATE_URL"], os.environ["SANDGATE_TOKEN"], os.environ["SANDGATE_ENTITY_ID"]
    )
