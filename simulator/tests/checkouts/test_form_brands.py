"""Which brands the hosted form of a checkout offers, and takes."""

import pytest

from simulator.tests.checkouts.test_forms import open_form
from simulator.tests.kit.checkout_shop import CARD, SESSION, UNKNOWN, Shop, code_of
from simulator.tests.kit.gateway import Credentials, Gateway


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


@pytest.mark.parametrize(
    ("rule", "sent"),
    [
        ({"countries": ["DE"]}, {"billing.country": "DE"}),
        ({"currencies": ["EUR"]}, {}),
        ({"amount_min": "92.00", "amount_max": "92.00"}, {}),
        ({"risk_profiles": ["new"]}, {"risk.parameters[profile]": "new"}),
    ],
)
def test_a_rule_of_the_channel_chooses_the_brands(
    gateway: Gateway, rule: dict[str, object], sent: dict[str, str]
) -> None:
    never = {"brands": ["JCB"], "countries": ["FR"]}
    rules = [never, {"brands": ["VISA", "GIROPAY"], "override": True, **rule}]
    shop = Shop(gateway, merchants=[{"channels": [{"form_brands": rules}]}])

    chosen = open_form(shop, shop.prepare(**sent)).json

    assert (chosen["brands"], chosen["active"], chosen["override"]) == (
        ["VISA", "GIROPAY"], True, True,
    )  # fmt: skip


LIMITS = [
    # criterion                                     sent                                  matches
    ({"amount_min": "92.00"},                       {"amount": "91.99"},                  False),
    ({"amount_min": "92.00"},                       {"amount": "92.00"},                  True),
    ({"amount_max": "92.00"},                       {"amount": "92.00"},                  True),
    ({"amount_max": "92.00"},                       {"amount": "92.01"},                  False),
    ({"amount_min": "1.00", "amount_max": "1.00"},  {"amount": "1.00"},                   True),
    ({"amount_min": "1.00", "amount_max": "1.00"},  {"amount": "1.01"},                   False),
    ({"amount_min": "100.00"},                      {"amount": "20.00"},                  False),
    ({"countries": ["DE", "AT"]},                   {"billing.country": "AT"},            True),
    ({"countries": ["DE", "AT"]},                   {"billing.country": "CH"},            False),
    ({"countries": ["DE", "AT"]},                   {},                                   False),
    ({"currencies": ["USD", "EUR"]},                {"currency": "EUR"},                  True),
    ({"currencies": ["USD"]},                       {"currency": "EUR"},                  False),
    ({"risk_profiles": ["new"]},                    {"risk.parameters[profile]": "new"},  True),
    ({"risk_profiles": ["new"]},                    {"risk.parameters[profile]": "NEW"},  False),
    ({"risk_profiles": ["new"]},                    {"risk.parameters[other]": "new"},    False),
    ({"currencies": ["EUR"], "countries": ["DE"]},  {"billing.country": "DE"},            True),
    ({"currencies": ["USD"], "countries": ["DE"]},  {"billing.country": "DE"},            False),
]  # fmt: skip


@pytest.mark.parametrize(("criteria", "sent", "matches"), LIMITS)
def test_a_rule_decides_exactly_within_its_limits(
    gateway: Gateway, criteria: dict[str, object], sent: dict[str, str], matches: bool
) -> None:
    settings = {"brands": ["VISA"], "form_brands": [{"brands": ["JCB"], **criteria}]}
    shop = Shop(gateway, merchants=[{"channels": [settings]}])

    chosen = open_form(shop, shop.prepare(**sent)).json

    assert (chosen["brands"], chosen["active"]) == (["JCB"] if matches else ["VISA"], matches)


def test_rules_are_read_at_each_opening_and_the_first_decides(gateway: Gateway) -> None:
    rules = [{"brands": ["MASTER"], "amount_min": "100.00"}, {"brands": ["AMEX"]}]
    shop = Shop(gateway, merchants=[{"channels": [{"form_brands": rules}]}])
    checkout = shop.prepare()
    before = open_form(shop, checkout).json["brands"]
    changed = shop.post(
        f"/{checkout}", {"amount": "100.00", "currency": "EUR", "paymentType": "DB"}
    )
    assert changed.status_code == 200, changed.json

    assert (before, open_form(shop, checkout).json["brands"]) == (["AMEX"], ["MASTER"])


