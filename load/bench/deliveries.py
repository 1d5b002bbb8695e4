"""How fast notifications are delivered, beside the bare client posting to the same receiver.

The gateway delivers what its receiver refused at first: so many notices are due at once. Each is
read from the store, encrypted, posted, and its end stored. The bare client posts the bytes of
one such notification as often, from the same core.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, NamedTuple

from geventhttpclient.client import HTTPClient

from load.bench.generator import drive
from load.bench.order import address_of, payments
from load.bench.plan import Plan
from load.figure import AT_LEAST, Figure, Goal
from load.servers import Server, gateway, running
from simulator.client import Connection, Control

NOTICES_A_SECOND = 1000
PATIENCE_S = 60.0
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


class Run(NamedTuple):
    """What was sent in a second, and how long the sender's processor worked for each."""

    rate: float
    cpu_us: float


class Receiver(NamedTuple):
    """The receiver, in a process of its own."""

    server: Server

    @property
    def url(self) -> str:
        """Where notifications go."""
        return f"{self.server.base_url}hook"

    def refuse(self, every: int) -> None:
        """Begin to count anew; refuse each so-many-th, 0 takes all."""
        self._ask(f"every/{every}")

    def run(self, count: int, sender: Server) -> Run:
        """What `sender` did until so many have come."""
        began = sender.cpu_s()
        until = perf_counter() + PATIENCE_S
        while (stats := self._ask("stats"))["count"] < count:
            if perf_counter() > until:
                raise TimeoutError(f"{stats['count']} of {count} notifications came")
            sleep(0.05)
        cpu_s = sender.cpu_s() - began
        return Run(count / stats["seconds"], cpu_s * MICROSECONDS / count)

    def _ask(self, path: str) -> Any:
        link = Connection(self.server.base_url)
        try:
            return link.ask("GET", path, headers={}).body
        finally:
            link.close()


def delivery_figures(plan: Plan, folder: Path) -> list[Figure]:
    """Rates of both and their ratio, a value a round; and what each costs its processor."""
    count = int(NOTICES_A_SECOND * plan.round_s)
    ours: list[Run] = []
    bare: list[Run] = []
    with receiver() as told, gateway(folder / "deliveries", pinned=True) as server:
        control = Control(server.facts["control_url"], server.facts["control_key"])
        for _ in range(plan.rounds):
            bare.append(_posted(told, count))
            ours.append(_delivered(told, server, control, count))
        control.close()
    ratios = tuple(one.rate / other.rate for one, other in zip(ours, bare, strict=True))
    return [
        Figure("deliveries: bare client", "posts/s", tuple(each.rate for each in bare)),
        Figure("deliveries: the gateway", "notifications/s", tuple(each.rate for each in ours)),
        Figure("processor, bare client", "microseconds", tuple(each.cpu_us for each in bare)),
        Figure("processor, delivery", "microseconds", tuple(each.cpu_us for each in ours)),
        Figure("deliveries against the bare client", "ratio", ratios,
               Goal(AT_LEAST, must=0.5, aim=0.7)),
    ]  # fmt: skip


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A receiver on our core."""
    with running([sys.executable, "-m", "load.sink", "core"]) as server:
        yield Receiver(server)


def _posted(told: Receiver, count: int) -> Run:
    told.refuse(0)
    command = [sys.executable, "-m", "load.bench.deliveries", told.url, str(count)]
    with running(command, pinned=True) as sender:
        return told.run(count, sender)


def _delivered(told: Receiver, server: Server, control: Control, count: int) -> Run:
    made = control.create_sandbox(clock={"mode": "frozen"})
    control.create_webhook(made["id"], told.url, skip_activation=True)
    told.refuse(1)
    sent = payments(server.base_url, token=made["token"], entity_id=made["entity_id"])
    drive(sent, requests_max=count)
    control.drain(made["id"], "60s")
    told.refuse(0)
    began = server.cpu_s()
    control.advance_clock(made["id"], by="1m")
    run = told.run(count, server)
    control.drain(made["id"], "60s")
    cpu_s = server.cpu_s() - began
    control.delete(made["id"])
    return Run(run.rate, cpu_s * MICROSECONDS / count)


def post_often(url: str, count: int) -> None:
    """Post the same notification so often over one connection."""
    host, port = address_of(url)
    client = HTTPClient(host, port)
    for _ in range(count):
        client.request("POST", "/hook", body=BODY, headers=HEADERS).read()
    client.close()


def main(arguments: list[str]) -> None:
    """The bare client: an address and how often."""
    print(json.dumps({"base_url": arguments[0]}), flush=True)
    post_often(arguments[0], int(arguments[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
