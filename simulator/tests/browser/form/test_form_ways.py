"""Ways through the form beside paying by card at once: storing an account, the bank in another
window, a checkout that is being paid elsewhere; and what its frames take from a page.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Page, Request, Route, expect

from simulator.tests.browser.form.shop_pages import OPTIONS, page_of
from simulator.tests.browser.form_page import (
    calls_of,
    field,
    open_form,
    press_pay,
    type_card,
    violations_in,
    wait_until_called,
    watching,
)
from simulator.tests.browser.form_shop import FormShop, form_shop
from simulator.tests.kit.running import serving
from simulator.tests.merchants.test_requirements import ADDRESS

pytestmark = pytest.mark.timeout(600)

PAID = "000.100.110"
WITH_METHOD, WITHOUT = "5200000000000015", "5200000000000064"
ELEMENT = '<form action="{result}" class="paymentWidgets" data-brands="BRANDS"></form>'
# What a page that has read the secret of its frames posts to the relay.
TO_RELAY = """(content) => {
  var relay = document.querySelector('iframe[src*="form/relay"]');
  content.s = 1;
  content.w = /#([0-9a-f]{32})/.exec(relay.src)[1];
  relay.contentWindow.postMessage(JSON.stringify(content), "*");
}"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FormShop]:
    channel = {"three_d_secure": {"MASTER": "2.2.0"}, "brands": ["VISA", "MASTER", "APPLEPAY"]}
    with (
        serving(tmp_path_factory.mktemp("form") / "data") as running,
        form_shop(running, merchants=[{"channels": [channel]}]) as shop,
    ):
        yield shop


@pytest.fixture
def posted(page: Page) -> list[Request]:
    """The payments that the form posts."""
    found: list[Request] = []
    page.on(
        "request",
        lambda request: (
            found.append(request)
            if request.method == "POST" and request.url.endswith(("/payment", "/registration"))
            else None
        ),
    )
    return found


def open_registration(page: Page, shop: FormShop, brands: str, slash: str = "/") -> str:
    """Open the form that stores an account, and return the id of its checkout."""
    answer = shop.client.post("v1/checkouts", {"createRegistration": "true"})
    tag = f'<script src="{{script}}{slash}registration"></script>'
    page.goto(shop.publish(page_of(OPTIONS + tag, ELEMENT.replace("BRANDS", brands)), answer.id))
    wait_until_called(page, "ready")
    return answer.id


@pytest.mark.parametrize("slash", ["/", "%2F"], ids=["plain", "encoded"])
def test_a_card_is_stored_and_pays_later(shop: FormShop, page: Page, slash: str) -> None:
    checkout = open_registration(page, shop, "VISA", slash)
    type_card(page)
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/result?**")

    assert f"resourcePath=%2Fv1%2Fcheckouts%2F{checkout}%2Fregistration" in page.url
    stored = shop.client.get(f"v1/checkouts/{checkout}/registration").body
    assert (stored["result"]["code"], stored["paymentBrand"]) == (PAID, "VISA")
    open_form(page, shop, **{"registrations[0].id": stored["id"]})
    page.frame_locator("#wpwl-registrations iframe").locator("input").fill("123")
    page.click("#wpwl-registrations button")
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID


def test_the_card_of_a_wallet_is_stored(shop: FormShop, page: Page) -> None:
    checkout = open_registration(page, shop, "APPLEPAY")
    page.click("button.wpwl-button-pay")
    sheet = page.frame_locator("iframe.wpwl-sheet")
    sheet.locator('input[value="master"]').check()
    sheet.locator("button.main").click()
    page.wait_for_url("**/result?**")

    stored = shop.client.get(f"v1/checkouts/{checkout}/registration").body
    assert (stored["result"]["code"], stored["card"]["last4Digits"]) == (PAID, "5454")


def enter_code(bank: object) -> None:
    """Answer the page of the bank with the code that it shows."""
    bank.locator("input.code").fill(bank.locator(".note b").inner_text())
    bank.locator("button.main").click()


def test_the_bank_takes_the_whole_tab_where_the_page_wants_it(shop: FormShop, page: Page) -> None:
    open_form(page, shop, watching(more=', paymentTarget: "_top"'), **ADDRESS)
    type_card(page, number=WITHOUT)
    press_pay(page)
    page.locator("input.code").wait_for()

    assert not page.url.startswith(shop.url)
    enter_code(page)
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID


