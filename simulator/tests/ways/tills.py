"""The same payment by each way to pay, for a merchant that stores cards on one channel and pays on
others.

Each way is sent the account and the rest of the payment, and answers with the first refusal, or
with the payment as it was made.
"""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlencode

from falcon.testing import Result

from simulator.tests.kit.gateway import FORM, Credentials, Gateway

Sent = Mapping[str, str]
NOON = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}
HTML = {"Accept": "text/html,application/xhtml+xml"}
SMALL = {"paymentType": "DB", "amount": "1.00", "currency": "EUR"}
TOMORROW = {"job.expression": "0 0 7 21 * ?"}
URL = "https://shop.example/back"
TOKEN = "mobileWallet.paymentToken"


def without(sent: Sent, *names: str) -> dict[str, str]:
    return {name: value for name, value in sent.items() if name not in names}


class Till:
    """A merchant: `who` pays, on the channel Ruled or where rules of dispatching lead."""

    def __init__(self, gateway: Gateway, profile: str, channels: Sequence[dict], rules: list):
        merchant = {"channels": [{"name": "Home"}, *channels], "dispatching": rules}
        asked = {"profile": profile, "clock": NOON, "merchants": [merchant]}
        made = gateway.control("POST", "/sandboxes", asked).json
        (self.merchant,) = made["entities"]["merchants"]
        self.gateway, self.sandbox, token = gateway, made["id"], self.merchant["token"]
        ids = {each["name"]: each["id"] for each in self.merchant["channels"]}
        self.home = Credentials(token, ids["Home"])
        self.who = Credentials(token, self.merchant["id"] if rules else ids["Ruled"])

    def send(self, path: str, sent: Sent, who: Credentials | None = None) -> Result:
        """What the merchant posts."""
        who = who or self.who
        return self.gateway.send(path, {"entityId": who.entity_id, **sent}, who)

    def read(self, path: str) -> Result:
        """What the merchant reads."""
        return self.gateway.client.simulate_get(
            path,
            params={"entityId": self.who.entity_id},
            headers={"Authorization": f"Bearer {self.who.token}"},
        )

    def ask(self, path: str, document: object = None) -> Result:
        """A post to the control API."""
        return self.gateway.control("POST", f"/sandboxes/{self.sandbox}{path}", document)

    def stored(self, account: Sent) -> str:
        """The registration of an account, made on a channel without rules."""
        made = self.send("/v1/registrations", without(account, "card.cvv"), self.home)
        assert made.status_code == 200, made.text
        return str(made.json["id"])

    def token(self, account: Sent, sent: Sent) -> str:
        """A wallet token for the payment."""
        order = {"number": account["card.number"], "amount": sent["amount"]}
        return str(
            self.ask("/wallet/tokens", {**order, "currency": sent["currency"]}).json["token"]
        )

    def submit(self, path: str, checkout: str, sent: Sent) -> Result:
        """What a form posts."""
        capability = self.ask(f"/checkouts/{checkout}/capability").json["capability"]
        headers = {"Authorization": f"Checkout {capability}"}
        post = self.gateway.client.simulate_post
        return post(path, headers=headers, body=urlencode(sent), content_type=FORM)


Way = Callable[[Till, Sent, Sent], Result]


def direct(till: Till, account: Sent, sent: Sent) -> Result:
    return till.send("/v1/payments", {**sent, **account})


def detected(till: Till, account: Sent, sent: Sent) -> Result:
    return till.send("/v1/payments", {**sent, **without(account, "paymentBrand")})


def by_token(till: Till, account: Sent, sent: Sent) -> Result:
    return till.send("/v1/payments", {**sent, TOKEN: till.token(account, sent)})


def from_registration(till: Till, account: Sent, sent: Sent) -> Result:
    path = f"/v1/registrations/{till.stored(account)}/payments"
    return till.send(path, {**sent, **_code(account)})


def _code(account: Sent) -> dict[str, str]:
    return {name: value for name, value in account.items() if name == "card.cvv"}


