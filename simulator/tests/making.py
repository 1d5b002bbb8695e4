"""Small real objects for tests: a seat in a sandbox of its own, an acquirer that answers as told.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from simulator.adapters.clock import HandClock
from simulator.adapters.flight import Flight
from simulator.adapters.ids import SeededIds
from simulator.adapters.journal import MemoryJournal, Ring
from simulator.adapters.meter import Meter
from simulator.adapters.names import FakerNames
from simulator.adapters.vault import KeyVault
from simulator.catalogue.choices import CHOICES
from simulator.domain.acquiring import Ask, Plan
from simulator.domain.entities import AskedMerchant
from simulator.domain.hierarchy import AskedSandbox, decide_sandbox, stamp_of
from simulator.domain.payments import Ticket
from simulator.domain.ports import Ports, Seat
from simulator.domain.records import Outcome, Posting
from simulator.domain.server_ports import ServerPorts
from simulator.domain.throttling import Throttles
from simulator.domain.webhooks import Delivery, Endpoint
from simulator.grammar.choices import choose
from simulator.tests.adapters.memory_store import MemoryStore

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
CARD = {
    "paymentBrand": "VISA",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
}
APPROVED = Outcome(code="000.100.110")
DECLINED = Outcome(code="800.100.152")


class Answering:
    """An acquirer that gives the outcomes it was told, the last one for ever, and remembers the
    asks.
    """

    def __init__(self, *outcomes: Outcome, delay_s: float = 0):
        self.outcomes = list(outcomes or (APPROVED,))
        self.delay = timedelta(seconds=delay_s)
        self.asks: list[Ask] = []

    def plan(self, ask: Ask) -> Plan:
        """The next outcome."""
        self.asks.append(ask)
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        return Plan(outcome=outcome, delay=self.delay)


class Resting:
    """A pacer for tests that move time by hand."""

    def wake(self) -> None:
        """Do nothing."""


class Pigeonhole:
    """An outbox that keeps what it should carry. `endpoints` are those that listen."""

    def __init__(self, *endpoints: Endpoint):
        self.endpoints = endpoints
        self.carried: list[Delivery] = []

    def carry(self, deliveries: Iterable[Delivery]) -> None:
        """Keep them."""
        self.carried += deliveries


def a_seat(
    *,
    profile: str = "specification",
    overrides: dict[str, str] | None = None,
    acquirer: object = None,
    store: object = None,
    clock: object = None,
    channel: dict | None = None,
    outbox: object = None,
) -> Seat:
    """A seat at the first channel of a new sandbox; every port is a small real object."""
    ids, vault, clock = SeededIds(1), KeyVault(bytes(32)), clock or HandClock(NOON)
    journal = MemoryJournal(Ring(100, timedelta(days=1)), world=clock, real=clock)
    server = ServerPorts(
        registry=None,
        clock=clock,
        ids=ids,
        vault=vault,
        journal=journal,
        names=FakerNames(),
        profile=profile,
        overrides=overrides or {},
    )
    asked = AskedSandbox(merchants=(AskedMerchant(channels=(channel or {},)),))
    sandbox = decide_sandbox(asked, server)
    merchant = sandbox.merchants[0]
    ports = Ports(
        sandbox=sandbox,
        store=store or MemoryStore(),
        clock=clock,
        pacer=Resting(),
        flight=Flight(lambda: 0),
        ids=ids,
        vault=vault,
        acquirer=acquirer or Answering(),
        outbox=outbox or Pigeonhole(),
        inbox=None,
        journal=journal,
        meter=Meter(),
        throttles=Throttles(None, server.throttles),
        choices=choose(CHOICES, profile, overrides),
    )
    return Seat(ports, merchant.channels[0], stamp_of(sandbox, merchant, merchant.channels[0]))


def a_ticket(seat: Seat) -> Ticket:
    """A ticket as the door issues it."""
    ids = seat.ports.ids
    return Ticket(
        id=ids.record(),
        short_id=ids.short(),
        trace=ids.trace(),
        now=seat.ports.clock.now(),
        ndc="1",
    )


def postings_in(seat: Seat, payments: Iterable) -> list[Posting]:
    """The ledger entries of these payments."""
    find: Callable = seat.ports.store.find
    return [posting for payment in payments for posting in find(Posting, "payment", payment.id)]
