"""How long the hub works in one piece on a checkout of a large cart, and what an item of it costs.

Run as `python -m simulator.tests.measured.hub_slices ROUNDS`. Prints one JSON line, a value a
round: milliseconds of processor time between two switches of greenlets, the longest of a checkout
with 1,000 items that is prepared, paid and read; and microseconds of processor time an item, of
1,000 and of 10. Processor time, so that other programs on the machine count nothing.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time, thread_time
from urllib.parse import urlencode

import greenlet

from simulator.tests.kit.checkout_shop import CARD, SESSION
from simulator.tests.kit.gateway import FORM, Gateway

FEW, MANY = 10, 1000
ITEM = {
    "name": "A thing that is sold",
    "merchantItemId": "item-4711",
    "quantity": "2",
    "price": "46.00",
    "totalAmount": "92.00",
    "currency": "EUR",
}
CHECKOUTS_A_ROUND = 5


def main(rounds: int) -> None:
    """Measure both, after each size was tried once."""
    measured: dict[str, list[float]] = {"slice_ms": [], "few_us": [], "many_us": []}
    with tempfile.TemporaryDirectory() as folder:
        gateway = Gateway(Path(folder) / "data", durability="os")
        few, many = checkout_of(gateway, FEW), checkout_of(gateway, MANY)
        few(), many()
        for _ in range(rounds):
            measured["few_us"].append(microseconds(few) / FEW)
            measured["many_us"].append(microseconds(many) / MANY)
            with slices() as lengths:
                many()
            measured["slice_ms"].append(max(lengths) * 1e3)
        gateway.close()
    print(json.dumps(measured))


def checkout_of(gateway: Gateway, items: int) -> Callable[[], None]:
    """A function that prepares, pays and reads a checkout with so many items."""
    who = {"entityId": gateway.merchant.entity_id}
    cart = {f"cart.items[{n}].{name}": ITEM[name] for n in range(items) for name in ITEM}
    session, card = (urlencode({**who, **sent}).encode() for sent in ({**SESSION, **cart}, CARD))
    headers = {"Authorization": f"Bearer {gateway.merchant.token}", "Content-Type": FORM}

    def ask(method: str, path: str, body: bytes | None = None) -> bytes:
        answer = gateway.client.simulate_request(method, path, body=body, headers=headers)
        assert answer.status_code == 200, answer.text[:200]
        return answer.content

    def checkout() -> None:
        identity = json.loads(ask("POST", "/v1/checkouts", session))["id"]
        path = f"/v1/checkouts/{identity}/payment"
        ask("POST", path, card)
        ask("GET", f"{path}?{urlencode(who)}")

    return checkout


def microseconds(work: Callable[[], None]) -> float:
    """Processor time of the process for one of several."""
    began = process_time()
    for _ in range(CHECKOUTS_A_ROUND):
        work()
    return (process_time() - began) / CHECKOUTS_A_ROUND * 1e6


@contextmanager
def slices() -> Iterator[list[float]]:
    """Seconds of processor time of this thread between two switches, in the course of the block."""
    lengths: list[float] = []
    began = thread_time()

    def switched(event: str, between: tuple) -> None:
        nonlocal began
        now = thread_time()
        lengths.append(now - began)
        began = now

    before = greenlet.settrace(switched)
    try:
        yield lengths
    finally:
        greenlet.settrace(before)
        lengths.append(thread_time() - began)


if __name__ == "__main__":
    main(int(sys.argv[1]))