def test_the_bank_takes_a_frame_of_the_shop(shop: FormShop, page: Page) -> None:
    own = '<iframe name="bank" title="Bank" width="300" height="300"></iframe>'
    checkout = shop.prepare(**ADDRESS)
    page.goto(shop.show(checkout, watching(more=', paymentTarget: "bank"'), after=own))
    wait_until_called(page, "ready")
    type_card(page, number=WITHOUT)
    press_pay(page)
    enter_code(page.frame_locator('iframe[name="bank"]').frame_locator("iframe"))
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == PAID


def test_a_checkout_that_is_being_paid_is_not_paid_twice(
    shop: FormShop, page: Page, tmp_path: Path, posted: list[Request]
) -> None:
    other = page.context.new_page()
    checkout = open_form(page, shop)
    other.goto(f"{shop.gateway}form/{checkout}")
    other.locator('iframe[name="card.cvv"]').wait_for()
    shop.control.arm_script(shop.sandbox, "acquirer-silent", times=1)
    type_card(page)
    type_card(other)
    press_pay(page)
    page.locator(".wpwl-spinner").wait_for()
    while not posted:
        page.wait_for_timeout(20)
    page.wait_for_timeout(300)
    press_pay(other)
    other.locator(".wpwl-message:not(:empty)").wait_for()
    other.reload()
    other.get_by_text("The payment is being processed").wait_for()
    other.screenshot(path=tmp_path / "under-way.png")

    assert violations_in(other) == []
    assert other.locator("form, iframe").count() == 0
    shop.control.advance_clock(shop.sandbox, by="31s")
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) != PAID
    other.reload()
    other.locator('iframe[name="card.cvv"]').wait_for()
    type_card(other)
    press_pay(other)
    other.get_by_text("This order is already paid").wait_for()


def called_in(page: Page) -> list[str]:
    """The addresses that frames inside the relay went to."""
    (relay,) = (each for each in page.frames if "/form/relay" in each.url)
    return [each.url for each in relay.child_frames]


