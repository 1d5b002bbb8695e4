"""The inbox holds so many messages and so many bytes; the oldest make room."""

from collections.abc import Iterator
from pathlib import Path
from time import process_time

import gevent
import pytest

from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.vault import KeyVault
from simulator.adapters.webhooks.inbox import (
    BYTES_KEPT,
    BYTES_MAX,
    MESSAGES_MAX,
    PRUNE_BATCH,
    StoredInbox,
    size_of,
)
from simulator.tests.kit.event_loop import looks_during
from simulator.tests.kit.twins import HandClock, SeededIds

LONG = b"x" * 1024 * 1024


@pytest.fixture
def inbox(tmp_path: Path) -> Iterator[StoredInbox]:
    """An inbox of which nothing is written."""
    store = DocumentStore(tmp_path / "1.log", durability=Durability.MEMORY)
    yield StoredInbox(store, HandClock(), ids=SeededIds(1), vault=KeyVault(bytes(32)))
    store.close()


def test_long_messages_are_kept_up_to_a_number_of_bytes(inbox: StoredInbox) -> None:
    for number in range(40):
        inbox.receive({"X-Number": str(number)}, LONG)
        kept = list(inbox.wait(0, 0))
        assert sum(map(size_of, kept)) <= BYTES_MAX

    assert sum(map(size_of, kept)) > BYTES_KEPT // 2
    numbers = [int(each.headers["X-Number"]) for each in kept]
    assert numbers == list(range(40 - len(kept), 40))


def test_others_have_their_turn_while_a_full_inbox_is_read(inbox: StoredInbox) -> None:
    for _ in range(15):
        inbox.receive({}, b"\xff" * 250_000)

    assert looks_during(lambda: list(inbox.wait(0, 0))) > 10
    assert looks_during(inbox.clear) > 10


def test_messages_that_come_at_once_are_counted_once(tmp_path: Path) -> None:
    """Two that removed the same ones had all counted anew, 80 ms each time, for which others
    waited.
    """
    store = DocumentStore(tmp_path / "1.log")
    inbox = StoredInbox(store, HandClock(), ids=SeededIds(1), vault=KeyVault(bytes(32)))

    def receive() -> None:
        for _ in range(4):
            inbox.receive({}, LONG)

    gevent.joinall([gevent.spawn(receive) for _ in range(8)], raise_error=True)

    kept = list(inbox.wait(0, 0))
    assert inbox._totals == (len(kept), sum(map(size_of, kept)))
    assert inbox._totals.size_bytes <= BYTES_MAX
    store.close()


def test_what_is_no_text_counts_as_long_as_it_is_stored(inbox: StoredInbox) -> None:
    inbox.receive({}, b"\xff" * 1000)
    assert size_of(list(inbox.wait(0, 0))[0]) == 3000


def test_headers_count_as_bodies_do(inbox: StoredInbox) -> None:
    for _ in range(400):
        inbox.receive({"X-Filler": "x" * 60_000}, b"")

    assert sum(map(size_of, list(inbox.wait(0, 0)))) <= BYTES_MAX


def test_short_messages_are_kept_up_to_a_number(inbox: StoredInbox) -> None:
    for _ in range(MESSAGES_MAX + 2 * PRUNE_BATCH):
        inbox.receive({}, b"short")
        assert inbox._count_messages().messages <= MESSAGES_MAX + PRUNE_BATCH

    assert MESSAGES_MAX <= len(list(inbox.wait(0, 0))) <= MESSAGES_MAX + PRUNE_BATCH


def test_a_full_inbox_is_counted_without_taking_its_events_apart(inbox: StoredInbox) -> None:
    crowded = b'{"type":"PAYMENT","payload":[%b0]}' % (b"{}," * 20_000)
    for _ in range(100):
        inbox.receive({}, crowded)
    began = process_time()
    kept = list(inbox.wait(0, 0))
    assert process_time() - began < 0.15
    assert all(message.has_event for message in kept)
    assert sum(map(size_of, kept)) > 100 * len(crowded)
