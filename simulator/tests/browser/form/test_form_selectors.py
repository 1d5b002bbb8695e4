"""What end-to-end tests of shops look for in the form, in English and in Arabic."""

import pytest
from playwright.sync_api import Page, expect

from simulator.catalogue.form_words.languages import language_of
from simulator.tests.browser.form_page import CODE, NUMBER, field, open_form, watching
from simulator.tests.browser.form_shop import FormShop
from simulator.tests.merchants.test_requirements import ADDRESS

pytestmark = pytest.mark.timeout(600)

# Number, code, button and date as they are called, by language.
WORDS = {
    "en": ("Card Number", "CVV", "Pay now", "MM / YY"),
    "ar": ("رقم البطاقة", language_of("ar").words["cvv"], "إدفع الأن", "شهر / سنة"),
}
EXPIRIES = {"typed": "1234", "filled": "12 / 34", "slashed": "12/34", "long": "12 / 2034"}


@pytest.mark.parametrize("locale", WORDS)
def test_fields_and_button_are_found_by_name_role_and_class(
    shop: FormShop, page: Page, locale: str
) -> None:
    number, code, pay, date = WORDS[locale]
    open_form(page, shop, watching(locale))
    inner = page.frame_locator('iframe[name="card.number"]')

    assert inner.locator("form > input[autocomplete=cc-number]").count() == 1
    assert inner.get_by_role("textbox", name=number).count() == 1
    classes = page.locator('iframe[name="card.number"]').get_attribute("class")
    assert classes == "wpwl-control wpwl-control-iframe wpwl-control-cardNumber"
    assert page.locator(f"iframe[placeholder='{code}']").get_attribute("name") == "card.cvv"
    assert (
        page.frame_locator('iframe[name="card.cvv"]').get_by_role("textbox", name=code).count() == 1
    )
    assert page.locator(f'input[placeholder="{date}"]').get_attribute("data-action") == (
        "blur-card-expiry"
    )
    assert page.locator("select[name=paymentBrand]").input_value() == "VISA"
    assert page.get_by_role("button", name=pay).get_attribute("class").split()[-1] == (
        "wpwl-button-pay"
    )
    color = page.locator('iframe[name="card.number"]').evaluate("(e) => getComputedStyle(e).color")
    # The frame gets its style from the page in a message.
    expect(field(page, "card.number")).to_have_css("color", color)


def test_digits_run_from_left_to_right_in_arabic_too(shop: FormShop, page: Page) -> None:
    open_form(page, shop, watching("ar"))
    direction = "(each) => getComputedStyle(each).direction"

    assert page.locator(".wpwl-form").evaluate(direction) == "rtl"
    assert page.locator('input[name="card.holder"]').evaluate(direction) == "rtl"
    for shown in (field(page, "card.number"), page.locator(".wpwl-control-expiry"),
                  field(page, "card.cvv")):  # fmt: skip
        assert shown.evaluate(direction) == "ltr"


# The elements of a form in their order, with their classes, as shops address them.
TREE = """(box) => [].map.call(box.querySelectorAll(".wpwl-group"), (group) => [
  group.className.split(" ")[1], group.children[0].className.split(" ")[1],
  group.children[group.children.length > 1 ? 1 : 0].className.split(" ")[1]])"""


def test_the_markup_is_the_one_that_shops_address(shop: FormShop, page: Page) -> None:
    checkout = open_form(page, shop)
    box = page.locator(".wpwl-container.wpwl-container-card")
    form = box.locator("> form.wpwl-form.wpwl-form-card.wpwl-clearfix")

    assert box.get_attribute("id")[:5] == "card_" and len(box.get_attribute("id")) == 17
    assert form.get_attribute("action") == f"{shop.gateway}v1/checkouts/{checkout}/payment"
    assert (form.get_attribute("method"), form.get_attribute("target")) == ("POST", "cnpIframe")
    assert form.get_attribute("lang") == "en"
    assert box.evaluate(TREE) == [
        *(
            [f"wpwl-{kind}-{name}" for kind in ("group", "label", "wrapper")]
            for name in ("brand", "cardNumber", "expiry", "cardHolder", "cvv")
        ),
        ["wpwl-group-submit", "wpwl-wrapper-submit", "wpwl-wrapper-submit"],
    ]


@pytest.mark.parametrize("how", EXPIRIES)
def test_a_date_is_typed_and_filled_as_tests_do(shop: FormShop, page: Page, how: str) -> None:
    open_form(page, shop, **ADDRESS)
    field(page, "card.number").fill("5200000000000064")
    expiry = page.locator(".wpwl-control-expiry")
    (expiry.press_sequentially if how == "typed" else expiry.fill)(EXPIRIES[how])
    assert expiry.input_value() == "12 / 34"
    page.fill('input[name="card.holder"]', "Jane Jones")
    field(page, "card.cvv").fill(CODE)
    page.locator("select[name=paymentBrand]").select_option("MASTER")
    page.locator("button.wpwl-button-pay").click()

    asked = page.locator("iframe.wpwl-target")
    asked.wait_for()
    assert asked.get_attribute("name").startswith("card_")
    assert NUMBER not in page.content()