def test_the_method_of_an_issuer_is_called_where_the_gateway_says(
    shop: FormShop, page: Page
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_form(page, shop, **ADDRESS)
    stolen = {"t": "call", "url": f"{shop.url}/stolen", "parameters": [],
              "method": {"url": f"{shop.url}/stolen", "parameters": []}}  # fmt: skip
    page.evaluate(TO_RELAY, stolen)
    page.wait_for_timeout(100)
    assert called_in(page) == [], "no issuer was named yet"

    type_card(page, number=WITH_METHOD)
    press_pay(page)
    page.evaluate(TO_RELAY, stolen)
    enter_code(page.frame_locator("iframe.wpwl-target").frame_locator('iframe[name="challenge"]'))
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID
    assert not any("stolen" in url for url in asked)


@pytest.mark.proof
def test_a_method_that_never_answers_keeps_the_shopper_ten_seconds(
    shop: FormShop, page: Page
) -> None:
    open_form(page, shop, **ADDRESS)
    page.route("**/*ethod*", lambda route: None)
    type_card(page, number=WITH_METHOD)
    began = monotonic()
    press_pay(page)
    page.frame_locator("iframe.wpwl-target").frame_locator('iframe[name="challenge"]').locator(
        "input.code"
    ).wait_for()

    assert 10 <= monotonic() - began < 15


@pytest.mark.parametrize("width", ["2000px", 2000, "300%"])
def test_the_frame_of_the_bank_is_not_wider_than_the_window(
    shop: FormShop, page: Page, width: object
) -> None:
    size = json.dumps({"width": width, "height": 400})
    open_form(page, shop, watching(more=f", threeDIframeSize: {size}"), **ADDRESS)
    type_card(page, number=WITHOUT)
    press_pay(page)
    page.frame_locator("iframe.wpwl-target").frame_locator("iframe").locator(
        "input.code"
    ).wait_for()

    assert page.locator("iframe.wpwl-target").bounding_box()["width"] <= 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("url", ["javascript:parent.seen.push(1)", "data:text/html,x", "", None])
def test_a_method_whose_address_is_no_page_is_not_called(
    shop: FormShop, page: Page, url: str | None
) -> None:
    def answer(route: Route) -> None:
        given = route.fetch()
        body = given.json()
        for each in body["redirect"]["preconditions"]:
            each["url"] = url
        route.fulfill(response=given, body=json.dumps(body))

    page.route("**/v1/checkouts/*/payment", answer)
    open_form(page, shop, **ADDRESS)
    type_card(page, number=WITH_METHOD)
    press_pay(page)
    page.locator("iframe.wpwl-target").wait_for()
    page.wait_for_timeout(100)

    assert called_in(page) == []
    assert [text for text in page.said if "Policy" in text] == []


def test_more_than_a_message_holds_is_not_posted_and_is_said(
    shop: FormShop, page: Page, posted: list[Request]
) -> None:
    open_form(page, shop)
    type_card(page)
    page.evaluate(
        """document.querySelector("form.wpwl-form-card").insertAdjacentHTML("beforeend",
        '<textarea name="customParameters[SHOPPER_x]" hidden></textarea>')"""
    )
    area = page.locator("textarea")
    area.evaluate("(each) => { each.value = 'x'.repeat(70000); }")
    press_pay(page)
    wait_until_called(page, "error")

    expect(page.locator(".wpwl-message")).to_have_text("Please check the marked fields")
    assert calls_of(page)[-1][1] == "PciIframeSubmitError"
    page.evaluate(
        TO_RELAY, {"t": "pay", "kind": "payment", "owner": "", "fields": [["x" * 70_000]]}
    )
    page.wait_for_timeout(100)
    assert posted == []
    area.evaluate("(each) => each.remove()")
    press_pay(page)
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID
    assert len(posted) == 1


# A page that knows its secret posts what its script never would.
ODD = (
    {"t": "pay", "fields": None}, {"t": "pay", "fields": [None]}, {"t": "pay", "fields": "x"},
    {"t": "pay", "fields": {"length": 3}}, {"t": "call", "method": {"url": "x"}},
)  # fmt: skip


def test_what_the_relay_cannot_read_leaves_it_as_it_was(
    shop: FormShop, page: Page, posted: list[Request]
) -> None:
    open_form(page, shop)
    type_card(page)
    for content in ODD:
        page.evaluate(TO_RELAY, content)
    page.wait_for_timeout(100)

    assert posted == []
    press_pay(page)
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID


def test_half_a_sign_in_a_name_does_not_keep_the_form_waiting(shop: FormShop, page: Page) -> None:
    open_form(page, shop)
    type_card(page)
    page.evaluate("document.querySelector('input[name=\"card.holder\"]').value = 'Jane \\ud83d'")
    press_pay(page)
    page.locator(".wpwl-message:not(:empty), h1:has-text('Thank you')").wait_for()

    if "/result" not in page.url:
        page.fill('input[name="card.holder"]', "Jane Jones")
        press_pay(page)
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID


# What a page posts to the frame of the number that knows its secret.
TO_NUMBER = TO_RELAY.replace('iframe[src*="form/relay"]', 'iframe[name="card.number"]')
SETUPS = (
    {"t": "setup", "offered": ["__proto__", None, {}, 7, "constructor"] * 500},
    {"t": "setup", "style": "x" * 1000, "placeholderStyle": [None, 7], "lang": {}, "mask": "no"},
    {"t": "describe", "brand": "__proto__", "label": "<img src=x onerror=alert(1)>" * 500},
    {"t": "describe", "brand": {"toString": 1}, "hint": ["<script>"], "bin": "yes"},
    {"t": "check"}, {"t": "focus"},
)  # fmt: skip


def test_what_the_frame_of_the_number_cannot_read_shows_and_says_nothing(
    shop: FormShop, page: Page
) -> None:
    open_form(page, shop)
    type_card(page)
    page.evaluate("messages.length = 0")
    for content in SETUPS:
        page.evaluate(TO_NUMBER, content)
    page.wait_for_timeout(200)
    number = field(page, "card.number")
    sent = page.evaluate("messages.join()")

    assert number.evaluate("() => document.images.length + document.scripts.length") == 1
    assert "420000" not in sent.replace(" ", "")
    number.fill("")
    number.press_sequentially("4200000000000000")
    press_pay(page)
    page.wait_for_url("**/result?**")
    assert shop.result_at(page.url) == PAID
