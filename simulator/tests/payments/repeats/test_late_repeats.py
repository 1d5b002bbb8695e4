"""The same request again after what it sent has aged: answered before anything is judged."""

import pytest

from simulator.tests.kit.gateway import ORDER as CARD_ORDER
from simulator.tests.kit.gateway import Credentials, Gateway

START = "2027-01-04T09:00:00Z"
ORDER = {"merchantTransactionId": "order-0001"}
NO_CARD = dict.fromkeys(name for name in CARD_ORDER if name.startswith("card."))
SENT_BEFORE, PAID, COLLECTED = "800.110.100", "000.100.110", "800.400.501"
DEBIT = {**NO_CARD, "paymentBrand": "SEPA", "bankAccount.holder": "Jane Jones",
         "bankAccount.iban": "DE89370400440532013000", "bankAccount.bic": "COBADEFFXXX",
         "transactionDueDate": "2027-01-05"}  # fmt: skip
AGEING_CARD = {"card.expiryMonth": "01", "card.expiryYear": "2027"}
PLACE = {"standingInstruction.type": "RECURRING", "standingInstruction.expiry": "2027-01-05"}
CHANGES = [
    {"currencies": ["USD"]},
    {"brands": ["MASTER"]},
    {"cvv": "required"},
    {"three_d_secure": {"VISA": "2.2.0"}},
    {"requires_merchant_transaction_id": True},
    {"risk": ["risk-denied"]},
]


class Shop:
    """A merchant whose channel repeats or refuses, in a sandbox whose clock stands still."""

    def __init__(self, gateway: Gateway, mode: str = "repeat", **options: object):
        channel = {"name": "Shop", "repeated_merchant_transaction_id": mode}
        clock = {"mode": "frozen", "at": START}
        request = {"merchants": [{"channels": [channel]}], "clock": clock, **options}
        made = gateway.control("POST", "/sandboxes", request).json
        self.gateway, self.id, self.merchant = (
            gateway,
            made["id"],
            made["entities"]["merchants"][0]["id"],
        )
        self.who = Credentials(made["token"], made["entity_id"])

    def advance(self, by: str) -> None:
        """Move the clock."""
        self.gateway.control("POST", f"/sandboxes/{self.id}/clock/advance", {"by": by})

    def change(self, change: dict) -> None:
        """Change the channel."""
        path = f"/sandboxes/{self.id}/merchants/{self.merchant}/channels/{self.who.entity_id}"
        assert self.gateway.control("PATCH", path, change).status_code == 200

    def pay(self, path: str = "/v1/payments", **more: str | None) -> object:
        """A payment with the reference."""
        return self.gateway.post(path, who=self.who, **{**ORDER, **more})

    def remove(self, registration: str) -> None:
        """Remove a registration."""
        self.gateway.client.simulate_delete(
            f"/v1/registrations/{registration}",
            params={"entityId": self.who.entity_id},
            headers={"Authorization": f"Bearer {self.who.token}"},
        )

    def wallet(self) -> dict:
        """What a wallet pays with."""
        order = {"amount": "92.00", "currency": "EUR"}
        made = self.gateway.control("POST", f"/sandboxes/{self.id}/wallet/tokens", order)
        token = {"mobileWallet.paymentToken": made.json["token"]}
        return {**NO_CARD, "paymentBrand": "APPLEPAY", **token}


def code(answer: object) -> str:
    """Its result code."""
    return answer.json["result"]["code"]


def repeats(first: object, again: object) -> None:
    """Assert that the second answer is that of the first payment."""
    assert code(first) in (PAID, COLLECTED), first.json
    assert (again.status_code, again.json.get("id")) == (200, first.json["id"]), again.json


@pytest.mark.parametrize(("more", "by"), [(DEBIT, "2d"), (AGEING_CARD, "28d"), (PLACE, "2d")])
def test_what_has_aged_is_answered_with_the_first_payment(
    gateway: Gateway, more: dict, by: str
) -> None:
    shop = Shop(gateway)
    first = shop.pay(**more)
    shop.advance(by)
    repeats(first, shop.pay(**more))


