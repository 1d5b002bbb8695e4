"""The processor time of each operation of a payment's life, and of an execution of a schedule.

Authorizations, captures of them, refunds of the captures, registrations, checkouts and their
payments are sent over the connections of the generator, one kind after the other; all of them are
durable before they are answered.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec

from load.bench.generator import CONNECTIONS, KeepAliveConnection, open_connections, send_at_once
from load.bench.payment import PARAMETERS, PATH, address_of, format_post
from load.bench.plan import BenchPlan
from load.figures.figure import AT_MOST, Figure, Goal
from load.gateway.server import processor_time_s, start_gateway
from simulator.client import Control
from simulator.client.processes import ServerProcess

CHECKOUTS = "/v1/checkouts"
MONEY = {"amount": "92.00", "currency": "EUR"}
CHECKOUT = {"paymentType": "DB", **MONEY}
AUTHORIZATION = {**PARAMETERS, "paymentType": "PA"}
CARD = {name: value for name, value in PARAMETERS.items() if name.startswith("card.")}
DAILY = {"job.hour": "09", "job.minute": "00", "job.second": "00"}
DAYS_A_ROUND = 4
END_OF_HEAD = b"\r\n\r\n"


def operation_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure microseconds of processor time for each operation."""
    with start_gateway(folder, pinned=True) as server:
        control = Control(server.facts["control_url"], server.facts["control_key"])
        made = control.create_sandbox(throttle="off")
        with open_connections(address_of(server.base_url), CONNECTIONS) as connections:
            client = OperationClient(server, made, connections)
            client.round(plan.operations)
            rounds = [client.round(plan.operations) for _ in range(plan.rounds)]
        executions = _executions(server, control, plan)
    figures = [
        Figure(f"processor, {name}", "microseconds", tuple(each[name] for each in rounds))
        for name in rounds[0]
    ]
    goal = Goal(AT_MOST, must=1000, aim=700)
    return [*figures, Figure("processor, execution", "microseconds", executions, goal)]


class OperationClient:
    """Sends many requests of a kind to one sandbox, and measures what they take of the server."""

    def __init__(
        self,
        server: ServerProcess,
        sandbox: Mapping[str, Any],
        connections: list[KeepAliveConnection],
    ):
        self._server = server
        self._sandbox = sandbox
        self._connections = connections
        self._measured: dict[str, float] = {}

    def round(self, count: int) -> dict[str, float]:
        """Send so many of each operation; microseconds of processor time for one of each."""
        self._measured = {}
        authorized = self._send("authorization", [PATH] * count, AUTHORIZATION)
        captured = self._send("capture", _under(PATH, authorized), {"paymentType": "CP", **MONEY})
        self._send("refund", _under(PATH, captured), {"paymentType": "RF", **MONEY})
        self._send("registration", ["/v1/registrations"] * count, {**CARD, "paymentBrand": "VISA"})
        opened = self._send("checkout created", [CHECKOUTS] * count, CHECKOUT)
        paths = [f"{path}/payment" for path in _under(CHECKOUTS, opened)]
        self._send("checkout paid", paths, {**CARD, "paymentBrand": "VISA"})
        return self._measured

    def ids(self, paths: Iterable[str], sent: Mapping[str, str]) -> list[str]:
        """The ids that requests to these paths are answered with."""
        return [msgspec.json.decode(body)["id"] for body in self._bodies(paths, sent)]

    def _send(self, name: str, paths: list[str], sent: Mapping[str, str]) -> list[str]:
        with self._timed(name, len(paths)):
            bodies = list(self._bodies(paths, sent))
        return [msgspec.json.decode(body)["id"] for body in bodies]

    def _bodies(self, paths: Iterable[str], sent: Mapping[str, str]) -> Iterator[bytes]:
        form = urlencode({"entityId": self._sandbox["entity_id"], **sent})
        address, token = address_of(self._server.base_url), self._sandbox["token"]
        left = iter(paths)
        while some := list(islice(left, len(self._connections))):
            requests = [format_post(address, path, token=token, body=form) for path in some]
            for response in send_at_once(self._connections[: len(some)], requests):
                if not response.startswith(b"HTTP/1.1 200 "):
                    raise RuntimeError(response[:1000].decode("utf-8", "replace"))
                yield response.partition(END_OF_HEAD)[2]

    @contextmanager
    def _timed(self, name: str, count: int) -> Iterator[None]:
        before = processor_time_s(self._server)
        yield
        self._measured[name] = (processor_time_s(self._server) - before) / count * 1e6


def _executions(server: ServerProcess, control: Control, plan: BenchPlan) -> tuple[float, ...]:
    """Microseconds for each execution of many daily schedules while the clock is advanced."""
    clock = {"mode": "frozen", "at": "2026-11-20T12:00:00"}
    made = control.create_sandbox(clock=clock, throttle="off")
    with open_connections(address_of(server.base_url), CONNECTIONS) as connections:
        client = OperationClient(server, made, connections)
        (registration,) = client.ids(["/v1/registrations"], {**CARD, "paymentBrand": "VISA"})
        job = {"registrationId": registration, "paymentType": "DB", **MONEY, **DAILY}
        client.ids(["/v1/schedules"] * plan.schedules, job)
    taken = []
    for _ in range(plan.rounds):
        before = processor_time_s(server)
        control.advance_clock(made["id"], by=f"{DAYS_A_ROUND}d")
        spent = processor_time_s(server) - before
        taken.append(spent / (plan.schedules * DAYS_A_ROUND) * 1e6)
    return tuple(taken)


def _under(path: str, ids: Iterable[str]) -> list[str]:
    return [f"{path}/{identity}" for identity in ids]
