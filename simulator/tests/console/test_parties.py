"""What the parties see, beside the stage."""

import re

from simulator.tests.console.visitor import Visitor, person_of
from simulator.tests.kit.gateway import Gateway

VIEW = re.compile(r'data-shop="([^"]*)" data-phone="([^"]*)"')
CHECKOUT = {"amount": "92.00", "currency": "EUR", "paymentType": "DB"}
REDIRECT = {"paymentBrand": "EPS", "shopperResultUrl": "https://shop.example/back"}


def views_of(visitor: Visitor, root: str) -> tuple[str, str]:
    """What the frames of shop and phone show."""
    found = VIEW.search(visitor.get(f"{root}/stage/parties").text)
    assert found
    return found[1], found[2]


def test_the_shop_shows_the_checkout_that_waits_to_be_paid(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    root = f"/console/{sandbox}"
    assert views_of(anna, root) == ("", "")
    made = gateway.send("/v1/checkouts", {"entityId": gateway.merchant.entity_id, **CHECKOUT}).json
    shop, _ = views_of(anna, root)
    assert shop == f"/form/{made['id']}"
    framed = anna.get(shop)
    assert "frame-ancestors 'self'" in framed.headers["Content-Security-Policy"]
    assert "frame-src 'self'" in anna.get(f"{root}/stage").headers["Content-Security-Policy"]
    viewer = person_of(gateway, "viewer", "vera")
    assert views_of(viewer, root) == ("", "")


def test_the_phone_shows_what_the_shopper_is_asked(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    root = f"/console/{sandbox}"
    sent = {"entityId": gateway.merchant.entity_id, **CHECKOUT, **REDIRECT}
    made = gateway.send("/v1/payments", sent).json
    _, phone = views_of(anna, root)
    assert phone == f"{root}/stage/phone/{made['id']}"
    page = anna.get(phone)
    assert "frame-ancestors 'self'" in page.headers["Content-Security-Policy"]
    address = re.search(r'src="(/[^"]+)"', page.text)
    assert address and made["redirect"]["url"].endswith(address[1])
    assert person_of(gateway, "viewer", "vera").get(phone).status_code == 403
    sale = gateway.post().json["id"]
    assert anna.get(f"{root}/stage/phone/{sale}").status_code == 404


def test_the_log_shows_what_was_sent_and_markup_as_text(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    root = f"/console/{sandbox}"
    assert "Nothing was sent yet." in anna.get(f"{root}/stage/parties").text
    gateway.control("POST", f"/sandboxes/{sandbox}/webhooks", {"url": "inbox"})
    gateway.post(descriptor="<script>alert(1)</script>")
    gateway.control("POST", f"/sandboxes/{sandbox}/drain", {})
    log = anna.get(f"{root}/stage/parties").text
    assert "PAYMENT" in log and "&lt;script&gt;" in log and "<script>" not in log
