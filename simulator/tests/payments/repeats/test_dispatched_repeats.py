"""The same request again of a merchant that dispatches: it is looked for before its rules look at
anything, on whichever channel the first was paid. Choice: D-285.
"""

from collections.abc import Sequence
from pathlib import Path

import gevent
import pytest
from falcon.testing import Result

from simulator.tests.kit.gateway import ORDER as CARD_ORDER
from simulator.tests.kit.gateway import Credentials, Gateway

START = "2027-01-04T09:00:00Z"
ORDER = {"merchantTransactionId": "order-0001"}
NO_CARD = dict.fromkeys(name for name in CARD_ORDER if name.startswith("card."))
NO_BRAND = {**NO_CARD, "paymentBrand": None}
MASTER = {"paymentBrand": "MASTER", "card.number": "5454545454545454"}
SENT_BEFORE, PAID = "800.110.100", "000.100.110"
BY_BRAND = ({"channel": "First", "brands": ["MASTER"]}, {"channel": "Rest"})
BY_COUNTRY = ({"channel": "First", "countries": ["FR"]}, {"channel": "Rest"})
TO_REST = ({"channel": "Rest"},)
PROFILES = ["specification", "field"]
both = pytest.mark.parametrize("profile", PROFILES)
modes = pytest.mark.parametrize("mode", ["refuse", "repeat"])


class Shop:
    """A merchant with two channels and rules, in a sandbox whose clock stands still."""

    def __init__(
        self,
        gateway: Gateway,
        rules: Sequence[dict],
        *,
        profile: str = "specification",
        mode: str = "repeat",
        rest: str | None = None,
    ):
        first, other = ({"repeated_merchant_transaction_id": each} for each in (mode, rest or mode))
        channels = [{"name": "First", **first}, {"name": "Rest", **other}]
        merchants = [{"channels": channels, "dispatching": list(rules)}]
        request = {"merchants": merchants, "profile": profile,
                   "clock": {"mode": "frozen", "at": START}}  # fmt: skip
        made = gateway.control("POST", "/sandboxes", request).json
        merchant = made["entities"]["merchants"][0]
        self.gateway, self.id, self.merchant = gateway, made["id"], merchant["id"]
        self.channels = {each["name"]: each["id"] for each in merchant["channels"]}
        self.who = Credentials(merchant["token"], self.merchant)
        self.live = Credentials(merchant["live_token"], self.merchant, "live")

    def pay(self, path: str = "/v1/payments", **more: str | None) -> Result:
        """A payment with the reference that names the merchant."""
        return self.gateway.post(path, who=self.who, **{**ORDER, **more})

    def wallet(self, **more: str) -> dict:
        """What a wallet pays with that holds a MASTER card, without a brand."""
        order = {"amount": "92.00", "currency": "EUR", "number": MASTER["card.number"], **more}
        made = self.gateway.control("POST", f"/sandboxes/{self.id}/wallet/tokens", order)
        return {**NO_BRAND, "mobileWallet.paymentToken": made.json["token"]}

    def register(self) -> str:
        """The path of a registration with a shopper in France."""
        sent = {"createRegistration": "true", "billing.country": "FR"}
        made = self.pay(**MASTER, **sent, merchantTransactionId=None)
        return f"/v1/registrations/{made.json['registrationId']}"

    def rule(self, *rules: dict) -> None:
        """Other rules."""
        named = [{**rule, "channel": self.channels[rule["channel"]]} for rule in rules]
        path = f"/sandboxes/{self.id}/merchants/{self.merchant}"
        answer = self.gateway.control("PATCH", path, {"dispatching": named})
        assert answer.status_code == 200, answer.text

    def change(self, name: str, **change: object) -> None:
        """Another setup of a channel."""
        channel = f"channels/{self.channels[name]}"
        path = f"/sandboxes/{self.id}/merchants/{self.merchant}/{channel}"
        assert self.gateway.control("PATCH", path, change).status_code == 200

    def advance(self, by: str) -> None:
        """Move the clock."""
        self.gateway.control("POST", f"/sandboxes/{self.id}/clock/advance", {"by": by})

    def remove(self, path: str) -> None:
        """Remove a registration."""
        answer = self.gateway.client.simulate_delete(
            path,
            params={"entityId": self.merchant},
            headers={"Authorization": f"Bearer {self.who.token}"},
        )
        assert answer.status_code == 200, answer.text


