"""Checkouts in the process: prepared, changed, paid, registered, read, over."""

import re
from base64 import b64encode
from hashlib import sha384

import pytest

from simulator.tests.kit.checkout_shop import (
    CARD,
    DECLINE,
    SESSION,
    UNKNOWN,
    Shop,
    code_of,
    named_in,
)
from simulator.tests.kit.gateway import Gateway

ID = re.compile(r"[0-9A-F]{32}\.[A-Za-z0-9-]{1,15}")


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def test_a_stored_account_that_was_removed_is_not_offered(shop: Shop) -> None:
    sent = {**CARD, "entityId": shop.who.entity_id}
    stored = shop.gateway.send("/v1/registrations", sent, shop.who).json["id"]
    offer = {**SESSION, "registrations[0].id": stored}
    assert shop.post("", offer).status_code == 200
    shop.gateway.client.simulate_delete(
        f"/v1/registrations/{stored}",
        params={"entityId": shop.who.entity_id},
        headers={"Authorization": f"Bearer {shop.who.token}"},
    )
    refused = shop.post("", offer)
    assert (refused.status_code, code_of(refused)) == (400, "100.150.202")


@pytest.mark.parametrize("prefix", ["/v1", ""])
def test_a_checkout_is_prepared_paid_and_read_with_and_without_the_prefix(
    shop: Shop, prefix: str
) -> None:
    made = shop.post("", {**SESSION, "merchantTransactionId": "order-4711"}, prefix=prefix)
    identity = made.json["id"]
    unpaid = shop.get(f"/{identity}/payment", prefix=prefix)
    paid = shop.post(f"/{identity}/payment", CARD, prefix=prefix)
    read = shop.get(f"/{identity}/payment", prefix=prefix)

    assert list(made.json) == ["result", "buildNumber", "timestamp", "ndc", "id"]
    assert code_of(made) == "000.200.100"
    assert ID.fullmatch(identity) and 32 <= len(identity) <= 48
    assert (unpaid.status_code, code_of(unpaid), "id" in unpaid.json) == (200, "000.200.000", False)
    assert (paid.status_code, code_of(paid)) == (200, "000.100.110")
    assert read.json["id"] == paid.json["id"]
    assert read.json["amount"] == "92.00"
    assert read.json["merchantTransactionId"] == "order-4711"
    assert shop.gateway.read(paid.json["id"], shop.who).json["paymentType"] == "DB"


def test_what_was_fixed_comes_back_in_the_status(shop: Shop) -> None:
    items = {f"cart.items[{n}].name": f"thing {n}" for n in range(3)}
    identity = shop.prepare(**items, **{"customParameters[order]": "7"})
    shop.pay(identity)

    read = shop.get(f"/{identity}/payment").json

    assert [each["name"] for each in read["cart"]["items"]] == ["thing 0", "thing 1", "thing 2"]
    assert read["customParameters"] == {"order": "7"}


def test_a_thousand_items_go_through_and_one_more_does_not(shop: Shop) -> None:
    items = {f"cart.items[{n}].name": f"thing {n}" for n in range(1000)}
    identity = shop.prepare(**items)
    paid = shop.pay(identity)
    refused = shop.post("", {**SESSION, **items, "cart.items[1000].name": "one more"})

    assert len(paid.json["cart"]["items"]) == 1000
    assert len(shop.get(f"/{identity}/payment").json["cart"]["items"]) == 1000
    assert "cart.items[1000].name" in named_in(refused)


def test_a_checkout_needs_money_and_a_type_unless_it_is_for_a_registration(shop: Shop) -> None:
    refused = shop.post("", {})

    assert set(named_in(refused)) == {"amount", "currency", "paymentType"}
    assert set(named_in(shop.post("", {"amount": "1.00"}))) == {"currency", "paymentType"}
    without = {"createRegistration": "true", "paymentType": "DB"}
    assert set(named_in(shop.post("", without))) == {"amount", "currency"}
    assert code_of(shop.post("", {"createRegistration": "true"})) == "000.200.100"


@pytest.mark.parametrize(
    "name", ["card.number", "card.cvv", "mobileWallet.paymentToken", "pos.terminalId"]
)
def test_secrets_and_terminals_have_no_place_in_a_checkout(shop: Shop, name: str) -> None:
    refused = shop.post("", {**SESSION, name: "4200000000000000"})

    assert set(named_in(refused)) == {name}
    assert "4200000000000000" not in refused.text


