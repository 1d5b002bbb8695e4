"""The rate of webhook deliveries, compared with a bare client that posts to the same receiver.

The gateway delivers what its receiver rejected at first, so that all deliveries are due at once.
Each is read from the store, encrypted, posted, and its result stored. The bare client posts the
bytes of one such notification as often, from the same core.
"""

import json
import sys
from pathlib import Path
from time import perf_counter, sleep
from typing import NamedTuple

from geventhttpclient.client import HTTPClient

from load.bench.generator import drive
from load.bench.payment import address_of, payment_requests
from load.bench.plan import BenchPlan
from load.figures.figure import AT_LEAST, Figure, Goal
from load.gateway.receiver_process import PIN, ReceiverProcess, start_receiver
from load.gateway.server import processor_time_s, start_gateway, start_server
from simulator.client import Control
from simulator.client.processes import ServerProcess

NOTIFICATIONS_PER_SECOND = 1000
DELIVERY_TIMEOUT_S = 60.0
MICROSECONDS = 1e6
# The length of a notification of the measured payment, as hex text.
BODY = b"0" * 2944
HEADERS = {
    "Content-Type": "text/plain",
    "X-Initialization-Vector": "0" * 24,
    "X-Authentication-Tag": "0" * 32,
    "X-Event-Id": "8" * 32,
    "X-Delivery-Attempt": "2",
}


class DeliveryRate(NamedTuple):
    """How many notifications per second were sent, and the sender's processor time for each."""

    rate: float
    cpu_us: float


def delivery_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure the rates of both and their ratio, a value per round, and their processor time."""
    count = int(NOTIFICATIONS_PER_SECOND * plan.round_s)
    gateway: list[DeliveryRate] = []
    bare: list[DeliveryRate] = []
    with (
        start_receiver(PIN) as receiver,
        start_gateway(folder / "deliveries", pinned=True) as server,
    ):
        control = Control(server.facts["control_url"], server.facts["control_key"])
        for _ in range(plan.rounds):
            bare.append(_measure_bare_client(receiver, count))
            gateway.append(_measure_gateway(receiver, server, control, count))
        control.close()
    pairs = tuple(zip(gateway, bare, strict=True))
    ratios = tuple(one.rate / other.rate for one, other in pairs)
    processor = tuple(other.cpu_us / one.cpu_us for one, other in pairs)
    return [
        Figure("deliveries: bare client", "posts/s", tuple(each.rate for each in bare)),
        Figure("deliveries: the gateway", "notifications/s", tuple(each.rate for each in gateway)),
        Figure("processor, bare client", "microseconds", tuple(each.cpu_us for each in bare)),
        Figure("processor, delivery", "microseconds", tuple(each.cpu_us for each in gateway)),
        Figure("deliveries against the bare client", "ratio", ratios,
               Goal(AT_LEAST, must=0.5, aim=0.7)),
        # The rates depend on the receiver and on what else the machine does; this does not.
        Figure("processor, bare client against a delivery", "ratio", processor,
               Goal(AT_LEAST, must=0.5, aim=0.7)),
    ]  # fmt: skip


def _measure_bare_client(receiver: ReceiverProcess, count: int) -> DeliveryRate:
    receiver.reject(every=0)
    command = [sys.executable, "-m", "load.bench.deliveries", receiver.url, str(count)]
    with start_server(command, pinned=True) as sender:
        return _measure(receiver, count, sender)


def _measure_gateway(
    receiver: ReceiverProcess, server: ServerProcess, control: Control, count: int
) -> DeliveryRate:
    made = control.create_sandbox(clock={"mode": "frozen"})
    control.create_webhook(made["id"], receiver.url, skip_activation=True)
    receiver.reject(every=1)
    requests = payment_requests(server.base_url, token=made["token"], entity_id=made["entity_id"])
    drive(requests, requests_max=count)
    control.drain(made["id"], "60s")
    receiver.reject(every=0)
    began_s = processor_time_s(server)
    control.advance_clock(made["id"], by="1m")
    rate = _measure(receiver, count, server).rate
    control.drain(made["id"], "60s")
    cpu_s = processor_time_s(server) - began_s
    control.delete(made["id"])
    return DeliveryRate(rate, cpu_s * MICROSECONDS / count)


def _measure(receiver: ReceiverProcess, count: int, sender: ServerProcess) -> DeliveryRate:
    """Wait until `count` notifications arrived, and return what `sender` needed for them."""
    began_s = processor_time_s(sender)
    until = perf_counter() + DELIVERY_TIMEOUT_S
    while (stats := receiver.stats())["count"] < count:
        if perf_counter() > until:
            raise TimeoutError(f"expected {count} notifications, received {stats['count']}")
        sleep(0.05)
    return DeliveryRate(
        count / stats["seconds"], (processor_time_s(sender) - began_s) * MICROSECONDS / count
    )


def post_notifications(url: str, count: int) -> None:
    """Post the same notification `count` times over one connection."""
    host, port = address_of(url)
    client = HTTPClient(host, port)
    for _ in range(count):
        client.request("POST", "/hook", body=BODY, headers=HEADERS).read()
    client.close()


def main(arguments: list[str]) -> None:
    """Run the bare client; the arguments are an address and the number of notifications."""
    print(json.dumps({"base_url": arguments[0]}), flush=True)
    post_notifications(arguments[0], int(arguments[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
