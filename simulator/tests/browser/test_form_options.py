"""What the page of a shop may choose: options and callbacks of the form, and what they change.

Several facts are looked at for each page that is opened: a page costs most of the time.
"""

import json
from collections.abc import Mapping

import pytest
from playwright.sync_api import Page, expect

from simulator.tests.browser.form_page import (
    CODE,
    NUMBER,
    calls_of,
    field,
    open_form,
    press_pay,
    type_card,
    violations_in,
    wait_until_called,
    watching,
)
from simulator.tests.browser.form_shop import FormShop
from simulator.tests.merchants.test_requirements import ADDRESS

pytestmark = pytest.mark.timeout(600)
PAID = "000.100.110"
CARD = {"card.number": NUMBER, "card.expiryMonth": "05", "card.expiryYear": "2034",
        "card.holder": "Jane Jones", "paymentBrand": "VISA"}  # fmt: skip
OTHER_CARD = {**CARD, "card.number": "378282246310005", "card.holder": "Jo Jones",
              "paymentBrand": "AMEX"}  # fmt: skip


def options(**more: object) -> str:
    """Options of a page that keeps its calls, with these values beside them."""
    return watching(more="".join(f", {name}: {json.dumps(value)}" for name, value in more.items()))


def stored(shop: FormShop, *cards: Mapping[str, str]) -> dict[str, str]:
    """Parameters of a checkout that offers these cards as stored accounts."""
    made = [shop.client.post("v1/registrations", card).id for card in cards]
    return {f"registrations[{at}].id": each for at, each in enumerate(made)}


def assert_paid(page: Page, shop: FormShop) -> dict:
    """The shopper is back in the shop, which reads that it was paid; the payment is returned."""
    page.wait_for_url(f"{shop.url}/result?**")
    assert shop.result_at(page.url) == PAID
    checkout = page.url.split("id=")[1].split("&")[0]
    return shop.client.get(f"v1/checkouts/{checkout}/payment").body


def test_a_stored_account_is_chosen_of_several_and_paid_with_its_code(
    shop: FormShop, page: Page
) -> None:
    open_form(page, shop, options(), **stored(shop, CARD, OTHER_CARD))
    group = page.locator(".wpwl-group-registration")
    code = page.frame_locator("#wpwl-registrations iframe").locator("input")
    assert page.get_by_role("radiogroup", name="Saved payment details").count() == 1
    radio = page.get_by_role("radio", name="Amex ending in 0005 expires 05/2034 Jo Jones")
    expect(group.nth(0)).to_have_class(
        "wpwl-group wpwl-group-registration wpwl-clearfix wpwl-selected"
    )
    assert page.locator(".wpwl-wrapper-registration-cvv iframe").count() == 1
    assert violations_in(page) == []

    radio.check()
    expect(group.nth(0)).not_to_have_class("wpwl-selected")
    page.click("#wpwl-registrations button")
    page.get_by_text("Please enter the security code").wait_for()
    code.fill("123")
    page.click("#wpwl-registrations button")
    page.get_by_text("Please enter a valid security code").wait_for()
    code.fill("1234")
    page.click("#wpwl-registrations button")

    assert assert_paid(page, shop)["paymentBrand"] == "AMEX"


@pytest.mark.parametrize("value", [True, "true"], ids=["truth", "text"])
def test_other_forms_are_hidden_until_they_are_asked_for(
    shop: FormShop, page: Page, value: object
) -> None:
    chosen = {"requireCvv": False, "hideInitialPaymentForms": value}
    open_form(page, shop, options(registrations=chosen), **stored(shop, CARD))
    other = page.locator('button[data-action="show-initial-forms"]')

    assert page.locator("#wpwl-registrations iframe").count() == 0
    expect(page.locator(".wpwl-container-card")).to_be_hidden()
    assert other.inner_text() == "Other ways to pay"
    if value is True:
        page.locator(".wpwl-button-pay").first.click()
        assert_paid(page, shop)
    else:
        other.click()
        expect(page.locator(".wpwl-container-card")).to_be_visible()
        expect(other).to_have_count(0)
        type_card(page)
        page.locator(".wpwl-form-card .wpwl-button-pay").click()
        assert_paid(page, shop)


