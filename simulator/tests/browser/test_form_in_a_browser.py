"""A shopper pays by the hosted form in a browser, in a shop of another origin with a strict policy.

Screenshots of what he sees lie in the temporary folder of each test.
"""

import json
import re
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page

from simulator.catalogue.form_words.languages import language_of
from simulator.tests.browser.form_page import (
    CODE,
    NUMBER,
    open_form,
    press_pay,
    some,
    type_card,
    violations_in,
    wait_until_called,
    watching,
)
from simulator.tests.browser.form_shop import FormShop
from simulator.tests.merchants.test_requirements import ADDRESS

pytestmark = pytest.mark.timeout(600)

CARD = {"card.number": NUMBER, "card.expiryMonth": "05", "card.expiryYear": "2034",
        "card.holder": "Jane Jones", "paymentBrand": "VISA"}  # fmt: skip


@pytest.mark.parametrize("locale", ["en", "ar", "de-AT"])
def test_a_card_pays_and_leads_back_to_the_shop(
    shop: FormShop, page: Page, tmp_path: Path, locale: str
) -> None:
    checkout = open_form(page, shop, watching(locale))
    type_card(page)
    page.screenshot(path=tmp_path / f"{locale}.png")
    said = list(page.said)
    press_pay(page)
    page.wait_for_url(f"{shop.url}/result?order=7&**")

    assert f"id={checkout}&resourcePath=%2Fv1%2Fcheckouts%2F{checkout}%2Fpayment" in page.url
    assert shop.result_at(page.url) == "000.100.110"
    assert said == [], "a page does what a strict policy forbids"


def test_the_page_chooses_how_the_fields_in_frames_look(shop: FormShop, page: Page) -> None:
    styles = {"card-number-placeholder": {"color": "rgb(1, 2, 3)", "background": "url(//x)"}}
    open_form(page, shop, watching(more=f", iframeStyles: {json.dumps(styles)}"))

    shown = (
        page.frame_locator('iframe[name="card.number"]')
        .locator("input")
        .evaluate(
            "(input) => { var s = getComputedStyle(input, '::placeholder');"
            " return [s.color, s.backgroundImage]; }"
        )
    )

    assert shown == ["rgb(1, 2, 3)", "none"]


def test_a_declined_card_leads_back_to_the_shop_too(shop: FormShop, page: Page) -> None:
    open_form(page, shop)
    type_card(page)
    page.fill('input[name="card.holder"]', "800.100.152")
    press_pay(page)
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == "800.100.152"


def test_number_and_code_come_into_no_message_and_no_part_of_the_page(
    shop: FormShop, page: Page
) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    open_form(page, shop)
    type_card(page)
    shown = page.content()
    press_pay(page)
    page.wait_for_url("**/result?**")
    sent = shown + page.evaluate("sessionStorage.messages")

    assert "typed" in sent and "done" in sent
    for secret in (NUMBER, "4200 0000", CODE):
        # Ids are random: a short code may be a part of one.
        pattern = re.compile(rf"(?<![0-9a-f.]){secret}(?![0-9a-f.])")
        assert not pattern.search(sent)
        assert not any(map(pattern.search, requests))
    entries = json.dumps(shop.control.journal(shop.sandbox))
    assert NUMBER not in entries and f'"{CODE}"' not in entries


def test_the_page_of_the_shop_reads_no_frame(shop: FormShop, page: Page) -> None:
    open_form(page, shop)
    type_card(page)

    read = page.evaluate(
        """[].map.call(window.frames, function (frame) {
          try { return String(frame.account || frame.document); } catch (error) { return "no"; }
        })"""
    )

    assert len(read) >= 3
    assert set(read) == {"no"}


def test_wrong_fields_are_marked_and_the_first_has_the_focus(
    shop: FormShop, page: Page, tmp_path: Path
) -> None:
    open_form(page, shop)
    press_pay(page)
    page.locator(".wpwl-hint").nth(3).wait_for()
    page.screenshot(path=tmp_path / "empty.png", full_page=True)

    assert page.locator(".wpwl-hint").all_inner_texts() == [
        "Please enter the card number", "Please enter the expiry date",
        "Please enter the name on the card", "Please enter the security code",
    ]  # fmt: skip
    assert page.evaluate("document.activeElement.name") == "card.number"
    type_card(page, number="4200000000000001", expiry="0120")
    press_pay(page)
    page.get_by_text("Please enter a date in the future").wait_for()
    assert page.get_by_text("Please enter a valid card number").count() == 1
    assert page.locator(".wpwl-hint").count() == 2


