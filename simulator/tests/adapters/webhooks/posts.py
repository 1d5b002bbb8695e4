"""A courier over a store on disk, for tests: what it needs, and a store that refuses."""

from datetime import timedelta
from pathlib import Path

from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.vault import KeyVault
from simulator.adapters.webhooks.dispatcher import Courier
from simulator.adapters.webhooks.endpoint_queue import Tools
from simulator.adapters.webhooks.inbox import Inbox
from simulator.adapters.webhooks.sender import Links
from simulator.domain.core.errors import DiskError
from simulator.domain.core.ports import unit_of
from simulator.domain.journal.entries import WebhookAttempt
from simulator.domain.webhooks.envelopes import noted, opened
from simulator.domain.webhooks.records import Delivery, Endpoint, Notice, handed_over
from simulator.domain.webhooks.targets import Policy
from simulator.tests.kit.sinks import Sink
from simulator.tests.kit.twins import HandClock, SeededIds

SECRET = "0123456789abcdef" * 4
MINUTE = timedelta(minutes=1)


class Post:
    """A courier over a store on disk, and the little that makes deliveries for it."""

    def __init__(self, path: Path, *, answer_s: float = 5, store: object = None):
        self.store = store or DocumentStore(path, durability=Durability.OS)
        self.clock = HandClock()
        self.ids, self.vault = SeededIds(1), KeyVault(bytes(32))
        self.told: list[WebhookAttempt] = []
        self.woken = 0
        inbox = Inbox(self.store, self.clock, ids=self.ids, vault=self.vault)
        self.tools = Tools(
            store=self.store,
            clock=self.clock,
            vault=self.vault,
            ids=self.ids,
            inbox=inbox,
            links=Links(Policy(loopback=True), answer_s=answer_s),
            told=self.told.append,
            wake=self._wake,
        )
        self.in_flight = GreenletCounter(lambda: 0)
        self.courier = Courier(self.tools, self.in_flight, pause_s=0.1)

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
        self.courier.changed()
        return made

    def notices(self, count: int, *endpoints: Endpoint, **fields: object) -> list[Delivery]:
        """Stored notices, and a delivery of each to every endpoint, under way."""
        made = []
        for number in range(count):
            notice = Notice(
                id=self.ids.record(), type="PAYMENT", action="CREATED", payment="p", ndc="n",
                payload=noted({"number": number}), created_at=self.clock.now(),
            )  # fmt: skip
            deliveries = [
                handed_over(
                    Delivery(
                        id=self.ids.record(),
                        notice=notice.id,
                        endpoint=each.id,
                        began_at=self.clock.now(),
                        **fields,
                    )  # fmt: skip
                )
                for each in endpoints
            ]
            self.store.commit(unit_of(notice, *deliveries))
            made += deliveries
        return made

    def send(self, deliveries: list[Delivery], seconds: float = 5) -> None:
        """Carry them, and wait until nothing is under way."""
        self.courier.carry(deliveries)
        assert self.in_flight.drain(seconds)

    def now(self, delivery: Delivery) -> Delivery:
        """The delivery as it is stored."""
        return self.store.get(Delivery, delivery.id)


class Refusing:
    """A store whose disk refuses some saves; only of records of one kind, where one is named."""

    def __init__(self, store: DocumentStore, kind: type = object, refusal: Exception | None = None):
        self._store = store
        self._kind = kind
        self._refusal = refusal or DiskError(Path("1.log"), "no space left on device")
        self.refusals = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: object) -> None:
        """Save, or refuse."""
        if self.refusals and isinstance(unit.puts[0], self._kind):
            self.refusals -= 1
            raise self._refusal
        self._store.commit(unit)


def numbers_in(server: Sink, secret: str = SECRET) -> list[int]:
    """The numbers of the notices that came, in their order."""
    events = [opened(each.headers, each.body, [secret]) for each in server.requests]
    return [event["payload"]["number"] for event in events]