def in_checkout(till: Till, account: Sent, sent: Sent) -> Result:
    return _paid(till, sent, account)


def in_checkout_of_a_brand(till: Till, account: Sent, sent: Sent) -> Result:
    brand = {"paymentBrand": account["paymentBrand"]}
    return _paid(till, {**sent, **brand}, without(account, "paymentBrand"))


def in_checkout_stored(till: Till, account: Sent, sent: Sent) -> Result:
    return _paid(till, sent, {"registrationId": till.stored(account), **_code(account)})


def in_updated_checkout(till: Till, account: Sent, sent: Sent) -> Result:
    made = till.send("/v1/checkouts", SMALL)
    if made.status_code != 200:
        return made
    path = f"/v1/checkouts/{made.json['id']}"
    changed = till.send(path, sent)
    return changed if changed.status_code != 200 else till.send(f"{path}/payment", account)


def _paid(till: Till, sent: Sent, entered: Sent) -> Result:
    made = till.send("/v1/checkouts", sent)
    if made.status_code != 200:
        return made
    return till.send(f"/v1/checkouts/{made.json['id']}/payment", entered)


def by_form(till: Till, account: Sent, sent: Sent) -> Result:
    return _submitted(till, sent, account)


def by_form_with_token(till: Till, account: Sent, sent: Sent) -> Result:
    return _submitted(till, sent, {TOKEN: till.token(account, sent)})


def by_form_stored(till: Till, account: Sent, sent: Sent) -> Result:
    stored = till.stored(account)
    entered = {"registrationId": stored, **_code(account)}
    return _submitted(till, {**sent, "registrations[0].id": stored}, entered)


def _submitted(till: Till, sent: Sent, entered: Sent) -> Result:
    made = till.send("/v1/checkouts", sent)
    if made.status_code != 200:
        return made
    checkout = made.json["id"]
    return till.submit(f"/v1/checkouts/{checkout}/payment", checkout, entered)


def by_summary_page(till: Till, account: Sent, sent: Sent) -> Result:
    made = till.send("/v1/checkouts", {"shopperResultUrl": URL, **sent})
    if made.status_code != 200:
        return made
    checkout = made.json["id"]
    kept = till.submit(f"/form/{checkout}/kept", checkout, account)
    if kept.status_code != 200:
        return kept
    post = till.gateway.client.simulate_post
    post(f"/form/{checkout}/confirm", headers=HTML, body="", content_type=FORM)
    return till.read(f"/v1/checkouts/{checkout}/payment")


def by_schedule(till: Till, account: Sent, sent: Sent) -> Result:
    stored = {"registrationId": till.stored(account)}
    return _executed(till, till.send("/scheduling/v1/schedules", {**sent, **TOMORROW, **stored}))


def by_reschedule(till: Till, account: Sent, sent: Sent) -> Result:
    stored = {"registrationId": till.stored(account)}
    made = till.send("/scheduling/v1/schedules", {**SMALL, **TOMORROW, **stored})
    if made.status_code != 200:
        return made
    path = f"/scheduling/v1/schedules/{made.json['id']}"
    return _executed(till, till.send(f"{path}/reschedule", sent))


def _executed(till: Till, made: Result) -> Result:
    """The payment of the first execution; the refusal of the schedule where it was not made."""
    if made.status_code != 200:
        return made
    till.ask("/clock/advance", {"by": "36h"})
    plan = till.read(f"/scheduling/v1/schedules/{made.json['id']}").json["plan"]
    return till.read(f"/v1/payments/{plan['lastExecution']['id']}")


WAYS: Mapping[str, Way] = {
    each.__name__: each
    for each in (
        detected, by_token, from_registration, in_checkout, in_checkout_of_a_brand,
        in_checkout_stored, in_updated_checkout, by_form, by_form_with_token, by_form_stored,
        by_summary_page, by_schedule, by_reschedule,
    )
}  # fmt: skip
WALLETS = ("by_token", "by_form_with_token")
SCHEDULES = ("by_schedule", "by_reschedule")
