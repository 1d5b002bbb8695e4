"""A shopper for tests: a sandbox of its own, its merchant, and what is done with a redirect."""

from typing import NamedTuple
from urllib.parse import urlsplit

from falcon.testing import Result

from simulator.tests.kit.gateway import FORM, Credentials, Gateway

SHOP = "https://shop.example/done?order=4711&name=J%C3%B6rg"
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
CLOCK = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}


class Shopper(NamedTuple):
    """A sandbox of its own, its merchant, and what a shopper does with a redirect."""

    gateway: Gateway
    sandbox: str
    merchant: Credentials

    def pays(self, **more: str | None) -> dict:
        """A payment that redirects."""
        card = dict.fromkeys(("number", "holder", "expiryMonth", "expiryYear", "cvv"))
        brand = {"paymentBrand": "EPS", "shopperResultUrl": SHOP}
        sent = {**{f"card.{name}": None for name in card}, **brand, **more}
        return self.gateway.post(who=self.merchant, **sent).json

    def opens(self, payment: dict, headers: dict | None = None, listener: str = "plain") -> Result:
        """GET of the redirect page."""
        return self.gateway.client.simulate_get(
            path_of(payment), headers=headers, extras={"sandgate.listener": listener}
        )

    def posts(self, payment: dict, body: str, headers: dict | None = None) -> Result:
        """POST of a form to the redirect page."""
        return self.gateway.client.simulate_post(
            path_of(payment), body=body, content_type=FORM, headers=headers
        )

    def code(self, payment: dict) -> str:
        """The result code the payment has now."""
        return self.gateway.read(payment["id"], self.merchant).json["result"]["code"]

    def control(self, method: str, path: str, document: object = None) -> Result:
        """A call of the control API about this sandbox."""
        return self.gateway.control(method, f"/sandboxes/{self.sandbox}{path}", document)


def path_of(payment: dict) -> str:
    return urlsplit(payment["redirect"]["url"]).path


def trace_of(payment: dict) -> str:
    return f"/payments/{payment['id']}/trace"


def back_for(payment: dict) -> str:
    return f"{SHOP}&id={payment['id']}&resourcePath=%2Fv1%2Fpayments%2F{payment['id']}"


def a_shopper(gateway: Gateway) -> Shopper:
    """A shopper at a merchant whose clock stands still."""
    made = gateway.control("POST", "/sandboxes", {"clock": CLOCK}).json
    return Shopper(gateway, made["id"], Credentials(made["token"], made["entity_id"]))
