"""What is typed into a frame of the form stays there, whatever the page around it does."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from simulator.tests.browser.conftest import CHANNEL
from simulator.tests.browser.form_page import (
    calls_of,
    field,
    open_form,
    press_pay,
    type_card,
    wait_until_called,
    watching,
)
from simulator.tests.browser.form_shop import FormShop, form_shop
from simulator.tests.kit.running import serving

pytestmark = pytest.mark.timeout(600)

NUMBER, CODE = "4539148803436467", "7391"
AMEX = "378282246310005"
PAID = "000.100.110"
# As text, in groups, as JSON, as a form, as a query; the code is too short to be looked for alone.
NUMBERS = re.compile(rf"{NUMBER}|{AMEX}|4539 1488|3782 822463|3782822463")
CODES = re.compile(rf"""["'=>]{CODE}["'&<]|cvv\W{{1,6}}{CODE}""")


class Place(NamedTuple):
    """A shop, and the folder and the log of its gateway."""

    shop: FormShop
    folder: Path
    log: Path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("isolation")
    with (
        (folder / "log").open("wb") as log,
        serving(folder / "data", "--log-level", "debug", log=log) as running,
        form_shop(running, merchants=[{"channels": [CHANNEL]}]) as shop,
    ):
        yield Place(shop, folder / "data", folder / "log")


@pytest.fixture
def shop(place: Place) -> FormShop:
    return place.shop


def secrets_in(text: str) -> list[str]:
    """Numbers and codes in a text."""
    return NUMBERS.findall(text) + CODES.findall(text)


def enter(page: Page, shop: FormShop) -> str:
    """Open a form in a page without a policy, which may do all that pages can; its checkout."""
    checkout = shop.prepare()
    address = shop.show(checkout, watching())
    shop.headers = {}
    page.goto(address)
    wait_until_called(page, "ready")
    return checkout


def test_a_number_and_a_code_are_noticed() -> None:
    found = secrets_in(f'{{"card.cvv":"{CODE}"}} card.number=3782+822463 number={AMEX}&')

    assert len(found) == 2


def test_number_and_code_are_nowhere(place: Place, browser: Browser) -> None:
    shop = place.shop
    context = browser.new_context()
    context.set_default_timeout(15_000)
    messages: list[str] = []
    context.expose_binding("keepMessage", lambda _, text: messages.append(text))
    context.add_init_script(
        """window.addEventListener("message", function (event) {
          window.keepMessage(location.pathname + " " + String(event.data)); }, true);"""
    )
    page = context.new_page()
    urls: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.on("console", lambda line: said.append(line.text))
    checkout = open_form(page, shop, watching(more=", onDetectBin: function () {}"))
    type_card(page, number=AMEX, code=CODE)
    kept = page.evaluate(
        "[document.documentElement.outerHTML, JSON.stringify(localStorage), document.cookie].join()"
    )
    press_pay(page)
    page.wait_for_url("**/result?**")
    context.close()

    types = {json.loads(text.split(" ", 1)[1])["t"] for text in messages}
    assert {"hello", "setup", "open", "opened", "typed", "check", "right", "pay", "done"} <= types
    paid = shop.client.get(f"v1/checkouts/{checkout}/payment").body
    assert paid["result"]["code"] == PAID
    assert paid["card"]["last4Digits"] == AMEX[-4:], "it was this card that paid"
    trace = shop.control.trace(shop.sandbox, paid["id"])
    journal = json.dumps(shop.control.journal(shop.sandbox))
    for name, text in {
        "messages": "\n".join(messages), "addresses": "\n".join(urls), "page": kept,
        "console": "\n".join(said), "journal": journal, "trace": trace,
        "answer": json.dumps(paid), "log": place.log.read_text(encoding="utf-8"),
    }.items():  # fmt: skip
        assert text or name in ("console", "log"), name
        assert secrets_in(text) == [], name
    for path in place.folder.rglob("*"):
        if path.is_file():
            assert secrets_in(path.read_bytes().decode("latin-1")) == [], path.name


# A page asks by rows of its own whether the first digit is a 4, then a 5, and so on.
ASK = """(function () {
  var frame = document.querySelector('iframe[name="card.number"]');
  var secret = /#([0-9a-f]{32})/.exec(frame.src)[1];
  function post(type, content) {
    content.s = 1; content.w = secret; content.t = type;
    frame.contentWindow.postMessage(JSON.stringify(content), '*');
  }
  var brands = [], rows = {};
  for (var i = 0; i < 10; i += 1) {
    rows["IS" + i] = {ranges: [[String(i), String(i)]], lengths: [16], cvv: 3, luhn: false,
      detected: true};
    brands.push("IS" + i);
  }
  post("setup", {rows: rows, offered: brands, brandRows: rows});
  brands.forEach(function (brand) {
    post("brand", {brand: brand, row: rows[brand], rows: rows});
    post("check", {rows: rows});
  });
}())"""


def test_a_page_cannot_ask_for_digit_after_digit(shop: FormShop, page: Page) -> None:
    enter(page, shop)
    field(page, "card.number").press_sequentially(NUMBER)
    page.wait_for_function("messages.some(text => JSON.parse(text).complete)")
    page.evaluate("messages.length = 0")
    page.evaluate(ASK)
    page.wait_for_function("messages.length >= 10")
    field(page, "card.number").press("End")
    answers = [json.loads(text) for text in page.evaluate("messages")]
    keys = {each.get("key") for each in answers if each["t"] in ("right", "wrong")}

    assert len(keys) == 1, "each question has the same answer"
    assert not any(each.get("brands") for each in answers)


# Everything the page of a shop may try on the window of a frame; each must throw.
TRY = """(function () {
  var tries = {
    document: function (frame) { return frame.document; },
    account: function (frame) { return frame.account; },
    brandRows: function (frame) { return frame.brandRows; },
    address: function (frame) { return frame.location.href; },
    name: function (frame) { return frame.name; },
    script: function (frame) { return frame.eval("1"); },
    listen: function (frame) { return frame.addEventListener("keydown", function () {}); },
    style: function (frame) { return frame.getComputedStyle(document.body); }
  };
  var read = [];
  [].forEach.call(window.frames, function (frame) {
    Object.keys(tries).forEach(function (name) {
      try { tries[name](frame); read.push(name); } catch (error) { }
    });
  });
  var count = window.frames.length;
  try { document.querySelector("iframe[name='card.number']").contentDocument.body;
    read.push("contentDocument"); } catch (error) { }
  return [count, read];
}())"""


def test_a_page_reads_and_styles_nothing_in_a_frame(shop: FormShop, page: Page) -> None:
    enter(page, shop)
    type_card(page)

    assert page.evaluate(TRY) == [3, []]


def test_a_frame_that_the_page_sends_elsewhere_takes_nothing_along(
    shop: FormShop, page: Page
) -> None:
    checkout = enter(page, shop)
    type_card(page, number=NUMBER)
    with page.expect_request("**/stolen**") as asked:
        page.evaluate(
            """(function () { for (var i = 0; i < window.frames.length; i += 1) {
              window.frames[i].location = "/stolen?" + i; } }())"""
        )
    assert secrets_in(asked.value.url + str(asked.value.headers)) == []
    press_pay(page)
    page.wait_for_timeout(200)
    assert shop.client.get(f"v1/checkouts/{checkout}/payment").code == "000.200.000"


# Messages with what a frame or the page would send, from where they may not come.
FORGE = """(function () {
  var frame = document.querySelector('iframe[name="card.number"]');
  var secret = /#([0-9a-f]{32})/.exec(frame.src)[1];
  var relay = document.querySelector('iframe[src*="form/relay"]');
  function text(type, w, more) {
    var message = {s: 1, w: w, t: type};
    Object.keys(more || {}).forEach(function (key) { message[key] = more[key]; });
    return JSON.stringify(message);
  }
  var wrong = "0".repeat(32);
  // From the page itself, right secret: what only frames may say.
  ["expired", "opened", "done", "typed", "wrong", "ended"].forEach(function (type) {
    window.postMessage(text(type, secret, {form: {}, end: "final", key: "x"}), "*");
    window.postMessage(text(type, wrong, {form: {}}), "*");
  });
  // From a window of the page, to frames and page.
  var sibling = document.createElement("iframe");
  document.body.appendChild(sibling);
  var inside = sibling.contentWindow;
  inside.eval("send = function (to, text) { to.postMessage(text, '*'); }");
  ["setup", "clear", "check", "focus", "pay", "open", "call"].forEach(function (type) {
    inside.send(frame.contentWindow, text(type, secret, {style: {color: "red"}}));
    inside.send(relay.contentWindow, text(type, secret, {fields: [], checkout: "x"}));
    frame.contentWindow.postMessage(text(type, wrong, {label: "forged"}), "*");
    relay.contentWindow.postMessage(text(type, wrong, {fields: [], checkout: "x"}), "*");
  });
  inside.send(window, text("expired", secret));
  inside.send(window, text("done", secret, {end: "final"}));
  // What is no message at all, and what is too long.
  [null, 7, {t: "clear"}, [], "{", "[]", "null", '"x"', text("__proto__", secret),
    text("constructor", secret), text("hasOwnProperty", secret),
    text("clear", secret, {filling: "x".repeat(70000)})].forEach(function (each) {
      frame.contentWindow.postMessage(each, "*");
      relay.contentWindow.postMessage(each, "*");
      window.postMessage(each, "*");
    });
  for (var i = 0; i < 10000; i += 1) {
    (i % 2 ? frame : relay).contentWindow.postMessage(i % 3 ? "flood" : text("no", wrong), "*");
  }
  document.body.removeChild(sibling);
}())"""


def test_forged_messages_change_nothing(shop: FormShop, page: Page) -> None:
    checkout = enter(page, shop)
    type_card(page)
    before = page.said[:]
    page.evaluate(FORGE)
    page.wait_for_timeout(500)

    number = field(page, "card.number")
    assert number.input_value() == "4200 0000 0000 0000"
    assert number.get_attribute("aria-label") == "Card Number"
    assert [call[0] for call in calls_of(page) if call[0] == "error"] == []
    assert page.said == before
    press_pay(page)
    page.wait_for_url("**/result?**")
    assert checkout in page.url and shop.result_at(page.url) == PAID


# A page that takes what scripts need, before or after the form was loaded.
TAKEN = """
  Object.prototype.stolen = function () { return "stolen"; };
  Object.defineProperty(Object.prototype, "capability", {configurable: true,
    set: function () { seen.push(["stolen"]); }});
  Array.prototype.toJSON = function () { return "[" + this.length + "]"; };
  window.XMLHttpRequest = function () { seen.push(["asked"]); };
  window.fetch = function () { seen.push(["asked"]); };
"""
LOST = "window.JSON = {parse: function () { seen.push(['read']); }, stringify: String};"


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_page_that_redefines_what_scripts_use_is_paid(
    shop: FormShop, page: Page, when: str
) -> None:
    # What is done to JSON before the script comes is the page's own JSON.
    if when == "before":
        page.goto(shop.show(shop.prepare(), watching(more=f", a: (function () {{ {TAKEN} }}())")))
    else:
        open_form(page, shop)
        page.evaluate(f"(function () {{ {TAKEN} {LOST} }}())")
    page.locator('iframe[name="card.cvv"]').wait_for()
    type_card(page, number=NUMBER)
    press_pay(page)
    page.wait_for_url("**/result?**")

    assert shop.result_at(page.url) == PAID


def test_each_script_has_a_secret_of_its_own(shop: FormShop, page: Page) -> None:
    open_form(page, shop)
    first = page.locator('iframe[name="card.number"]').get_attribute("src")
    page.evaluate(
        """(function () { var tag = document.createElement("script");
        tag.src = document.querySelector("script[src*=paymentWidgets]").src;
        document.body.appendChild(tag); }())"""
    )
    again = page.locator(f'iframe[name="card.number"]:not([src="{first}"])')
    again.wait_for()

    assert page.locator('iframe[name="card.number"]').count() == 1
    second = again.get_attribute("src")
    assert first.split("#")[0] == second.split("#")[0]
    assert first.split("#")[1][:32] != second.split("#")[1][:32]


@pytest.mark.parametrize("path", ["number", "cvv", "relay"])
def test_a_frame_that_is_opened_alone_does_nothing(shop: FormShop, page: Page, path: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    address = f"{shop.gateway}form/{path}#{'a' * 32}.x"
    page.goto(address)
    page.evaluate("""window.postMessage(JSON.stringify({s: 1, w: 'a'.repeat(32), t: 'open',
      checkout: 'x'}), '*')""")
    page.wait_for_timeout(100)

    assert [url for url in asked if "favicon" not in url] == [address.split("#")[0]]
    assert [text for text in page.said if "favicon" not in text] == []
    assert page.evaluate("typeof window.account") == "undefined"
