"""How attempts ended: stored when it comes, again after a fault, and never more than is kept."""

from collections.abc import Iterator
from pathlib import Path

import gevent
import pytest

from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.webhooks.dispatcher import Courier
from simulator.adapters.webhooks.results import KEPT_MAX, PRUNED_AT_ONCE, WAITING_MAX
from simulator.domain.journal.entries import WebhookAttempt
from simulator.domain.webhooks.records import Arrival, Delivery, Notice
from simulator.tests.adapters.webhooks.posts import MINUTE, Post, Refusing, numbers_in
from simulator.tests.kit.sinks import sink, status


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    made = Post(tmp_path / "1.log")
    yield made
    made.courier.stop()
    made.store.close()


def test_an_end_is_stored_while_the_attempt_after_it_hangs(tmp_path: Path) -> None:
    post = Post(tmp_path / "1.log", answer_s=30)
    with sink(lambda number: status(200) if number == 1 else gevent.sleep(30)) as server:
        first, second = post.notices(2, post.endpoint(server.url))
        post.courier.carry([first, second])
        server.wait(2)
        with gevent.Timeout(5):
            while post.now(first).under_way:
                gevent.sleep(0.005)
        assert (post.now(first).state, post.now(second).state) == ("delivered", "under way")
    post.courier.stop()


def test_an_inbox_that_cannot_be_stored_is_an_end_like_any_other(tmp_path: Path) -> None:
    store = Refusing(DocumentStore(tmp_path / "1.log", durability=Durability.OS), Arrival)
    post = Post(tmp_path / "1.log", store=store)
    (delivery,) = post.notices(1, post.endpoint("inbox"))
    store.refusals = 1
    post.send([delivery])
    after = post.now(delivery)
    assert (after.state, after.error) == ("waiting", "the inbox could not be stored")
    assert post.now(delivery).due == post.clock.now() + MINUTE
    store.close()


def test_what_meets_a_fault_before_its_attempt_is_carried_again_behind_the_others(
    post: Post,
) -> None:
    faults = iter([True])
    whole = post.tools.ids.hex

    def hex_once_broken(count: int) -> str:
        if next(faults, False):
            raise RuntimeError("a fault of ours")
        return whole(count)

    post.ids.hex = hex_once_broken
    with sink() as server:
        deliveries = post.notices(3, post.endpoint(server.url))
        post.send(deliveries)
    assert numbers_in(server) == [1, 2, 0]
    assert {post.now(each).state for each in deliveries} == {"delivered"}


def test_what_meets_a_fault_within_its_attempt_is_carried_again(tmp_path: Path) -> None:
    post = Post(tmp_path / "1.log")
    faults = iter([True])

    def told(attempt: WebhookAttempt) -> None:
        if next(faults, False):
            raise RuntimeError("a fault of ours")
        post.told.append(attempt)

    post.courier = Courier(post.tools._replace(told=told), post.in_flight, pause_s=0.01)
    with sink() as server:
        deliveries = post.notices(2, post.endpoint(server.url))
        post.send(deliveries)
    assert numbers_in(server) == [0, 1, 0]
    assert {post.now(each).state for each in deliveries} == {"delivered"}
    post.courier.stop()


def test_an_end_that_meets_a_fault_is_stored_again_and_sent_once(tmp_path: Path) -> None:
    store = Refusing(
        DocumentStore(tmp_path / "1.log", durability=Durability.OS),
        Delivery,
        RuntimeError("a fault of ours"),
    )
    post = Post(tmp_path / "1.log", store=store)
    with sink() as server:
        deliveries = post.notices(2, post.endpoint(server.url))
        store.refusals = 1
        post.send(deliveries)
    assert {post.now(each).state for each in deliveries} == {"delivered"}
    assert numbers_in(server) == [0, 1]
    store.close()


def test_while_ends_cannot_be_stored_few_attempts_are_made(tmp_path: Path) -> None:
    store = Refusing(DocumentStore(tmp_path / "1.log", durability=Durability.OS), Delivery)
    post = Post(tmp_path / "1.log", store=store)
    ends = post.courier._ends
    with sink() as server:
        deliveries = post.notices(4 * WAITING_MAX, post.endpoint(server.url))
        store.refusals = 10**6
        post.courier.carry(deliveries)
        with gevent.Timeout(10):
            while not (ends._stored and ends._open and len(ends._open.ends) >= WAITING_MAX):
                gevent.sleep(0.001)
        made = len(server.requests)
        server.wait(made + 1, seconds=0.05)
        # The first of them may be a few more before anybody notices that there are enough.
        assert len(server.requests) == made <= 2 * WAITING_MAX + 10
        store.refusals = 0
        assert post.in_flight.drain(10)
    assert numbers_in(server) == list(range(4 * WAITING_MAX))
    store.close()


def test_a_full_disk_loses_no_notice(tmp_path: Path) -> None:
    store = Refusing(DocumentStore(tmp_path / "1.log", durability=Durability.OS))
    post = Post(tmp_path / "1.log", store=store)
    with sink() as server:
        deliveries = post.notices(2, post.endpoint(server.url))
        store.refusals = 1
        post.send(deliveries)
    assert {post.now(each).state for each in deliveries} == {"delivered"}
    store.close()


def test_settled_deliveries_are_kept_up_to_a_limit_with_their_notices(post: Post) -> None:
    with sink() as server:
        endpoint = post.endpoint(server.url)
        made = KEPT_MAX + PRUNED_AT_ONCE + 50
        post.send(post.notices(made, endpoint), seconds=60)
    kept = list(post.store.between(Delivery, "settled", "", "9999"))
    left = list(post.store.between(Notice, "date", "", "9999"))
    assert KEPT_MAX <= len(kept) < KEPT_MAX + PRUNED_AT_ONCE
    assert {each.notice for each in kept} == {each.id for each in left}
    assert len(server.requests) == made
