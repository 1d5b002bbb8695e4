"""The cost of reads with few and with many stored payments: by id, by reference, by day, and an
advance of the clock with no due job.

The same queries are sent to a gateway with few payments and to one with many, round by round.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from itertools import product
from pathlib import Path
from urllib.parse import urlencode

from load.bench.generator import RequestTemplate, drive
from load.bench.payment import NUMBER_PLACE, address_of, payment_requests
from load.bench.plan import BenchPlan
from load.figures.figure import AT_LEAST, Figure, Goal
from load.gateway.server import start_gateway
from simulator.client import Control
from simulator.client.processes import ServerProcess

FEW, MANY = "few", "many"
ROWS_OF_THE_DAY = 100
DAY, NEXT_DAY = "2026-11-20", "2026-11-21"
MUST = Goal(AT_LEAST, must=0.80, aim=0.95)


def query_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure the rates with few and with many, and their ratio, of each query."""
    with ExitStack() as stack:
        servers = {
            name: stack.enter_context(start_gateway(folder / name, pinned=True))
            for name in (FEW, MANY)
        }
        stored = {FEW: plan.stored_few, MANY: plan.stored_many}
        queries_of = {name: create_queries(servers[name], stored[name]) for name in servers}
        rates: dict[tuple[str, str], list[float]] = {}
        for query, name in _order_turns(queries_of[FEW], plan.rounds):
            rate = drive(queries_of[name][query], seconds=plan.round_s / 2).rate
            rates.setdefault((query, name), []).append(rate)
    return [figure for query in queries_of[FEW] for figure in _figures(query, rates)]


def _order_turns(queries: Iterable[str], rounds: int) -> Iterator[tuple[str, str]]:
    """Yield each query for both, round by round, in the opposite order every other time."""
    for number, query in product(range(rounds), queries):
        yield from ((query, name) for name in ((MANY, FEW) if number % 2 else (FEW, MANY)))


def create_queries(server: ServerProcess, stored: int) -> Mapping[str, RequestTemplate]:
    """Return queries of a sandbox with `stored` payments on one day and more on the next."""
    control = Control(server.facts["control_url"], server.facts["control_key"])
    clock = {"mode": "frozen", "at": f"{DAY}T12:00:00"}
    made = control.create_sandbox(clock=clock, throttle="off")
    requests = payment_requests(server.base_url, token=made["token"], entity_id=made["entity_id"])
    drive(requests, requests_max=stored)
    control.advance_clock(made["id"], by="1d")
    drive(requests, requests_max=ROWS_OF_THE_DAY)
    get = partial(get_requests, server.base_url, token=made["token"], entity_id=made["entity_id"])
    newest = control.journal(made["id"], limit=1)["entries"][0]
    payment_id = newest["payments"][0]
    reference = newest["request"]["merchantTransactionId"]
    day = {"date.from": NEXT_DAY, "date.to": NEXT_DAY}
    return {
        "read by id": get(f"/v1/payments/{payment_id}"),
        "query by reference": get("/v1/query", merchantTransactionId=reference),
        "query of 100 rows": get("/v1/query", **day),
        "advance with nothing due": _create_advance(server, made["id"]),
    }


def get_requests(
    base_url: str, path: str, *, token: str, entity_id: str, **parameters: str
) -> RequestTemplate:
    """Return a template of GET requests; their number is in a header the gateway ignores."""
    address = address_of(base_url)
    whole = (
        f"GET {path}?{urlencode({'entityId': entity_id, **parameters})} HTTP/1.1\r\n"
        f"Host: {address[0]}:{address[1]}\r\nAuthorization: Bearer {token}\r\n"
        f"X-Number: {NUMBER_PLACE}\r\n\r\n"
    ).encode("ascii")
    before, _, after = whole.partition(NUMBER_PLACE.encode())
    return RequestTemplate(address, before, after)


def _create_advance(server: ServerProcess, sandbox: str) -> RequestTemplate:
    address, body = address_of(server.base_url), '{"by": "1s"}'
    head = (
        f"POST /_sandbox/v1/sandboxes/{sandbox}/clock/advance HTTP/1.1\r\n"
        f"Host: {address[0]}:{address[1]}\r\n"
        f"Authorization: Bearer {server.facts['control_key']}\r\n"
        f"Content-Type: application/json\r\nX-Number: "
    )
    tail = f"\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    return RequestTemplate(address, head.encode("ascii"), tail.encode("ascii"))


def _figures(query: str, rates: Mapping[tuple[str, str], list[float]]) -> list[Figure]:
    few, many = rates[query, FEW], rates[query, MANY]
    ratios = tuple(many_rate / few_rate for many_rate, few_rate in zip(many, few, strict=True))
    return [
        Figure(f"{query}, few stored", "requests/s", tuple(few)),
        Figure(f"{query}, many against few", "ratio", ratios, MUST),
    ]
