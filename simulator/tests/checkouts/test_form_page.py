"""The page of a checkout without a shop's: its states, its languages, and where it leads."""

import re

import pytest
from falcon.testing import Result

from simulator.catalogue.form_words.languages import ROWS, read_language
from simulator.tests.kit.checkout_shop import CARD, DECLINE, UNKNOWN, Shop
from simulator.tests.kit.gateway import Gateway

URL = {"shopperResultUrl": "https://shop.example/result?order=7"}


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def read_page(shop: Shop, checkout: str, query: str = "", **headers: str) -> Result:
    return shop.gateway.client.simulate_get(
        f"/form/{checkout}", query_string=query, headers=headers
    )


def test_a_checkout_that_can_be_paid_shows_form_amount_and_shop(shop: Shop) -> None:
    page = read_page(shop, shop.prepare())

    assert page.status_code == 200
    assert 'class="paymentWidgets"' in page.text and "paymentWidgets.js" in page.text
    assert "92.00 EUR" in page.text
    assert '<meta http-equiv="X-UA-Compatible" content="IE=edge">' in page.text
    assert "unsafe" not in page.headers["Content-Security-Policy"]


def test_a_checkout_that_is_paid_says_so_and_leads_back_to_the_shop(shop: Shop) -> None:
    checkout = shop.prepare(**URL)
    assert shop.pay(checkout).status_code == 200

    page = read_page(shop, checkout)

    assert page.status_code == 200
    assert "This order is already paid" in page.text and "paymentWidgets" not in page.text
    (address,) = re.findall('class="main" href="([^"]+)"', page.text)
    assert address == (
        f"https://shop.example/result?order=7&amp;id={checkout}"
        f"&amp;resourcePath=%2Fv1%2Fcheckouts%2F{checkout}%2Fpayment"
    )


def test_a_decline_is_named_above_the_form(shop: Shop) -> None:
    checkout = shop.prepare()
    assert shop.pay(checkout, **DECLINE).status_code == 400

    page = read_page(shop, checkout)

    assert "The payment was declined" in page.text and 'class="paymentWidgets"' in page.text


def test_a_paid_checkout_is_paid_when_its_time_is_over(shop: Shop) -> None:
    checkout = shop.prepare(**URL)
    assert shop.pay(checkout).status_code == 200
    shop.advance("31m")

    page = read_page(shop, checkout)

    assert page.status_code == 200
    assert "This order is already paid" in page.text and "expired" not in page.text


def test_a_paid_checkout_is_no_longer_read_when_its_time_is_over(shop: Shop) -> None:
    checkout = shop.prepare(**URL)
    paid = shop.pay(checkout).json["id"]
    shop.advance("30m")

    status, again = shop.get(f"/{checkout}/payment"), shop.pay(checkout)
    opened = shop.gateway.client.simulate_post(
        f"/form/{checkout}/open", headers={"Sec-Fetch-Site": "same-origin"}, body="locale=en",
        content_type="application/x-www-form-urlencoded",
    )  # fmt: skip

    assert [each.status_code for each in (status, again, opened)] == [404, 404, 404]
    assert "This order is already paid" in opened.text
    assert shop.gateway.read(paid, shop.who).json["id"] == paid


def test_the_page_of_a_stored_account_says_that_it_is_over(shop: Shop) -> None:
    checkout = shop.prepare({"createRegistration": "true"}, **URL)
    card = {name: value for name, value in CARD.items() if name != "paymentType"}
    assert shop.post(f"/{checkout}/registration", card).status_code == 200

    assert read_page(shop, checkout, "kind=registration").status_code == 404


def test_a_checkout_that_is_over_says_so(shop: Shop) -> None:
    checkout = shop.prepare(**URL)
    shop.advance("30m")

    page = read_page(shop, checkout)

    assert page.status_code == 404
    assert "This payment page has expired" in page.text and "paymentWidgets" not in page.text
    assert "Back to the shop" in page.text


@pytest.mark.parametrize("checkout", [UNKNOWN, "x", "%3Cscript%3E", "0" * 5_000])
def test_no_checkout_has_a_page_that_says_so(shop: Shop, checkout: str) -> None:
    page = read_page(shop, checkout)

    assert page.status_code == 404
    assert "This payment page has expired" in page.text and "<script" not in page.text


def test_a_page_leads_into_the_app_of_a_shop(shop: Shop) -> None:
    checkout = shop.prepare(shopperResultUrl="shop.example://paid")
    shop.advance("30m")

    assert f'href="shop.example://paid?id={checkout}&amp;' in read_page(shop, checkout).text


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.tag)
def test_the_page_is_there_in_every_language_and_offers_the_others(shop: Shop, row) -> None:
    page = read_page(shop, UNKNOWN, f"locale={row.tag}")
    offered = re.findall(r'href="\?locale=([\w-]+)"', page.text)

    assert f'<html lang="{row.tag}" dir="{row.direction}">' in page.text
    assert read_language(row).words["expired"].replace("'", "&#x27;") in page.text
    assert offered == [each.tag for each in ROWS]


@pytest.mark.parametrize(("query", "accepted", "tag"), [
    ("", "de-AT,en;q=0.5", "de"), ("", "xx", "en"), ("locale=ar", "de", "ar"),
    ("locale=no", "", "nb"), ("", "", "en"),
])  # fmt: skip
def test_the_query_chooses_the_language_else_the_browser(
    shop: Shop, query: str, accepted: str, tag: str
) -> None:
    page = read_page(shop, UNKNOWN, query, **{"Accept-Language": accepted})

    assert f'<html lang="{tag}"' in page.text


def test_a_registration_is_kept_when_the_language_changes(shop: Shop) -> None:
    page = read_page(shop, shop.prepare({"createRegistration": "true"}), "kind=registration")

    assert "?locale=de&amp;kind=registration" in page.text
    assert "/registration" in re.findall('<script src="([^"]+)"', page.text)[0]
