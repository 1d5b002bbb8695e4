"""Many queues of one sandbox: few of them go on in each turn of the event loop."""

from collections import Counter
from pathlib import Path

import gevent
import pytest

from simulator.adapters.turns import next_turn
from simulator.adapters.webhooks.endpoint_queue import EndpointQueue
from simulator.adapters.webhooks.queue_turns import QUEUES_AT_ONCE, QueueTurns
from simulator.domain.webhooks.records import INBOX
from simulator.tests.adapters.webhooks.bench import DispatcherBench

ENDPOINTS = 5 * QUEUES_AT_ONCE


def test_of_many_queues_few_deliver_in_each_turn_of_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = DispatcherBench(tmp_path / "1.log")
    made = bench.events(2, *(bench.endpoint(INBOX) for _ in range(ENDPOINTS)))
    turns, began = [0], list[int]()
    real = EndpointQueue._deliver

    def deliver(queue: EndpointQueue, attempt: object) -> None:
        began.append(turns[0])
        real(queue, attempt)

    def count() -> None:
        while True:
            turns[0] += 1
            next_turn()

    monkeypatch.setattr(EndpointQueue, "_deliver", deliver)
    counting = gevent.spawn(count)
    bench.send(made)
    counting.kill()

    assert len(began) == 2 * ENDPOINTS
    # One of them may be woken in the turn that the count comes to later.
    assert max(Counter(began).values()) <= 2 * QUEUES_AT_ONCE
    assert {bench.now(each).state for each in made} == {"delivered"}
    bench.dispatcher.stop()
    bench.store.close()


def test_few_queues_wait_for_no_turn_of_the_loop() -> None:
    turns, looks = QueueTurns(), [0]
    turns.busy = QUEUES_AT_ONCE

    def look() -> None:
        while True:
            looks[0] += 1
            next_turn()

    looking = gevent.spawn(look)
    gevent.sleep(0)
    before = looks[0]
    turns.take()
    looking.kill()

    assert looks[0] == before