def test_a_brand_has_the_type_that_was_fixed_for_it_alone(shop: Shop) -> None:
    override = {"overridePaymentType[VISA]": "PA"}
    sent = {**CARD, "paymentBrand": None}
    first, second = shop.prepare(**override), shop.prepare(**override)

    by_visa = shop.post(f"/{first}/payment", sent)
    by_master = shop.pay(second, **{"paymentBrand": "MASTER", "card.number": "5454545454545454"})

    assert (by_visa.json["paymentType"], by_master.json["paymentType"]) == ("PA", "DB")
    assert [shop.get(f"/{each}").json["paymentType"] for each in (first, second)] == ["PA", "DB"]


@pytest.mark.parametrize(
    "path", ["/v1/payments", "/v1/checkouts/{id}", "/v1/checkouts/{id}/payment"]
)
def test_a_type_for_a_brand_is_taken_only_when_a_checkout_is_prepared(
    shop: Shop, path: str
) -> None:
    sent = {"entityId": shop.who.entity_id, "overridePaymentType[VISA]": "PA"}

    refused = shop.gateway.send(path.replace("{id}", shop.prepare()), sent, shop.who)

    assert "only when a checkout is created" in named_in(refused)["overridePaymentType[VISA]"]


def test_the_integrity_of_the_script_is_returned_where_it_is_asked_for(shop: Shop) -> None:
    script = shop.gateway.client.simulate_get("/v1/paymentWidgets.js?checkoutId=1")
    asked = shop.post("", {**SESSION, "integrity": "true"}).json

    assert script.headers["Content-Type"].startswith("text/javascript")
    assert asked["integrity"] == f"sha384-{b64encode(sha384(script.content).digest()).decode()}"
    assert "integrity" not in shop.post("", {**SESSION, "integrity": "false"}).json


def test_the_integrity_of_the_script_is_read_without_a_checkout(shop: Shop) -> None:
    script = shop.gateway.client.simulate_get("/v1/paymentWidgets.js?checkoutId=1").content
    answer = shop.gateway.client.simulate_get("/v1/fastcheckout/integrity")

    assert answer.json["integrity"] == f"sha384-{b64encode(sha384(script).digest()).decode()}"
    assert (answer.status_code, code_of(answer)) == (200, "000.000.100")


def test_a_changed_checkout_is_paid_as_it_was_changed(shop: Shop) -> None:
    identity = shop.prepare()
    changed = shop.post(f"/{identity}", {"amount": "50.00", "descriptor": "Order 7"})

    paid = shop.pay(identity).json

    assert (code_of(changed), changed.json["id"]) == ("000.200.101", identity)
    assert (paid["amount"], paid["descriptor"]) == ("50.00", "Order 7")


TWO_ITEMS = {"cart.items[0].name": "a", "cart.items[1].name": "b"}


def test_a_change_adds_an_item_to_a_list(shop: Shop) -> None:
    identity = shop.prepare(**TWO_ITEMS)

    gap = shop.post(f"/{identity}", {"cart.items[3].name": "d"})
    added = shop.post(f"/{identity}", {"cart.items[2].name": "c"})

    errors = gap.json["result"]["parameterErrors"]
    assert [(each["name"], each["message"]) for each in errors] == [
        ("cart.items[3].name", "cart.items[2] is missing: indexes run from 0")
    ]
    assert code_of(added) == "000.200.101"
    paid = shop.pay(identity).json
    assert [each["name"] for each in paid["cart"]["items"]] == ["a", "b", "c"]


@pytest.mark.parametrize("end", ["payment", "registration"])
def test_what_is_paid_with_adds_an_item_to_a_list(shop: Shop, end: str) -> None:
    first = {"createRegistration": "true"} if end == "registration" else SESSION
    identity = shop.prepare(first, **TWO_ITEMS)

    gap = shop.post(f"/{identity}/{end}", {**CARD, "cart.items[3].name": "d"})
    paid = shop.post(f"/{identity}/{end}", {**CARD, "cart.items[2].name": "c"})

    assert list(named_in(gap)) == ["cart.items[3].name"]
    assert [each["name"] for each in paid.json["cart"]["items"]] == ["a", "b", "c"]


def test_a_change_must_leave_a_whole_checkout(shop: Shop) -> None:
    identity = shop.prepare({"createRegistration": "true"})

    refused = shop.post(f"/{identity}", {"paymentType": "DB"})

    assert set(named_in(refused)) == {"amount", "currency"}
    assert "paymentType" not in shop.get(f"/{identity}").json


