"""An advance over much due work: it shares writes, is durable when answered, and can be left."""

import json
import os
import resource
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from time import process_time
from typing import Any
from urllib.parse import urlsplit

import gevent
import pytest

from simulator.client import Client, Control, ControlError
from simulator.domain.core.records import Payment
from simulator.tests.kit.gateway import ORDER, Credentials, Gateway
from simulator.tests.kit.running import Serving, serving
from simulator.tests.lost_writes.faulty_disk import FaultyDisk, engine_on

FROZEN = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}
UNLIMITED = resource.RLIM_INFINITY


def schedule_of(registration: str, entity: str) -> dict[str, str]:
    """A schedule with an execution a day."""
    return {
        "entityId": entity, "registrationId": registration, "amount": "9.00", "currency": "EUR",
        "paymentType": "DB",
        "job.expression": "0 0 1 * * ?", "job.startDate": "2026-11-21 00:00:00",
        "standingInstruction.type": "RECURRING", "standingInstruction.mode": "REPEATED",
        "standingInstruction.source": "MIT",
    }  # fmt: skip


def card_of(entity: str) -> dict[str, str]:
    names = ("paymentBrand", *(name for name in ORDER if name.startswith("card.")))
    return {"entityId": entity, **{name: ORDER[name] for name in names}}


class Scheduled:
    """A sandbox of a served gateway whose clock is frozen, with one execution a day."""

    def __init__(self, server: Serving):
        self.facts = server.facts
        self.control = Control(self.facts["control_url"], self.facts["control_key"])
        self.made = self.control.create_sandbox(clock=FROZEN)
        client = Client(self.facts["base_url"], self.made["token"], self.made["entity_id"])
        card = card_of(self.made["entity_id"])
        registered = client.post("v1/registrations", card)
        made = client.post(
            "scheduling/v1/schedules", schedule_of(registered.id, self.made["entity_id"])
        )
        assert (registered.status, made.status) == (200, 200), made.body
        client.close()

    def now(self) -> datetime:
        return datetime.fromisoformat(self.control.clock(self.made["id"])["now"])

    def advance(self, by: str) -> Any:
        return self.control.advance_clock(self.made["id"], by=by)

    def begin_advance(self, by: str) -> socket.socket:
        """An advance that is asked for and not waited for."""
        place = urlsplit(self.facts["control_url"])
        body = json.dumps({"by": by}).encode()
        head = (
            f"POST {place.path}sandboxes/{self.made['id']}/clock/advance HTTP/1.1\r\n"
            f"Host: {place.netloc}\r\n"
            f"Authorization: Bearer {self.facts['control_key']}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        connection = socket.create_connection((place.hostname, place.port))
        connection.sendall(head.encode() + body)
        return connection


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("advance") / "data") as running:
        yield running


def until_moved(sandbox: Scheduled, start: datetime) -> None:
    ends = time.monotonic() + 10
    while sandbox.now() == start:
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_an_advance_stops_when_its_client_leaves_and_another_goes_on(server: Serving) -> None:
    sandbox = Scheduled(server)
    start = sandbox.now()

    connection = sandbox.begin_advance("36500d")
    until_moved(sandbox, start)
    connection.close()
    sandbox.advance("0s")

    stopped = sandbox.now()
    assert 0 < (stopped - start).days < 30_000
    sandbox.advance("10d")
    assert (sandbox.now() - stopped).days == 10


def test_what_an_answered_advance_did_survives_a_kill(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        sandbox = Scheduled(server)
        sandbox.advance("30d")
        before = sandbox.control.clock(sandbox.made["id"])
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait(10)
    with serving(tmp_path / "data") as server:
        control = Control(server.facts["control_url"], server.facts["control_key"])
        assert control.clock(sandbox.made["id"]) == before
        taken = control.snapshot(sandbox.made["id"])
        # Thirty executions, the registration, and the schedule.
        assert taken.count(b'[["payments"') == 32


def test_an_advance_that_the_disk_refuses_says_so_and_the_clock_goes_on(server: Serving) -> None:
    sandbox = Scheduled(server)
    sandbox.advance("5d")
    start = sandbox.now()
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, most))
    try:
        with pytest.raises(ControlError, match="503"):
            sandbox.advance("30d")
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (UNLIMITED, most))
    time.sleep(1.1)

    sandbox.advance("1d")
    assert (sandbox.now() - start).days == 1


def schedule_at(gateway: Gateway, made: dict[str, Any]) -> str:
    """Begin a schedule with an execution a day; the registration that it charges."""
    who = Credentials(made["token"], made["entity_id"])
    registered: str = gateway.send("/v1/registrations", card_of(who.entity_id), who).json["id"]
    asked = schedule_of(registered, who.entity_id)
    answer = gateway.send("/scheduling/v1/schedules", asked, who)
    assert answer.status_code == 200, answer.text
    return registered


@pytest.mark.parametrize("part", [b'["payments"', b'["clock"'])
def test_an_advance_that_lost_a_write_on_the_way_says_so_and_pays_each_execution_once(
    tmp_path: Path, part: bytes
) -> None:
    disk = FaultyDisk()
    gateway = Gateway(tmp_path, durability="disk", open_engine=engine_on(disk, is_slow=True))
    made = gateway.control("POST", "/sandboxes", {"clock": FROZEN}).json
    registered = schedule_at(gateway, made)
    path, store = f"/sandboxes/{made['id']}/clock/advance", gateway.ports(made["id"]).store
    disk.refuses = part

    refused = gateway.control("POST", path, {"by": "90d"})

    assert refused.status_code == 503
    # Due work that failed rests for a second.
    gevent.sleep(1.3)
    while gateway.ports(made["id"]).clock.now() < datetime.fromisoformat("2027-02-18T12:00:00Z"):
        assert gateway.control("POST", path, {"by": "1d"}).status_code == 200
    paid = [each for each in store.find(Payment, "registration", registered) if each.money]
    gateway.close()
    # The first one is paid at once, when the schedule begins, and then one each day.
    instants = Counter(each.created_at for each in paid)
    assert len(instants) == 1 + 90
    assert set(instants.values()) == {1}


def cost_of(data: Path, durability: str, days: int) -> float:
    """The seconds of processor time that an advance over so many executions takes."""
    gateway = Gateway(data, durability=durability)
    made = gateway.control("POST", "/sandboxes", {"clock": FROZEN}).json
    schedule_at(gateway, made)
    path = f"/sandboxes/{made['id']}/clock/advance"
    gateway.control("POST", path, {"by": "10d"})
    began = process_time()
    assert gateway.control("POST", path, {"by": f"{days}d"}).status_code == 200
    took = process_time() - began
    gateway.close()
    return took


def test_executions_of_an_advance_share_their_writes(tmp_path: Path) -> None:
    on_disk = min(cost_of(tmp_path / f"{each}", "disk", 100) for each in range(3))
    in_memory = min(cost_of(tmp_path / f"m{each}", "memory", 100) for each in range(3))

    assert on_disk < 2.5 * in_memory
