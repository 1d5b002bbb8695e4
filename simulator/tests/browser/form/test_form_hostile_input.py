"""What a page, a shopper or an address may bring by mistake or by malice: nothing is executed, the
form stays usable, and the merchant is notified. Each pays in the end, or says why it cannot.
"""

import json

import pytest
from playwright.sync_api import Page, expect

from simulator.tests.browser.form_page import (
    NUMBER,
    calls_of,
    field,
    open_form,
    press_pay,
    type_card,
    wait_until_called,
    watching,
)
from simulator.tests.browser.form_shop import HEAD, FormShop

pytestmark = pytest.mark.timeout(600)

PAID = "000.100.110"
ESCAPED = "<\\/"
HOSTILE = "<img src=x onerror=\"seen.push(['executed'])\"><script>seen.push(['executed'])</script>"


def assert_pays(page: Page, shop: FormShop) -> None:
    """The form is usable: a card pays, and nothing that a page brought was executed."""
    type_card(page)
    assert ["executed"] not in calls_of(page)
    press_pay(page)
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID


@pytest.mark.parametrize(
    "name",
    ["", '"><script>seen.push(["executed"])</script>', "../../v1/checkouts", "a" * 2_000,
     "x%22%3E%3C/script%3E", "%00", "x#y?checkoutId=z"],
    ids=["empty", "script", "path", "long", "encoded", "zero", "fragment"],
)  # fmt: skip
def test_an_address_without_a_checkout_is_reported(shop: FormShop, page: Page, name: str) -> None:
    address = f"{shop.gateway}v1/paymentWidgets.js?checkoutId={name}"
    text = (
        f'{HEAD}<script nonce="shop">var wpwlOptions = {watching()};</script></head><body>'
        '<form class="paymentWidgets" data-brands="VISA"></form><script nonce="shop">'
        "var tag = document.createElement('script');"
        f"tag.src = {json.dumps(address).replace('</', ESCAPED)};"
        " document.body.appendChild(tag);</script></body></html>"
    )
    page.goto(shop.publish(text, "none"))
    wait_until_called(page, "error")

    assert [call[1] for call in calls_of(page)] == ["InvalidCheckoutIdError"]
    assert page.get_by_role("alert").count() == 1
    assert page.locator("iframe[name='card.number']").count() == 0


def test_words_and_brands_of_a_page_are_texts(shop: FormShop, page: Page) -> None:
    labels = dict.fromkeys(("cardHolder", "submit", "cvv", "cardNumber", "mmyy"), HOSTILE)
    errors = dict.fromkeys(("cardHolderError", "cardNumberError"), HOSTILE)
    more = f", labels: {json.dumps(labels)}, errorMessages: {json.dumps(errors)}"
    checkout = shop.prepare()
    options = watching(more=more).replace("</", ESCAPED)
    page.goto(shop.show(checkout, options, brands=f"VISA &lt;b&gt; NONE {'A' * 5000} __proto__"))
    wait_until_called(page, "ready")
    press_pay(page)
    page.locator(".wpwl-hint").first.wait_for()

    assert page.locator(".wpwl-label-cardHolder").inner_text() == HOSTILE
    assert page.locator(".wpwl-container img, .wpwl-container script").count() == 0
    reported = [call[1] for call in calls_of(page) if call[0] == "error"]
    assert "WidgetError" in reported, "an unknown brand is named to the page"
    assert_pays(page, shop)


