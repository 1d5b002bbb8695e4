"""Opening the hosted form: what it is made from, who may ask, and which brands it offers."""

import pycountry
import pytest
from falcon.testing import Result

from simulator.catalogue.form_words.countries import country_names
from simulator.catalogue.form_words.languages import ROWS, language_of, read_language
from simulator.tests.kit.checkout_shop import CARD, DECLINE, SESSION, UNKNOWN, Shop, code_of
from simulator.tests.kit.gateway import FORM, Gateway

OWN = {"Origin": "http://falconframework.org"}


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def open_form(
    shop: Shop, checkout: str, headers: dict[str, str] = OWN, locale: str = "", more: str = ""
) -> Result:
    return shop.gateway.client.simulate_post(
        f"/form/{checkout}/open", headers=headers, body=f"locale={locale}{more}", content_type=FORM
    )


def test_countries_have_a_name_in_every_language() -> None:
    codes = sorted(country.alpha_2 for country in pycountry.countries)
    for row in ROWS:
        names = country_names(row)
        assert [code for code, _ in names] == codes
        assert all(name.strip() for _, name in names), row.tag
        assert len({name for _, name in names}) == len(codes), row.tag


def test_names_of_countries_are_sent_to_a_form_that_asks_for_an_address(shop: Shop) -> None:
    without = open_form(shop, shop.prepare(), locale="de")
    sent = open_form(shop, shop.prepare(), locale="de", more="&countries=true")

    assert without.json["countries"] == []
    assert ["AT", "Österreich"] in sent.json["countries"]


def test_what_a_form_is_opened_with_lets_it_pay(shop: Shop) -> None:
    checkout = shop.prepare(**{"card.holder": "Jane Jones"})

    opened = open_form(shop, checkout).json

    assert (opened["amount"], opened["currency"], opened["paymentType"]) == ("92.00", "EUR", "DB")
    assert opened["prefilled"] == {"card.holder": "Jane Jones"}
    assert opened["expiresIn"] == 1800
    assert "amount" in opened["fixed"]
    assert opened["brandRows"]["AMEX"]["cvv"] == 4
    assert shop.submit(checkout, opened["capability"]).status_code == 200


def test_a_form_is_opened_again_after_a_decline_and_never_after_a_payment(shop: Shop) -> None:
    checkout = shop.prepare()
    first, second = (open_form(shop, checkout).json["capability"] for _ in range(2))
    assert first != second

    assert shop.submit(checkout, first, {**CARD, **DECLINE}).status_code == 400
    third = open_form(shop, checkout).json["capability"]
    assert shop.submit(checkout, third).status_code == 200
    refused = open_form(shop, checkout)

    assert refused.status_code == 404
    assert "capability" not in refused.text


@pytest.mark.parametrize("checkout", [UNKNOWN, "x", "..", "%3Cscript%3E", "0" * 10_000])
def test_a_form_of_no_checkout_is_not_opened(shop: Shop, checkout: str) -> None:
    refused = open_form(shop, checkout)

    assert refused.status_code == 404
    assert "<script" not in refused.text


