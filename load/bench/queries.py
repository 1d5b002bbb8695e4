"""What reading costs with few and with many payments stored: by id, by reference, by day, and an
advance of the clock with nothing due.

The same questions are put to a gateway with few payments and to one with many, round by round.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from load.bench.generator import Requests, drive
from load.bench.order import MARK, address_of, payments
from load.bench.plan import Plan
from load.figure import AT_LEAST, Figure, Goal
from load.servers import Server, gateway
from simulator.client import Control

FEW, MANY = "few", "many"
ROWS_OF_THE_DAY = 100
DAY, NEXT_DAY = "2026-11-20", "2026-11-21"
MUST = Goal(AT_LEAST, must=0.80, aim=0.95)


class Shop(NamedTuple):
    """A sandbox with its credentials, and what is asked of it: by name, requests."""

    control: Control
    identity: str
    asked: Mapping[str, Requests]


def query_figures(plan: Plan, folder: Path) -> list[Figure]:
    """Rates with few and with many, and their ratio, of each question."""
    with ExitStack() as stack:
        servers = {
            name: stack.enter_context(gateway(folder / name, pinned=True)) for name in (FEW, MANY)
        }
        stored = {FEW: plan.stored_few, MANY: plan.stored_many}
        shops = {name: filled_shop(servers[name], stored[name]) for name in servers}
        rates: dict[tuple[str, str], list[float]] = {}
        for question, name in _turns(shops[FEW].asked, plan.rounds):
            rate = drive(shops[name].asked[question], seconds=plan.round_s / 2).rate
            rates.setdefault((question, name), []).append(rate)
    return [figure for question in shops[FEW].asked for figure in _figures(question, rates)]


def _turns(questions: Iterable[str], rounds: int) -> Iterator[tuple[str, str]]:
    """Each question to both, round by round, in the opposite order every other time."""
    for number, question in product(range(rounds), questions):
        yield from ((question, name) for name in ((MANY, FEW) if number % 2 else (FEW, MANY)))


def filled_shop(server: Server, stored: int) -> Shop:
    """A sandbox with so many payments on one day and ROWS_OF_THE_DAY on the next, and questions."""
    control = Control(server.facts["control_url"], server.facts["control_key"])
    clock = {"mode": "frozen", "at": f"{DAY}T12:00:00"}
    made = control.create_sandbox(clock=clock, throttle="off")
    paying = payments(server.base_url, token=made["token"], entity_id=made["entity_id"])
    drive(paying, requests_max=stored)
    control.advance_clock(made["id"], by="1d")
    drive(paying, requests_max=ROWS_OF_THE_DAY)
    ask = _asker(server, made["token"], made["entity_id"])
    newest = control.journal(made["id"], limit=1)["entries"][0]
    identity = newest["payments"][0]
    reference = newest["request"]["merchantTransactionId"]
    day = {"date.from": NEXT_DAY, "date.to": NEXT_DAY}
    asked = {
        "read by id": ask(f"/v1/payments/{identity}", {}),
        "query by reference": ask("/v1/query", {"merchantTransactionId": reference}),
        "query of 100 rows": ask("/v1/query", day),
        "advance with nothing due": _advancing(server, made["id"]),
    }
    return Shop(control, made["id"], asked)


def _asker(server: Server, token: str, entity: str) -> Callable[[str, Mapping], Requests]:
    """Makes a GET of a path with a query; the number stands in a header that nobody reads."""
    address = address_of(server.base_url)

    def ask(path: str, query: Mapping[str, str]) -> Requests:
        whole = (
            f"GET {path}?{urlencode({'entityId': entity, **query})} HTTP/1.1\r\n"
            f"Host: {address[0]}:{address[1]}\r\nAuthorization: Bearer {token}\r\n"
            f"X-Number: {MARK}\r\n\r\n"
        ).encode("ascii")
        before, _, after = whole.partition(MARK.encode())
        return Requests(address, before, after)

    return ask


def _advancing(server: Server, sandbox: str) -> Requests:
    address, body = address_of(server.base_url), '{"by": "1s"}'
    head = (
        f"POST /_sandbox/v1/sandboxes/{sandbox}/clock/advance HTTP/1.1\r\n"
        f"Host: {address[0]}:{address[1]}\r\n"
        f"Authorization: Bearer {server.facts['control_key']}\r\n"
        f"Content-Type: application/json\r\nX-Number: "
    )
    tail = f"\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    return Requests(address, head.encode("ascii"), tail.encode("ascii"))


def _figures(question: str, rates: Mapping[tuple[str, str], list[float]]) -> list[Figure]:
    few, many = rates[question, FEW], rates[question, MANY]
    ratios = tuple(much / little for much, little in zip(many, few, strict=True))
    return [
        Figure(f"{question}, few stored", "requests/s", tuple(few)),
        Figure(f"{question}, many against few", "ratio", ratios, MUST),
    ]
