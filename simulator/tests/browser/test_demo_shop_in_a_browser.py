"""Each story of `sandgate shop`, as a shopper and a trainer see it in a browser.

Screenshots lie in the temporary folder of each test.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from demo_shop.stories import LOCALES, STORIES, STYLES, VISA
from simulator.client.processes import python, running_server
from simulator.tests.browser.test_form_in_a_browser import type_card, violations_in
from simulator.tests.browser.windows import LARGE, window
from simulator.tests.kit.running import Serving, clean_environment, serving
from simulator.tests.kit.trees import ROOT
from simulator.variables import variables_of

pytestmark = pytest.mark.timeout(600)

COMMAND = ("shop", "--port", "0", "--ready-json")
RUN = f"import sys; sys.argv[1:] = {list(COMMAND)}; from simulator.__main__ import main; main()"
CALL = ".entry summary b"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("shop") / "data") as running:
        yield running


@pytest.fixture(scope="module")
def shop(gateway: Serving) -> Iterator[str]:
    environment = clean_environment() | variables_of(gateway.facts)
    with running_server(python(RUN), environment=environment) as server:
        assert server.facts["base_url"] == gateway.facts["base_url"]
        yield server.facts["shop_url"]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with window(browser, LARGE) as page:
        yield page


def order(page: Page, shop: str, story: str, locale: str = "en", style: str = "card") -> None:
    """Choose goods and a story, and come to the page with the form."""
    page.goto(shop)
    page.check(f"input[value={story}]")
    page.select_option("select[name=locale]", locale)
    page.select_option("select[name=style]", style)
    page.click("text=Go to checkout")
    page.locator(".wpwl-container").first.wait_for()


def pay(page: Page, number: str, brand: str = "VISA") -> None:
    """Type a card and press pay."""
    if page.locator("select[name=paymentBrand]").count():
        page.select_option("select[name=paymentBrand]", brand)
    type_card(page, number=number)
    page.click(".wpwl-form-card button.wpwl-button-pay")


def called(page: Page) -> str:
    """The lines of the timeline."""
    return "\n".join(page.locator(CALL).all_inner_texts())


def refused_by_policy(page: Page) -> list[str]:
    """What a page did that its policy forbids, and the errors of its scripts."""
    return [text for text in page.said if "Policy" in text or "Error" in text]


@pytest.mark.parametrize(
    ("story", "brand", "code"),
    [
        ("approved", "VISA", "000.100.110"),
        ("declined", "VISA", "800.100.203"),
        ("frictionless", "MASTER", "000.100.110"),
        ("timeout", "VISA", "900.100.400"),
    ],
)
def test_a_card_of_the_page_leads_to_the_result_of_its_story(
    page: Page, shop: str, tmp_path: Path, story: str, brand: str, code: str
) -> None:
    order(page, shop, story)
    number = page.locator(".copy").first.get_attribute("data-copy")
    page.screenshot(path=tmp_path / "pay.png", full_page=True)
    pay(page, number, brand)
    page.wait_for_url("**/back?**")
    page.locator(CALL, has_text="Webhook PAYMENT").first.wait_for()
    page.locator(".entry").first.click()
    page.screenshot(path=tmp_path / "result.png", full_page=True)

    assert page.locator("main dl").inner_text().count(code) == 1
    is_success = code.startswith("000.")
    marked = page.locator(".outcome.declined").all_inner_texts()
    assert any(code in each for each in marked) is not is_success
    assert not any("000." in each for each in marked)
    assert "POST /v1/checkouts" in called(page) and "/payment" in called(page)
    assert page.evaluate("document.querySelector('.trace img').complete") is True
    assert refused_by_policy(page) == []
    assert number not in page.content() and "Bearer ********" in page.content()


def test_the_bank_asks_in_the_form(page: Page, shop: str, tmp_path: Path) -> None:
    order(page, shop, "challenge")
    pay(page, STORIES[2].cards[0], "MASTER")
    bank = page.frame_locator("iframe.wpwl-target").frame_locator('iframe[name="challenge"]')
    code = bank.locator(".note b").inner_text()
    page.screenshot(path=tmp_path / "asked.png", full_page=True)
    bank.locator("input.code").fill(code)
    bank.locator("button.main").click()
    page.wait_for_url("**/back?**")

    assert "000.100.110" in page.locator("main").inner_text()
    assert refused_by_policy(page) == []


def test_a_stored_card_pays_by_one_click(page: Page, shop: str, tmp_path: Path) -> None:
    order(page, shop, "stored")
    page.screenshot(path=tmp_path / "stored.png", full_page=True)
    page.click("#wpwl-registrations button.wpwl-button-pay")
    page.wait_for_url("**/back?**")

    assert "000.100.110" in page.locator("main").inner_text()
    assert called(page).startswith("POST /v1/registrations")
    assert "card.number = ********0000" in page.content()


def test_a_shopper_pays_at_a_bank(page: Page, shop: str, tmp_path: Path) -> None:
    order(page, shop, "redirect")
    page.screenshot(path=tmp_path / "redirect.png", full_page=True)
    page.locator("button.wpwl-button-pay").first.click()
    page.locator("button.main").first.click()
    page.wait_for_url("**/back?**")

    assert "000.100.110" in page.locator("main").inner_text()
    assert refused_by_policy(page) == []


def test_the_gateway_calls_for_a_shopper_who_never_comes_back(
    page: Page, shop: str, tmp_path: Path
) -> None:
    order(page, shop, "abandoned")
    pay(page, STORIES[0].cards[0])
    page.get_by_text("The shopper has left").wait_for()
    page.screenshot(path=tmp_path / "left.png", full_page=True)
    page.click("text=Let 29 minutes pass")
    page.get_by_text("Thank you, it is paid").wait_for()

    parties = page.locator(".parties").all_inner_texts()
    assert "Gateway to shop" in parties and "Browser to shop" not in parties
    assert "clock/advance" in called(page)


@pytest.mark.parametrize("width", [320, 1280])
def test_each_page_is_for_everyone_and_for_every_width(
    page: Page, shop: str, tmp_path: Path, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    found = []
    page.goto(shop)
    for name in ("goods", "pay", "result"):
        page.screenshot(path=tmp_path / f"{name}.png", full_page=True)
        found += violations_in(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if name == "goods":
            order(page, shop, "approved")
        elif name == "pay":
            pay(page, STORIES[0].cards[0])
            page.wait_for_url("**/back?**")
            for entry in page.locator(".entry summary").all():
                entry.click()

    assert found == []
    diagram = page.locator(".trace img").bounding_box()
    assert diagram["width"] >= 500, "its words can be read, the box scrolls"
    is_cut = page.evaluate(
        "(box => box.scrollWidth > box.clientWidth)(document.querySelector('.trace'))"
    )
    assert is_cut is (width < 720)


def test_the_page_offers_the_languages_and_styles_of_the_form(page: Page, shop: str) -> None:
    order(page, shop, "approved", locale="ar", style="plain")

    form = page.locator("form.wpwl-form-card")
    assert form.get_attribute("lang") == "ar"
    assert "wpwl-style-plain" in (form.get_attribute("class") or "")
    page.goto(shop)
    assert page.locator("select[name=locale] option").count() == len(LOCALES) == 25
    assert page.locator("select[name=style] option").all_inner_texts() == list(STYLES)


def test_the_policy_of_the_shop_is_strict(page: Page, shop: str) -> None:
    policy = page.goto(shop).headers["content-security-policy"]

    assert policy.startswith("default-src 'none'")
    assert re.search(r"unsafe|\*|data:", policy) is None


def test_the_shop_in_20_lines_takes_a_card(page: Page, gateway: Serving) -> None:
    variables = clean_environment() | variables_of(gateway.facts)
    command = [sys.executable, str(ROOT / "examples" / "shop" / "shop.py")]
    with subprocess.Popen(
        command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            page.goto(process.stdout.readline().strip())
            page.locator(".wpwl-container").first.wait_for()
            pay(page, VISA)
            page.wait_for_url("**/result?**")
            assert page.locator("body").inner_text().startswith("000.100.110 ")
        finally:
            process.terminate()
