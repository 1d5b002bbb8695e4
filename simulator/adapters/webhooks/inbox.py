"""The inbox of one sandbox: an endpoint inside the gateway, for a merchant without a receiver."""

from collections.abc import Iterator, Mapping
from time import monotonic
from typing import NamedTuple

import msgspec
from gevent.event import Event
from gevent.lock import BoundedSemaphore

from simulator.adapters.turns import Slices, give_way
from simulator.domain.core.ports import Clock, Ids, Store, Unit, Vault, unit_of
from simulator.domain.core.transact import transact
from simulator.domain.webhooks.envelopes import (
    UnreadableEnvelopeError,
    encode_payload,
    open_envelope,
)
from simulator.domain.webhooks.records import NO_EVENT, AttemptResult, Endpoint, InboxMessage

END_OF_TIME = "9999-12-31"
MESSAGES_MAX = 500
PRUNE_BATCH = 50
# With headers and bodies; then the oldest are removed until so many are left.
BYTES_MAX, BYTES_KEPT = 16 * 1024 * 1024, 15 * 1024 * 1024
# Of more, a body is taken apart and an inbox is read in turns of long work.
LARGE_BYTES = 1024 * 1024
PIECE_LENGTH = 64 * 1024
RECEIVED, UNREADABLE = 200, 400


class InboxTotals(NamedTuple):
    """How many messages there are, and how many bytes they take."""

    messages: int = 0
    size_bytes: int = 0

    def with_message(self, message: InboxMessage) -> "InboxTotals":
        """With one more."""
        return InboxTotals(self.messages + 1, self.size_bytes + size_of(message))

    def without_message(self, message: InboxMessage) -> "InboxTotals":
        """With one less."""
        return InboxTotals(self.messages - 1, self.size_bytes - size_of(message))

    def is_within(self, messages: int, size_bytes: int) -> bool:
        """Whether there are not more of either."""
        return self.messages <= messages and self.size_bytes <= size_bytes


def size_of(message: InboxMessage) -> int:
    """The bytes of a message, about; what was decrypted of it is about as long as its body."""
    headers = sum(len(name) + len(value) for name, value in message.headers.items())
    length = len(memoryview(message.raw_body)) - len('""')
    return headers + length * (2 if message.has_event else 1)