def test_a_form_that_is_submitted_while_another_one_pays_may_be_submitted_again(
    shop: FormShop, page: Page
) -> None:
    asked = 'validation: false, registrations: {"requireCvv": false}'
    posted = ', onAfterSubmit: function () { seen.push(["after", this.className]); }'
    open_form(page, shop, watching(more=f", {asked}{posted}"), **stored(shop, CARD))
    said = page.locator("#wpwl-registrations .wpwl-message")
    at_once = said.evaluate(
        """said => {
            ["card", "registration"].forEach(
                function (name) { wpwl.executePayment("wpwl-container-" + name); });
            return said.textContent; }"""
    )
    buttons = page.locator(".wpwl-button-pay")
    expect(page.locator(".wpwl-form-card .wpwl-message")).not_to_be_empty()
    expect(said).to_be_empty()
    assert at_once == "The payment is being processed"
    assert buttons.evaluate_all("all => all.map(each => each.disabled)") == [False, False]
    posts = [call[1] for call in calls_of(page) if call[0] == "after"]
    assert ["wpwl-form-card" in form for form in posts] == [True]

    page.click("#wpwl-registrations button")

    assert_paid(page, shop)


def test_a_billing_address_is_asked_for_and_sent(shop: FormShop, page: Page) -> None:
    given = {"street1": "1 Main Street", "city": "Dublin", "country": "ie"}
    mandatory = {"street1": True, "postcode": "true", "state": False}
    chosen = options(billingAddress=given, mandatoryBillingFields=mandatory)
    open_form(page, shop, chosen, **{"billing.street2": "fixed"})

    assert page.locator(".wpwl-sup-wrapper").evaluate_all(
        "(all) => all.map((each) => each.className.split('-').pop())"
    ) == ["street1", "city", "state", "postcode", "country"]
    country = page.locator(".wpwl-sup-wrapper-country > .wpwl-control")
    assert country.input_value() == "IE"
    names = country.locator("option").all_inner_texts()
    assert (len(names), names[1], names[-1]) == (250, "Afghanistan", "Zimbabwe")
    type_card(page)
    press_pay(page)
    page.get_by_text("Please fill in this field").wait_for()
    assert page.evaluate("document.activeElement.name") == "billing.postcode"
    assert violations_in(page) == []
    page.get_by_label("Postal code").fill("D02X285")
    press_pay(page)

    billing = assert_paid(page, shop)["billing"]
    assert billing == {"street1": "1 Main Street", "street2": "fixed", "city": "Dublin",
                       "postcode": "D02X285", "country": "IE"}  # fmt: skip


def test_the_holder_may_be_two_names_and_countries_have_native_names(
    shop: FormShop, page: Page
) -> None:
    chosen = watching("ar", more=", forceCardHolderEqualsBillingName: true, billingAddress: {}")
    open_form(page, shop, chosen)

    assert "ألمانيا" in page.locator(".wpwl-control-country option").all_inner_texts()
    field(page, "card.number").press_sequentially(NUMBER)
    page.locator(".wpwl-control-expiry").press_sequentially("1234")
    field(page, "card.cvv").fill(CODE)
    page.locator(".wpwl-control-givenName").fill("Jane")
    press_pay(page)
    page.locator(".wpwl-hint-cardHolderError").wait_for()
    page.locator(".wpwl-control-surname").fill("Jones")
    press_pay(page)

    paid = assert_paid(page, shop)
    assert paid["card"]["holder"] == "Jane Jones"
    assert (paid["customer"]["givenName"], paid["customer"]["surname"]) == ("Jane", "Jones")


