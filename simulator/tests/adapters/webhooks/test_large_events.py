"""Large events: others have their turn while one is sent, and memory does not grow with the
endpoints that get it.
"""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import gevent
import pytest
from gevent.event import Event
from gevent.server import StreamServer

from simulator.adapters.webhooks.large_events import (
    BYTES_MAX,
    SANDBOX_ATTEMPTS_MAX,
    SANDBOX_BYTES_MAX,
    LargeBodies,
)
from simulator.domain.core.ports import unit_of
from simulator.domain.webhooks.envelopes import encode_payload, open_envelope, remove_customer_data
from simulator.domain.webhooks.large_bodies import PIECE_BYTES
from simulator.domain.webhooks.records import Delivery, DeliveryFault, Endpoint, WebhookEvent
from simulator.tests.adapters.webhooks.bench import SECRET, DispatcherBench
from simulator.tests.kit.event_loop import looks_during
from simulator.tests.kit.sinks import LOOPBACK, sink

SIZE = 2 * 1024 * 1024
TEXT = {
    "number": 7,
    "text": "x" * SIZE,
    "customer": {"surname": "Jones", "merchantCustomerId": "1"},
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[DispatcherBench]:
    made = DispatcherBench(tmp_path / "1.log", response_timeout_s=30)
    yield made
    made.dispatcher.stop()
    made.store.close()


def a_large_event(bench: DispatcherBench, *endpoints: Endpoint, **fields: object) -> list[Delivery]:
    deliveries = bench.events(1, *endpoints, **fields)
    event = bench.store.get(WebhookEvent, deliveries[0].event_id)
    large = WebhookEvent(
        id=event.id, version=event.version, type=event.type, action=event.action, ndc=event.ndc,
        payment=event.payment, payload=encode_payload(TEXT), created_at=event.created_at,
    )  # fmt: skip
    bench.store.commit(unit_of(large))
    return deliveries


def test_a_large_event_takes_memory_once_for_all_its_endpoints(bench: DispatcherBench) -> None:
    """Each endpoint held seven times the payload: forty of 12 MB took 3.5 GB."""
    silent = Event()
    server = StreamServer((LOOPBACK, 0), lambda link, address: silent.wait())
    server.start()
    url = f"http://{LOOPBACK}:{server.server_port}"
    deliveries = a_large_event(bench, *(bench.endpoint(f"{url}/{number}") for number in range(20)))
    tracemalloc.start()
    bench.dispatcher.enqueue(deliveries)
    gevent.sleep(1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    bench.dispatcher.stop()
    silent.set()
    server.stop(timeout=0.1)
    assert peak < 5 * SIZE


@pytest.mark.parametrize("form", ["json", "hex", "wrapped"])
@pytest.mark.parametrize("fields", ["ALL", "NON_CUSTOMER_DATA"])
def test_others_have_their_turn_while_a_large_event_is_sent(
    bench: DispatcherBench, form: str, fields: str
) -> None:
    with sink() as server:
        deliveries = a_large_event(bench, bench.endpoint(server.url, format=form, fields=fields))
        assert looks_during(lambda: bench.send(deliveries)) > SIZE // PIECE_BYTES
    (request,) = server.requests
    event = open_envelope(request.headers, request.body, [SECRET])
    payload = TEXT if fields == "ALL" else remove_customer_data(TEXT)
    assert event == {"type": "PAYMENT", "action": "CREATED", "payload": payload}
    assert [bench.now(each).state for each in deliveries] == ["delivered"]


def test_large_events_arrive_in_order_among_others(bench: DispatcherBench) -> None:
    with sink() as server:
        endpoint = bench.endpoint(server.url)
        deliveries = [
            *bench.events(2, endpoint),
            *a_large_event(bench, endpoint),
            *a_large_event(bench, endpoint),
            *bench.events(2, endpoint),
        ]
        bench.send(deliveries)
    assert [each.headers["x-event-id"] for each in server.requests] == [
        each.event_id for each in deliveries
    ]


@pytest.mark.parametrize("form", ["json", "hex", "wrapped"])
def test_a_delivery_fault_affects_a_large_event(bench: DispatcherBench, form: str) -> None:
    fault = DeliveryFault(corrupt=1, duplicate=1)
    with sink() as server:
        bench.send(a_large_event(bench, bench.endpoint(server.url, format=form), fault=fault))
    lengths = {len(each.body) for each in server.requests}
    assert len(server.requests) == 2
    assert len(lengths) == 1
    for each in server.requests:
        with pytest.raises(Exception, match="expected|altered"):
            open_envelope(each.headers, each.body, [SECRET])


def test_an_endpoint_that_was_removed_while_a_large_event_waited_gets_none(
    bench: DispatcherBench,
) -> None:
    with sink() as server:
        endpoint = bench.endpoint(server.url)
        deliveries = a_large_event(bench, endpoint)
        with bench.ports.connector.large_bodies.place(bench, "another", BYTES_MAX):
            bench.dispatcher.enqueue(deliveries)
            gevent.sleep(0.05)
            bench.store.commit(unit_of(removes=(bench.store.get(Endpoint, endpoint.id),)))
            bench.dispatcher.reload_endpoints()
        assert bench.in_flight.drain(5)
    assert not server.requests
    assert bench.now(deliveries[0]).error == "the endpoint was removed"


def test_small_events_are_not_held_up_by_large_ones(bench: DispatcherBench) -> None:
    with sink() as server:
        with bench.ports.connector.large_bodies.place(bench, "another", BYTES_MAX):
            large = a_large_event(bench, bench.endpoint(server.url))
            bench.dispatcher.enqueue(large)
            bench.dispatcher.enqueue(bench.events(3, bench.endpoint(f"{server.url}other")))
            server.wait(3)
            assert bench.now(large[0]).state == "under way"
        assert bench.in_flight.drain(5)
    assert len(server.requests) == 4
    assert bench.now(large[0]).state == "delivered"


class Attempts:
    """Attempts that hold their places until they are ended; `begun` in their order."""

    def __init__(self) -> None:
        self.bodies = LargeBodies()
        self.begun: list[str] = []
        self._ends: dict[str, Event] = {}

    def begin(self, name: str, sandbox: str, text: str, size: int) -> gevent.Greenlet:
        self._ends[name] = Event()
        greenlet = gevent.spawn(self._run, name, sandbox, text, size)
        gevent.sleep(0)
        return greenlet

    def end(self, name: str) -> None:
        self._ends[name].set()
        for _ in range(3):
            gevent.sleep(0)

    def _run(self, name: str, sandbox: str, text: str, size: int) -> None:
        with self.bodies.place(sandbox, text, size):
            self.begun.append(name)
            self._ends[name].wait()


def test_a_sandbox_sends_so_many_bytes_at_a_time_and_one_event_however_large() -> None:
    attempts = Attempts()
    attempts.begin("1", "a", "x", 2 * SANDBOX_BYTES_MAX)
    attempts.begin("2", "a", "y", 1)
    attempts.begin("3", "b", "z", 1)
    assert attempts.begun == ["1", "3"]
    attempts.end("1")
    assert attempts.begun == ["1", "3", "2"]


def test_attempts_of_one_event_count_it_once_and_are_so_many() -> None:
    attempts = Attempts()
    for number in range(SANDBOX_ATTEMPTS_MAX + 2):
        attempts.begin(str(number), "a", "x", SANDBOX_BYTES_MAX)
    assert len(attempts.begun) == SANDBOX_ATTEMPTS_MAX
    assert attempts.bodies.size_bytes == SANDBOX_BYTES_MAX
    attempts.end("0")
    assert attempts.begun[-1] == str(SANDBOX_ATTEMPTS_MAX)


def test_what_needs_much_is_not_passed_for_ever_by_what_needs_little() -> None:
    attempts = Attempts()
    for name in "abc":
        attempts.begin(name, name, "x", SANDBOX_BYTES_MAX)
    attempts.begin("much", "d", "x", 2 * SANDBOX_BYTES_MAX)
    attempts.begin("little", "e", "x", 1)
    attempts.end("a")
    assert attempts.begun == ["a", "b", "c"]
    attempts.end("b")
    attempts.end("c")
    assert attempts.begun == ["a", "b", "c", "much", "little"]


def test_an_attempt_that_ends_while_it_waits_leaves_its_place() -> None:
    attempts = Attempts()
    attempts.begin("1", "a", "x", SANDBOX_BYTES_MAX)
    attempts.begin("2", "a", "y", 1).kill()
    attempts.begin("3", "a", "z", 1)
    attempts.end("1")
    attempts.end("3")
    assert attempts.begun == ["1", "3"]
    assert attempts.bodies.size_bytes == 0
