"""A large inbox: sent in pieces, to one reader at a time, and others have their turn."""

from collections.abc import Iterator
from pathlib import Path

import gevent
import msgspec
import pytest

from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.vault import KeyVault
from simulator.adapters.webhooks.inbox import LARGE_BYTES, StoredInbox
from simulator.domain.core.ports import unit_of
from simulator.domain.webhooks.envelopes import seal_envelope
from simulator.domain.webhooks.records import Endpoint, InboxMessage
from simulator.tests.kit.event_loop import looks_during
from simulator.tests.kit.twins import HandClock, SeededIds
from simulator.web.control.documents.events import InboxDocument
from simulator.web.control.inbox_messages import (
    PIECE_BYTES,
    document_in_pieces,
    render_message,
)
from simulator.web.http.answers import to_json, to_raw

SECRET = "0123456789abcdef" * 4
LONG = "é\u0001x" * (LARGE_BYTES // 4)
EVENT = to_json({"type": "PAYMENT", "action": "CREATED", "payload": {"text": LONG}})
SENT = seal_envelope(EVENT, "hex", secret=SECRET, iv="0" * 24)


@pytest.fixture
def inbox(tmp_path: Path) -> Iterator[StoredInbox]:
    """An inbox of which nothing is written, with one secret."""
    store = DocumentStore(tmp_path / "1.log", durability=Durability.MEMORY)
    vault, clock = KeyVault(bytes(32)), HandClock()
    secret = vault.seal("e", SECRET)
    endpoint = Endpoint(
        id="e", entity="psp", url="inbox", secret=secret, active=True, created_at=clock.now()
    )
    store.commit(unit_of(endpoint))
    yield StoredInbox(store, clock, ids=SeededIds(1), vault=vault)
    store.close()


def pieces_of(messages: Iterator[InboxMessage], *arrived: InboxMessage) -> list[bytes]:
    documents = [to_raw(render_message(each)) for each in arrived]
    return list(document_in_pieces("http://here/inbox", documents, next(messages), messages))


def test_others_have_their_turn_while_a_large_message_is_taken_apart(inbox: StoredInbox) -> None:
    """One of 10 MB took 400 ms, in which all others waited."""
    assert looks_during(lambda: inbox.receive(SENT.headers, SENT.body)) >= 4
    (message,) = inbox.wait(0, 0)
    assert msgspec.json.decode(message.event) == msgspec.json.decode(EVENT)
    assert message.error == ""


@pytest.mark.parametrize(
    "body",
    [
        SENT.body,
        EVENT,
        b"x" * 4 * PIECE_BYTES,
        b'{"type":"PAYMENT","action":7,"payload":[%b0]}' % (b"0," * PIECE_BYTES),
        b'{"payload":{"id":"%b"},"type":"PAYMENT"}' % (b"x" * PIECE_BYTES),
        b"short",
    ],
)
def test_a_document_in_pieces_says_what_a_whole_one_does(inbox: StoredInbox, body: bytes) -> None:
    headers = SENT.headers if body == SENT.body else {"X-Event-Id": "7"}
    for each in (b"first", body, b'{"type":"LAST"}'):
        inbox.receive(headers if each == body else {}, each)
    first, *others = inbox.wait(0, 0)
    pieces = pieces_of(iter(others), first)
    documents = tuple(map(render_message, (first, *others)))
    whole = to_json(InboxDocument("http://here/inbox", 3, documents))
    assert msgspec.json.decode(b"".join(pieces)) == msgspec.json.decode(whole)
    assert max(map(len, pieces)) <= 6 * PIECE_BYTES


def test_a_large_inbox_has_one_reader_at_a_time(inbox: StoredInbox) -> None:
    """Eight that read one message of 10 MB delayed others by a second."""
    inbox.receive(SENT.headers, SENT.body)
    first, second = inbox.wait(0, 0), inbox.wait(0, 0)
    next(first)
    other = gevent.spawn(next, second)
    gevent.sleep(0.02)
    assert not other.ready()
    # Its connection is gone.
    first.close()
    assert other.get(timeout=5).has_event


def test_a_small_inbox_has_many_readers_at_a_time(inbox: StoredInbox) -> None:
    inbox.receive({}, b"short")
    readers = [inbox.wait(0, 0) for _ in range(3)]
    assert [next(each).body for each in readers] == ["short"] * 3
