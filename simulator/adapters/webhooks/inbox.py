"""The inbox of one sandbox: an endpoint inside the gateway, for whoever cannot host a receiver."""

from collections.abc import Iterator, Mapping
from itertools import islice
from time import monotonic

from gevent.event import Event

from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import Clock, Ids, Store, Unit, Vault, unit_of
from simulator.domain.webhooks.envelopes import UnreadableEnvelopeError, opened
from simulator.domain.webhooks.records import Arrival, Endpoint, Reply

END_OF_TIME = "9999-12-31"
KEPT_MAX = 500
PRUNED_AT_ONCE = 50
TAKEN, UNREADABLE = 200, 400


class Inbox:
    """Implements ports.Inbox."""

    __slots__ = ("_arrived", "_clock", "_count", "_followers", "_ids", "_store", "_vault")

    def __init__(self, store: Store, clock: Clock, *, ids: Ids, vault: Vault):
        self._store = store
        self._clock = clock
        self._ids = ids
        self._vault = vault
        self._arrived = Event()
        self._count: int | None = None
        self._followers = 0

    def take(self, headers: Mapping[str, str], body: bytes) -> Reply:
        """Keep what arrived, and read it; what no secret opens is kept too, and answered 400."""
        event, error = None, ""
        try:
            event = opened(headers, body, self._secrets())
        except UnreadableEnvelopeError as failure:
            error = str(failure)
        arrival = Arrival(
            id=self._ids.record(),
            at=self._clock.now(),
            headers=headers,
            body=body.decode("utf-8", "replace"),
            event=event,
            error=error,
        )
        self._keep(arrival)
        return Reply(status=UNREADABLE if error else TAKEN)

    def wait(self, count: int, timeout_s: float) -> list[Arrival]:
        """What arrived, oldest first: as soon as it is `count`, or after so much wire time."""
        until = monotonic() + timeout_s
        self._followers += 1
        try:
            while self._counted() < count and (left := until - monotonic()) > 0:
                self._arrived.wait(left)
        finally:
            self._followers -= 1
        return list(self._all())

    @property
    def is_followed(self) -> bool:
        """Whether somebody waits for something to arrive."""
        return self._followers > 0

    def empty(self) -> int:
        """Forget what arrived; the count of it."""
        found = list(self._all())
        self._store.commit(Unit(removes=tuple(found)))
        self._count = None
        return len(found)

    def _secrets(self) -> Iterator[str]:
        """Every secret of the sandbox, opened one at a time: most often the first one fits."""
        for endpoint in self._store.find(Endpoint, "all", "yes"):
            for sealed in (endpoint.secret, endpoint.next_secret):
                if sealed is not None:
                    yield self._vault.open(endpoint.id, sealed)

    def _keep(self, arrival: Arrival) -> None:
        while True:
            count = self._counted()
            surplus = count + 1 - KEPT_MAX if count >= KEPT_MAX + PRUNED_AT_ONCE else 0
            removes = tuple(islice(self._all(), surplus))
            try:
                self._store.commit(unit_of(arrival, removes=removes))
            except ConflictError:
                self._count = None
                continue
            break
        self._count = None if self._count is None else self._count + 1 - len(removes)
        arrived, self._arrived = self._arrived, Event()
        arrived.set()

    def _counted(self) -> int:
        if self._count is None:
            self._count = sum(1 for _ in self._all())
        return self._count

    def _all(self) -> Iterator[Arrival]:
        return self._store.between(Arrival, "date", "", END_OF_TIME)