def test_styles_of_a_page_load_and_end_nothing(shop: FormShop, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    rules = {
        "color": "red;} body { display: none",
        "background": "url(https://stolen.example/a)",
        "background-image": "image-set('https://stolen.example/b' 1x)",
        "width": "expression(seen.push(['executed']))",
        "behavior": "url(#x)", "-moz-binding": "url(x)", "font-weight": "700",
    }  # fmt: skip
    styles = {"card-number-placeholder": rules, "cvv-placeholder": "x", "__proto__": rules}
    open_form(page, shop, watching(more=f", iframeStyles: {json.dumps(styles)}"))
    shown = field(page, "card.number").evaluate(
        "(input) => { var s = getComputedStyle(input, '::placeholder');"
        " return [s.color, s.backgroundImage, s.fontWeight,"
        " getComputedStyle(document.body).display]; }"
    )

    assert shown[1:] == ["none", "700", "block"]
    assert shown[0] != "rgb(255, 0, 0)"
    assert not any("stolen" in url for url in asked)
    assert_pays(page, shop)


def some(*first: str, more: tuple[str, ...] = ()) -> list:
    """Parameters of which `more` are tried by `make proof` alone."""
    return [*first, *(pytest.param(each, marks=pytest.mark.proof) for each in more)]


@pytest.mark.parametrize(
    "locale",
    some("'__proto__'", "'x'.repeat(10000)", "{toString: 7}",
         more=("'constructor'", "['de']", "Object.create(null)", "12", "'xx-YY'")),
)  # fmt: skip
def test_a_locale_that_is_none_is_english(shop: FormShop, page: Page, locale: str) -> None:
    page.goto(
        shop.show(
            shop.prepare(), watching(more=f", x: 1, locale: {locale}").replace('"en"', "0", 1)
        )
    )
    wait_until_called(page, "ready")

    assert page.get_by_role("button").inner_text() == "Pay now"
    assert [call[0] for call in calls_of(page) if call[0] == "error"] == []


NAMES = (
    "style locale labels errorMessages iframeStyles brandDetection registrations spinner browser"
    " billingAddress mandatoryBillingFields autofocus threeDIframeSize brandDetectionPriority"
    " brandDetectionType shopperResultTarget inlineFlow showLabels maskCvv applePay googlePay"
    " onDetectBrand onBeforeSubmitCard onChangeBrand paymentTarget useSummaryPage"
)


@pytest.mark.parametrize(
    "odd",
    some("{toString: null}", "function () {}", "[[{}]]", more=("7", "null", '"x"', "[]")),
)
def test_options_of_no_sense_are_ignored(shop: FormShop, page: Page, odd: str) -> None:
    named = ", ".join(f"{name}: odd" for name in NAMES.split())
    text = f"(function () {{ var odd = {odd}; return {{{named}, onReady: function (list) {{"
    text += ' seen.push(["ready", list]); }}; }())'
    page.goto(shop.show(shop.prepare(), text))
    wait_until_called(page, "ready")
    type_card(page)
    assert [line for line in page.said if "Uncaught" in line or "Error:" in line] == []


THROWING = """(function () {
  var given = {};
  ("style locale labels errorMessages iframeStyles brandDetection registrations"
    + " spinner autofocus billingAddress onChangeBrand onBeforeSubmitCard onAfterSubmit"
    + " onError showLabels").split(" ").forEach(function (name) {
      Object.defineProperty(given, name, {enumerable: true, get: function () {
        throw new Error("no " + name); }});
    });
  given.onReady = function (list) { seen.push(["ready", list]); throw new Error("of the shop"); };
  given.onReadyIframeCommunication = function () { null.x(); };
  return given;
}())"""


def test_options_and_callbacks_that_throw_change_nothing(shop: FormShop, page: Page) -> None:
    open_form(page, shop, THROWING)

    assert any("of the shop" in text for text in page.said), "the merchant sees it in the console"
    assert_pays(page, shop)


@pytest.mark.parametrize("odd", some("[]", "function () {}", more=("7", "'x'", "null")))
def test_options_that_are_no_map_are_none(shop: FormShop, page: Page, odd: str) -> None:
    page.goto(shop.show(shop.prepare(), odd))

    assert_pays(page, shop)


def test_options_that_cannot_be_read_are_none(shop: FormShop, page: Page) -> None:
    script = (
        "<script nonce='shop'>Object.defineProperty(window, 'wpwlOptions',"
        " {get: function () { throw new Error('hidden'); }});</script>"
    )
    text = f'{HEAD}</head><body>{script}<script src="{{script}}"></script>'
    text += (
        '<form class="paymentWidgets" action="{result}" data-brands="VISA"></form></body></html>'
    )
    page.goto(shop.publish(text, shop.prepare()))

    assert_pays(page, shop)


@pytest.mark.parametrize(
    "holder",
    ["Zoë " * 2500, "😀😀😀 Jones", "‮Jane‏ Jones‬", HOSTILE[:120],
     "'; DROP TABLE x;--"],
    ids=["long", "emoji", "marks", "html", "quotes"],
)  # fmt: skip
def test_a_strange_holder_is_paid_or_named(shop: FormShop, page: Page, holder: str) -> None:
    open_form(page, shop)
    type_card(page)
    page.locator('input[name="card.holder"]').evaluate(
        "(input, text) => { input.removeAttribute('maxlength'); input.value = text; }", holder
    )
    press_pay(page)
    page.locator(".wpwl-message:not(:empty), h1:has-text('Thank you')").wait_for()

    if "/result" not in page.url:
        assert "card.holder" in page.locator(".wpwl-message").inner_text()
        assert calls_of(page)[-1][1] == "PciIframeSubmitError"
        page.fill('input[name="card.holder"]', "Jane Jones")
        press_pay(page)
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url)[:3] in ("000", "800")


@pytest.mark.parametrize(
    "action",
    some("javascript:seen.push(['executed'])", "\x01javascript:alert(1)", "http://",
         more=("data:text/html,x", "file:///etc/passwd", "vbscript:x", "//")),
)  # fmt: skip
def test_an_action_that_is_no_page_is_not_gone_to(shop: FormShop, page: Page, action: str) -> None:
    checkout = shop.prepare(shopperResultUrl=f"{shop.url}/result?order=9")
    address = shop.show(checkout, watching())
    shop.page = shop.page.replace(f'action="{shop.url}/result?order=7"', f'action="{action}"')
    assert "order=7" not in shop.page
    page.goto(address)
    wait_until_called(page, "ready")
    type_card(page)
    press_pay(page)
    page.wait_for_url("**/result?order=9&**")

    assert shop.result_at(page.url) == PAID


