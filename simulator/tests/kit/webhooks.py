"""Endpoints, and a sandbox that sends its webhook events to its own inbox."""

from datetime import UTC, datetime

from falcon.testing import Result

from simulator.domain.webhooks.records import Endpoint
from simulator.tests.kit.gateway import Gateway


def an_endpoint(**fields: object) -> Endpoint:
    """An endpoint, with everything that does not matter filled in."""
    usual = {"id": "e", "entity": "psp", "url": "inbox", "secret": "sealed", "active": True}
    made = datetime(2026, 11, 20, 12, tzinfo=UTC)
    return Endpoint(**{**usual, "created_at": made, **fields})


class WebhookSandbox:
    """A sandbox whose webhook events go to its inbox, its clock frozen at noon."""

    def __init__(self, gateway: Gateway, *, with_endpoint: bool = True, **options: object):
        clock = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}
        self.gateway = gateway
        self.made = gateway.control("POST", "/sandboxes", {"clock": clock, **options}).json
        self.merchant = gateway.merchant._replace(
            token=self.made["token"], entity_id=self.made["entity_id"]
        )
        self.endpoint = self.webhook() if with_endpoint else {}

    def ask(self, method: str, path: str, document: object = None) -> Result:
        """A call of the control API about this sandbox."""
        return self.gateway.control(method, f"/sandboxes/{self.made['id']}{path}", document)

    def webhook(self, url: str = "inbox", **options: object) -> dict:
        """A new endpoint."""
        return self.ask("POST", "/webhooks", {"url": url, **options}).json

    def pay(self, **more: str) -> dict:
        """A payment."""
        return self.gateway.post(who=self.merchant, **more).json

    def refer(self, payment: dict, kind: str, **more: str) -> dict:
        """A payment that refers to another."""
        sent = {"entityId": self.merchant.entity_id, "paymentType": kind, **more}
        return self.gateway.send(f"/v1/payments/{payment['id']}", sent, self.merchant).json

    def arm(self, behaviour: object, **options: object) -> dict:
        """A script."""
        return self.ask("POST", "/scripts", {"behaviour": behaviour, **options}).json

    def advance(self, by: str) -> None:
        """Move the clock, and do what is due."""
        self.ask("POST", "/clock/advance", {"by": by})

    def inbox(self, count: int = 0) -> list[dict]:
        """The messages in the inbox, once there are `count`, or after a second."""
        return self.ask("GET", f"/inbox?count={count}&wait=1s").json["arrived"]

    def events(self, count: int) -> list[str]:
        """Type and action of the events in the inbox."""
        self.ask("POST", "/drain", {"timeout": "5s"})
        return [f"{each['type']} {each['action']}" for each in self.inbox(count)]

    def notices(self, query: str = "") -> list[dict]:
        """What was sandbox, newest first."""
        return self.ask("GET", f"/notices{query}").json["notices"]
