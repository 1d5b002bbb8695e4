"""The shop at a gateway that repeats what it was sent: no page shows a secret of the shop."""

import json
from base64 import b64encode
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from demo_shop.merchant import Merchant
from demo_shop.server import ShopServer
from demo_shop.stories import ARTICLES, STORIES
from simulator.client import GatewayAccess
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

KEY, TOKEN, OWN = "kx7-wolf.quartz-93+5/", "tok~live/81+zebra-quince==", "own-key/of.the-sandbox"
SECRETS = (KEY, TOKEN, OWN)
MADE = {"id": "8a", "token": TOKEN, "entity_id": "8" * 32, "control_key": OWN}
PART = 9
FORMS = [
    form
    for each in SECRETS
    for form in (each, quote(each, safe=""), b64encode(f"x{each}".encode()).decode())
]
SAID = " ".join(f"no {form} here" for form in FORMS * 12)
ANSWERS = {
    "refusal": (401, {"result": {"code": f"800.{SAID[:30]}", "description": SAID}, "id": SAID}),
    "error": (400, {"error": {"where": SAID, "expected": SAID, "got": SAID}}),
    "unknown names": (400, {SAID: [SAID, {SAID: SAID}]}),
    "success": (200, {"id": SAID, "paymentType": SAID, "amount": SAID, "result": {"code": SAID}}),
    "page": (502, f"<p title='{SAID}'>{SAID}"),
}


class RepeatingGateway:
    """Makes a sandbox, and answers all else by repeating secrets; `kind` says how."""

    kind = "refusal"

    def respond(self, request: ReceivedRequest) -> ListenerResponse:
        """The answer to a request."""
        if request.method == "POST" and request.path.endswith("/sandboxes"):
            return ListenerResponse(201, {}, json.dumps(MADE).encode())
        status, body = ANSWERS[self.kind]
        content = body if isinstance(body, str) else json.dumps(body)
        return ListenerResponse(status, {}, content.encode())


@pytest.fixture
def gateway() -> RepeatingGateway:
    return RepeatingGateway()


@pytest.fixture
def shop(gateway: RepeatingGateway) -> Iterator[ShopServer]:
    with listening(gateway.respond) as url:
        yield ShopServer(Merchant(GatewayAccess(url, f"{url}_sandbox/v1/", KEY)))


def asked(shop: ShopServer, method: str, path: str, body: bytes = b"") -> bytes:
    return shop.respond(ReceivedRequest(method, path, {"accept": "text/html"}, body)).body


@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize("story", [each.name for each in STORIES])
def test_no_page_shows_a_secret_that_the_gateway_repeats(
    shop: ShopServer, gateway: RepeatingGateway, kind: str, story: str
) -> None:
    gateway.kind = kind
    sold = f"article={ARTICLES[0].name}&story={story}"
    pages = [asked(shop, "POST", "/orders", sold.encode())]
    (order,) = shop._orders._orders.values()
    order.payment = "8b"
    for method, page in (
        ("GET", ""), ("GET", f"/back?resourcePath={quote(TOKEN)}"), ("GET", "/again"),
        ("POST", "/wait"), ("GET", "/trace.svg"), ("GET", "/entries"), ("GET", ""),
    ):  # fmt: skip
        pages.append(asked(shop, method, f"/orders/{order.id}{page}"))

    shown = b"".join(pages).decode()
    # The first signs in base64 have bits of what stands before.
    parts = {form[at : at + PART] for form in FORMS for at in range(3, len(form) - PART - 3)}
    assert [part for part in parts if part in shown] == []
    assert "***" in shown
