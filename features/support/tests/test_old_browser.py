"""An old browser: scripts of the gateway do not find what is newer, and any other script does."""

from collections.abc import Iterator

import pytest

from features.support.browsers import browser_problem, running_browser
from features.support.shop_page import ShopPage, shop_page
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

SCRIPTS = {
    "uses": "window.said = 'abc'.includes('b') ? 'yes' : 'no';",
    "brings": "if (!String.prototype.includes) { String.prototype.includes = function () {"
              " return 'own'; }; } window.said = 'abc'.includes('b');",
    "promises": "window.said = typeof Promise + typeof fetch;",
    "names": "var list = []; list.find = 'mine'; window.said = list.find;",
}  # fmt: skip
SHOP = "<!DOCTYPE html><script>var own = 'abc'.includes('b');</script><script src={}></script>"


def respond(request: ReceivedRequest) -> ListenerResponse:
    script = SCRIPTS[request.path.strip("/")]
    return ListenerResponse(200, {"Content-Type": "text/javascript"}, script.encode())


@pytest.fixture(scope="module")
def opened() -> Iterator[tuple[ShopPage, str]]:
    """A shop in an old browser, and the address of a gateway."""
    if browser_problem():
        pytest.skip(browser_problem())
    with (
        running_browser() as browser,
        listening(respond) as gateway,
        shop_page(browser, gateway) as shop,
    ):
        shop.grow_old()
        yield shop, gateway


@pytest.mark.parametrize(
    ("name", "said"),
    [("uses", None), ("brings", "own"), ("promises", "undefinedundefined"), ("names", "mine")],
)
def test_a_script_of_the_gateway_has_what_the_oldest_browser_has(
    opened: tuple[ShopPage, str], name: str, said: str | None
) -> None:
    shop, gateway = opened
    shop.errors.clear()
    shop.show(SHOP.format(f"{gateway}{name}"))
    assert shop.page.evaluate("own") is True
    assert shop.page.evaluate("window.said") == said
    assert bool(shop.errors) == (said is None)
