"""A sandbox that has one of everything, and the ids by which paths name it."""

from typing import Any, NamedTuple

from simulator.tests.kit.gateway import Credentials, Gateway

CLOCK = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}
# What a merchant sends goes to a risk check too.
CHECKED = [{"channels": [{"risk": ["risk-amount"]}]}]
ASKED = {"clock": CLOCK, "throttle": "off", "merchants": CHECKED}
CARD = {
    "paymentBrand": "VISA",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
}
MONEY = {"amount": "92.00", "currency": "EUR"}
JOB = {"paymentType": "DB", **MONEY, "job.dayOfMonth": "05"}


class Filled(NamedTuple):
    """A sandbox, who is its merchant, and its ids by what they are of."""

    gateway: Gateway
    who: Credentials
    ids: dict[str, str]

    def control(self, method: str, path: str, document: object = None) -> Any:
        """A call of the control API about it."""
        return self.gateway.control(method, f"/sandboxes/{self.ids['id']}{path}", document).json

    def post(self, path: str, **sent: str) -> Any:
        """A request of its merchant."""
        return self.gateway.send(path, {"entityId": self.who.entity_id, **sent}, self.who).json


def filled_sandbox(gateway: Gateway) -> Filled:
    """A new one."""
    made = gateway.control("POST", "/sandboxes", ASKED).json
    filled = Filled(gateway, Credentials(made["token"], made["entity_id"]), {"id": made["id"]})
    ids = filled.ids
    _of_merchant(filled, ids)
    _of_control(filled, ids)
    return filled


def _of_merchant(filled: Filled, ids: dict[str, str]) -> None:
    paid = filled.post("/v1/payments", paymentType="PA", **MONEY, **CARD)
    ids["payment"], ids["ndc"] = paid["id"], paid["ndc"]
    ids["registration"] = filled.post("/v1/registrations", **CARD)["id"]
    ids["checkout"] = filled.post("/v1/checkouts", paymentType="DB", **MONEY)["id"]
    made = filled.post("/v1/schedules", registrationId=ids["registration"], **JOB)
    ids["schedule"] = made["id"]


def _of_control(filled: Filled, ids: dict[str, str]) -> None:
    merchant = filled.control("GET", "/merchants")["merchants"][0]
    ids["merchant"], ids["channel"] = merchant["id"], merchant["channels"][0]["id"]
    ids["token"] = filled.control("GET", f"/merchants/{ids['merchant']}/tokens")["tokens"][0]["id"]
    ids["script"] = filled.control("POST", "/scripts", {"behaviour": "decline"})["id"]
    terminal = {"model": "SANDGATE_COUNTERTOP", "method": "AES"}
    ids["terminal"] = filled.control("POST", "/terminals", terminal)["id"]
    ids["endpoint"] = filled.control("POST", "/webhooks", {"url": "inbox"})["id"]
    event = {"event": "payment.updated", "payment": ids["payment"]}
    ids["notice"] = filled.control("POST", "/notices", event)["id"]
    ids["key"] = filled.control("GET", "/inbox")["url"].rpartition("/")[2]
    filled.post(f"/v1/payments/{ids['payment']}", paymentType="CP", **MONEY)
    filled.control("POST", "/clock/advance", {"by": "2d"})
    ids["run"] = filled.control("POST", "/settlements", {})["runs"][0]["id"]
    ids["settlement"], ids["account"] = ids["run"], ids["merchant"]
    ids["held"], ids["person"] = "8" * 32, "anna"
