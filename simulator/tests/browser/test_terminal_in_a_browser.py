"""The page of `sandgate terminal run`, as a trainer sees it in a browser, small and large.

Screenshots lie in the temporary folder of each test.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from simulator.client.processes import python, running_server
from simulator.tests.browser.test_form_in_a_browser import violations_in
from simulator.tests.browser.windows import cut_on_paper, window
from simulator.tests.kit.running import clean_environment, serving
from simulator.variables import variables_of

pytestmark = pytest.mark.timeout(600)

COMMAND = ("terminal", "run", "--port", "0", "--ready-json", "--folder")
RUN = "import sys; sys.argv[1:] = {}; from simulator.__main__ import main; main()"
SMALL, LARGE, PHONE = (320, 640), (1440, 900), (390, 844)
OF_SANDBOX = ("SANDGATE_SANDBOX_ID", "SANDGATE_ENTITY_ID", "SANDGATE_TOKEN")
RATES = 'markup = "3.5"\n[rates]\nEUR = "1"\nUSD = "1.2"\n'
STICKING_OUT = """() => [...document.querySelectorAll("body *")]
    .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
    .map(each => each.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Those of a gateway."""
    with serving(tmp_path_factory.mktemp("gateway") / "data") as running:
        known = clean_environment() | variables_of(running.facts)
        yield {name: known[name] for name in known if name not in OF_SANDBOX}


@contextmanager
def page_of(variables: dict[str, str], folder: Path, *options: str) -> Iterator[str]:
    """The address of the page of a terminal in a sandbox of its own: cards of a new folder begin to
    count anew, which an issuer that knows them declines.
    """
    command = python(RUN.format([*COMMAND, str(folder), *options]))
    with running_server(command, environment=variables) as server:
        yield server.facts["page_url"]


@pytest.fixture(scope="module")
def terminal(variables: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of a countertop terminal."""
    with page_of(variables, tmp_path_factory.mktemp("terminal")) as address:
        yield address


@pytest.fixture(scope="module")
def portable(variables: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page of a portable terminal with rates and a position."""
    folder = tmp_path_factory.mktemp("portable")
    (folder / "rates.toml").write_text(RATES)
    options = ("--conversion", str(folder / "rates.toml"), "--position", "52.52,13.4")
    with page_of(variables, folder / "kept", "--model", "PORTABLE", *options) as address:
        yield address


def start(page: Page, amount: str) -> None:
    page.fill("input[name=amount]", amount)
    page.click("#start")
    page.locator(".zone.open").first.wait_for()


def ended(page: Page) -> str:
    """The message of the till, once a payment is over."""
    page.locator("#message:not(:empty)").wait_for()
    return page.locator("#message").inner_text()


def pay_by_tap(page: Page) -> None:
    """Pay 12.00 by keyboard alone."""
    start(page, "12.00")
    page.focus("[data-card=gold]")
    page.keyboard.press("Enter")
    page.focus("[data-way=tap]")
    page.keyboard.press("Enter")
    assert "approved" in ended(page)


def test_a_dip_by_dragging_and_a_tap_by_keyboard(
    browser: Browser, terminal: str, tmp_path: Path
) -> None:
    with window(browser, LARGE) as page:
        page.goto(terminal)
        start(page, "60.00")
        page.screenshot(path=tmp_path / "asked.png")
        page.drag_and_drop("[data-card=gold]", ".zone.chip")
        page.locator("#asked", has_text="green key").wait_for()
        page.keyboard.type("12345")
        page.keyboard.press("Backspace")
        assert page.locator("#stars").inner_text() == "****"
        page.click("[data-key=confirm]")

        assert "approved" in ended(page)
        page.locator("#trace .event").first.wait_for()
        steps = page.locator("#events").inner_text()
        assert "GENERATE AC" in steps and "EXTERNAL AUTHENTICATE" in steps
        page.locator("#events summary", has_text="GENERATE AC").first.click()
        assert "9F27" in page.locator("#events").inner_text()
        assert "CARDHOLDER COPY" in page.locator("#paper").inner_text()
        assert page.locator(".entry .sum").first.inner_text() == "EUR 60.00"
        page.screenshot(path=tmp_path / "paid.png", full_page=True)
        assert violations_in(page) == []
        assert page.evaluate(STICKING_OUT) == []

        pay_by_tap(page)
        assert page.said == []


def test_the_messages_of_a_payment_stay_when_the_day_is_closed(
    browser: Browser, terminal: str
) -> None:
    with window(browser, LARGE) as page:
        page.goto(terminal)
        pay_by_tap(page)
        page.locator("#trace .event").first.wait_for()
        messages, receipt = page.locator("#trace").inner_text(), page.inner_text("#which")
        assert cut_on_paper(page) == []
        page.emulate_media(media="screen")

        page.click("#close-batch")
        page.locator("#batch", has_text="is closed").wait_for()
        page.locator("#empty:visible").wait_for()

        assert page.inner_text("#which") == receipt
        assert page.locator("#trace").inner_text() == messages
        assert page.locator("#no-trace:visible").count() == 0


@pytest.mark.parametrize("size", [(1280, 720), (1280, 800), (1920, 1080), PHONE, (360, 740)])
def test_a_payment_needs_no_scrolling(
    browser: Browser, terminal: str, tmp_path: Path, size: tuple[int, int]
) -> None:
    with window(browser, size) as page:
        page.goto(terminal)
        expect(page.locator("#start")).to_be_in_viewport(ratio=1)
        start(page, "12.00")
        page.screenshot(path=tmp_path / "asked.png")
        for name in ("#display", ".zone.tap", ".zone.chip", ".zone.magstripe"):
            expect(page.locator(name)).to_be_in_viewport(ratio=1)
        page.click(".zone.chip")
        page.get_by_text("ENTER PIN").wait_for()
        for key in ("1", "2", "3", "4"):
            expect(page.locator(f'[data-digit="{key}"]')).to_be_in_viewport(ratio=1)
        page.keyboard.type("1234")
        expect(page.locator('[data-key="confirm"]')).to_be_in_viewport(ratio=1)
        page.click('[data-key="confirm"]')
        # Beside each other, all of it stands in the window; one below the other, the page follows.
        assert size[0] < 760 or page.evaluate("scrollY") == 0
        assert "approved" in ended(page)


@pytest.mark.parametrize("place", ["[data-way=chip]", ".zone.chip"])
def test_enter_confirms_a_pin_where_the_card_was_inserted(
    browser: Browser, terminal: str, place: str
) -> None:
    with window(browser, LARGE) as page:
        page.goto(terminal)
        start(page, "60.00")
        page.click("[data-card=gold]")
        page.click(place)
        page.locator("#asked", has_text="green key").wait_for()
        page.keyboard.type("1234")
        page.keyboard.press("Enter")
        assert "approved" in ended(page)


def test_a_device_without_keys_draws_them_on_its_screen_for_a_pin(
    browser: Browser, variables: dict[str, str], tmp_path: Path
) -> None:
    model = ("--model", "MOBILE")
    with page_of(variables, tmp_path / "t", *model) as address, window(browser, PHONE) as page:
        page.goto(address)
        expect(page.locator(".key:visible")).to_have_count(0)
        start(page, "60.00")
        expect(page.locator(".key:visible")).to_have_count(1)
        page.click("[data-card=gold]")
        page.click("[data-way=chip]")
        for digit in "1234":
            page.click(f".screen [data-digit='{digit}']")
        page.screenshot(path=tmp_path / "pin.png")
        assert page.evaluate(STICKING_OUT) == [] and violations_in(page) == []
        page.click("[data-key=confirm]")

        assert "approved" in ended(page) and page.said == []


def test_a_small_window_in_the_dark(browser: Browser, terminal: str, tmp_path: Path) -> None:
    with window(browser, SMALL, color_scheme="dark") as page:
        page.goto(terminal)
        start(page, "61.00")
        page.click("[data-card=sign]")
        assert "signature" in page.locator("#about").inner_text()
        assert page.locator("[data-way=tap]").is_disabled()
        page.click("[data-way=chip]")
        page.locator("#labels button").first.wait_for()
        page.screenshot(path=tmp_path / "sign.png", full_page=True)
        assert violations_in(page) == []
        page.locator("#labels button").first.click()
        assert "approved" in ended(page)

        start(page, "5.00")
        page.keyboard.press("Escape")
        assert "canceled" in ended(page)
        page.click("#cable")
        page.locator("#cable[aria-checked=false]").wait_for()
        page.click("#cable")
        page.locator("#cable[aria-checked=true]").wait_for()
        page.click("#totals")
        page.locator("#batch table").wait_for()
        page.screenshot(path=tmp_path / "small.png", full_page=True)
        assert page.evaluate(STICKING_OUT) == []
        assert violations_in(page) == [] and page.said == []


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["large", "phone"])
def test_a_currency_is_chosen_by_button_and_by_key(
    browser: Browser, portable: str, tmp_path: Path, size: tuple[int, int]
) -> None:
    with window(browser, size) as page:
        page.goto(portable)
        page.select_option("select[name=currency]", "USD")
        start(page, "60.00")
        page.click("[data-way=tap]")
        offer = page.locator("#labels.amounts button")
        offer.first.wait_for()
        assert [each.split() for each in offer.all_inner_texts()] == [
            ["1", "USD", "60.00"], ["2", "EUR", "51.75"]
        ]  # fmt: skip
        assert "3.5 % MARKUP" in page.locator("#terms").inner_text()
        page.screenshot(path=tmp_path / "offer.png", full_page=True)
        assert violations_in(page) == [] and page.evaluate(STICKING_OUT) == []
        page.keyboard.press("2")
        page.locator("#display", has_text="TAP AGAIN").wait_for()
        assert "EUR 51.75" in page.locator("#display").inner_text()
        page.click("[data-way=tap]")
        page.locator("#asked", has_text="green key").wait_for()
        page.keyboard.type("1234")
        page.click("[data-key=confirm]")

        assert "approved" in ended(page)
        assert "charged EUR 51.75" in page.locator(".entry .how").first.inner_text()
        assert "I CHOSE TO PAY IN EUR" in page.locator("#paper").inner_text()
        assert page.said == []


def test_a_position_is_typed(browser: Browser, portable: str) -> None:
    with window(browser, LARGE) as page:
        page.goto(portable)
        position = page.locator("#position")
        expect(position).to_have_value("52.52,13.4")
        position.fill("north")
        page.click("#gps button")
        page.locator("#problem", has_text="latitude and longitude").wait_for()
        position.fill("48.1, 11.5, 8")
        page.click("#gps button")
        expect(position).to_have_value("48.1,11.5,8")
        expect(page.locator("#problem")).to_be_hidden()


@pytest.mark.parametrize(
    ("model", "swipes", "keys", "prints"),
    [("MOBILE", False, False, False), ("UNATTENDED", True, False, True),
     ("INTEGRATED", True, True, False)],
)  # fmt: skip
def test_a_page_has_what_its_model_has(
    browser: Browser, variables: dict[str, str], tmp_path: Path, model: str, swipes: bool,
    keys: bool, prints: bool,
) -> None:  # fmt: skip
    with (
        page_of(variables, tmp_path / "kept", "--model", model) as address,
        window(browser, PHONE) as page,
    ):
        page.goto(address)
        start(page, "12.00")
        page.screenshot(path=tmp_path / "asked.png", full_page=True)
        parts = (".zone.magstripe", "#typed", ".printer", "#gps")
        assert [page.locator(each).count() for each in parts] == [swipes, keys, prints, False]
        assert page.evaluate(STICKING_OUT) == []
        page.click("[data-way=tap]")
        assert "approved" in ended(page)
        assert page.locator("#papers", has_text="Printed at the till").count() == (not prints)
        with page.expect_download() as saved:
            page.click("[data-form=pdf]")
        assert Path(saved.value.path()).read_bytes().startswith(b"%PDF-")
        assert page.said == []


def test_what_the_terminal_refuses_is_said(browser: Browser, terminal: str) -> None:
    with window(browser, LARGE) as page:
        page.goto(terminal)
        page.click(".zone.tap")
        page.locator("#problem:not([hidden])").wait_for()
        assert "start a payment" in page.locator("#problem").inner_text()
        page.fill("input[name=amount]", "twelve")
        page.click("#start")
        page.locator("#problem", has_text="expected digits").wait_for()