def test_the_control_api_changes_the_rules_of_a_channel(gateway: Gateway) -> None:
    shop = Shop(gateway)
    checkout = shop.prepare()
    (merchant,) = shop.merchants
    (channel,) = merchant["channels"]
    path = f"/sandboxes/{shop.sandbox}/merchants/{merchant['id']}/channels/{channel['id']}"

    changed = gateway.control("PATCH", path, {"form_brands": [{"brands": ["DINERS"]}]})

    assert changed.status_code == 200, changed.json
    assert open_form(shop, checkout).json["brands"] == ["DINERS"]


@pytest.mark.parametrize(
    "rule",
    [
        {"countries": ["DE"]},
        {"currencies": ["USD"]},
        {"amount_min": "92.01"},
        {"amount_max": "91.99"},
        {"risk_profiles": ["new"]},
    ],
)
def test_a_rule_that_does_not_match_chooses_nothing(
    gateway: Gateway, rule: dict[str, object]
) -> None:
    settings = {"brands": ["VISA"], "form_brands": [{"brands": ["JCB"], **rule}]}
    shop = Shop(gateway, merchants=[{"channels": [settings]}])

    chosen = open_form(shop, shop.prepare()).json

    assert (chosen["brands"], chosen["active"]) == (["VISA"], False)


def test_what_the_control_api_sets_comes_before_rules_and_holds_at_once(gateway: Gateway) -> None:
    rules = [{"brands": ["VISA"]}]
    shop = Shop(gateway, merchants=[{"channels": [{"form_brands": rules}]}])
    checkout = shop.prepare()
    assert open_form(shop, checkout).json["brands"] == ["VISA"]
    path = f"/sandboxes/{shop.sandbox}/checkouts/{checkout}/brands"

    answer = gateway.control("PUT", path, {"brands": ["MASTER"], "active": True})

    assert answer.status_code == 200, answer.json
    assert open_form(shop, checkout).json["brands"] == ["MASTER"]


OFFERS = ({"brands": ["MASTER"], "active": True}, {"brands": [], "active": True, "override": True})


@pytest.mark.parametrize("offer", OFFERS)
@pytest.mark.parametrize("by", ["control", "rule"])
@pytest.mark.parametrize("end", ["payment", "registration"])
def test_a_form_pays_with_no_brand_that_is_not_on_offer(
    gateway: Gateway, offer: dict, by: str, end: str
) -> None:
    # A shopper with developer tools paid with a brand that was left out for their risk profile.
    rules = [{"brands": offer["brands"]}] if by == "rule" else []
    shop = Shop(gateway, merchants=[{"channels": [{"form_brands": rules}]}])
    checkout = shop.prepare(SESSION if end == "payment" else {"createRegistration": "true"})
    if by == "control":
        path = f"/sandboxes/{shop.sandbox}/checkouts/{checkout}/brands"
        assert gateway.control("PUT", path, offer).status_code == 200
    capability = open_form(shop, checkout).json["capability"]

    refused = shop.submit(checkout, capability, end=end)

    assert code_of(refused) == "600.200.201"
    master = {**CARD, "paymentBrand": "MASTER", "card.number": "5200000000000007"}
    after = shop.submit(checkout, open_form(shop, checkout).json["capability"], master, end=end)
    assert after.status_code == (200 if offer["brands"] else 400), after.json


