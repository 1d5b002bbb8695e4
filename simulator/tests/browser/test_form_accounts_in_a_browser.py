"""A shopper pays by the hosted form with something other than a card: a wallet, a bank account, an
account with a provider, and on the pages of a bank.
"""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, Route, expect

from simulator.tests.browser.form_page import (
    some,
    type_card,
    violations_in,
    wait_until_called,
    watching,
)
from simulator.tests.browser.form_shop import FormShop, form_shop
from simulator.tests.kit.running import serving

pytestmark = pytest.mark.timeout(600)

PAID, CANCELED = "000.100.110", "100.396.101"
IBAN, BIC = "DE89370400440532013000", "COBADEFFXXX"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FormShop]:
    """A shop whose channel takes every brand of these tests."""
    brands = ["VISA", "APPLEPAY", "GOOGLEPAY", "DIRECTDEBIT_SEPA", "PREPAYMENT", "VIRTUAL_ACCOUNT",
              "VIRTUAL_REDIRECT", "GIROPAY", "PAYPAL"]  # fmt: skip
    folder = tmp_path_factory.mktemp("form") / "data"
    channel = {"brands": brands}
    with (
        serving(folder) as running,
        form_shop(running, merchants=[{"channels": [channel]}]) as shop,
    ):
        yield shop


def open_with(page: Page, shop: FormShop, brands: str, more: str = "", **sent: str) -> str:
    """Open a form that offers these brands, and return the id of its checkout."""
    checkout = shop.prepare(**sent)
    page.goto(shop.show(checkout, watching(more=more), brands))
    wait_until_called(page, "ready")
    return checkout


def sheet_of(page: Page) -> FrameLocator:
    """The sheet of a wallet."""
    return page.frame_locator("iframe.wpwl-sheet")


def pay_with(page: Page, container: str) -> None:
    """Press the button of a form."""
    page.click(f".wpwl-container-{container} button.wpwl-button-pay")


@pytest.mark.parametrize("brand", ["APPLEPAY", "GOOGLEPAY"])
def test_a_wallet_pays_by_a_token_of_its_sheet(
    shop: FormShop, page: Page, tmp_path: Path, brand: str
) -> None:
    checkout = open_with(page, shop, brand, ", applePay: {}, googlePay: {}, paypal: {}")
    pay_with(page, f"virtualAccount-{brand}")
    sheet = sheet_of(page)
    sheet.get_by_text("92.00 EUR").wait_for()
    page.screenshot(path=tmp_path / "sheet.png")
    assert violations_in(page) == []
    sheet.locator('input[value="master"]').check()
    sheet.locator("button.main").click()
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == PAID
    paid = shop.client.get(f"v1/checkouts/{checkout}/payment").body
    assert (paid["paymentBrand"], paid["card"]["last4Digits"]) == (brand, "5454")
    sent = page.evaluate("sessionStorage.messages")
    assert "authorized" in sent
    assert "ephemeralPublicKey" not in sent and "5454545454545454" not in sent
    entries = json.dumps(shop.control.journal(shop.sandbox))
    assert "ephemeralPublicKey" not in entries and "5454545454545454" not in entries


def test_a_declined_card_of_a_wallet_leads_to_the_shop(shop: FormShop, page: Page) -> None:
    open_with(page, shop, "GOOGLEPAY")
    pay_with(page, "virtualAccount-GOOGLEPAY")
    sheet_of(page).locator('input[value="declined"]').check()
    sheet_of(page).locator("button.main").click()
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == "800.100.203"


@pytest.mark.parametrize("way", ["button", "key"])
def test_a_sheet_that_is_closed_leaves_the_form_as_it_was(
    shop: FormShop, page: Page, way: str
) -> None:
    open_with(page, shop, "APPLEPAY VISA")
    pay_with(page, "virtualAccount-APPLEPAY")
    cancel = sheet_of(page).locator("button.other")
    if way == "button":
        cancel.click()
    else:
        expect(cancel).to_be_enabled()
        cancel.focus()
        # A key of the browser itself might never come up: the frame it was pressed in is gone.
        cancel.dispatch_event("keydown", {"key": "Escape", "keyCode": 27, "bubbles": True})
    page.locator("iframe.wpwl-sheet").wait_for(state="detached")

    assert page.evaluate("document.activeElement.className") == "wpwl-button wpwl-button-pay"
    type_card(page)
    pay_with(page, "card")
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID


@pytest.mark.parametrize(
    ("brand", "kind", "typed", "sent"),
    [
        ("DIRECTDEBIT_SEPA", "directDebit",
         {"bankAccount.holder": "Jane Jones", "bankAccount.iban": IBAN, "bankAccount.bic": BIC},
         {}),
        ("PREPAYMENT", "prepayment", {}, {"paymentType": "PA"}),
        ("VIRTUAL_ACCOUNT", "virtualAccount",
         {"virtualAccount.accountId": "jane@shop.example"}, {}),
    ],
)  # fmt: skip
def test_other_accounts_pay_without_another_page(
    shop: FormShop, page: Page, brand: str, kind: str, typed: dict[str, str], sent: dict[str, str]
) -> None:
    open_with(page, shop, brand, **sent)
    for name, value in typed.items():
        page.fill(f'input[name="{name}"]', value)
    assert violations_in(page) == []
    pay_with(page, f"{kind}-{brand}")
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == PAID


def test_a_virtual_account_is_as_long_as_the_gateway_takes_it(shop: FormShop, page: Page) -> None:
    open_with(page, shop, "VIRTUAL_ACCOUNT")
    field = page.locator('input[name="virtualAccount.accountId"]')
    field.press_sequentially("1" * 101)
    assert field.input_value() == "1" * 100


def test_an_account_number_that_cannot_be_right_is_marked(shop: FormShop, page: Page) -> None:
    open_with(page, shop, "DIRECTDEBIT_SEPA")
    page.fill('input[name="bankAccount.holder"]', "Jane Jones")
    page.fill('input[name="bankAccount.bic"]', BIC)
    page.fill('input[name="bankAccount.iban"]', "DE89 3704 0044 0532 0130 01")
    pay_with(page, "directDebit-DIRECTDEBIT_SEPA")

    page.get_by_text("Please enter a valid IBAN").wait_for()
    page.fill('input[name="bankAccount.iban"]', "de89 3704 0044 0532 0130 00")
    pay_with(page, "directDebit-DIRECTDEBIT_SEPA")
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID


@pytest.mark.parametrize(
    ("brand", "kind"),
    [
        ("GIROPAY", "onlineTransfer"), ("PAYPAL", "virtualAccount"),
        ("VIRTUAL_REDIRECT", "virtualAccount"),
    ],
)  # fmt: skip
def test_a_redirect_brand_takes_the_whole_tab(
    shop: FormShop, page: Page, brand: str, kind: str
) -> None:
    open_with(page, shop, brand)
    pay_with(page, f"{kind}-{brand}")
    page.wait_for_url(f"{shop.gateway}redirect/**")
    page.get_by_role("button", name="Pay", exact=True).click()
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == PAID


def test_a_brand_that_the_page_names_stays_in_the_page(shop: FormShop, page: Page) -> None:
    open_with(page, shop, "GIROPAY", ', inlineFlow: ["GIROPAY"]')
    pay_with(page, "onlineTransfer-GIROPAY")
    bank = page.frame_locator("iframe.wpwl-target")
    bank.get_by_role("button", name="Pay", exact=True).click()
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == PAID


def test_a_frame_of_the_shop_takes_the_bank(shop: FormShop, page: Page) -> None:
    checkout = shop.prepare()
    own = '<iframe name="bank" title="Bank"></iframe><iframe name="end" title="End"></iframe>'
    options = watching(more=', paymentTarget: "bank", shopperResultTarget: "end"')
    page.goto(shop.show(checkout, options, "GIROPAY", own))
    # The page of the shop lets itself be framed in this test.
    shop.headers = {}
    page.reload()
    wait_until_called(page, "ready")
    pay_with(page, "onlineTransfer-GIROPAY")
    bank = page.frame_locator('iframe[name="bank"]')
    bank.get_by_role("button", name="Pay", exact=True).click()
    page.frame_locator('iframe[name="end"]').get_by_text("Thank you").wait_for()

    assert page.url == f"{shop.url}/checkout"
    address = page.frame("end").url
    assert shop.result_at(address) == PAID


def test_a_shopper_cancels_at_the_bank_and_pays_with_another_brand(
    shop: FormShop, page: Page
) -> None:
    checkout = open_with(page, shop, "GIROPAY VISA")
    pay_with(page, "onlineTransfer-GIROPAY")
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == CANCELED

    page.goto(shop.show(checkout, watching(), "GIROPAY VISA"))
    wait_until_called(page, "ready")
    type_card(page)
    pay_with(page, "card")
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID


def test_a_shopper_who_closed_the_window_of_the_bank_chooses_another_brand(
    shop: FormShop, page: Page
) -> None:
    checkout = open_with(page, shop, "GIROPAY VISA", ', paymentTarget: "bank"')
    with page.expect_popup() as opened:
        pay_with(page, "onlineTransfer-GIROPAY")
    opened.value.get_by_role("button", name="Cancel").wait_for()
    opened.value.close()
    page.get_by_role("button", name="Choose another way to pay").click()
    type_card(page)
    pay_with(page, "card")
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == PAID
    assert shop.client.get(f"v1/checkouts/{checkout}/payment").body["paymentBrand"] == "VISA"


