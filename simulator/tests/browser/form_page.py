"""What a shopper does in a page with the form, and what axe finds in it."""

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Locator, Page

from simulator.tests.browser.form_shop import FormShop

NUMBER, CODE = "4200000000000000", "987"
# The page keeps its calls in `seen`, and every message of a frame in `messages`.
WATCH = """{locale: "%s", style: "%s", brandDetection: true,
  onReady: function (list) { seen.push(["ready", list]); },
  onError: function (error) { seen.push(["error", error.name, error.message]); },
  onChangeBrand: function (brand) { seen.push(["brand", brand]); }%s}"""
AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    # No level of WCAG has it: a role that an element may not have is one that some readers ignore.
    "rules": {"aria-allowed-role": {"enabled": True}},
    "iframes": False,
}


def some(every: Iterable[Any], often: Collection[Any]) -> list[Any]:
    """Parameters of a test: `often` always, the others of `every` by `make proof` alone."""
    return [
        each if each in often else pytest.param(*each, marks=pytest.mark.proof) for each in every
    ]


def watching(locale: str = "en", style: str = "card", more: str = "") -> str:
    """Options of a page that keeps the calls of its callbacks."""
    return WATCH % (locale, style, more)


def open_form(page: Page, shop: FormShop, options: str = "", **more: str) -> str:
    """Open the form of a new checkout, and return the id of the checkout."""
    checkout = shop.prepare(**more)
    page.goto(shop.show(checkout, options or watching()))
    wait_until_called(page, "ready")
    return checkout


def field(page: Page, name: str) -> Locator:
    """The field of a name, such as card.number, in the frame that has its name too."""
    return page.frame_locator(f'iframe[name="{name}"]').locator(f'input[name="{name}"]')


def type_card(page: Page, number: str = NUMBER, expiry: str = "1234", code: str = CODE) -> None:
    """Type a card as a shopper does."""
    field(page, "card.number").press_sequentially(number)
    page.locator('input[data-action="blur-card-expiry"]').press_sequentially(expiry)
    page.fill('input[name="card.holder"]', "Jane Jones")
    field(page, "card.cvv").fill(code)


def wait_until_called(page: Page, what: str) -> None:
    """Wait until a callback of the page was called."""
    page.locator(f"html[data-seen*='[\"{what}\"']").wait_for(state="attached")


def calls_of(page: Page) -> list:
    """The callbacks of the page that were called, with what they were given."""
    return json.loads(page.locator("html").get_attribute("data-seen") or "[]")


def press_pay(page: Page) -> None:
    """Press the button of the card form."""
    page.click("button.wpwl-button-pay")


def violations_in(page: Page) -> list[str]:
    """What axe finds in the page and in each of its frames."""
    source, found = AXE.read_text(encoding="utf-8"), []
    for frame in page.frames:
        frame.evaluate(source)
        report = frame.evaluate("(rules) => axe.run(document, rules)", RULES)
        found += [
            f"{frame.name}: {each['id']}: {node['html'][:200]}"
            for each in report["violations"]
            for node in each["nodes"]
        ]
    return found
