"""Every shopper can use the form: by keyboard, at every width, in every language, and for axe.

Screenshots of what they see lie in the temporary folder of each test.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from simulator.catalogue.form_words.languages import ROWS
from simulator.tests.browser.form_page import (
    NUMBER,
    open_form,
    press_pay,
    type_card,
    violations_in,
    wait_until_called,
    watching,
)
from simulator.tests.browser.form_shop import FormShop
from simulator.tests.browser.windows import window

pytestmark = pytest.mark.timeout(600)

WIDTHS = {"small": 320, "middle": 768, "large": 1280, "200 percent": 640}
EVERYTHING = (
    ", showCVVHint: true, billingAddress: {country: 'DE'}, mandatoryBillingFields: {street1: true}"
)
STORED = {
    "card.number": NUMBER, "card.expiryMonth": "05", "card.expiryYear": "2034",
    "card.holder": "Jane Jones", "paymentBrand": "VISA",
}  # fmt: skip
# What sticks out of the window or of its parent, and texts that are cut.
CUT = """() => [].filter.call(document.querySelectorAll(".wpwl-container *"), (each) => {
  if (each.tagName === "OPTION" || each.closest(".wpwl-hidden") || !each.offsetParent) return false;
  const box = each.getBoundingClientRect();
  const outside = box.right > innerWidth + 1 || box.left < -1;
  const isText = each.matches(".wpwl-label, .wpwl-button, .wpwl-hint, .wpwl-message, label, p");
  return outside || (isText && (each.scrollWidth > each.clientWidth + 1
    || each.scrollHeight > each.clientHeight + 2));
}).map((each) => each.className + ": " + each.textContent.slice(0, 60))"""
PLACEHOLDER = """() => [].filter.call(document.querySelectorAll("input[placeholder]"), (each) => {
  const style = getComputedStyle(each);
  const context = document.createElement("canvas").getContext("2d");
  context.font = style.font;
  const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return context.measureText(each.placeholder).width > room + 1;
}).map((each) => each.placeholder)"""


def stored_account(shop: FormShop) -> dict[str, str]:
    """What prepares a checkout that offers a stored account."""
    return {"registrations[0].id": shop.client.post("v1/registrations", STORED).id}


# Without a style, browsers alone set how close the rows of an address are.
@pytest.mark.proof
@pytest.mark.parametrize("locale", ["en", "ar"])
@pytest.mark.parametrize("style", ["card", "plain", "logos"])
def test_axe_finds_nothing_in_page_and_frames(
    shop: FormShop, page: Page, tmp_path: Path, locale: str, style: str
) -> None:
    open_form(page, shop, watching(locale, style, EVERYTHING), **stored_account(shop))
    page.screenshot(path=tmp_path / "stored.png", full_page=True)
    found = violations_in(page)
    page.locator(".wpwl-container-card button.wpwl-button-pay").click()
    page.locator(".wpwl-container-card .wpwl-hint").nth(3).wait_for()
    page.screenshot(path=tmp_path / "errors.png", full_page=True)

    assert found + violations_in(page) == []


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("locale", ["en", "ar"])
def test_nothing_scrolls_sideways(
    shop: FormShop, page: Page, tmp_path: Path, width: int, locale: str
) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    open_form(page, shop, watching(locale, more=EVERYTHING), **stored_account(shop))
    page.locator(".wpwl-container-card button.wpwl-button-pay").click()
    page.locator(".wpwl-container-card .wpwl-hint").nth(3).wait_for()
    page.screenshot(path=tmp_path / "errors.png", full_page=True)

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == []


def languages() -> list:
    """Every language; those with the longest words always, the others by `make proof`."""
    often = ("de", "ar", "bg", "el")
    return [
        row.tag if row.tag in often else pytest.param(row.tag, marks=pytest.mark.proof)
        for row in ROWS
    ]


@pytest.mark.parametrize("locale", languages())
def test_no_word_is_cut_or_missing_in_a_small_window(
    shop: FormShop, page: Page, tmp_path: Path, locale: str
) -> None:
    page.set_viewport_size({"width": 320, "height": 740})
    open_form(page, shop, watching(locale, more=EVERYTHING))
    press_pay(page)
    page.locator(".wpwl-hint").nth(3).wait_for()
    page.screenshot(path=tmp_path / f"{locale}.png", full_page=True)
    shown = page.locator(".wpwl-container").all_inner_texts()

    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate(CUT) == []
    for frame in page.frames:
        assert frame.evaluate(PLACEHOLDER) == [], frame.name
    assert not any("undefined" in text or "Error" in text for text in shown)


# Which field has the focus: the frame's name where a frame has it.
FOCUS = "() => document.activeElement.name || document.activeElement.className.split(' ').pop()"


def focus_after(page: Page, key: str) -> str:
    """Where the focus is after a key; on its way into a frame it is nowhere for a moment."""
    page.keyboard.press(key)
    for _ in range(40):
        found = page.evaluate(FOCUS)
        if found:
            break
        page.wait_for_timeout(25)
    return found


def test_tab_walks_through_the_form_and_back(shop: FormShop, page: Page) -> None:
    open_form(page, shop)
    page.locator("select[name=paymentBrand]").focus()
    walked = [focus_after(page, "Tab") for _ in range(5)]
    back = [focus_after(page, "Shift+Tab") for _ in range(5)]

    assert walked == [
        "card.number", "wpwl-control-expiry", "card.holder", "card.cvv", "wpwl-button-pay",
    ]  # fmt: skip
    assert back == [*walked[-2::-1], "paymentBrand"]


def test_a_finger_hits_what_it_means(shop: FormShop, page: Page) -> None:
    open_form(page, shop, watching(more=EVERYTHING), **stored_account(shop))
    small = page.evaluate(
        """() => [].filter.call(document.querySelectorAll(
          ".wpwl-control, .wpwl-button, .wpwl-group-registration"), (each) =>
          each.offsetParent && (each.getBoundingClientRect().height < 44
            || each.getBoundingClientRect().width < 44)).map((each) => each.className)"""
    )

    assert small == []


def test_a_shopper_who_wants_no_motion_sees_none(shop: FormShop, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_form(page, shop)
    moving = page.evaluate(
        """() => [].filter.call(document.querySelectorAll(".wpwl-container *"), (each) => {
          const style = getComputedStyle(each);
          return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0;
        }).length"""
    )

    assert moving == 0


def test_a_brand_is_named_in_a_box_unless_the_page_has_a_picture_of_it(
    shop: FormShop, page: Page
) -> None:
    address = shop.show(shop.prepare(**stored_account(shop)), watching())
    picture = f"background-image: url({shop.gateway}form/brands/MASTER.svg)"
    own = f'<style nonce="shop">.wpwl-brand-MASTER {{ {picture} }}</style>'
    shop.page = shop.page.replace("</head>", f"{own}</head>")
    policy = shop.headers["Content-Security-Policy"].replace("style-src", "style-src 'nonce-shop'")
    shop.headers = {"Content-Security-Policy": policy}
    page.goto(address)
    wait_until_called(page, "ready")
    card = page.locator(".wpwl-group-brand .wpwl-brand")

    assert page.locator(".wpwl-badge").all_inner_texts() == ["Visa", "Visa"]
    page.select_option("select[name=paymentBrand]", "MASTER")
    assert card.inner_text() == ""
    assert "wpwl-badge" not in str(card.get_attribute("class"))
    assert card.bounding_box() == {**card.bounding_box(), "width": 64, "height": 40}
    page.select_option("select[name=paymentBrand]", "AMEX")
    assert card.inner_text() == "Amex"


@pytest.mark.parametrize("language", ["ca-valencia", "zh-Hant-TW"])
def test_a_shopper_of_any_language_pays(shop: FormShop, browser: Browser, language: str) -> None:
    script = f"Object.defineProperty(Navigator.prototype, 'language', {{get: () => '{language}'}})"
    with window(browser, before=script) as page:
        open_form(page, shop)
        type_card(page)
        press_pay(page)
        page.wait_for_url(f"{shop.url}/result?**")

        assert shop.result_at(page.url) == "000.100.110"