@pytest.mark.parametrize("action", ["result?id=5&order=7#part", "?a=b#c"])
def test_the_address_of_the_shop_keeps_its_own_parts(
    shop: FormShop, page: Page, action: str
) -> None:
    checkout = shop.prepare()
    address = shop.show(checkout, watching())
    shop.page = shop.page.replace(f"{shop.url}/result?order=7", action)
    page.goto(address)
    wait_until_called(page, "ready")
    type_card(page)
    press_pay(page)
    page.wait_for_url(f"**id={checkout}&resourcePath=**")

    before, _, fragment = action.partition("#")
    query = before.partition("?")[2]
    assert f"?{query}&id={checkout}&" in page.url
    assert page.url.partition("#")[2] == fragment


@pytest.mark.parametrize(
    "number",
    ["４２００００００００００００００", "٤٢٠٠٠٠٠٠٠٠٠٠٠٠٠٠",
     "۴۲۰۰۰۰۰۰۰۰۰۰۰۰۰۰", " 4200-0000 0000\t0000 "],
    ids=["full-width", "arabic", "persian", "blanks"],
)  # fmt: skip
def test_digits_of_other_scripts_and_pasted_blanks_are_digits(
    shop: FormShop, page: Page, number: str
) -> None:
    open_form(page, shop)
    type_card(page, number="", expiry="")
    field(page, "card.number").fill(number)
    page.locator('input[data-action="blur-card-expiry"]').fill("１２/٣٤")
    press_pay(page)
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == PAID


@pytest.mark.parametrize("expiry", ["5/34", " 5 / 2034", "5-34", "05/34"])
def test_a_pasted_month_of_one_digit_is_a_month(shop: FormShop, page: Page, expiry: str) -> None:
    open_form(page, shop)
    typed = page.locator('input[data-action="blur-card-expiry"]')

    typed.fill(expiry)

    expect(typed).to_have_value("05 / 34")


def test_a_pasted_number_is_whole_whichever_brand_comes_first(shop: FormShop, page: Page) -> None:
    page.goto(shop.show(shop.prepare(), watching(), brands="AMEX VISA"))
    wait_until_called(page, "ready")
    type_card(page, number="")
    field(page, "card.number").fill(NUMBER)
    expect(field(page, "card.number")).to_have_value("4200 0000 0000 0000")
    press_pay(page)
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == PAID


def test_numbers_of_every_length_are_judged(shop: FormShop, page: Page) -> None:
    open_form(page, shop)
    number = field(page, "card.number")
    for length in range(1, 31):
        number.fill("4" * length)
        number.press("End")
        number.blur()
        digits = number.input_value().replace(" ", "")
        assert digits == "4" * min(length, 19), length
    assert page.locator(".wpwl-hint-cardNumberError").inner_text()
    number.fill("")
    assert_pays(page, shop)


def test_a_checkout_that_ends_between_opening_and_paying_is_said(
    shop: FormShop, page: Page
) -> None:
    open_form(page, shop)
    type_card(page)
    shop.control.advance_clock(shop.sandbox, by="31m")
    press_pay(page)
    page.get_by_text("This payment page has expired").wait_for()

    assert calls_of(page)[-1][:2] == ["error", "InvalidCheckoutIdError"]


def test_a_shop_without_a_connection_is_sent_to_ask(shop: FormShop, page: Page) -> None:
    checkout = open_form(page, shop)
    type_card(page)
    posts: list[str] = []
    page.route("**/v1/checkouts/*/payment", lambda route: (posts.append("1"), route.abort())[1])
    press_pay(page)
    page.wait_for_url("**/result?**")

    assert checkout in page.url
    assert posts == ["1"], "what may have been paid is not paid again"
    assert shop.result_at(page.url) == "000.200.000"


def test_two_tabs_pay_once(shop: FormShop, page: Page) -> None:
    other = page.context.new_page()
    checkout = shop.prepare()
    address = shop.show(checkout, watching())
    for tab in (page, other):
        tab.goto(address)
        wait_until_called(tab, "ready")
        type_card(tab)
    for tab in (page, other):
        tab.evaluate("wpwl.executePayment('wpwl-container-card')")
    page.wait_for_timeout(1500)

    codes = {shop.result_at(tab.url) for tab in (page, other) if "/result" in tab.url}
    assert codes == {PAID}
    paid = shop.client.get(f"v1/checkouts/{checkout}/payment").body
    listed = shop.control.journal(shop.sandbox, payment=paid["id"])
    assert listed
    assert page.url.startswith(shop.url) and other.url.startswith(shop.url)


def test_the_second_press_pays_nothing(shop: FormShop, page: Page) -> None:
    open_form(page, shop)
    type_card(page)
    posts: list[str] = []
    page.on(
        "request",
        lambda request: posts.append(request.url) if request.url.endswith("/payment") else None,
    )
    page.evaluate(
        """(function () { var button = document.querySelector("button.wpwl-button-pay");
        button.click(); button.click(); wpwl.executePayment("wpwl-container-card"); }())"""
    )
    page.wait_for_url("**/result?**")

    assert len(posts) == 1
    assert NUMBER not in page.url
