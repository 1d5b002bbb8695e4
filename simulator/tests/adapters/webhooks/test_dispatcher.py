"""The courier: lanes that do not wait for each other, and nothing lost on the way."""

from collections.abc import Iterator
from pathlib import Path

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.webhooks.endpoint_queue import Carrier
from simulator.domain.core.ports import unit_of
from simulator.domain.webhooks.envelopes import UnreadableEnvelopeError, noted, opened
from simulator.domain.webhooks.records import Delivery, Endpoint, Mishap, Notice, handed_over
from simulator.tests.adapters.webhooks.posts import MINUTE, SECRET, Post, numbers_in
from simulator.tests.kit.sinks import sink, status, unused_port


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    made = Post(tmp_path / "1.log")
    yield made
    made.courier.stop()
    made.store.close()


def test_notices_arrive_in_their_order_each_once(post: Post) -> None:
    with sink() as server:
        deliveries = post.notices(250, post.endpoint(server.url))
        post.send(deliveries)
    assert numbers_in(server) == list(range(250))
    assert {post.now(each).state for each in deliveries} == {"delivered"}
    assert server.connections == 1


def test_every_attempt_carries_the_identity_and_a_fresh_initialisation_vector(post: Post) -> None:
    with sink(503) as server:
        (delivery,) = post.notices(1, post.endpoint(server.url))
        for _ in range(3):
            post.store.commit(unit_of(handed_over(post.now(delivery))))
            post.send([post.now(delivery)])
    headers = [each.headers for each in server.requests]
    assert {each["x-event-id"] for each in headers} == {delivery.notice}
    assert [each["x-delivery-attempt"] for each in headers] == ["1", "2", "3"]
    assert len({each["x-initialization-vector"] for each in headers}) == 3
    assert len({str(opened(each.headers, each.body, [SECRET])) for each in server.requests}) == 1


def test_a_refused_notice_is_due_again_and_the_pacer_is_told(post: Post) -> None:
    with sink(500) as server:
        (delivery,) = post.notices(1, post.endpoint(server.url))
        post.send([delivery])
    after = post.now(delivery)
    assert (after.state, after.status, after.failures) == ("waiting", 500, 1)
    assert after.due == post.clock.now() + MINUTE
    assert post.woken == 1


def test_a_dead_endpoint_delays_no_other(tmp_path: Path) -> None:
    post = Post(tmp_path / "1.log", answer_s=30)
    with sink(lambda number: gevent.sleep(30)) as dead, sink() as alive:
        endpoints = [post.endpoint(dead.url), post.endpoint(alive.url)]
        with gevent.Timeout(5):
            post.courier.carry(post.notices(50, *endpoints))
            alive.wait(50)
        assert numbers_in(alive) == list(range(50))
        assert len(dead.requests) <= 1
        assert not post.in_flight.drain(0)
    post.courier.stop()


def test_an_endpoint_that_nobody_serves_is_no_fault(post: Post) -> None:
    (delivery,) = post.notices(1, post.endpoint(f"http://127.0.0.1:{unused_port()}/"))
    post.send([delivery])
    assert post.now(delivery).error == "connection refused"


def test_a_crash_between_the_save_and_the_delivery_delivers_later(tmp_path: Path) -> None:
    before = Post(tmp_path / "1.log")
    with sink() as server:
        deliveries = before.notices(3, before.endpoint(server.url))
        before.store.close()
        after = Post(tmp_path / "1.log")
        found = after.store.find(Delivery, "under_way", "yes")
        after.send(found)
        assert {each.notice for each in found} == {each.notice for each in deliveries}
    assert sorted(numbers_in(server)) == [0, 1, 2]
    after.store.close()


def test_a_crash_before_the_end_is_stored_delivers_again_under_the_same_identity(
    tmp_path: Path,
) -> None:
    before = Post(tmp_path / "1.log")
    with sink() as server:
        (delivery,) = before.notices(1, before.endpoint(server.url))
        carrier = Carrier(before.tools)
        end = carrier.attempt(carrier.load(delivery.id))
        before.store.close()
        after = Post(tmp_path / "1.log")
        after.send(after.store.find(Delivery, "under_way", "yes"))
        assert end.reply.is_success
    assert [each.headers["x-event-id"] for each in server.requests] == [delivery.notice] * 2
    after.store.close()


def test_after_a_reset_what_was_under_way_is_dropped(post: Post) -> None:
    with sink(lambda number: gevent.sleep(0.05) or status(200)) as server:
        post.courier.carry(post.notices(20, post.endpoint(server.url)))
        server.wait(1)
        post.store.close()
        assert post.in_flight.drain(2)
        assert len(server.requests) < 20


