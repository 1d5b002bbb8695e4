"""Opening a hosted form compared with a bare application, and how long a shopper waits for it.

Both servers share one core and are driven in turn, in the opposite order every other time; ratios
are per round. The form is always of one checkout, in a sandbox that throttles nothing. A shopper
should wait 10 ms at most on a machine with nothing else to do: no longer than for a payment, which
is asked of the same gateway one by one in the same round, since other load slows both.
"""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from load.bench.generator import NUMBER_DIGITS, DriveResult, RequestTemplate, drive
from load.bench.payment import NUMBER_PLACE, address_of, payment_requests
from load.bench.plan import BenchPlan
from load.bench.throughput import BARE_APP
from load.figures.figure import AT_LEAST, AT_MOST, Figure, Goal
from load.gateway.server import start_gateway, start_server
from simulator.client import Client, Control
from simulator.client.processes import ServerProcess

MILLISECOND = 1e-3
CHECKOUT = {"amount": "92.00", "currency": "EUR", "paymentType": "DB"}
SHARE = 0.95


class FormRound(NamedTuple):
    """One round: bare application and openings at full load, payments and openings one by one."""

    bare: DriveResult
    full: DriveResult
    paid_alone: DriveResult
    alone: DriveResult


def form_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure openings of a form."""
    with ExitStack() as stack:
        bare = [sys.executable, "-m", "gevent.monkey", str(BARE_APP)]
        bare_server = stack.enter_context(start_server(bare, pinned=True))
        gateway = stack.enter_context(start_gateway(folder, pinned=True))
        bare_payments = payment_requests(bare_server.base_url, token="none", entity_id="8" * 32)
        control = Control(gateway.facts["control_url"], gateway.facts["control_key"])
        made = control.create_sandbox(throttle="off")
        sandbox = {"token": made["token"], "entity_id": made["entity_id"]}
        payments = payment_requests(gateway.base_url, **sandbox)
        openings = opening_requests(gateway, **sandbox)
        for requests in (bare_payments, payments, openings):
            drive(requests, seconds=plan.warm_up_s)
        rounds = [
            FormRound(
                *_drive_both(bare_payments, openings, number, seconds=plan.round_s),
                *_drive_both(payments, openings, number, seconds=plan.round_s, connections=1),
            )
            for number in range(plan.rounds)
        ]
    return _figures(rounds)


def opening_requests(gateway: ServerProcess, *, token: str, entity_id: str) -> RequestTemplate:
    """Return a template of requests that each open the form of one new checkout."""
    client = Client(gateway.base_url, token, entity_id)
    checkout = client.post("v1/checkouts", CHECKOUT).id
    address, body = address_of(gateway.base_url), f"locale=de&opening={NUMBER_PLACE}"
    host = f"{address[0]}:{address[1]}"
    request = (
        f"POST /form/{checkout}/open HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
        "Content-Type: application/x-www-form-urlencoded; charset=UTF-8\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    )
    before, _, after = request.encode("ascii").rpartition(NUMBER_PLACE.encode())
    assert len(NUMBER_PLACE) == NUMBER_DIGITS, "the template writes as many digits"
    return RequestTemplate(address, before, after)


def _drive_both(
    one: RequestTemplate, other: RequestTemplate, number: int, **how: Any
) -> tuple[DriveResult, DriveResult]:
    """Drive both in turn, in the opposite order every other round."""
    if number % 2:
        second, first = drive(other, **how), drive(one, **how)
    else:
        first, second = drive(one, **how), drive(other, **how)
    return first, second


def _figures(rounds: list[FormRound]) -> list[Figure]:
    ratios = tuple(each.full.rate / each.bare.rate for each in rounds)
    waits = tuple(each.alone.latency(SHARE) / MILLISECOND for each in rounds)
    longer = tuple(each.alone.latency(SHARE) / each.paid_alone.latency(SHARE) for each in rounds)
    return [
        Figure("openings of a form", "requests/s", tuple(each.full.rate for each in rounds)),
        Figure("opening against bare application", "ratio", ratios, Goal(AT_LEAST, 0.40, 0.60)),
        Figure("p95, opening a form", "ms", waits),
        Figure("p95, opening against a payment", "ratio", longer, Goal(AT_MOST, 1.25, 1.0)),
    ]