def test_a_refused_parameter_leaves_the_form_and_is_named(shop: FormShop, page: Page) -> None:
    open_form(page, shop)
    type_card(page)
    page.evaluate(
        """document.querySelector("form.wpwl-form-card").insertAdjacentHTML("beforeend",
        '<input type="hidden" name="customParameters[shop]" value="1">')"""
    )
    press_pay(page)
    wait_until_called(page, "error")

    assert page.locator(".wpwl-message").inner_text().startswith("customParameters[shop]: names")
    page.evaluate("""document.getElementsByName("customParameters[shop]")[0].remove()""")
    press_pay(page)
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == "000.100.110"


def test_the_brand_follows_the_number(shop: FormShop, page: Page) -> None:
    open_form(page, shop)
    type_card(page, number="378282246310005", code="1234")

    assert page.locator("select[name=paymentBrand]").input_value() == "AMEX"
    press_pay(page)
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == "000.100.110"


@pytest.mark.parametrize("answer", ["return false;", "event.preventDefault();",
                                    "return Promise.resolve(false);"])  # fmt: skip
def test_the_page_may_stop_a_payment(shop: FormShop, page: Page, answer: str) -> None:
    hook = f", onBeforeSubmitCard: function (event) {{ seen.push(['asked']); {answer} }}"
    checkout = open_form(page, shop, watching(more=hook))
    type_card(page)
    press_pay(page)
    wait_until_called(page, "asked")
    page.wait_for_timeout(300)

    assert shop.client.get(f"v1/checkouts/{checkout}/payment").code == "000.200.000"
    assert page.locator("button.wpwl-button-pay").is_enabled()


def test_a_stored_account_pays(shop: FormShop, page: Page) -> None:
    stored = shop.client.post("v1/registrations", CARD).id
    open_form(page, shop, **{"registrations[0].id": stored})

    assert "ending in 0000" in page.locator("#wpwl-registrations").inner_text()
    page.frame_locator("#wpwl-registrations iframe").locator("input").fill(CODE)
    page.click("#wpwl-registrations button")
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == "000.100.110"


def test_an_expired_checkout_is_reported_to_page_and_shopper(shop: FormShop, page: Page) -> None:
    page.goto(shop.show("0" * 32 + ".unknown", watching()))
    page.get_by_text("This payment page has expired").wait_for()

    assert page.evaluate("seen.map(function (each) { return each[1]; })") == [
        "InvalidCheckoutIdError"
    ]
    assert violations_in(page) == []


def test_a_form_of_a_paid_checkout_says_that_it_is_paid(shop: FormShop, page: Page) -> None:
    checkout = open_form(page, shop, watching("de"))
    type_card(page)
    press_pay(page)
    page.wait_for_url("**/result?**")

    page.goto(shop.show(checkout, watching("de")))

    page.get_by_text(language_of("de").words["alreadyPaid"]).wait_for()


def test_a_form_that_pays_after_another_tab_says_that_it_is_paid(
    shop: FormShop, page: Page
) -> None:
    checkout = open_form(page, shop, watching("de"))
    type_card(page)
    other = page.context.new_page()
    other.goto(shop.show(checkout, watching("de")))
    type_card(other)
    press_pay(other)
    other.wait_for_url("**/result?**")

    press_pay(page)

    page.get_by_text(language_of("de").words["alreadyPaid"]).wait_for()
    assert page.evaluate("seen.map(function (each) { return each[1]; })")[-1:] == [
        "InvalidCheckoutIdError"
    ]


def test_a_form_that_is_not_opened_says_so_in_the_language_of_the_page(
    shop: FormShop, page: Page
) -> None:
    page.goto(shop.show("0" * 32 + ".unknown", watching("ar")))
    said = page.get_by_text(language_of("ar").words["expired"])
    said.wait_for()

    assert said.evaluate("(each) => getComputedStyle(each).direction") == "rtl"
    assert violations_in(page) == []