def test_a_lane_that_never_has_to_wait_lets_others_have_their_turn(tmp_path: Path) -> None:
    store = DocumentStore(tmp_path / "1.log", durability=Durability.MEMORY)
    post = Post(tmp_path / "1.log", store=store)
    deliveries = post.notices(50, post.endpoint("inbox"))
    post.courier.carry(deliveries)
    turns = 0
    while post.in_flight.count:
        gevent.sleep(0)
        turns += 1
    assert turns >= 50


def test_a_changed_endpoint_counts_from_the_next_load_on(post: Post) -> None:
    with sink() as old, sink() as new:
        endpoint = post.endpoint(old.url)
        post.send(post.notices(1, endpoint))
        moved = replace(post.store.get(Endpoint, endpoint.id), url=new.url)
        post.store.commit(unit_of(moved))
        post.courier.changed()
        post.send(post.notices(1, endpoint))
    assert (len(old.requests), len(new.requests)) == (1, 1)


def test_an_endpoint_that_was_removed_gets_nothing_more(post: Post) -> None:
    with sink() as server:
        endpoint = post.endpoint(server.url)
        (delivery,) = post.notices(1, endpoint)
        post.store.commit(unit_of(removes=(post.store.get(Endpoint, endpoint.id),)))
        post.send([delivery])
        assert server.requests == []
    assert post.now(delivery).error == "the endpoint was removed"


def test_a_notification_url_is_called_with_get_and_its_query(post: Post) -> None:
    with sink() as server:
        query = {"id": "8", "resourcePath": "/v1/payments/8"}
        notice = Notice(
            id=post.ids.record(),
            type="notificationUrl",
            payload=noted(query),
            created_at=post.clock.now(),
        )
        delivery = handed_over(
            Delivery(
                id=post.ids.record(),
                notice=notice.id,
                url=f"{server.url}?shop=1",
                began_at=post.clock.now(),
            )  # fmt: skip
        )
        post.store.commit(unit_of(notice, delivery))
        post.send([delivery])
    (request,) = server.requests
    assert request.line == "GET /hook?shop=1&id=8&resourcePath=%2Fv1%2Fpayments%2F8 HTTP/1.1"


def test_every_attempt_is_told_to_the_journal(post: Post) -> None:
    with sink(lambda number: status(500 if number == 1 else 200)) as server:
        (delivery,) = post.notices(1, post.endpoint(server.url))
        post.send([delivery])
        post.store.commit(unit_of(handed_over(post.now(delivery))))
        post.send([post.now(delivery)])
    assert [(each.number, each.status) for each in post.told] == [(1, 500), (2, 200)]
    assert {each.event_id for each in post.told} == {delivery.notice}
    assert post.told[0].event == "PAYMENT CREATED"
    assert SECRET not in str(post.told)


# fmt: off
MISHAPS = (
    # mishap                     statuses of the sink by attempt   what comes: number, readable
    (Mishap(lose=1),             [200],                            [(2, True)]),
    (Mishap(corrupt=1),          [400, 200],                       [(1, False), (2, True)]),
    (Mishap(wrong_key=1),        [400, 200],                       [(1, False), (2, True)]),
    (Mishap(duplicate=2),        [200, 200, 200],                  [(1, True)] * 3),
    (Mishap(lose=1, corrupt=2),  [400, 200],                       [(2, False), (3, True)]),
)
# fmt: on


@pytest.mark.parametrize(("mishap", "answers", "comes"), MISHAPS, ids=str)
@pytest.mark.parametrize("form", ["hex", "wrapped"])
def test_what_a_script_does_happens_to_the_attempts_it_names(
    post: Post, form: str, mishap: Mishap, answers: list[int], comes: list[tuple[int, bool]]
) -> None:
    with sink(lambda number: status(answers[number - 1])) as server:
        (delivery,) = post.notices(1, post.endpoint(server.url, format=form), mishap=mishap)
        post.send([delivery])
        while post.now(delivery).state == "waiting":
            post.store.commit(unit_of(handed_over(post.now(delivery))))
            post.send([post.now(delivery)])
    assert [(int(each.headers["x-delivery-attempt"]), readable(each)) for each in server.requests] \
        == comes  # fmt: skip
    assert {each.headers["x-event-id"] for each in server.requests} == {delivery.notice}


def readable(request: object) -> bool:
    """Whether the secret opens it."""
    try:
        opened(request.headers, request.body, [SECRET])
    except UnreadableEnvelopeError:
        return False
    return True


def test_a_lane_that_ended_leaves_nothing_behind(post: Post) -> None:
    with sink() as server:
        post.send(post.notices(1, post.endpoint(server.url)))
        (lane,) = post.courier._lanes.values()
        lane.greenlet.kill()
        assert post.courier._lanes == {}
        assert post.in_flight.drain(0)