def test_a_checkout_is_read_as_it_was_fixed_and_without_counting_as_read(shop: Shop) -> None:
    identity = shop.prepare(merchantTransactionId="order-4711")
    before = shop.get(f"/{identity}").json
    shop.pay(identity)

    assert before["result"]["code"] == "000.200.103"
    assert (before["id"], before["amount"]) == (identity, "92.00")
    assert before["merchantTransactionId"] == "order-4711"
    assert code_of(shop.get(f"/{identity}")) == "000.000.100"


@pytest.mark.parametrize(("profile", "status"), [("specification", 404), ("field", 400)])
def test_an_unknown_checkout_is_answered_in_the_words_clients_look_for(
    gateway: Gateway, profile: str, status: int
) -> None:
    shop = Shop(gateway, profile=profile)

    for answer in (
        shop.get(f"/{UNKNOWN}"),
        shop.get(f"/{UNKNOWN}/payment"),
        shop.get(f"/{UNKNOWN}/registration"),
        shop.pay(UNKNOWN),
        shop.post(f"/{UNKNOWN}/registration", CARD),
        shop.post(f"/{UNKNOWN}", {"amount": "1.00"}),
        shop.ask("DELETE", f"/{UNKNOWN}"),
    ):
        assert (answer.status_code, code_of(answer)) == (status, "200.300.404")
        assert "No payment session found" in answer.json["result"]["description"]
        assert "id" not in answer.json and "parameterErrors" not in answer.json["result"]


def test_a_checkout_lives_thirty_minutes_to_the_millisecond(shop: Shop) -> None:
    identity = shop.prepare()
    shop.advance("1799.999s")
    alive = shop.get(f"/{identity}/payment").status_code
    shop.advance("0.001s")

    assert alive == 200
    assert shop.get(f"/{identity}/payment").status_code == 404
    assert shop.pay(identity).status_code == 404
    assert shop.post(f"/{identity}", {"amount": "1.00"}).status_code == 404


def test_failed_attempts_and_other_brands_are_fine_until_one_is_paid(shop: Shop) -> None:
    identity = shop.prepare()
    declined = shop.pay(identity, **DECLINE)
    read = shop.get(f"/{identity}/payment")
    wrong = shop.pay(identity, **{"card.number": "4200000000000001"})
    paid = shop.pay(identity, **{"paymentBrand": "MASTER", "card.number": "5454545454545454"})
    again = shop.pay(identity)

    assert (declined.status_code, read.status_code) == (400, 400)
    assert read.json["id"] == declined.json["id"]
    assert code_of(wrong) == "100.100.101"
    assert (wrong.json["paymentType"], wrong.json["card"]["last4Digits"]) == ("DB", "0001")
    assert paid.status_code == 200
    assert (again.status_code, code_of(again)) == (404, "200.300.404")
    assert shop.get(f"/{identity}/payment").json["id"] == paid.json["id"]


def test_a_shopper_who_left_for_another_brand_does_not_pay_twice(shop: Shop) -> None:
    identity = shop.prepare(shopperResultUrl="https://shop.example/done")
    left = shop.post(f"/{identity}/payment", {"paymentBrand": "EPS"})
    pending = shop.get(f"/{identity}/payment")
    paid = shop.pay(identity)

    assert code_of(left) == "000.200.000" and "redirect" in left.json
    assert (code_of(pending), pending.json["id"]) == ("000.200.000", left.json["id"])
    assert paid.status_code == 200
    ended = shop.gateway.read(left.json["id"], shop.who)
    assert code_of(ended) == "100.396.104"
    assert shop.get(f"/{identity}/payment").json["id"] == paid.json["id"]


def test_a_refused_attempt_leaves_a_pending_one_alone(shop: Shop) -> None:
    identity = shop.prepare(shopperResultUrl="https://shop.example/done")
    left = shop.post(f"/{identity}/payment", {"paymentBrand": "EPS"}).json["id"]

    shop.pay(identity, **{"card.number": "4200000000000001"})

    assert code_of(shop.gateway.read(left, shop.who)) == "000.200.000"


def test_what_is_pending_holds_a_checkout_as_it_is(shop: Shop) -> None:
    identity = shop.prepare(shopperResultUrl="https://shop.example/done")
    shop.post(f"/{identity}/payment", {"paymentBrand": "EPS"})

    changed = shop.post(f"/{identity}", {"amount": "1.00"})
    removed = shop.ask("DELETE", f"/{identity}")

    assert (changed.status_code, code_of(changed)) == (400, "700.400.570")
    assert (removed.status_code, code_of(removed)) == (400, "700.400.570")