def code(answer: Result) -> str:
    """Its result code."""
    return answer.json["result"]["code"]


def is_again(first: Result, again: Result, mode: str = "repeat") -> None:
    """Assert that the second answer is that of the first payment, or its refusal."""
    assert code(first) == PAID, first.json
    if mode == "refuse":
        assert (again.status_code, code(again)) == (400, SENT_BEFORE), again.json
        assert first.json["id"] in again.text
    else:
        assert (again.status_code, again.json.get("id")) == (200, first.json["id"]), again.json


def is_other(first: Result, again: Result) -> None:
    """Assert that both were paid, each for itself."""
    assert [code(first), code(again)] == [PAID, PAID]
    assert first.json["id"] != again.json["id"]


@both
@modes
@pytest.mark.parametrize(("protocol", "by"), [("EC_v1", "6m"), ("ECv2", "9d")])
def test_a_wallet_token_that_has_aged(
    gateway: Gateway, profile: str, mode: str, protocol: str, by: str
) -> None:
    shop = Shop(gateway, BY_BRAND, profile=profile, mode=mode)
    wallet = shop.wallet(protocol=protocol)
    first = shop.pay(**wallet)
    shop.advance(by)
    is_again(first, shop.pay(**wallet), mode)
    assert code(shop.pay(**wallet, merchantTransactionId="order-0002")) != PAID


@both
@modes
@pytest.mark.parametrize("kind", ["DB", "PA"])
def test_a_registration_that_was_removed_or_changed(
    gateway: Gateway, profile: str, mode: str, kind: str
) -> None:
    shop = Shop(gateway, BY_COUNTRY, profile=profile, mode=mode)
    path, sent = shop.register(), {**NO_BRAND, "paymentType": kind}
    first = shop.pay(f"{path}/payments", **sent)
    change = {"entityId": shop.merchant, "billing.country": "DE"}
    assert gateway.send(path, change, shop.who).status_code == 200
    is_again(first, shop.pay(f"{path}/payments", **sent), mode)
    shop.remove(path)
    is_again(first, shop.pay(f"{path}/payments", **sent), mode)
    other = shop.pay(f"{path}/payments", **sent, merchantTransactionId="order-0002")
    assert code(other) == "100.150.202"


@both
@modes
def test_rules_that_were_changed(gateway: Gateway, profile: str, mode: str) -> None:
    shop = Shop(gateway, BY_BRAND, profile=profile, mode=mode)
    first = shop.pay(**MASTER)
    shop.rule(*TO_REST)
    is_again(first, shop.pay(**MASTER), mode)
    shop.rule({"channel": "Rest", "currencies": ["USD"]})
    is_again(first, shop.pay(**MASTER), mode)
    assert code(shop.pay(**MASTER, merchantTransactionId="order-0002")) == "800.160.110"


def test_on_the_live_host(gateway: Gateway) -> None:
    """A payment of the test host is none of the live host's."""
    shop = Shop(gateway, BY_BRAND)
    tried = shop.pay(**MASTER)

    def pay() -> Result:
        return gateway.post(who=shop.live, **ORDER, **MASTER)

    first = pay()
    shop.rule(*TO_REST)
    again = pay()
    assert (again.json["id"] == first.json["id"]) and first.json["id"] != tried.json["id"]


