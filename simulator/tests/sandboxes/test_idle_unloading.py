"""Idle sandboxes are evicted: no open file, next to no memory, their due work run in time."""

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import gevent
import pytest
from msgspec.structs import replace

from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.kit.making import NOON

IDLE_S = 0.05
IDLE_BYTES_MAX = 5 * 1024
SANDBOXES = 200
PENDING = {"behaviour": "pending-then-approved"}


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    """A gateway whose sandboxes rest soon, on a real disk."""
    made = a_gateway(tmp_path)
    yield made
    made.close()


def a_gateway(folder: Path) -> Gateway:
    return Gateway(folder / "data", durability="os", idle=IDLE_S)


def until(holds: Callable[[], bool], seconds: float = 5) -> None:
    """Wait for it."""
    with gevent.Timeout(seconds):
        while not holds():
            gevent.sleep(0.01)


def awake(gateway: Gateway) -> int:
    """How many sandboxes hold their records."""
    lines = gateway.client.simulate_get("/_sandbox/metrics").text.splitlines()
    found = next(each for each in lines if each.startswith("sandgate_sandboxes_awake "))
    return int(float(found.split()[1]))


def made_with(gateway: Gateway, **options: object) -> tuple[str, Credentials]:
    """A sandbox's id and credentials."""
    made = gateway.control("POST", "/sandboxes", options).json
    return made["id"], Credentials(made["token"], made["entity_id"])


def open_logs(below: Path) -> list[str]:
    """The logs of sandboxes below a folder that this process holds open."""
    held = [str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.exists()]
    logs = (each for each in held if each.endswith(".log") and "registry" not in each)
    return [each for each in logs if each.startswith(str(below))]


def test_a_sandbox_that_rests_is_there_again_when_it_is_asked_for(
    gateway: Gateway, tmp_path: Path
) -> None:
    _, who = made_with(gateway)
    paid = gateway.post(who=who).json["id"]
    assert awake(gateway) == 1
    assert open_logs(tmp_path)
    # The first answer of a kind is compared with its description for longer than a sandbox rests.
    assert gateway.read(paid, who).json["id"] == paid

    until(lambda: awake(gateway) == 0)

    assert open_logs(tmp_path) == []
    assert gateway.read(paid, who).json["id"] == paid
    assert awake(gateway) == 1


def test_a_sandbox_with_work_in_flight_is_not_evicted(gateway: Gateway) -> None:
    late = {"name": "late", "title": "Late", "description": "A while.", "steps": {
        "acquirer": {"latency": {"fixed": {"seconds": 0.5}}, "approve": {}}}}  # fmt: skip
    identity, who = made_with(gateway)
    gateway.control("POST", f"/sandboxes/{identity}/scripts", {"behaviour": late})

    paying = gevent.spawn(gateway.post, who=who)
    gevent.sleep(8 * IDLE_S)

    assert awake(gateway) == 1
    assert paying.get(timeout=5).status_code == 200


def test_an_error_in_one_sandbox_keeps_no_other_in_memory(gateway: Gateway) -> None:
    broken, _ = made_with(gateway)
    gateway.control("POST", f"/sandboxes/{broken}/settlements", {"daily": True})
    ports = gateway.ports(broken)
    ports.clock.put(replace(ports.clock.setting, world=NOON, real=NOON, rate="no number"))
    gevent.sleep(4 * IDLE_S)

    _, who = made_with(gateway)
    gateway.post(who=who)
    assert awake(gateway) == 2

    until(lambda: awake(gateway) == 1)


def test_due_work_of_a_sandbox_that_rests_is_done_in_time(gateway: Gateway, tmp_path: Path) -> None:
    clock = {"mode": "scaled", "rate": 30}
    identity, who = made_with(gateway, clock=clock)
    gateway.control("POST", f"/sandboxes/{identity}/scripts", PENDING)
    paid = gateway.post(who=who).json["id"]
    until(lambda: awake(gateway) == 0, 1.9)

    until(lambda: is_settled(tmp_path, identity, paid), 3)

    assert gateway.read(paid, who).json["result"]["code"] == "000.100.110"


def is_settled(folder: Path, sandbox: str, payment: str) -> bool:
    """Whether the log says that the payment waits for nothing; reading it loads no sandbox."""
    log = folder / "data" / sandbox / "1.log"
    return f'["awaited","{payment}",null]'.encode() in log.read_bytes()


def test_a_start_finds_due_work_without_being_asked(tmp_path: Path) -> None:
    first = a_gateway(tmp_path)
    clock = {"mode": "scaled", "rate": 60}
    identity, who = made_with(first, clock=clock)
    first.control("POST", f"/sandboxes/{identity}/scripts", PENDING)
    paid = first.post(who=who).json["id"]
    first.close()

    again = a_gateway(tmp_path)
    try:
        until(lambda: is_settled(tmp_path, identity, paid), 3)
        assert again.read(paid, who).json["result"]["code"] == "000.100.110"
    finally:
        again.close()


def test_the_journal_outlives_an_eviction(gateway: Gateway) -> None:
    identity, who = made_with(gateway)
    gateway.post(who=who)
    before = gateway.control("GET", f"/sandboxes/{identity}/journal").json
    until(lambda: awake(gateway) == 0)

    assert before["entries"]
    assert gateway.control("GET", f"/sandboxes/{identity}/journal").json == before


def test_counters_of_an_open_window_outlive_an_eviction(gateway: Gateway) -> None:
    clock = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}
    limit = {"operation": "create_payment", "scope": "merchant", "limit": 2, "window_s": 60}
    _, who = made_with(gateway, clock=clock, throttle={"name": "two", "limits": [limit]})
    answers = []
    for _ in range(3):
        answers.append(gateway.post(who=who).status_code)
        until(lambda: awake(gateway) == 0)

    assert answers == [200, 200, 429]


def test_a_reset_discards_what_an_eviction_retained(gateway: Gateway) -> None:
    identity, who = made_with(gateway)
    paid = gateway.post(who=who).json["id"]
    until(lambda: awake(gateway) == 0)

    gateway.control("POST", f"/sandboxes/{identity}/reset")

    assert gateway.read(paid, who).status_code == 404
    assert len(gateway.control("GET", f"/sandboxes/{identity}/journal").json["entries"]) == 1


def test_many_sandboxes_at_once_hold_few_files(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path / "data", durability="os", idle=3600)
    try:
        for _ in range(300):
            gateway.post(who=made_with(gateway)[1])
        until(lambda: len(open_logs(tmp_path)) <= 256)
    finally:
        gateway.close()


@pytest.mark.cost
def test_a_sandbox_that_rests_costs_little(gateway: Gateway, tmp_path: Path) -> None:
    some = [made_with(gateway)[1] for _ in range(20)]
    pay_all(gateway, some)
    used = bytes_of_resting(gateway)
    if used / SANDBOXES >= IDLE_BYTES_MAX:
        # What else the process allocates meanwhile is counted too.
        used = bytes_of_resting(gateway)

    assert open_logs(tmp_path) == []
    assert used / SANDBOXES < IDLE_BYTES_MAX


def bytes_of_resting(gateway: Gateway) -> int:
    """What so many new sandboxes hold once they rest."""
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        pay_all(gateway, [made_with(gateway)[1] for _ in range(SANDBOXES)])
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


def pay_all(gateway: Gateway, merchants: list[Credentials]) -> None:
    for who in merchants:
        assert gateway.post(who=who).status_code == 200
    until(lambda: awake(gateway) == 0, 60)
