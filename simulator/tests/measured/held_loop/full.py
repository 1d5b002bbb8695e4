"""How long others are held while everything is read of a sandbox as full as its limits allow.

Run as `python -m simulator.tests.measured.held_loop.full PERCENT`: filled with so much of that.
Prints one JSON line; reads that take long are named on stderr.
"""

import gc
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from simulator.tests.console.visitor import administrator_of, person_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.measured.held_loop.calls import PLACE, UNKNOWN, operations, plain_call
from simulator.tests.measured.held_loop.driving import status_of
from simulator.tests.measured.held_loop.filling import Filled, filled_sandbox
from simulator.tests.measured.held_loop.full_sandbox import fill
from simulator.tests.measured.held_loop.watch import LoopWatch
from simulator.web.console.routes import ROWS

SHOWN_MS = 30
DAY = "date.from=2026-11-01&date.to=2026-12-30"
# fmt: off
QUERIES = {
    "list_notices": ("failed=true&limit=500", "limit=500", "payment={payment}&limit=500"),
    "read_inbox": ("count=500",),
    "search_journal": ("limit=500", "path=/none", "code=999", "payment={payment}"),
    "query_payments": (f"{DAY}&limit=500", f"{DAY}&limit=500&paymentTypes=CB",
                       f"{DAY}&limit=500&includeLinkedTransactions=true",
                       "merchantTransactionId=order-00000001"),
    "query_pages": (f"{DAY}&pageNo=1", f"{DAY}&pageNo=90"),
    "query_payment": ("includeLinkedTransactions=true",),
    "query_record": ("includeLinkedTransactions=true",),
    "query_settlements": (DAY,),
    "list_schedules": ("registrationId={registration}",),
}
PAGES = {
    "payments": ("digits=9999", "state=captured", "type=CB", "reference=order-00000001",
                 "page=300"),
    "search": ("q=order-00000001", "q=Jane"), "journal": ("path=/none", "code=999"),
    "ledger": ("compare=1", "page=100"), "webhooks": ("payment={payment}",),
    "inbox": ("page=2",), "merchants": ("page=2",),
}
# fmt: on


class Read(NamedTuple):
    """One of them: method, path and query."""

    name: str
    request: tuple[str, str, str]
    headers: Mapping[str, str]


def main(percent: int) -> None:
    """Read all of it, once to load what is loaded late and then once more."""
    with tempfile.TemporaryDirectory() as folder, LoopWatch() as watch:
        gateway = Gateway(Path(folder) / "data", durability="os", is_described=False)
        filled = filled_sandbox(gateway)
        asked = [*api_reads(filled), *page_reads(gateway, filled)]
        for each in asked:
            status_of(gateway.client.app, each.request, headers=each.headers)
        fill(filled, percent / 100)
        gc.freeze()
        gc.disable()
        found = [held_ms_of(gateway, watch, each) for each in asked]
        gateway.close()
    print(json.dumps({"reads": len(found), "held_ms": max(found)}))


def held_ms_of(gateway: Gateway, watch: LoopWatch, read: Read) -> float:
    """How long one of them held others."""
    with watch.held() as longest:
        status = status_of(gateway.client.app, read.request, headers=read.headers)
    held_ms = longest[0] * 1e3
    if held_ms > SHOWN_MS or status >= 500:
        print(f"{held_ms:.0f} ms {status} {read.name} {read.request}", file=sys.stderr)
    gc.collect()
    return held_ms


def api_reads(filled: Filled) -> Iterator[Read]:
    """Each GET of both documents, plain and with what finds most or nothing."""
    for operation in operations(filled):
        if operation.method != "get":
            continue
        call = plain_call(operation, filled)
        for query in ("", *QUERIES.get(operation.row["operationId"].removesuffix("_bare"), ())):
            whole = "&".join(filter(None, (call.query, _named(query, filled.ids))))
            yield Read(operation.name, (call.method, call.path, whole), call.headers)


def page_reads(gateway: Gateway, filled: Filled) -> Iterator[Read]:
    """Each page of the console, for an administrator and for a person who only reads."""
    anna = administrator_of(gateway)
    ids = {**filled.ids, "sandbox": filled.ids["id"], "event": filled.ids["notice"]}
    for visitor in (anna, person_of(gateway, "viewer", "ben")):
        cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        for row in ROWS:
            if row.method != "GET":
                continue
            # A page that waits for news has none at hand.
            plain = "after=x" if row.path.endswith("/now") else ""
            for query in (plain, *PAGES.get(row.path.rpartition("/")[2], ())):
                request = ("GET", _named(row.path, ids), _named(query, ids))
                yield Read(row.path, request, {"Cookie": cookie})


def _named(text: str, ids: Mapping[str, str]) -> str:
    return PLACE.sub(lambda found: ids.get(found[1], UNKNOWN), text)


if __name__ == "__main__":
    main(int(sys.argv[1]))