SUMMARY = """<!DOCTYPE html><html lang="en"><title>Summary</title><h1>Your order</h1>
<form action="{gateway}v1/checkouts/{checkout}/payment" method="post"><button>Buy</button></form>
"""


def test_a_shopper_confirms_on_a_summary_page(shop: FormShop, page: Page) -> None:
    options = """, useSummaryPage: true,
      onSaveTransactionData: function (data) { seen.push(["kept", data]); }"""
    checkout = open_with(page, shop, "VISA", options)
    type_card(page)
    pay_with(page, "card")
    wait_until_called(page, "kept")
    kept = page.evaluate("seen.filter(function (each) { return each[0] === 'kept'; })[0][1]")
    unpaid = shop.client.get(f"v1/checkouts/{checkout}/payment").code
    shop.page = SUMMARY.format(gateway=shop.gateway, checkout=checkout)
    page.goto(f"{shop.url}/summary")
    page.get_by_role("button", name="Buy").click()
    page.wait_for_url("**/result?**")

    assert kept["resourcePath"] == f"/v1/checkouts/{checkout}/payment"
    assert unpaid == "000.200.000"
    assert shop.result_at(page.url) == PAID


def test_a_shopper_is_asked_by_his_bank_after_the_summary_page(shop: FormShop, page: Page) -> None:
    options = """, useSummaryPage: true,
      onSaveTransactionData: function (data) { seen.push(["kept", data]); }"""
    checkout = open_with(page, shop, "GIROPAY", options)
    pay_with(page, "onlineTransfer-GIROPAY")
    wait_until_called(page, "kept")
    shop.page = SUMMARY.format(gateway=shop.gateway, checkout=checkout)
    page.goto(f"{shop.url}/summary")
    page.get_by_role("button", name="Buy").click()
    page.get_by_role("button", name="Pay", exact=True).click()
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == PAID
    assert shop.control.journal(shop.sandbox), "a page among the answers leaves it readable"


def test_a_shopper_whose_line_breaks_while_he_pays_is_led_to_the_shop(
    shop: FormShop, page: Page
) -> None:
    posts: list[str] = []

    def break_line(route: Route) -> None:
        posts.append(route.request.method)
        route.abort()

    checkout = open_with(page, shop, "VISA")
    page.route("**/v1/checkouts/*/payment", break_line)
    type_card(page)
    pay_with(page, "card")
    page.wait_for_url("**/result?**")

    assert f"id={checkout}" in page.url
    assert posts == ["POST"], "what may have been paid is posted again"
    assert shop.result_at(page.url) == "000.200.000"


@pytest.mark.parametrize(
    ("width", "locale"),
    some(product([320, 1280], ["en", "ar", "el"]), often=[(320, "el"), (1280, "ar")]),
)
def test_the_page_of_a_checkout_is_usable_in_every_state(
    shop: FormShop, page: Page, tmp_path: Path, width: int, locale: str
) -> None:
    checkout = shop.prepare(shopperResultUrl=f"{shop.url}/result?order=8")
    card = {"card.number": "4200000000000000", "card.expiryMonth": "12", "card.expiryYear": "2034",
            "card.holder": "800.100.152", "paymentBrand": "VISA"}  # fmt: skip
    page.set_viewport_size({"width": width, "height": 740})
    shop.client.post(f"v1/checkouts/{checkout}/payment", card)
    found = []
    for state in ("declined", "paid"):
        page.goto(f"{shop.gateway}form/{checkout}?locale={locale}")
        if state == "declined":
            page.locator('iframe[name="card.cvv"]').wait_for()
        page.locator("summary").click()
        page.screenshot(path=tmp_path / f"{state}-{locale}-{width}.png", full_page=True)
        found += violations_in(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        shop.client.post(f"v1/checkouts/{checkout}/payment", {**card, "card.holder": "Jane"})
    page.locator("a.main").click()
    page.wait_for_url(f"{shop.url}/result?order=8&**")

    assert found == []
    assert [text for text in page.said if "Policy" in text] == []
    assert shop.result_at(page.url) == PAID


def test_a_checkout_without_a_result_page_ends_on_its_own(shop: FormShop, page: Page) -> None:
    page.goto(f"{shop.gateway}form/{shop.prepare()}")
    type_card(page)
    pay_with(page, "card")

    page.get_by_text("This order is already paid").wait_for()
