"""The sheet of the wallet provider: what it shows, whom it answers, and what its tokens pay."""

import pytest
from falcon.testing import Result

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.wallet_cards import ROWS
from simulator.tests.checkouts.test_forms import OWN, open_form
from simulator.tests.kit.checkout_shop import UNKNOWN, Shop, code_of
from simulator.tests.kit.gateway import FORM, Gateway

WALLETS = [row.value for row in BRANDS.values() if row.token]


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def read_sheet(shop: Shop, checkout: str, brand: str = "APPLEPAY", locale: str = "en") -> Result:
    return shop.gateway.client.simulate_get(
        f"/form/{checkout}/wallet", params={"brand": brand, "locale": locale}
    )


def choose(
    shop: Shop, checkout: str, brand: str = "APPLEPAY", card: str = "visa",
    headers: dict[str, str] = OWN,
) -> Result:  # fmt: skip
    return shop.gateway.client.simulate_post(
        f"/form/{checkout}/wallet", headers=headers, body=f"brand={brand}&card={card}",
        content_type=FORM,
    )  # fmt: skip


def pay_by(shop: Shop, checkout: str, brand: str, token: str) -> Result:
    capability = open_form(shop, checkout).json["capability"]
    sent = {"paymentBrand": brand, "mobileWallet.paymentToken": token}
    return shop.submit(checkout, capability, sent)


@pytest.mark.parametrize("brand", WALLETS)
def test_every_wallet_returns_a_token_that_pays_once(shop: Shop, brand: str) -> None:
    checkout, other = shop.prepare(), shop.prepare()
    made = choose(shop, checkout, brand).json["token"]

    paid = pay_by(shop, checkout, brand, made)

    assert (paid.status_code, paid.json["paymentBrand"]) == (200, brand)
    assert ROWS[0].number not in made
    assert code_of(pay_by(shop, other, brand, made)) == "200.100.602"


@pytest.mark.parametrize("card", [row.name for row in ROWS])
def test_every_card_of_the_wallet_ends_as_the_sheet_says(shop: Shop, card: str) -> None:
    checkout = shop.prepare()

    paid = pay_by(
        shop, checkout, "GOOGLEPAY", choose(shop, checkout, "GOOGLEPAY", card).json["token"]
    )

    row = next(row for row in ROWS if row.name == card)
    assert (paid.status_code == 200) == (row.meaning == "approved")
    assert paid.json["card"]["last4Digits"] == row.number[-4:]


def test_a_token_is_for_the_amount_the_sheet_shows(shop: Shop) -> None:
    checkout = shop.prepare()
    assert "92.00 EUR" in read_sheet(shop, checkout).text
    made = choose(shop, checkout).json["token"]
    changed = shop.post(f"/{checkout}", {"amount": "93.00", "currency": "EUR", "paymentType": "DB"})
    assert changed.status_code == 200, changed.json

    assert code_of(pay_by(shop, checkout, "APPLEPAY", made)) == "200.100.602"
    assert "93.00 EUR" in read_sheet(shop, checkout).text


def test_a_sheet_shows_no_whole_number_and_may_stand_in_any_page(shop: Shop) -> None:
    page = read_sheet(shop, shop.prepare(), locale="ar")
    policy = page.headers["Content-Security-Policy"]

    assert page.status_code == 200
    assert 'lang="ar" dir="rtl"' in page.text
    assert not [row for row in ROWS if row.number in page.text]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert "frame-ancestors" not in policy


@pytest.mark.parametrize("brand", ["", "VISA", "NONE", "%3Cscript%3E", "x" * 10_000])
def test_a_sheet_of_no_wallet_is_closed(shop: Shop, brand: str) -> None:
    checkout = shop.prepare()

    page = read_sheet(shop, checkout, brand)

    assert page.status_code == 404
    assert "This payment page has expired" in page.text and "radio" not in page.text
    assert choose(shop, checkout, brand).status_code == 400


def test_a_sheet_is_closed_when_the_checkout_is(shop: Shop) -> None:
    paid, expired = shop.prepare(), shop.prepare()
    assert shop.pay(paid).status_code == 200
    shop.advance("30m")

    for checkout in (paid, expired, UNKNOWN, "x"):
        assert read_sheet(shop, checkout).status_code == 404
        assert choose(shop, checkout).status_code == 404


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://shop.example"}, {"Origin": "null"}])
def test_a_page_of_another_origin_gets_no_token(shop: Shop, headers: dict[str, str]) -> None:
    refused = choose(shop, shop.prepare(), headers=headers)

    assert refused.status_code == 403
    assert "token" not in refused.json


@pytest.mark.parametrize("card", ["", "4200000000000000", "another"])
def test_no_other_card_is_in_the_wallet(shop: Shop, card: str) -> None:
    refused = choose(shop, shop.prepare(), card=card)

    assert refused.status_code == 400
    assert "4200000000000000" not in refused.text


def test_an_address_leads_to_no_sheet_of_the_other_host(shop: Shop) -> None:
    checkout = shop.prepare()
    refused = shop.gateway.client.simulate_get(
        f"/form/{checkout}/wallet", params={"brand": "APPLEPAY"},
        extras={"sandgate.listener": "live"},
    )  # fmt: skip

    assert refused.status_code == 404
