"""Large events: how many bytes of them are in memory at a time, and whose turn it is.

An endpoint that does not read its request holds what is being sent to it for as long as thirty
seconds. All attempts of one event hold it once. Choice: D-714.
"""

from collections import deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from gevent.event import Event
from msgspec.structs import replace

from simulator.adapters.turns import give_way
from simulator.domain.core.ports import Store
from simulator.domain.webhooks.large_bodies import is_large
from simulator.domain.webhooks.records import NO_EVENT, WebhookEvent

# Of the whole gateway, and of one sandbox, which may always send one event, however large.
BYTES_MAX, SANDBOX_BYTES_MAX = 48 * 1024 * 1024, 16 * 1024 * 1024
SANDBOX_ATTEMPTS_MAX = 8
# So many large events of a sandbox are known as such before they are read.
KNOWN_MAX = 1000


class AttemptPlace:
    """The place of one attempt: of `text`, which takes `size_bytes` however many attempts have
    it.
    """

    __slots__ = ("given", "size_bytes", "text")

    def __init__(self, text: Hashable, size_bytes: int):
        self.text = text
        self.size_bytes = size_bytes
        self.given = Event()


class SandboxPlaces:
    """The attempts of one sandbox, those under way and those that wait."""

    __slots__ = ("under_way", "waiting")

    def __init__(self) -> None:
        self.under_way: list[AttemptPlace] = []
        self.waiting: deque[AttemptPlace] = deque()

    @property
    def size_bytes(self) -> int:
        """The bytes of the texts under way, each once."""
        return sum({each.text: each.size_bytes for each in self.under_way}.values())

    @property
    def next_bytes(self) -> int | None:
        """The bytes that the next one adds; None where none may begin."""
        if not self.waiting or len(self.under_way) >= SANDBOX_ATTEMPTS_MAX:
            return None
        following = self.waiting[0]
        if any(each.text == following.text for each in self.under_way):
            return 0
        is_within = self.size_bytes + following.size_bytes <= SANDBOX_BYTES_MAX
        return following.size_bytes if is_within or not self.under_way else None

    def begin_next(self) -> None:
        """Give the next one its place."""
        place = self.waiting.popleft()
        self.under_way.append(place)
        place.given.set()

    def leave(self, place: AttemptPlace) -> None:
        """Take away one that has ended, or waits no more."""
        if place.given.is_set():
            self.under_way.remove(place)
        else:
            self.waiting.remove(place)


class LargeBodies:
    """The places of the whole gateway. Sandboxes take turns; within one the first comes first."""

    __slots__ = ("_sandboxes",)

    def __init__(self) -> None:
        # In the order in which they come next.
        self._sandboxes: dict[Hashable, SandboxPlaces] = {}

    @contextmanager
    def place(self, sandbox: Hashable, text: Hashable, size_bytes: int) -> Iterator[None]:
        """Wait for a place, and have it."""
        place = AttemptPlace(text, size_bytes)
        places = self._sandboxes.setdefault(sandbox, SandboxPlaces())
        places.waiting.append(place)
        self._give_places()
        try:
            place.given.wait()
            yield
        finally:
            places.leave(place)
            if not places.under_way and not places.waiting:
                del self._sandboxes[sandbox]
            self._give_places()

    @property
    def size_bytes(self) -> int:
        """The bytes of all texts under way."""
        return sum(each.size_bytes for each in self._sandboxes.values())

    def _give_places(self) -> None:
        while (sandbox := self._next_sandbox()) is not None:
            places = self._sandboxes[sandbox] = self._sandboxes.pop(sandbox)
            places.begin_next()

    def _next_sandbox(self) -> Hashable | None:
        used = self.size_bytes
        for sandbox, places in self._sandboxes.items():
            if (more := places.next_bytes) is None:
                continue
            # Those behind it go no further either: else one that needs much would never begin.
            return sandbox if not more or not used or used + more <= BYTES_MAX else None
        return None


class LargeEvents:
    """The large events of one sandbox: which ones are known, and those that attempts under way
    have read, each once.
    """

    __slots__ = ("_bodies", "_known", "_read", "_store")

    def __init__(self, store: Store, bodies: LargeBodies):
        self._store = store
        self._bodies = bodies
        self._known: dict[str, tuple[WebhookEvent, int]] = {}
        self._read: WeakValueDictionary[tuple[str, int], WebhookEvent] = WeakValueDictionary()

    def head(self, identity: str) -> tuple[WebhookEvent, int]:
        """The event and 0, or a large one without its payload, and its size."""
        if (known := self._known.get(identity)) is not None:
            return known
        event = self._event(identity)
        if not is_large(event):
            return event, 0
        if len(self._known) >= KNOWN_MAX:
            del self._known[next(iter(self._known))]
        size_bytes = len(memoryview(event.payload))
        known = self._known[identity] = replace(event, payload=NO_EVENT), size_bytes
        return known

    @contextmanager
    def place(self, text: Hashable, size_bytes: int) -> Iterator[None]:
        """Wait for a place among the attempts of large events, and have it."""
        with self._bodies.place(self, text, size_bytes):
            give_way()
            yield

    def whole(self, identity: str) -> WebhookEvent:
        """A large event with its payload, in memory once for all who have it."""
        event = self._event(identity)
        return self._read.setdefault((event.id, event.version), event)

    def _event(self, identity: str) -> WebhookEvent:
        event = self._store.get(WebhookEvent, identity)
        assert event is not None, "an event is kept as long as any of its deliveries"
        return event