class StoredInbox:
    """Implements ports.Inbox: the newest messages, bounded in number and in bytes."""

    __slots__ = ("_clock", "_ids", "_reading", "_received", "_store", "_totals", "_turn",
                 "_vault", "_waiters")  # fmt: skip

    def __init__(self, store: Store, clock: Clock, *, ids: Ids, vault: Vault):
        self._store = store
        self._clock = clock
        self._ids = ids
        self._vault = vault
        self._received = Event()
        self._totals: InboxTotals | None = None
        # Held while messages are stored or removed, so that the totals are those of the store.
        self._turn = BoundedSemaphore(1)
        self._waiters = 0
        # Held while a large inbox is read.
        self._reading = BoundedSemaphore(1)

    def receive(self, headers: Mapping[str, str], body: bytes) -> AttemptResult:
        """Store a message, decrypted; one that cannot be read is stored too, and answered 400."""
        event, error = NO_EVENT, ""
        pause = give_way if len(body) > LARGE_BYTES else _go_on
        try:
            event = encode_payload(open_envelope(headers, body, self._secrets(), pause=pause))
        except UnreadableEnvelopeError as failure:
            error = str(failure)
        pause()
        message = InboxMessage(
            id=self._ids.record(),
            at=self._clock.now(),
            headers=headers,
            raw_body=_json_text(body.decode("utf-8", "replace")),
            event=event,
            error=error,
        )
        pause()
        self._append(message)
        return AttemptResult(status=UNREADABLE if error else RECEIVED)

    def wait(self, count: int, timeout_s: float) -> Iterator[InboxMessage]:
        """The messages, oldest first: once there are `count`, or after this much wire time. Others
        have their turn between them.
        """
        until = monotonic() + timeout_s
        self._waiters += 1
        try:
            received = self._received
            while self._stored_count() < count and (left := until - monotonic()) > 0:
                # The one there was before it counted: a message may have come meanwhile.
                received.wait(left)
                received = self._received
        finally:
            self._waiters -= 1
        if self._totals is not None and self._totals.size_bytes <= LARGE_BYTES:
            return self._messages_in_slices()
        # It is large, or not counted yet.
        return self._messages_in_turn()

    @property
    def has_waiters(self) -> bool:
        """Whether a request waits for a message."""
        return self._waiters > 0

    def wake(self) -> None:
        """Have every request that waits look again: there may be no more to come."""
        received, self._received = self._received, Event()
        received.set()

    def clear(self) -> int:
        """Remove every message; the number of messages removed."""
        with self._turn:
            found = list(self._messages_in_slices())
            self._store.commit(Unit(removes=tuple(found)))
            self._totals = InboxTotals()
        return len(found)

    def _secrets(self) -> Iterator[str]:
        """Every secret of the sandbox, decrypted one at a time: most often the first one fits."""
        for endpoint in self._store.find(Endpoint, "all", "yes"):
            for sealed in (endpoint.secret, endpoint.next_secret):
                if sealed is not None:
                    yield self._vault.open(endpoint.id, sealed)

    def _append(self, message: InboxMessage) -> None:
        with self._turn:
            transact(self._store, lambda: self._store_message(message))
        self.wake()

    def _store_message(self, message: InboxMessage) -> None:
        totals = self._count_messages()
        # Counted anew unless all goes well: a commit that failed may have stored it.
        self._totals = None
        removes = self._removed_for(message, totals)
        self._store.commit(unit_of(message, removes=removes))
        totals = totals.with_message(message)
        for each in removes:
            totals = totals.without_message(each)
        self._totals = totals

    def _removed_for(self, message: InboxMessage, totals: InboxTotals) -> tuple[InboxMessage, ...]:
        """The oldest messages, which make room for another one; some at once."""
        totals = totals.with_message(message)
        if totals.is_within(MESSAGES_MAX + PRUNE_BATCH, BYTES_MAX):
            return ()
        removed = []
        for oldest in self._messages():
            if totals.is_within(MESSAGES_MAX, BYTES_KEPT):
                break
            totals = totals.without_message(oldest)
            removed.append(oldest)
        return tuple(removed)

    def _count_messages(self) -> InboxTotals:
        if self._totals is None:
            totals = InboxTotals()
            for message in self._messages_in_slices():
                totals = totals.with_message(message)
            self._totals = totals
        return self._totals

    def _stored_count(self) -> int:
        bounds = ("", END_OF_TIME)
        return self._store.page(InboxMessage, "date", bounds, start=0, most=0)[1]

    def _messages_in_turn(self) -> Iterator[InboxMessage]:
        """The messages for one reader at a time, who has each alone in memory. Choice: D-715."""
        with self._reading:
            give_way()
            messages = self._messages()
            while (message := next(messages, None)) is not None:
                yield message
                del message
                give_way()

    def _messages_in_slices(self) -> Iterator[InboxMessage]:
        slices = Slices()
        for message in self._messages():
            yield message
            slices.end_if_long()

    def _messages(self) -> Iterator[InboxMessage]:
        return self._store.between(InboxMessage, "date", "", END_OF_TIME)


def _json_text(text: str) -> msgspec.Raw:
    """A text as JSON; others have their turn while a long one is encoded."""
    whole, slices = bytearray(b'"'), Slices()
    for start in range(0, len(text), PIECE_LENGTH):
        whole += msgspec.json.encode(text[start : start + PIECE_LENGTH])[1:-1]
        slices.end_if_long()
    return msgspec.Raw(bytes(whole + b'"'))


def _go_on() -> None:
    """Go on at once."""
