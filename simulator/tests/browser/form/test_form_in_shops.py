"""The form in pages of shops as they are built, in a browser of today and in the oldest named."""

import pytest
from playwright.sync_api import Page

from simulator.tests.browser.form import shop_pages as pages
from simulator.tests.browser.form_page import (
    CODE,
    NUMBER,
    calls_of,
    field,
    press_pay,
    type_card,
    wait_until_called,
)
from simulator.tests.browser.form_shop import FormShop
from simulator.web.form.script import integrity

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.parametrize(
        "page", ["today", pytest.param("oldest", marks=pytest.mark.proof)], indirect=True
    ),
]
PAID = "000.100.110"


def enter(page: Page, shop: FormShop, text: str, **more: str) -> str:
    """Open a page of a shop with a new checkout, and return its id once the form is there."""
    checkout = shop.prepare(**more)
    page.goto(shop.publish(text, checkout, {"integrity": integrity()}))
    wait_until_called(page, "ready")
    return checkout


def assert_paid(page: Page, shop: FormShop, checkout: str = "") -> None:
    """The shopper is back in the shop, which reads that this checkout was paid."""
    page.wait_for_url(f"{shop.url}/result?**")
    assert checkout in page.url
    assert shop.result_at(page.url) == PAID


def pay(page: Page, shop: FormShop, checkout: str) -> None:
    """Type a card, press the button, and come back to the shop."""
    type_card(page)
    complaints = [text for text in page.said if "Policy" in text]
    press_pay(page)
    assert_paid(page, shop, checkout)
    assert complaints == []


@pytest.mark.parametrize(
    "text",
    [
        pages.OPTIONS_LATE, pages.TAG_LAST, pages.ASYNC, pages.ADDED, pages.ELEMENT_LATE,
        pages.BRANDS_AS_TEXT,
    ],
    ids=["options-late", "tag-last", "async", "added", "element-late", "brands-as-text"],
)  # fmt: skip
def test_a_shop_is_paid_however_its_page_loads_the_form(
    shop: FormShop, page: Page, text: str
) -> None:
    checkout = enter(page, shop, text)

    assert len(calls_of(page)) == 1, "onReady is called once, and nothing is reported"
    pay(page, shop, checkout)


def test_options_that_are_set_late_count(shop: FormShop, page: Page) -> None:
    enter(page, shop, pages.OPTIONS_LATE)

    assert page.locator(".wpwl-label-cardHolder").inner_text() == "Titular"
    assert page.get_by_role("button", name="pagar").count() == 1


def test_brands_are_those_of_the_element(shop: FormShop, page: Page) -> None:
    enter(page, shop, pages.BRANDS_AS_TEXT)

    assert calls_of(page)[0][1] == [{"containerKey": "card", "ccMethods": ["AMEX", "VISA"]}]


def test_a_promise_decides_and_the_callback_of_the_moment_is_called(
    shop: FormShop, page: Page
) -> None:
    checkout = enter(page, shop, pages.PROMISES)
    type_card(page)
    press_pay(page)
    wait_until_called(page, "first")
    page.evaluate("decide(false)")
    press_pay(page)
    wait_until_called(page, "answered")
    page.locator("button.wpwl-button-pay:enabled").wait_for()

    assert shop.client.get(f"v1/checkouts/{checkout}/payment").code == "000.200.000"
    page.evaluate("decide(true)")
    press_pay(page)
    assert_paid(page, shop, checkout)


def test_a_callback_that_answers_nothing_lets_the_payment_go_on(shop: FormShop, page: Page) -> None:
    checkout = enter(page, shop, pages.PROMISES)
    type_card(page)
    page.evaluate("decide()")
    press_pay(page)
    assert_paid(page, shop, checkout)


def test_a_moved_group_loads_its_frame_again_and_pays(shop: FormShop, page: Page) -> None:
    checkout = enter(page, shop, pages.MOVED)
    page.locator("html[data-seen*='card.cvv']").wait_for(state="attached")
    page.wait_for_timeout(300)
    frames = [call[1:] for call in calls_of(page) if call[0] == "frame"]

    assert frames.count(["card.number", "Card Number"]) == 2
    assert frames.count(["card.cvv", "CVV"]) == 2
    assert page.get_by_role("button", name="Place my order").count() == 1
    assert page.locator('iframe[name="card.cvv"]').bounding_box()["height"] == 52
    page.get_by_label("Keep my card").check()
    pay(page, shop, checkout)
    assert "registrationId" in shop.client.get(f"v1/checkouts/{checkout}/payment").body