@pytest.mark.parametrize("profile", ["specification", "field"])
def test_a_holder_of_the_merchant_only_prefills_the_form(gateway: Gateway, profile: str) -> None:
    shop = Shop(gateway, profile=profile)
    holder = {"card.holder": "Prefilled Name"}
    assert shop.pay(shop.prepare(**holder)).json["card"]["holder"] == CARD["card.holder"]
    left = shop.pay(shop.prepare(**holder), **{"card.holder": None})
    assert left.json["card"]["holder"] == "Prefilled Name"


def test_what_was_fixed_cannot_be_overwritten_and_nothing_is_stored(shop: Shop) -> None:
    url = "https://shop.example/done"
    identity = shop.prepare(shopperResultUrl=url)

    refused = shop.pay(identity, shopperResultUrl=url, amount="1.00")

    assert (refused.status_code, code_of(refused)) == (400, "200.300.404")
    assert named_in(refused) == dict.fromkeys(
        ("shopperResultUrl", "amount"), "was already set and cannot be overwritten"
    )
    assert code_of(shop.get(f"/{identity}/payment")) == "000.200.000"


def test_the_rules_between_parameters_hold_for_the_whole(shop: Shop) -> None:
    named = {"customer.givenName": "Jane", "customer.surname": "Jones"}
    browser = {"customer.browser.language": "de"}

    without, with_name = shop.prepare(), shop.prepare(**named)

    assert shop.pay(without, **browser).status_code == 200
    assert set(named_in(shop.pay(with_name, **{"billing.houseNumber2": "b"}))) == {
        "billing.houseNumber1"
    }
    assert shop.pay(with_name, **{"customer.email": "jane@shop.example"}).status_code == 200


def test_another_merchant_and_the_other_host_see_no_checkout(gateway: Gateway) -> None:
    shop = Shop(gateway, merchants=[{}, {}])
    identity = shop.prepare()
    other_merchant = shop.merchants[1]
    neighbour = type(shop.who)(other_merchant["token"], other_merchant["channels"][0]["id"])

    for who in (neighbour, shop.live):
        assert shop.get(f"/{identity}/payment", who).status_code == 404
        assert shop.post(f"/{identity}/payment", CARD, who).status_code == 404


def test_a_payment_belongs_to_the_channel_its_checkout_was_prepared_for(gateway: Gateway) -> None:
    shop = Shop(gateway, merchants=[{"channels": [{"name": "First"}, {"name": "Second"}]}])
    first, second = (each["id"] for each in shop.merchants[0]["channels"])
    identity = shop.prepare(entityId=second)

    paid = shop.pay(identity, entityId=first).json

    assert paid["descriptor"].endswith("Second")


def test_a_channel_refuses_early_what_no_shopper_could_correct(gateway: Gateway) -> None:
    channel = {"currencies": ["USD"], "requires_merchant_transaction_id": True}
    shop = Shop(gateway, merchants=[{"channels": [channel]}])

    assert set(named_in(shop.post("", SESSION))) == {"merchantTransactionId"}
    foreign = shop.post("", {**SESSION, "merchantTransactionId": "order-4711"})
    assert code_of(foreign) == "600.200.500"


def test_the_first_reading_of_a_paid_checkout_ends_it_where_the_switch_says_so(
    gateway: Gateway,
) -> None:
    shop = Shop(gateway, overrides={"D-130": "first_read"})
    identity = shop.prepare()
    shop.pay(identity, **DECLINE)
    assert [shop.get(f"/{identity}/payment").status_code for _ in range(2)] == [400, 400]
    shop.pay(identity)

    assert [shop.get(f"/{identity}/payment").status_code for _ in range(2)] == [200, 404]


def test_answers_about_a_checkout_have_its_id_as_their_ndc_in_the_field(gateway: Gateway) -> None:
    shop = Shop(gateway, profile="field")
    made = shop.post("", SESSION).json
    identity = made["id"]
    paid = shop.pay(identity).json

    assert made["ndc"] == identity
    assert (paid["ndc"], shop.get(f"/{identity}/payment").json["ndc"]) == (identity, identity)
    assert shop.gateway.read(paid["id"], shop.who).json["ndc"].startswith(shop.who.entity_id)


def test_a_status_is_read_twice_a_minute_by_the_table_of_the_field(gateway: Gateway) -> None:
    shop = Shop(gateway, throttle="field")
    first, second = shop.prepare(), shop.prepare()

    paths = (f"/{first}/payment",) * 2
    statuses = [shop.get(path).status_code for path in paths]
    bare = shop.get(f"/{first}/payment", prefix="")

    assert (*statuses, bare.status_code) == (200, 200, 429)
    assert shop.get(f"/{second}/payment").status_code == 200