def test_a_wallet_token_is_answered_after_its_signature_has_aged(gateway: Gateway) -> None:
    shop = Shop(gateway)
    wallet = shop.wallet()
    first = shop.pay(**wallet)
    shop.advance("6m")
    repeats(first, shop.pay(**wallet))
    assert code(shop.pay(**wallet, paymentType="PA")) != PAID
    assert code(shop.pay(**shop.wallet())) == SENT_BEFORE


@pytest.mark.parametrize("change", CHANGES)
def test_what_the_channel_asks_for_since_is_not_asked_of_a_repeat(
    gateway: Gateway, change: dict
) -> None:
    shop = Shop(gateway)
    first = shop.pay(**{"card.cvv": None})
    shop.change(change)
    repeats(first, shop.pay(**{"card.cvv": None}))


@pytest.mark.parametrize(("profile", "kind"), [("specification", "DB"), ("field", "CP")])
def test_a_removed_or_changed_registration_has_paid_already(
    gateway: Gateway, profile: str, kind: str
) -> None:
    shop = Shop(gateway, profile=profile)
    made = shop.pay(createRegistration="true", merchantTransactionId=None)
    path = f"/v1/registrations/{made.json['registrationId']}"
    sent = {**NO_CARD, "paymentBrand": None, "paymentType": kind}
    first = shop.pay(f"{path}/payments", **sent)
    shop.gateway.send(path, {"entityId": shop.who.entity_id, "card.expiryYear": "2035"}, shop.who)
    repeats(first, shop.pay(f"{path}/payments", **sent))
    shop.remove(made.json["registrationId"])
    repeats(first, shop.pay(f"{path}/payments", **sent))
    other = shop.pay(f"{path}/payments", **sent, merchantTransactionId="order-0002")
    assert code(other) == "100.150.202"


@pytest.mark.parametrize(("more", "by"), [(DEBIT, "2d"), (AGEING_CARD, "28d"), (PLACE, "2d")])
def test_a_channel_that_refuses_names_the_first_payment_however_late(
    gateway: Gateway, more: dict, by: str
) -> None:
    shop = Shop(gateway, "refuse")
    shop.pay(**more)
    shop.advance(by)
    assert code(shop.pay(**more)) == SENT_BEFORE


def test_another_request_is_refused_however_late(gateway: Gateway) -> None:
    shop = Shop(gateway)
    shop.pay(**DEBIT)
    shop.advance("1d")
    other = {**DEBIT, "transactionDueDate": "2027-03-01", "bankAccount.holder": "John Jones"}
    assert code(shop.pay(**other)) == SENT_BEFORE


def test_a_registration_may_have_the_reference_of_a_payment(gateway: Gateway) -> None:
    shop = Shop(gateway, "refuse")
    assert code(shop.pay()) == PAID
    made = shop.pay("/v1/registrations", paymentType=None, amount=None, currency=None)
    assert code(made) == PAID


def test_a_merchant_that_dispatches_is_answered_by_the_channel_that_was_paid_on(
    gateway: Gateway,
) -> None:
    shop = Shop(gateway)
    sandbox = f"/sandboxes/{shop.id}/merchants/{shop.merchant}"
    channel = {"name": "Other", "repeated_merchant_transaction_id": "repeat"}
    other = gateway.control("POST", f"{sandbox}/channels", channel).json["id"]
    rules = {"dispatching": [{"channel": other, "brands": ["VISA"]}]}
    assert gateway.control("PATCH", sandbox, rules).status_code == 200
    shop.who = Credentials(shop.who.token, shop.merchant)
    made = shop.pay(createRegistration="true", merchantTransactionId=None)
    path = f"/v1/registrations/{made.json['registrationId']}"
    sent = {**NO_CARD, "paymentBrand": None}
    first = shop.pay(f"{path}/payments", **sent)
    shop.remove(made.json["registrationId"])
    repeats(first, shop.pay(f"{path}/payments", **sent))
