"""How long the journal takes of a payment: what is sent to the simulators and the exchange, kept.

Run as `python -m simulator.tests.measured.journal_timing ROUNDS` with a form on standard input.
Prints one JSON line: microseconds an exchange, a value a round.
"""

import json
import sys
from datetime import timedelta
from time import perf_counter
from urllib.parse import parse_qsl

from falcon import Request, Response
from falcon.testing import create_environ
from msgspec.structs import replace

from simulator.adapters.clock import RealClock
from simulator.adapters.journal import JournalRing, MemoryJournal
from simulator.domain.core.records import Attempt
from simulator.domain.journal.exchanges import record_acquirer_exchange
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.making import a_context, new_ids
from simulator.web.http.answers import payment_body, send
from simulator.web.http.context import Exchange
from simulator.web.http.journaling import append_exchange

EXCHANGES = 5000


def main(rounds: int, form: str) -> None:
    """Time one exchange again and again; the payment was taken once before."""
    context, clock = a_context(), RealClock()
    journal = MemoryJournal(JournalRing(1000, timedelta(days=1)), clock=clock, real=clock)
    exchange = Exchange(clock, context.ports.ids, context.ports.choices, lambda *_: None)
    exchange.sent = {**dict(parse_qsl(form, strict_parsing=True)), "entityId": context.channel.id}
    exchange.entity, exchange.ticket = context.channel.id, new_ids(context)
    payment = take_payment(context, exchange.sent, exchange.ticket)
    ask = context.ports.acquirer.asks[0]
    plan = context.ports.acquirer.plan(ask)
    opened = replace(payment, attempt=Attempt(trace=1, at=clock.now()), ndc=exchange.ndc)
    request, response = Request(create_environ("/v1/payments", method="POST")), Response()
    request.context.exchange = exchange
    send(response, 200, payment_body(payment, exchange))

    def kept() -> None:
        journal.hold_acquirer_exchange(record_acquirer_exchange(opened, ask, plan))
        append_exchange(journal, exchange, request, response, now=clock.now())

    timed = []
    for _ in range(rounds):
        began = perf_counter()
        for _ in range(EXCHANGES):
            kept()
        timed.append((perf_counter() - began) / EXCHANGES * 1e6)
    print(json.dumps({"parameters": len(exchange.sent), "journal": timed}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.stdin.read().strip())
