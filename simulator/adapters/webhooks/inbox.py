"""The inbox of one sandbox: an endpoint inside the gateway, for a merchant without a receiver."""

from collections.abc import Iterator, Mapping
from itertools import islice
from time import monotonic

from gevent.event import Event

from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Clock, Ids, Store, Unit, Vault, unit_of
from simulator.domain.core.transact import transact
from simulator.domain.webhooks.envelopes import UnreadableEnvelopeError, open_envelope
from simulator.domain.webhooks.records import AttemptResult, Endpoint, InboxMessage

END_OF_TIME = "9999-12-31"
MESSAGES_MAX = 500
PRUNE_BATCH = 50
RECEIVED, UNREADABLE = 200, 400


class StoredInbox:
    """Implements ports.Inbox."""

    __slots__ = ("_clock", "_count", "_ids", "_received", "_store", "_times_counted",
                 "_vault", "_waiters")  # fmt: skip

    def __init__(self, store: Store, clock: Clock, *, ids: Ids, vault: Vault):
        self._store = store
        self._clock = clock
        self._ids = ids
        self._vault = vault
        self._received = Event()
        self._count: int | None = None
        self._times_counted = 0
        self._waiters = 0

    def receive(self, headers: Mapping[str, str], body: bytes) -> AttemptResult:
        """Store a message, decrypted; one that cannot be read is stored too, and answered 400."""
        event, error = None, ""
        try:
            event = open_envelope(headers, body, self._secrets())
        except UnreadableEnvelopeError as failure:
            error = str(failure)
        message = InboxMessage(
            id=self._ids.record(),
            at=self._clock.now(),
            headers=headers,
            body=body.decode("utf-8", "replace"),
            event=event,
            error=error,
        )
        self._append(message)
        return AttemptResult(status=UNREADABLE if error else RECEIVED)

    def wait(self, count: int, timeout_s: float) -> list[InboxMessage]:
        """The messages, oldest first: once there are `count`, or after this much wire time."""
        until = monotonic() + timeout_s
        self._waiters += 1
        try:
            while self._count_messages() < count and (left := until - monotonic()) > 0:
                self._received.wait(left)
        finally:
            self._waiters -= 1
        return list(self._messages())

    @property
    def has_waiters(self) -> bool:
        """Whether a request waits for a message."""
        return self._waiters > 0

    def clear(self) -> int:
        """Remove every message; the number of messages removed."""
        found = list(self._messages())
        self._store.commit(Unit(removes=tuple(found)))
        self._count = None
        return len(found)

    def _secrets(self) -> Iterator[str]:
        """Every secret of the sandbox, decrypted one at a time: most often the first one fits."""
        for endpoint in self._store.find(Endpoint, "all", "yes"):
            for sealed in (endpoint.secret, endpoint.next_secret):
                if sealed is not None:
                    yield self._vault.open(endpoint.id, sealed)

    def _append(self, message: InboxMessage) -> None:
        transact(self._store, lambda: self._store_message(message))
        received, self._received = self._received, Event()
        received.set()

    def _store_message(self, message: InboxMessage) -> None:
        count = self._count_messages()
        surplus = count + 1 - MESSAGES_MAX if count >= MESSAGES_MAX + PRUNE_BATCH else 0
        removes = tuple(islice(self._messages(), surplus))
        counted = self._times_counted
        try:
            self._store.commit(unit_of(message, removes=removes))
        except ConflictError:
            self._count = None
            raise
        if self._count is None or counted != self._times_counted:
            # Counted anew during the wait for the disk, with or without this message.
            self._count = None
        else:
            self._count += 1 - len(removes)

    def _count_messages(self) -> int:
        if self._count is None:
            self._count = sum(1 for _ in self._messages())
            self._times_counted += 1
        return self._count

    def _messages(self) -> Iterator[InboxMessage]:
        return self._store.between(InboxMessage, "date", "", END_OF_TIME)