def test_how_the_form_looks_is_chosen(shop: FormShop, page: Page) -> None:
    chosen = options(
        showLabels=False, showPlaceholders="false", showCVVHint="true", maskCvv=True,
        numberFormatting=False, autofocus="card.holder", labels={"submit": "Buy"},
        spinner={"color": "rgb(1, 2, 3)", "className": "own"}, enableNonsense=1,
    )  # fmt: skip
    page.emulate_media(reduced_motion="reduce")
    open_form(page, shop, chosen)

    assert page.get_by_role("button", name="Buy").count() == 1
    assert page.get_by_role("textbox", name="Card holder").count() == 1
    assert page.locator("[placeholder]").count() == 0
    assert page.evaluate("document.activeElement.name") == "card.holder"
    assert field(page, "card.cvv").get_attribute("type") == "password"
    field(page, "card.number").press_sequentially(NUMBER)
    assert field(page, "card.number").input_value() == NUMBER
    assert page.locator(".wpwl-hint-cvv").inner_text().startswith("The last three digits")
    page.select_option("select[name=paymentBrand]", "AMEX")
    expect(page.locator(".wpwl-hint-cvv")).to_have_text("The four digits on the front of the card")
    assert [text for text in page.said if "enableNonsense" in text] == [
        "paymentWidgets: unknown options: enableNonsense"
    ]
    page.evaluate("wpwlOptions.onBeforeSubmitCard = () => new Promise(function () {}); undefined")
    press_pay(page)
    spinner = page.locator(".wpwl-spinner.own")
    assert spinner.evaluate("(each) => getComputedStyle(each).color") == "rgb(1, 2, 3)"
    assert violations_in(page) == []


COUNT_TYPED = """window.typed = 0; addEventListener("message", event => {
  if (String(event.data).includes('"typed"')) { typed += 1 } })"""


def test_what_is_checked_is_chosen(shop: FormShop, page: Page) -> None:
    chosen = options(
        allowEmptyCvv="true", allowEmptyCardHolderName=True, disableCardExpiryDateValidation=True,
        disableSubmitOnEnter=True, billingAddress=False, browser={"threeDChallengeWindow": 2},
    ).replace('locale: "en"', 'locale: "tlh"')  # fmt: skip
    open_form(page, shop, chosen)
    field(page, "card.number").press_sequentially(NUMBER)
    page.locator(".wpwl-control-expiry").press_sequentially("0120")
    page.keyboard.press("Enter")
    assert page.locator(".wpwl-group-billing").count() == 0
    assert page.said == ["paymentWidgets: unknown locale tlh; the form is in English"]
    page.evaluate(COUNT_TYPED)
    field(page, "card.cvv").press("Enter")
    field(page, "card.cvv").press("1")
    field(page, "card.cvv").press("Backspace")
    # A field handles its events in order: once these two are counted, Enter was handled too.
    page.wait_for_function("typed >= 2")
    assert not page.locator("form.wpwl-busy").count()

    page.evaluate("wpwlOptions.disableSubmitOnEnter = false; wpwlOptions.validation = false")
    page.locator(".wpwl-control-expiry").fill("12 / 34")
    field(page, "card.cvv").focus()
    with page.expect_request(lambda request: request.url.endswith("/payment")) as posted:
        page.keyboard.press("Enter")
    assert "challengeWindow=2" in posted.value.post_data
    assert_paid(page, shop)