def test_a_form_is_not_opened_after_half_an_hour(shop: Shop) -> None:
    checkout = shop.prepare()
    shop.advance("29m")
    shop.advance("59s")
    assert open_form(shop, checkout).json["expiresIn"] == 1

    shop.advance("1s")

    assert open_form(shop, checkout).status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://shop.example"},
        {"Origin": "null"},
        {"Origin": "https://falconframework.org"},
        {**OWN, "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_of_another_origin_opens_no_form(shop: Shop, headers: dict[str, str]) -> None:
    refused = open_form(shop, shop.prepare(), headers)

    assert refused.status_code == 403
    assert "capability" not in refused.json


def test_a_form_opens_behind_the_address_that_others_use(shop: Shop) -> None:
    shop.gateway.ports(shop.sandbox).addresses.move("https://pay.example/", "https://live.example/")

    opened = open_form(shop, shop.prepare(), {"Origin": "https://pay.example"})
    others = ("http://pay.example", "https://live.example", "https://pay.example.shop")

    assert opened.status_code == 200
    for origin in others:
        assert open_form(shop, shop.prepare(), {"Origin": origin}).status_code == 403


def test_an_opening_that_is_refused_ends_no_capability(shop: Shop) -> None:
    checkout = shop.prepare()
    capability = open_form(shop, checkout).json["capability"]
    for _ in range(9):
        refused = shop.gateway.client.simulate_post(
            f"/form/{checkout}/open", headers=OWN, extras={"sandgate.listener": "live"}
        )
        assert refused.status_code == 404

    assert shop.submit(checkout, capability).status_code == 200


def test_one_checkout_is_opened_a_hundred_times_a_minute(shop: Shop) -> None:
    checkout, other = shop.prepare(), shop.prepare()

    answers = [open_form(shop, checkout) for _ in range(1_000)]
    accepted, refused = answers[:100], answers[100:]

    assert {answer.status_code for answer in accepted} == {200}
    assert {answer.status_code for answer in refused} == {429}
    assert {code_of(answer) for answer in refused} == {"800.120.100"}
    assert {answer.headers["Retry-After"] for answer in refused} == {"60"}
    assert not [answer for answer in refused if "capability" in answer.json]
    assert open_form(shop, other).status_code == 200
    assert shop.submit(checkout, accepted[-1].json["capability"]).status_code == 200
    shop.advance("1m")
    assert open_form(shop, other).status_code == 200


def test_eight_openings_of_a_checkout_can_pay_and_no_ninth(shop: Shop) -> None:
    checkout = shop.prepare()
    made = [open_form(shop, checkout).json["capability"] for _ in range(9)]
    declined = {**CARD, **DECLINE}

    assert shop.submit(checkout, made[0], declined).status_code == 403
    assert [shop.submit(checkout, each, declined).status_code for each in made[1:]] == [400] * 8


def test_a_capability_opens_no_other_checkout(shop: Shop) -> None:
    checkout, other = shop.prepare(), shop.prepare()
    capability = open_form(shop, checkout).json["capability"]

    assert shop.submit(other, capability).status_code == 403
    assert shop.submit(checkout, capability).status_code == 200


def test_pay_in_two_tabs_pays_once(shop: Shop) -> None:
    checkout = shop.prepare()
    first, second = (open_form(shop, checkout).json["capability"] for _ in range(2))

    assert shop.submit(checkout, first).status_code == 200
    refused = shop.submit(checkout, second)

    assert refused.status_code == 404
    assert shop.get(f"/{checkout}/payment").json["amount"] == "92.00"


def test_a_form_that_was_opened_in_time_does_not_pay_after_half_an_hour(shop: Shop) -> None:
    checkout = shop.prepare()
    capability = open_form(shop, checkout).json["capability"]
    shop.advance("30m")

    assert shop.submit(checkout, capability).status_code == 404


def test_stored_accounts_are_offered_without_their_numbers(shop: Shop) -> None:
    made = shop.gateway.send(
        "/v1/registrations", {"entityId": shop.who.entity_id, **CARD}, shop.who
    )
    stored = made.json["id"]
    checkout = shop.prepare(**{"registrations[0].id": stored})

    opened = open_form(shop, checkout)

    assert opened.json["registrations"] == [
        {
            "id": stored, "brand": "VISA", "last4Digits": "0000", "holder": "Jane Jones",
            "expiryMonth": "05", "expiryYear": "2034",
        }
    ]  # fmt: skip
    assert CARD["card.number"] not in opened.text


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


def test_the_form_speaks_the_25_languages_completely() -> None:
    english = language_of("en").words
    holes = {
        f"{row.tag}: {key}"
        for row in ROWS
        for key in english
        if not read_language(row).words.get(key, "").strip()
    }

    assert len(ROWS) == len({row.tag for row in ROWS}) == 25
    assert " ".join(row.name for row in ROWS) == (
        "en de fr es it nl dk fi se tr ja sl pt pl cz hu bg ro ru cn gr no sk ar ko"
    )
    assert holes == set()
    assert all(read_language(row).words.keys() == english.keys() for row in ROWS)


def test_words_keep_the_places_for_values() -> None:
    places = {"payWith": "{brand}", "endingIn": "{digits}", "expires": "{date}"}

    for row in ROWS:
        words = read_language(row).words
        assert all(place in words[key] for key, place in places.items()), row
        assert all("{" not in word for key, word in words.items() if key not in places), row


def test_no_two_languages_have_the_same_sentences() -> None:
    sentences = [read_language(row).words["declined"] for row in ROWS]

    assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize(
    ("locale", "tag"),
    [("de-AT", "de"), ("DE_ch", "de"), ("dk", "da"), ("da", "da"), ("cn", "zh-Hans"),
     ("zh", "zh-Hans"),
     ("zh-hans-CN", "zh-Hans"), ("no", "nb"), ("xx", "en"), ("", "en"), ("__proto__", "en"),
     ("d" * 10_000, "en"), ("ar", "ar")],
)  # fmt: skip
def test_a_locale_leads_to_a_language(locale: str, tag: str) -> None:
    assert language_of(locale).row.tag == tag


def test_a_form_is_opened_in_its_language(shop: Shop) -> None:
    opened = open_form(shop, shop.prepare(), locale="ar").json

    assert (opened["locale"], opened["direction"]) == ("ar", "rtl")
    assert opened["words"]["cardNumber"] == "رقم البطاقة"
    assert code_of(open_form(shop, UNKNOWN)) != code_of(open_form(shop, shop.prepare()))