def test_what_a_moved_frame_lost_is_asked_for_again(shop: FormShop, page: Page) -> None:
    checkout = enter(page, shop, pages.TAG_LAST)
    type_card(page)
    page.evaluate(
        """(function () { var form = document.querySelector("form.wpwl-form-card");
        form.insertBefore(form.querySelector(".wpwl-group-cardNumber"), form.firstChild); }())"""
    )
    field(page, "card.number").wait_for()
    press_pay(page)
    page.get_by_text("Please enter the card number").wait_for()

    field(page, "card.number").press_sequentially(NUMBER)
    press_pay(page)
    assert_paid(page, shop, checkout)


def test_jquery_fetches_the_form_and_changes_it(shop: FormShop, page: Page) -> None:
    checkout = enter(page, shop, pages.JQUERY)

    assert ["library", True] in calls_of(page)
    assert page.locator("iframe.ours").count() == 2
    assert page.frame_locator('iframe[name="card.cvv"]').get_by_role("textbox").count() == 1
    assert page.locator(".terms + .wpwl-button").count() == 1
    pay(page, shop, checkout)


def test_the_form_of_an_order_around_it_is_left_alone(shop: FormShop, page: Page) -> None:
    checkout = enter(page, shop, pages.IN_A_FORM)
    type_card(page)
    page.evaluate("namesOfOrder()")

    assert [call[1] for call in calls_of(page) if call[0] == "names"] == [["comment", "later"]]
    press_pay(page)
    assert_paid(page, shop, checkout)


def test_a_form_that_the_browser_dropped_is_explained(shop: FormShop, page: Page) -> None:
    checkout = shop.prepare()
    with page.expect_console_message(lambda said: "inside another <form>" in said.text):
        page.goto(shop.publish(pages.NESTED, checkout))


def test_two_elements_are_two_forms_with_addresses_of_their_own(shop: FormShop, page: Page) -> None:
    checkout = enter(page, shop, pages.TWO_ELEMENTS)

    listed = calls_of(page)[0][1]
    assert [each["ccMethods"] for each in listed] == [["AMEX"], ["VISA"], ["GIROPAY"]]
    box = page.locator(".wpwl-container-card").nth(1)
    name = 'iframe[name="card.number"]'
    box.frame_locator(name).locator("input").press_sequentially(NUMBER)
    box.locator(".wpwl-control-expiry").press_sequentially("1234")
    box.locator('input[name="card.holder"]').fill("Jane Jones")
    box.frame_locator('iframe[name="card.cvv"]').locator("input").fill(CODE)
    box.locator("button").click()
    assert_paid(page, shop, checkout)
    assert "&form=other&" in page.url


def test_another_checkout_takes_the_place_of_the_first(shop: FormShop, page: Page) -> None:
    enter(page, shop, pages.TWO_CHECKOUTS)
    second = shop.prepare(amount="17.00")
    address = f"{shop.gateway}v1/paymentWidgets.js?checkoutId={second}"
    page.evaluate("(address) => { load(address); }", address)
    page.wait_for_timeout(100)
    page.locator("html[data-seen*='\"ready\"'][data-seen*='],[\"ready\"']").wait_for(
        state="attached"
    )

    assert page.locator("iframe").count() == 3
    pay(page, shop, second)


def test_inputs_of_the_shop_are_sent_too(shop: FormShop, page: Page) -> None:
    checkout = enter(page, shop, pages.INPUTS)
    type_card(page)
    page.check("#keep")
    press_pay(page)
    assert_paid(page, shop, checkout)

    paid = shop.client.get(f"v1/checkouts/{checkout}/payment").body
    assert paid["customParameters"] == {"SHOPPER_order": "4711"}
    assert len(paid["registrationId"]) == 32


@pytest.mark.parametrize(
    "classes", ["wpwl-container-card", "wpwl-container wpwl-container-card".replace(" ", "."),
                "wpwl-container.wpwl-container-card.wpwl-clearfix"],
    ids=["one", "two", "more"],
)  # fmt: skip
def test_a_button_of_the_shop_pays(shop: FormShop, page: Page, classes: str) -> None:
    checkout = enter(page, shop, pages.OWN_BUTTON)
    type_card(page)
    page.evaluate(
        "(classes) => { document.getElementById('own').setAttribute('data-classes', classes); }",
        classes,
    )
    page.get_by_role("button", name="Order now").click()
    assert_paid(page, shop, checkout)


def test_what_came_later_is_there_or_not_in_page_and_frames(
    shop: FormShop, page: Page, request: pytest.FixtureRequest
) -> None:
    enter(page, shop, pages.TAG_LAST)
    is_oldest = request.node.callspec.params["page"] == "oldest"

    for frame in page.frames:
        frame.evaluate(
            """document.documentElement.lang = [typeof fetch, typeof Promise, typeof "".includes,
              typeof document.body.closest].join()"""
        )
        found = frame.locator("html").get_attribute("lang")
        assert found == ",".join(["undefined" if is_oldest else "function"] * 4)
