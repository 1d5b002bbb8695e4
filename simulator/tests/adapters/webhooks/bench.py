"""A webhook dispatcher over a store on disk, for tests, and a store that refuses to commit."""

from datetime import timedelta
from pathlib import Path

from simulator.adapters.sandboxes.holds import HeldMessages
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.vault import KeyVault
from simulator.adapters.webhooks.attempts import DispatcherPorts
from simulator.adapters.webhooks.dispatcher import WebhookDispatcher
from simulator.adapters.webhooks.inbox import StoredInbox
from simulator.adapters.webhooks.sender import Connector
from simulator.domain.core.errors import DiskError
from simulator.domain.core.ports import unit_of
from simulator.domain.journal.entries import WebhookAttempt
from simulator.domain.webhooks.envelopes import encode_payload, open_envelope
from simulator.domain.webhooks.records import Delivery, Endpoint, WebhookEvent, start_delivery
from simulator.domain.webhooks.targets import AddressPolicy
from simulator.tests.kit.sinks import Sink
from simulator.tests.kit.twins import HandClock, SeededIds

SECRET = "0123456789abcdef" * 4
MINUTE = timedelta(minutes=1)


class DispatcherBench:
    """A dispatcher over a store on disk, and functions that store deliveries for it."""

    def __init__(self, path: Path, *, response_timeout_s: float = 5, store: object = None):
        self.store = store or DocumentStore(path, durability=Durability.OS)
        self.clock = HandClock()
        self.ids, self.vault = SeededIds(1), KeyVault(bytes(32))
        self.journal: list[WebhookAttempt] = []
        self.woken = 0
        inbox = StoredInbox(self.store, self.clock, ids=self.ids, vault=self.vault)
        self.ports = DispatcherPorts(
            store=self.store,
            clock=self.clock,
            vault=self.vault,
            ids=self.ids,
            inbox=inbox,
            connector=Connector(
                AddressPolicy(loopback=True), response_timeout_s=response_timeout_s
            ),
            journal=self.journal.append,
            wake=self._wake,
            holds=HeldMessages(self.store, self.clock, self._wake),
        )
        self.in_flight = GreenletCounter(lambda: 0)
        self.dispatcher = WebhookDispatcher(self.ports, self.in_flight, pause_s=0.1)

    def _wake(self) -> None:
        self.woken += 1

    def endpoint(self, url: str, **fields: object) -> Endpoint:
        """A stored endpoint that is active."""
        identity = self.ids.record()
        secret = self.vault.seal(identity, SECRET)
        made = Endpoint(
            id=identity, entity="psp", url=url, secret=secret, active=True,
            created_at=self.clock.now(), **fields,
        )  # fmt: skip
        self.store.commit(unit_of(made))
        self.dispatcher.reload_endpoints()
        return made

    def events(self, count: int, *endpoints: Endpoint, **fields: object) -> list[Delivery]:
        """Stored events; a delivery of each to every endpoint, under way."""
        made = []
        for number in range(count):
            event = WebhookEvent(
                id=self.ids.record(), type="PAYMENT", action="CREATED", payment="p", ndc="n",
                payload=encode_payload({"number": number}), created_at=self.clock.now(),
            )  # fmt: skip
            deliveries = [
                start_delivery(
                    Delivery(
                        id=self.ids.record(),
                        event_id=event.id,
                        endpoint=each.id,
                        began_at=self.clock.now(),
                        **fields,
                    )  # fmt: skip
                )
                for each in endpoints
            ]
            self.store.commit(unit_of(event, *deliveries))
            made += deliveries
        return made

    def send(self, deliveries: list[Delivery], seconds: float = 5) -> None:
        """Enqueue them, and wait until nothing is in flight."""
        self.dispatcher.enqueue(deliveries)
        assert self.in_flight.drain(seconds)

    def now(self, delivery: Delivery) -> Delivery:
        """The delivery as it is stored."""
        return self.store.get(Delivery, delivery.id)


class RefusingStore:
    """A store that refuses the next `refusals` commits, of all records or those of one kind."""

    def __init__(self, store: DocumentStore, kind: type = object, refusal: Exception | None = None):
        self._store = store
        self._kind = kind
        self._refusal = refusal or DiskError(Path("1.log"), "no space left on device")
        self.refusals = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: object) -> None:
        """Commit, or refuse."""
        if self.refusals and isinstance(unit.puts[0], self._kind):
            self.refusals -= 1
            raise self._refusal
        self._store.commit(unit)


def numbers_in(server: Sink, secret: str = SECRET) -> list[int]:
    """The numbers of the received events, in order."""
    events = [open_envelope(each.headers, each.body, [secret]) for each in server.requests]
    return [event["payload"]["number"] for event in events]