@pytest.mark.parametrize("mode", ["repeat", "refuse"])
def test_what_is_not_the_same_is_dispatched_as_before(gateway: Gateway, mode: str) -> None:
    """Another content, or an entity that is named itself."""
    shop = Shop(gateway, BY_BRAND, mode=mode)
    first = shop.pay(**MASTER)
    is_other(first, shop.pay())
    assert code(shop.pay(**MASTER, amount="1.00")) == SENT_BEFORE
    shop = Shop(gateway, BY_BRAND, mode=mode)
    first = shop.pay(**MASTER)
    shop.who = Credentials(shop.who.token, shop.channels["Rest"])
    is_other(first, shop.pay(**MASTER))


def test_each_of_two_contents_is_found_again(gateway: Gateway) -> None:
    shop = Shop(gateway, BY_BRAND)
    master, visa = shop.pay(**MASTER), shop.pay()
    is_other(master, visa)
    shop.rule(*TO_REST)
    is_again(master, shop.pay(**MASTER))
    is_again(visa, shop.pay())


def test_a_channel_that_accepts_charges_again(gateway: Gateway) -> None:
    shop = Shop(gateway, BY_BRAND, rest="accept")
    is_other(shop.pay(), shop.pay())
    first = shop.pay(**MASTER)
    shop.rule(*TO_REST)
    is_again(first, shop.pay(**MASTER))
    shop.change("First", repeated_merchant_transaction_id="accept")
    is_other(first, shop.pay(**MASTER))


@modes
def test_a_declined_payment_leaves_the_reference_free(gateway: Gateway, mode: str) -> None:
    shop = Shop(gateway, BY_BRAND, mode=mode)
    armed = {"behaviour": "decline", "times": 2}
    assert gateway.control("POST", f"/sandboxes/{shop.id}/scripts", armed).status_code == 201
    declined = {shop.pay(**MASTER).json["id"] for _ in range(2)}
    shop.rule(*TO_REST)
    first = shop.pay(**MASTER)
    assert len(declined) == 2 and code(first) == PAID
    shop.rule(*BY_BRAND)
    is_again(first, shop.pay(**MASTER), mode)


@modes
def test_rules_that_change_while_the_first_is_not_reserved_yet(gateway: Gateway, mode: str) -> None:
    """The risk system is asked before: of both, one charges."""
    shop = Shop(gateway, BY_BRAND, mode=mode)
    path = f"/sandboxes/{shop.id}"
    gateway.control("PUT", f"{path}/breakpoints", {"parties": ["risk"]})
    slow = gevent.spawn(shop.pay, **MASTER)
    while not (held := gateway.control("GET", f"{path}/held").json["held"]):
        gevent.sleep(0.01)
    gateway.control("PUT", f"{path}/breakpoints", {"parties": []})
    shop.rule(*TO_REST)
    quick = shop.pay(**MASTER)
    let_go = gateway.control("POST", f"{path}/held/{held[0]['id']}", {"action": "release"})
    assert let_go.status_code == 200, let_go.text
    is_again(quick, slow.get(timeout=10), mode)


def test_it_is_found_after_a_restart(tmp_path: Path) -> None:
    before = Gateway(tmp_path / "data", durability="os")
    shop = Shop(before, BY_BRAND)
    first = shop.pay(**MASTER)
    shop.rule(*TO_REST)
    before.close()
    shop.gateway = Gateway(tmp_path / "data", durability="os")
    is_again(first, shop.pay(**MASTER))
    shop.gateway.close()


def test_a_checkout_is_never_answered_so(gateway: Gateway) -> None:
    """Its payment is for the checkout to say; another request does not find it."""
    shop = Shop(gateway, BY_BRAND)
    money = {"amount": "92.00", "currency": "EUR", "paymentType": "DB", "entityId": shop.merchant}
    card = {name: value for name, value in (CARD_ORDER | MASTER).items() if "card" in name}
    made = gateway.send("/v1/checkouts", {**money, **ORDER}, shop.who).json["id"]
    path, sent = f"/v1/checkouts/{made}/payment", {"entityId": shop.merchant, **card}
    assert code(gateway.send(path, sent, shop.who)) == PAID
    assert code(gateway.send(path, sent, shop.who)) != PAID
    assert code(shop.pay(**MASTER)) == SENT_BEFORE
