"""Opening the hosted form: what it is made from, and who may ask."""

import pycountry
import pytest
from falcon.testing import Result

from simulator.catalogue.form_words.countries import country_names
from simulator.catalogue.form_words.languages import ROWS, language_of, read_language
from simulator.tests.kit.checkout_shop import CARD, DECLINE, UNKNOWN, Shop, code_of
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