def test_pages_unload_the_form_and_load_it_again(shop: FormShop, page: Page) -> None:
    open_form(page, shop)

    page.evaluate("wpwl.unload()")

    assert page.locator("iframe").count() == 0
    assert page.locator(".wpwl-container").count() == 0
    assert page.evaluate("typeof window.wpwl") == "undefined"


def test_what_a_page_names_is_never_read_as_html(shop: FormShop, page: Page) -> None:
    hostile = "<img src=x onerror=seen.push(['executed'])>"
    labels = json.dumps({"cardHolder": hostile, "submit": hostile})
    open_form(page, shop, watching(more=f", labels: {labels}"))

    assert page.locator(".wpwl-label-cardHolder").inner_text() == hostile
    assert page.locator(".wpwl-container img").count() == 0


@pytest.mark.parametrize(
    ("locale", "style"),
    some(
        product(["en", "ar"], ["card", "plain", "logos", "none"]),
        often=[("en", "card"), ("ar", "plain")],
    ),
)
def test_everybody_can_use_the_form(shop: FormShop, page: Page, locale: str, style: str) -> None:
    stored = {"registrations[0].id": shop.client.post("v1/registrations", CARD).id}
    # Without a style the rows of an address are as close as the browser puts them, which it may.
    address = "" if style == "none" else ", billingAddress: {}"
    open_form(page, shop, watching(locale, style, more=address), **stored)
    found = violations_in(page)
    for container, hints in ((".wpwl-container-registration", 1), (".wpwl-container-card", 4)):
        page.locator(f"{container} .wpwl-button-pay").press("Enter")
        page.locator(f"{container} .wpwl-hint").nth(hints - 1).wait_for()

    assert found + violations_in(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_a_field_without_a_name_is_noticed(page: Page) -> None:
    page.set_content("<!DOCTYPE html><html lang='en'><title>A</title><main><input></main></html>")

    assert [each.split(": ")[1] for each in violations_in(page)] == ["label"]


@pytest.mark.parametrize(
    ("width", "locale"),
    some(product([320, 1280], ["en", "ar"]), often=[(320, "en"), (1280, "ar")]),
)
def test_the_form_pays_on_a_page_of_its_own(
    shop: FormShop, page: Page, tmp_path: Path, width: int, locale: str
) -> None:
    checkout = shop.prepare(shopperResultUrl=f"{shop.url}/result?order=8")
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{shop.gateway}form/{checkout}?locale={locale}")
    page.locator('iframe[name="card.cvv"]').wait_for()
    type_card(page)
    page.screenshot(path=tmp_path / "alone.png", full_page=True)

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("html").get_attribute("dir") == ("rtl" if locale == "ar" else "ltr")
    page.locator(".wpwl-form-card button").click()
    page.wait_for_url(f"{shop.url}/result?order=8&**")
    assert shop.result_at(page.url) == "000.100.110"
    assert [text for text in page.said if "Policy" in text] == []


@pytest.mark.parametrize(
    "number", ["5200000000000015", "5200000000000064"], ids=["method", "plain"]
)
def test_a_shopper_is_asked_by_his_bank_in_the_form(
    shop: FormShop, page: Page, tmp_path: Path, number: str
) -> None:
    open_form(page, shop, **ADDRESS)
    type_card(page, number=number)
    press_pay(page)
    bank = page.frame_locator("iframe.wpwl-target").frame_locator('iframe[name="challenge"]')
    code = bank.locator(".note b").inner_text()
    page.screenshot(path=tmp_path / "asked.png", full_page=True)
    bank.locator("input.code").fill(code)
    bank.locator("button.main").click()
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == "000.100.110"
    assert [text for text in page.said if "Policy" in text] == []


def test_a_shopper_leaves_his_bank_for_another_card(shop: FormShop, page: Page) -> None:
    open_form(page, shop, **ADDRESS)
    type_card(page, number="5200000000000064")
    press_pay(page)
    page.locator("iframe.wpwl-target").wait_for()
    page.get_by_role("button", name="Choose another way to pay").click()

    assert page.locator("iframe.wpwl-target").count() == 0
    number = page.frame_locator('iframe[name="card.number"]').locator("input")
    number.fill("")
    number.press_sequentially(NUMBER)
    press_pay(page)
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == "000.100.110"