def test_what_the_merchant_has_chosen_is_on_offer_to_the_form(gateway: Gateway) -> None:
    rules = [{"brands": ["MASTER"]}]
    shop = Shop(gateway, merchants=[{"channels": [{"form_brands": rules}]}])
    stored = gateway.send(
        "/v1/registrations", {"entityId": shop.who.entity_id, **CARD}, shop.who
    ).json["id"]
    listed = shop.prepare(**{"registrations[0].id": stored})
    fixed = shop.prepare(paymentBrand="VISA")
    card = {name: value for name, value in CARD.items() if name != "paymentBrand"}

    by_account = shop.submit(listed, shop.capability(listed), {"registrationId": stored})
    by_brand = shop.submit(fixed, shop.capability(fixed), card)

    assert (by_account.status_code, by_brand.status_code) == (200, 200), by_brand.json
    assert shop.pay(shop.prepare()).status_code == 200


def test_brands_of_no_checkout_or_unknown_ones_are_not_set(shop: Shop) -> None:
    path = f"/sandboxes/{shop.sandbox}/checkouts"
    put = shop.gateway.control

    assert put("PUT", f"{path}/{UNKNOWN}/brands", {"brands": []}).status_code == 404
    assert put("PUT", f"{path}/{shop.prepare()}/brands", {"brands": ["NONE"]}).status_code == 400


@pytest.mark.parametrize("settings", [
    {"form_brands": [{"brands": ["NONE"]}]},
    {"form_brands": [{"brands": ["VISA"], "countries": ["XX"]}]},
    {"form_brands": [{"brands": ["VISA"], "amount_min": "2", "amount_max": "1"}]},
    {"form_brands": [{"brands": ["VISA"]}] * 101},
])  # fmt: skip
def test_rules_that_no_channel_can_have_are_refused(
    gateway: Gateway, settings: dict[str, object]
) -> None:
    made = gateway.control("POST", "/sandboxes", {"merchants": [{"channels": [settings]}]})

    assert made.status_code == 400
    assert "form_brands" in str(made.json)


def dispatching(gateway: Gateway, *rules: dict[str, object]) -> Shop:
    """A merchant whose channels take other brands."""
    channels = [
        {"name": "Rest", "brands": ["VISA"]},
        {"name": "Masters", "brands": ["MASTER", "MAESTRO"]},
        {"name": "Dollars", "brands": ["AMEX"]},
    ]
    shop = Shop(gateway, merchants=[{"channels": channels, "dispatching": rules}])
    shop.who = Credentials(shop.who.token, shop.merchants[0]["id"])
    return shop


MASTERS, REST = {"channel": "Masters", "brands": ["MASTER"]}, {"channel": "Rest"}
DOLLARS = {"channel": "Dollars", "currencies": ["USD"], "brands": ["AMEX"]}


@pytest.mark.parametrize(
    ("rules", "brands"),
    [
        ([MASTERS, REST], ["VISA", "MASTER"]),
        ([MASTERS, DOLLARS, REST], ["VISA", "MASTER"]),
        ([REST, MASTERS], ["VISA"]),
        ([{**MASTERS, "amount_min": "500.00"}, REST], ["VISA"]),
    ],
)
def test_a_form_offers_what_the_channels_take_that_rules_would_pick(
    gateway: Gateway, rules: list[dict[str, object]], brands: list[str]
) -> None:
    shop = dispatching(gateway, *rules)
    checkout = shop.prepare()
    opened = open_form(shop, checkout).json
    assert (opened["brands"], opened["active"]) == (brands, False)
    chosen = {"paymentBrand": "MASTER", "card.number": "5454545454545454"}
    answer = shop.submit(checkout, opened["capability"], {**CARD, **chosen})
    assert (answer.status_code == 200) == ("MASTER" in brands)


def test_brands_that_are_set_are_judged_by_the_channel_that_is_paid(gateway: Gateway) -> None:
    shop = dispatching(gateway, MASTERS, REST)
    checkout = shop.prepare()
    path = f"/sandboxes/{shop.sandbox}/checkouts/{checkout}/brands"
    assert gateway.control("PUT", path, {"brands": ["MASTER"], "active": True}).status_code == 200
    capability = open_form(shop, checkout).json["capability"]
    assert code_of(shop.submit(checkout, capability)) == "600.200.201"
    chosen = {"paymentBrand": "MASTER", "card.number": "5454545454545454"}
    assert shop.submit(checkout, capability, {**CARD, **chosen}).status_code == 200
