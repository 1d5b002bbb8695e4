"""What a request has made is free as soon as it is answered: nothing waits for the collector.

The collector is set to look seldom, so a circle would keep a request with its whole body.
"""

import gc
from collections.abc import Callable

import pytest

from simulator.tests.kit.gateway import FORM, Gateway

Ask = Callable[[Gateway], object]
REDIRECTED = {
    "paymentBrand": "PAYPAL", "card.number": None, "card.holder": None, "card.expiryMonth": None,
    "card.expiryYear": None, "card.cvv": None, "shopperResultUrl": "https://shop.example/",
}  # fmt: skip


def raw(gateway: Gateway, body: bytes, **headers: str) -> object:
    sent = {"Authorization": f"Bearer {gateway.merchant.token}", "Content-Type": FORM, **headers}
    return gateway.client.simulate_post("/v1/payments", body=body, headers=sent)


def captured_twice(gateway: Gateway) -> None:
    made = gateway.post(paymentType="PA").json["id"]
    gateway.refer(made, "CP", amount="92.00", currency="EUR")
    gateway.refer(made, "CP", amount="92.00", currency="EUR")


def paid_in_a_checkout(gateway: Gateway) -> None:
    order = {"entityId": gateway.merchant.entity_id, "amount": "92.00", "currency": "EUR",
             "paymentType": "DB"}  # fmt: skip
    made = gateway.send("/v1/checkouts", order).json["id"]
    gateway.post(f"/v1/checkouts/{made}/payment", entityId=None)
    gateway.client.simulate_get(f"/v1/checkouts/{made}/payment")


ASKED: dict[str, Ask] = {
    "a payment": lambda gateway: gateway.post(),
    "a decline": lambda gateway: gateway.post(**{"card.number": "4000300011112220"}),
    "a refusal": lambda gateway: gateway.post(merchantMemo="a" * 2**19),
    "no text": lambda gateway: raw(gateway, b"\xff" * 2**20),
    "no token": lambda gateway: raw(gateway, b"a=b", Authorization=""),
    "another type": lambda gateway: raw(gateway, b"{}", **{"Content-Type": "application/json"}),
    "a coded body": lambda gateway: raw(gateway, b"a=b", **{"Content-Encoding": "gzip"}),
    "a payment that is not there": lambda gateway: gateway.read("8" * 32),
    "a read": lambda gateway: gateway.read(gateway.post().json["id"]),
    "a path that is not there": lambda gateway: gateway.client.simulate_get("/v1/nothing"),
    "a method that is not there": lambda gateway: gateway.client.simulate_put("/v1/payments"),
    "captures": captured_twice,
    "a checkout": paid_in_a_checkout,
    "a redirect": lambda gateway: gateway.post(**REDIRECTED),
    "a sandbox": lambda gateway: gateway.sandbox(),
    "a sandbox that is not there": lambda gateway: gateway.control("GET", "/sandboxes/none"),
    "a control call without a body": lambda gateway: gateway.control("POST", "/sandboxes", []),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_what_a_request_has_made_is_free_once_it_is_answered(gateway: Gateway, ask: Ask) -> None:
    ask(gateway)
    # The collector would look through what all tests of this process have left: it looks at this.
    gc.freeze()
    gc.disable()
    try:
        ask(gateway)
        left = gc.collect()
    finally:
        gc.enable()

    assert left == 0