def test_direct_debits_ask_what_the_page_wants(shop: FormShop, page: Page) -> None:
    checkout = shop.prepare()
    chosen = options(displayBic="false", showTaxNumberField=True)
    page.goto(shop.show(checkout, chosen, "DIRECTDEBIT_SEPA NONE PAYPAL VISA"))
    wait_until_called(page, "ready")

    assert [call[2] for call in calls_of(page) if call[0] == "error"] == ["unknown brand NONE"]
    (ready,) = [call[1] for call in calls_of(page) if call[0] == "ready"]
    assert [each["containerKey"] for each in ready] == [
        "card", "directDebit-DIRECTDEBIT_SEPA", "virtualAccount-PAYPAL"
    ]  # fmt: skip
    assert page.locator(".wpwl-form-directDebit .wpwl-control").evaluate_all(
        "(all) => all.map((each) => each.name)"
    ) == ["bankAccount.holder", "bankAccount.iban"]
    assert page.get_by_role("textbox", name="Tax number").count() == 1
    page.evaluate("wpwl.executePayment('wpwl-container-directDebit-DIRECTDEBIT_SEPA')")
    expect(page.get_by_text("Please fill in this field")).to_have_count(2)
    assert page.evaluate("document.activeElement.name") == "bankAccount.holder"
    assert violations_in(page) == []


CALLBACKS = """,
  onDetectBrand: function (brands, active) { seen.push(["detected", brands, active]); },
  onDetectBin: function (bin) { seen.push(["bin", bin]); },
  brandDetectionPriority: ["VISA", "VISAELECTRON"],
  onBlurCardNumber: function (ok) { seen.push(["number", ok, this.tagName]); },
  onBlurSecurityCode: function (ok) { seen.push(["code", ok]); },
  onBlurCardHolder: function (ok) { seen.push(["holder", ok]); },
  onBlurExpiryDate: function (ok) { seen.push(["expiry", ok]); },
  onReadyIframeCommunication: function () { seen.push(["frame", this.$iframe.length]); },
  onFocusIframeCommunication: function () {
    seen.push(["focus", this.$iframe[0].name, this.$iframe.get(0) === this.$iframe[0]]); },
  onBlurIframeCommunication: function () { seen.push(["blur", this.$iframe.height() > 20]); },
  onBeforeSubmitCard: function () { seen.push(["before", this.tagName]); throw new Error("x"); },
  onBeforeSubmitCardPromise: function () { return window.answer; },
  onAfterSubmit: function () { seen.push(["after"]); }"""


def test_callbacks_are_called_with_what_they_are_called_with(shop: FormShop, page: Page) -> None:
    open_form(page, shop, watching(more=CALLBACKS))
    type_card(page)
    page.focus(".wpwl-control-expiry")
    page.wait_for_timeout(100)
    calls = calls_of(page)

    assert [call for call in calls if call[0] == "brand"] == [["brand", ""], ["brand", "VISA"]]
    assert [call for call in calls if call[0] == "detected"] == [["detected", ["VISA"], "VISA"]]
    assert [call for call in calls if call[0] == "bin"] == [["bin", "420000"]]
    for expected in (["number", True, "FORM"], ["code", True], ["holder", True], ["frame", 1],
                     ["expiry", True], ["focus", "card.cvv", True], ["blur", True]):  # fmt: skip
        assert expected in calls, expected
    page.evaluate("window.answer = Promise.reject('no'); undefined")
    press_pay(page)
    expect(page.locator(".wpwl-form-card .wpwl-button-pay")).to_be_enabled()
    assert any("onBeforeSubmitCard: Error: x" in text for text in page.said)
    assert not [call for call in calls_of(page) if call[0] == "after"]
    page.evaluate("window.answer = undefined; undefined")
    press_pay(page)
    assert_paid(page, shop)


