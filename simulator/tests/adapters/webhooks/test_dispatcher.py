"""The webhook dispatcher: independent queues, and no delivery lost."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.webhooks.attempts import AttemptBuilder
from simulator.adapters.webhooks.dispatcher import WebhookDispatcher
from simulator.adapters.webhooks.sender import Sender
from simulator.domain.core.ports import unit_of
from simulator.domain.webhooks.envelopes import (
    UnreadableEnvelopeError,
    encode_payload,
    open_envelope,
)
from simulator.domain.webhooks.records import (
    Delivery,
    DeliveryFault,
    Endpoint,
    WebhookEvent,
    start_delivery,
)
from simulator.tests.adapters.webhooks.bench import MINUTE, SECRET, DispatcherBench, numbers_in
from simulator.tests.kit.sinks import sink, status, unused_port


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[DispatcherBench]:
    made = DispatcherBench(tmp_path / "1.log")
    yield made
    made.dispatcher.stop()
    made.store.close()


def test_events_arrive_in_order_each_once(bench: DispatcherBench) -> None:
    with sink() as server:
        deliveries = bench.events(250, bench.endpoint(server.url))
        bench.send(deliveries)
    assert numbers_in(server) == list(range(250))
    assert {bench.now(each).state for each in deliveries} == {"delivered"}
    assert server.connections == 1


def test_what_waits_already_is_not_sent_twice(bench: DispatcherBench) -> None:
    with sink() as server:
        deliveries = bench.events(3, bench.endpoint(server.url))
        bench.dispatcher.enqueue(deliveries)
        bench.send(deliveries)
    assert numbers_in(server) == [0, 1, 2]


def test_every_attempt_carries_the_identity_and_a_fresh_initialisation_vector(
    bench: DispatcherBench,
) -> None:
    with sink(503) as server:
        (delivery,) = bench.events(1, bench.endpoint(server.url))
        for _ in range(3):
            bench.store.commit(unit_of(start_delivery(bench.now(delivery))))
            bench.send([bench.now(delivery)])
    headers = [each.headers for each in server.requests]
    assert {each["x-event-id"] for each in headers} == {delivery.event_id}
    assert [each["x-delivery-attempt"] for each in headers] == ["1", "2", "3"]
    assert len({each["x-initialization-vector"] for each in headers}) == 3
    assert (
        len({str(open_envelope(each.headers, each.body, [SECRET])) for each in server.requests})
        == 1
    )


def test_a_failed_delivery_is_due_again_and_wakes_the_scheduler(bench: DispatcherBench) -> None:
    with sink(500) as server:
        (delivery,) = bench.events(1, bench.endpoint(server.url))
        bench.send([delivery])
    after = bench.now(delivery)
    assert (after.state, after.status, after.failures) == ("waiting", 500, 1)
    assert after.due == bench.clock.now() + MINUTE
    assert bench.woken == 1


def test_a_dead_endpoint_delays_no_other(tmp_path: Path) -> None:
    bench = DispatcherBench(tmp_path / "1.log", response_timeout_s=30)
    with sink(lambda number: gevent.sleep(30)) as dead, sink() as alive:
        endpoints = [bench.endpoint(dead.url), bench.endpoint(alive.url)]
        with gevent.Timeout(5):
            bench.dispatcher.enqueue(bench.events(50, *endpoints))
            alive.wait(50)
        assert numbers_in(alive) == list(range(50))
        assert len(dead.requests) <= 1
        assert not bench.in_flight.drain(0)
    bench.dispatcher.stop()


def test_an_endpoint_that_refuses_connections_is_a_failed_attempt(bench: DispatcherBench) -> None:
    (delivery,) = bench.events(1, bench.endpoint(f"http://127.0.0.1:{unused_port()}/"))
    bench.send([delivery])
    assert bench.now(delivery).error == "connection refused"


def test_a_crash_between_the_commit_and_the_attempt_delivers_later(tmp_path: Path) -> None:
    before = DispatcherBench(tmp_path / "1.log")
    with sink() as server:
        deliveries = before.events(3, before.endpoint(server.url))
        before.store.close()
        after = DispatcherBench(tmp_path / "1.log")
        found = after.store.find(Delivery, "under_way", "yes")
        after.send(found)
        assert {each.event_id for each in found} == {each.event_id for each in deliveries}
    assert sorted(numbers_in(server)) == [0, 1, 2]
    after.store.close()


def test_a_crash_before_the_result_is_stored_delivers_again_under_the_same_id(
    tmp_path: Path,
) -> None:
    before = DispatcherBench(tmp_path / "1.log")
    with sink() as server:
        (delivery,) = before.events(1, before.endpoint(server.url))
        attempt = AttemptBuilder(before.ports).prepare(delivery.id)
        result = Sender(before.ports.connector, before.ports.inbox).send(attempt.request)
        before.store.close()
        after = DispatcherBench(tmp_path / "1.log")
        after.send(after.store.find(Delivery, "under_way", "yes"))
        assert result.is_success
    assert [each.headers["x-event-id"] for each in server.requests] == [delivery.event_id] * 2
    after.store.close()


def test_after_a_reset_what_was_under_way_is_dropped(bench: DispatcherBench) -> None:
    with sink(lambda number: gevent.sleep(0.05) or status(200)) as server:
        bench.dispatcher.enqueue(bench.events(20, bench.endpoint(server.url)))
        server.wait(1)
        bench.store.close()
        assert bench.in_flight.drain(2)
        assert len(server.requests) < 20


def test_a_queue_that_never_waits_lets_other_greenlets_run(tmp_path: Path) -> None:
    store = DocumentStore(tmp_path / "1.log", durability=Durability.MEMORY)
    bench = DispatcherBench(tmp_path / "1.log", store=store)
    deliveries = bench.events(50, bench.endpoint("inbox"))
    bench.dispatcher.enqueue(deliveries)
    turns = 0
    while bench.in_flight.count:
        gevent.sleep(0)
        turns += 1
    assert turns >= 50


def test_a_changed_endpoint_is_used_from_the_next_attempt_on(bench: DispatcherBench) -> None:
    with sink() as old, sink() as new:
        endpoint = bench.endpoint(old.url)
        bench.send(bench.events(1, endpoint))
        moved = replace(bench.store.get(Endpoint, endpoint.id), url=new.url)
        bench.store.commit(unit_of(moved))
        bench.dispatcher.reload_endpoints()
        bench.send(bench.events(1, endpoint))
    assert (len(old.requests), len(new.requests)) == (1, 1)


def test_an_endpoint_that_was_removed_gets_nothing_more(bench: DispatcherBench) -> None:
    with sink() as server:
        endpoint = bench.endpoint(server.url)
        (delivery,) = bench.events(1, endpoint)
        bench.store.commit(unit_of(removes=(bench.store.get(Endpoint, endpoint.id),)))
        bench.send([delivery])
        assert server.requests == []
    assert bench.now(delivery).error == "the endpoint was removed"


def test_a_notification_url_is_called_with_get_and_its_query(bench: DispatcherBench) -> None:
    with sink() as server:
        query = {"id": "8", "resourcePath": "/v1/payments/8"}
        event = WebhookEvent(
            id=bench.ids.record(),
            type="notificationUrl",
            payload=encode_payload(query),
            created_at=bench.clock.now(),
        )
        delivery = start_delivery(
            Delivery(
                id=bench.ids.record(),
                event_id=event.id,
                url=f"{server.url}?shop=1",
                began_at=bench.clock.now(),
            )  # fmt: skip
        )
        bench.store.commit(unit_of(event, delivery))
        bench.send([delivery])
    (request,) = server.requests
    assert request.line == "GET /hook?shop=1&id=8&resourcePath=%2Fv1%2Fpayments%2F8 HTTP/1.1"


def calls(bench: DispatcherBench, *urls: str, merchant: str = "") -> list[Delivery]:
    """A delivery under way to each of these URLs of single payments."""
    made = []
    for url in urls:
        event = WebhookEvent(
            id=bench.ids.record(),
            type="notificationUrl",
            payload=encode_payload({}),
            created_at=bench.clock.now(),
        )
        delivery = start_delivery(
            Delivery(
                id=bench.ids.record(),
                event_id=event.id,
                url=url,
                merchant=merchant,
                began_at=bench.clock.now(),
            )
        )
        bench.store.commit(unit_of(event, delivery))
        made.append(delivery)
    return made


def test_of_urls_of_single_payments_some_have_a_queue_and_the_hosts_take_turns(
    tmp_path: Path,
) -> None:
    bench = DispatcherBench(tmp_path / "1.log", response_timeout_s=0.1)
    bench.dispatcher = WebhookDispatcher(bench.ports, bench.in_flight, url_queues_max=9)
    most, silent_before = 0, []

    def count(number: int) -> bytes:
        nonlocal most
        most = max(most, len(bench.dispatcher._queues))
        silent_before.append(len(silent.requests))
        return status(200)

    with sink(lambda number: gevent.sleep(9)) as silent, sink(count) as server:
        urls = [f"{silent.url}/{number}" for number in range(12)]
        urls += [f"{server.url}/{number}" for number in range(12)]
        deliveries = calls(bench, *urls)
        bench.dispatcher.enqueue(deliveries)
        bench.send(deliveries)

        assert sorted(each.line for each in server.requests) == sorted(
            f"GET /hook/{number}? HTTP/1.1" for number in range(12)
        )
        assert len(silent.requests) == 12
        assert most == 4
        # The silent host leaves room for the other one.
        assert silent_before[0] <= 3
        (again,) = calls(bench, f"{server.url}/again")
        bench.send([again])
    assert bench.now(again).delivered
    bench.dispatcher.stop()
    bench.store.close()


def test_hosts_that_do_not_respond_leave_room_for_another_merchant(tmp_path: Path) -> None:
    bench = DispatcherBench(tmp_path / "1.log", response_timeout_s=30)
    bench.dispatcher = WebhookDispatcher(bench.ports, bench.in_flight, url_queues_max=4)
    with ExitStack() as stack:
        silent = [stack.enter_context(sink(lambda number: gevent.sleep(30))) for _ in range(6)]
        beside = stack.enter_context(sink())
        bench.dispatcher.enqueue(calls(bench, *(each.url for each in silent), merchant="a"))
        bench.dispatcher.enqueue(calls(bench, beside.url, merchant="b"))
        with gevent.Timeout(10):
            beside.wait(1)
        assert len(beside.requests) == 1
        assert sum(len(each.requests) for each in silent) <= 2
        bench.dispatcher.stop()
    bench.store.close()


def test_every_attempt_is_appended_to_the_journal(bench: DispatcherBench) -> None:
    with sink(lambda number: status(500 if number == 1 else 200)) as server:
        (delivery,) = bench.events(1, bench.endpoint(server.url))
        bench.send([delivery])
        bench.store.commit(unit_of(start_delivery(bench.now(delivery))))
        bench.send([bench.now(delivery)])
    assert [(each.number, each.status) for each in bench.journal] == [(1, 500), (2, 200)]
    assert {each.event_id for each in bench.journal} == {delivery.event_id}
    assert bench.journal[0].event == "PAYMENT CREATED"
    assert SECRET not in str(bench.journal)


# fmt: off
FAULTS = (
    # fault                      statuses of the sink by attempt   what comes: number, readable
    (DeliveryFault(lose=1),             [200],                            [(2, True)]),
    (DeliveryFault(corrupt=1),          [400, 200],                       [(1, False), (2, True)]),
    (DeliveryFault(wrong_key=1),        [400, 200],                       [(1, False), (2, True)]),
    (DeliveryFault(duplicate=2),        [200, 200, 200],                  [(1, True)] * 3),
    (DeliveryFault(lose=1, corrupt=2),  [400, 200],                       [(2, False), (3, True)]),
)
# fmt: on


@pytest.mark.parametrize(("fault", "answers", "comes"), FAULTS, ids=str)
@pytest.mark.parametrize("form", ["hex", "wrapped"])
def test_a_delivery_fault_affects_the_attempts_it_names(
    bench: DispatcherBench,
    form: str,
    fault: DeliveryFault,
    answers: list[int],
    comes: list[tuple[int, bool]],
) -> None:
    with sink(lambda number: status(answers[number - 1])) as server:
        (delivery,) = bench.events(1, bench.endpoint(server.url, format=form), fault=fault)
        bench.send([delivery])
        while bench.now(delivery).state == "waiting":
            bench.store.commit(unit_of(start_delivery(bench.now(delivery))))
            bench.send([bench.now(delivery)])
    assert [(int(each.headers["x-delivery-attempt"]), readable(each)) for each in server.requests] \
        == comes  # fmt: skip
    assert {each.headers["x-event-id"] for each in server.requests} == {delivery.event_id}


def readable(request: object) -> bool:
    """Whether the secret decrypts it."""
    try:
        open_envelope(request.headers, request.body, [SECRET])
    except UnreadableEnvelopeError:
        return False
    return True


def test_a_queue_that_ended_is_forgotten(bench: DispatcherBench) -> None:
    with sink() as server:
        bench.send(bench.events(1, bench.endpoint(server.url)))
        (queue,) = bench.dispatcher._queues.values()
        queue.greenlet.kill()
        assert bench.dispatcher._queues == {}
        assert bench.in_flight.drain(0)


def test_active_endpoints_are_found_by_their_entity(bench: DispatcherBench) -> None:
    first, second = (bench.endpoint(f"http://127.0.0.1:9/{name}") for name in "ab")
    elsewhere, inactive = (bench.endpoint(f"http://127.0.0.1:9/{name}") for name in "cd")
    for made, change in ((elsewhere, {"entity": "channel"}), (inactive, {"active": False})):
        bench.store.commit(unit_of(replace(bench.store.get(Endpoint, made.id), **change)))
    bench.dispatcher.reload_endpoints()

    found = bench.dispatcher.endpoints

    assert {entity: [each.id for each in held] for entity, held in found.items()} == {
        "psp": [first.id, second.id],
        "channel": [elsewhere.id],
    }
