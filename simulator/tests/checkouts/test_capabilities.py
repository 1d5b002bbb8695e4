"""What a form may do at a checkout, and that it may do it once."""

import pytest

from simulator.tests.kit.checkout_shop import CARD, DECLINE, UNKNOWN, Shop, code_of, named_in
from simulator.tests.kit.gateway import Gateway

NEXT = "Sandgate-Capability"


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def test_a_form_pays_once_without_a_token(shop: Shop) -> None:
    identity = shop.prepare()
    capability = shop.capability(identity)

    paid = shop.submit(identity, capability)
    again = shop.submit(identity, capability)

    assert (paid.status_code, code_of(paid)) == (200, "000.100.110")
    assert NEXT not in paid.headers
    assert (again.status_code, code_of(again)) == (403, "800.900.300")
    assert shop.get(f"/{identity}/payment").json["id"] == paid.json["id"]


def test_a_form_registers_without_a_token(shop: Shop) -> None:
    identity = shop.prepare({"createRegistration": "true"})

    made = shop.submit(identity, shop.capability(identity), end="registration")

    assert shop.get(f"/{identity}/registration").json["id"] == made.json["id"]


def test_a_form_pays_what_was_prepared_for_a_payment_and_does_not_register_instead(
    shop: Shop,
) -> None:
    identity = shop.prepare()
    capability = shop.capability(identity)

    refused = shop.submit(identity, capability, end="registration")

    assert set(named_in(refused)) == {"createRegistration"}
    assert shop.submit(identity, capability).status_code == 200
    both = shop.prepare(createRegistration="true")
    made = shop.submit(both, shop.capability(both), end="registration")
    assert made.status_code == 200


def test_a_form_that_was_declined_gets_what_it_posts_with_next(shop: Shop) -> None:
    identity = shop.prepare()
    declined = shop.submit(identity, shop.capability(identity), {**CARD, **DECLINE})

    assert declined.status_code == 400
    assert shop.submit(identity, declined.headers[NEXT]).status_code == 200


def test_a_refused_post_leaves_the_capability(shop: Shop) -> None:
    identity = shop.prepare()
    capability = shop.capability(identity)

    refused = shop.submit(identity, capability, {**CARD, "card.expiryMonth": "13"})
    wrong = shop.submit(identity, capability, {**CARD, "card.number": "4200000000000001"})

    assert (refused.status_code, wrong.status_code) == (400, 400)
    assert shop.submit(identity, capability).status_code == 200


def test_several_pages_of_one_checkout_have_a_capability_each_and_the_oldest_ends(
    shop: Shop,
) -> None:
    identity = shop.prepare()
    issued = [shop.capability(identity) for _ in range(9)]

    statuses = [shop.submit(identity, each, {**CARD, **DECLINE}).status_code for each in issued]

    assert statuses == [403, *[400] * 8]


def test_a_capability_opens_nothing_else(shop: Shop) -> None:
    identity, other = shop.prepare(), shop.prepare()
    capability = shop.capability(identity)
    credentials = {"Authorization": f"Checkout {capability}"}
    client = shop.gateway.client

    assert shop.submit(other, capability).status_code == 403
    assert shop.submit(UNKNOWN, capability).status_code == 403
    assert shop.submit(identity, "0" * 48).status_code == 403
    assert shop.submit(identity, capability, listener="live").status_code == 403
    assert Shop(shop.gateway).submit(other, capability).status_code == 403
    for method, path in (("GET", f"/{identity}/payment"), ("POST", f"/{identity}"), ("POST", "")):
        answer = client.simulate_request(method, f"/v1/checkouts{path}", headers=credentials)
        assert answer.status_code == 401
    assert client.simulate_post("/v1/payments", headers=credentials).status_code == 401


def test_a_capability_ends_with_its_checkout(shop: Shop) -> None:
    identity = shop.prepare()
    capability = shop.capability(identity)
    shop.advance("30m")
    path = f"/sandboxes/{shop.sandbox}/checkouts/{identity}/capability"

    answer = shop.submit(identity, capability)

    assert (answer.status_code, code_of(answer)) == (404, "200.300.404")
    assert shop.gateway.control("POST", path).status_code == 404


def test_names_from_a_form_start_with_the_shoppers_prefix(shop: Shop) -> None:
    identity = shop.prepare()
    capability = shop.capability(identity)
    mine = {**CARD, "customParameters[SHOPPER_size]": "XL"}
    forced = {**mine, "customParameters[forceResultCode]": "800.100.152"}

    refused = shop.submit(identity, capability, forced)
    paid = shop.submit(identity, capability, mine)

    assert set(named_in(refused)) == {"customParameters[forceResultCode]"}
    assert "SHOPPER_" in named_in(refused)["customParameters[forceResultCode]"]
    assert paid.json["customParameters"] == {"SHOPPER_size": "XL"}
    assert shop.pay(shop.prepare(), **{"customParameters[order]": "7"}).status_code == 200


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("standingInstruction.source", "MIT"),
        ("recurringType", "REPEATED"),
        ("threeDSecure.eci", "05"),
        ("testMode", "EXTERNAL"),
        ("descriptor", "Another Shop"),
        ("merchant.name", "Another Shop"),
        ("merchantTransactionId", "another-order"),
        ("notificationUrl", "https://shop.example/events"),
        ("risk.amount", "0.01"),
        ("cart.items[0].name", "Another thing"),
    ],
)
def test_a_form_says_nothing_that_is_the_merchants_to_say(
    shop: Shop, name: str, value: str
) -> None:
    identity = shop.prepare()
    refused = shop.submit(identity, shop.capability(identity), {**CARD, name: value})
    assert (refused.status_code, name in named_in(refused)) == (400, True)
    assert shop.pay(identity, **{name: value}).json["result"]["code"] != "100.100.100"


@pytest.mark.parametrize("name", ["amount", "currency", "paymentType"])
def test_a_form_says_nothing_of_money(shop: Shop, name: str) -> None:
    value = {"amount": "0.01", "currency": "EUR", "paymentType": "DB"}[name]

    for identity in (shop.prepare(), shop.prepare({"createRegistration": "true"})):
        refused = shop.submit(identity, shop.capability(identity), {**CARD, name: value})
        assert name in named_in(refused)


def test_a_form_pays_with_the_stored_accounts_of_its_checkout_alone(shop: Shop) -> None:
    one, two = (
        shop.pay(shop.prepare(createRegistration="true")).json["registrationId"] for _ in range(2)
    )
    identity = shop.prepare(**{"registrations[0].id": one})

    refused = shop.submit(identity, shop.capability(identity), {"registrationId": two})
    paid = shop.submit(identity, shop.capability(identity), {"registrationId": one})

    assert set(named_in(refused)) == {"registrationId"}
    assert paid.json["registrationId"] == one


def test_a_capability_is_stored_and_shown_nowhere(shop: Shop) -> None:
    identity = shop.prepare()
    capability = shop.capability(identity)
    shop.submit(identity, capability, {**CARD, "card.expiryMonth": "13"})

    journal = shop.gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal").text

    assert identity in journal
    assert capability not in journal


def test_posts_of_a_form_count_as_those_of_the_merchant(gateway: Gateway) -> None:
    row = {"operation": "pay_checkout", "scope": "object", "limit": 1, "window_s": 60}
    shop = Shop(gateway, throttle={"name": "one", "limits": [row]})
    identity = shop.prepare()
    first = shop.submit(identity, shop.capability(identity), {**CARD, **DECLINE})

    assert shop.submit(identity, first.headers[NEXT]).status_code == 429