def test_what_is_not_filled_in_is_drawn_again_for_other_brands(shop: FormShop, page: Page) -> None:
    checkout = open_form(page, shop)
    place = "document.querySelector('[data-brands]')"
    page.evaluate(f"{place}.setAttribute('data-brands', 'MASTER GIROPAY')")
    page.locator(".wpwl-container-onlineTransfer-GIROPAY").wait_for()
    choices = page.locator("select[name=paymentBrand] option")
    expect(choices).to_have_text(["Master"])
    field(page, "card.number").press_sequentially("5200000000000015")
    expect(field(page, "card.number")).to_have_value("5200 0000 0000 0015")

    shop.control.set_form_brands(
        shop.sandbox, checkout, brands=["VISA"], override=True, active=True
    )
    page.evaluate(f"{place}.setAttribute('data-brands', 'VISA')")
    page.locator(".wpwl-container-onlineTransfer-GIROPAY").wait_for(state="detached")
    expect(choices).to_have_text(["Master"])
    assert field(page, "card.number").input_value() == "5200 0000 0000 0015"
    page.evaluate(
        """document.body.insertAdjacentHTML("beforeend",
        '<div class="paymentWidgets" data-brands="AMEX"></div>')"""
    )
    page.locator(".wpwl-container-card-2").wait_for()
    expect(page.locator(".wpwl-container-card-2 option")).to_have_text(["Amex"])


def test_brands_that_the_gateway_offers_later_are_drawn_after_an_attempt(
    shop: FormShop, page: Page
) -> None:
    checkout = shop.prepare()
    page.goto(shop.show(checkout, watching(), "PAYPAL VISA"))
    wait_until_called(page, "ready")
    of_brand = page.locator("form.wpwl-form-virtualAccount.wpwl-form-virtualAccount-PAYPAL")
    expect(of_brand).to_have_count(1)
    shop.control.set_form_brands(
        shop.sandbox, checkout, brands=["VISA", "AMEX"], override=True, active=True
    )
    page.evaluate(
        """document.querySelector(".wpwl-form-virtualAccount").insertAdjacentHTML("beforeend",
        '<input type="hidden" name="amount" value="1.00">')"""
    )
    page.evaluate("wpwl.executePayment('wpwl-container-virtualAccount-PAYPAL')")
    wait_until_called(page, "error")

    expect(page.locator("select[name=paymentBrand] option")).to_have_text(["Visa", "Amex"])
    assert page.evaluate("wpwl.checkout.config.brandConfig.brands") == ["VISA", "AMEX"]
    expect(page.locator(".wpwl-container-virtualAccount")).to_have_count(0)


def test_the_size_of_the_window_of_the_bank_is_chosen(shop: FormShop, page: Page) -> None:
    chosen = options(threeDIframeSize={"width": "300px", "height": 444})
    chosen = (
        chosen[:-1] + ", onLoadThreeDIframe: function () { seen.push(['bank', this.tagName]); }}"
    )
    open_form(
        page,
        shop,
        chosen,
        **ADDRESS,
        **stored(shop, {**CARD, "card.number": "5200000000000064", "paymentBrand": "MASTER"}),
    )
    page.frame_locator("#wpwl-registrations iframe").locator("input").fill(CODE)
    page.click("#wpwl-registrations button")
    wait_until_called(page, "bank")

    box = page.locator("iframe.wpwl-target").bounding_box()
    assert (box["width"], box["height"]) == (300, 444)
    assert ["bank", "IFRAME"] in calls_of(page)
    page.get_by_role("button", name="Choose another way to pay").click()
    expect(page.locator("#wpwl-registrations .wpwl-button-pay")).to_be_enabled()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_plain_form_follows_a_dark_page(shop: FormShop, page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    checkout = shop.prepare()
    address = shop.show(checkout, options(style="plain", showCVVHint=True, showOther=1))
    shop.page = shop.page.replace(
        "</head>",
        '<style nonce="shop">@media (prefers-color-scheme: dark) {'
        "body { background: #10151c; color: #f0f3f7; } }</style></head>",
    )
    policy = shop.headers["Content-Security-Policy"]
    shop.headers = {
        "Content-Security-Policy": policy.replace("style-src", "style-src 'nonce-shop'")
    }
    page.goto(address)
    wait_until_called(page, "ready")
    press_pay(page)
    page.locator(".wpwl-hint").nth(3).wait_for()

    assert page.locator(".wpwl-dark").count() == (1 if scheme == "dark" else 0)
    assert violations_in(page) == []
