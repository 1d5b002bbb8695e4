"""Small real objects for tests: a channel context in a sandbox of its own, an
acquirer with given outcomes.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import msgspec

from acquirer_mocks.risk_system import SimulatedRiskSystem
from acquirer_mocks.settlement.clearing import SimulatedInstitutes
from acquirer_mocks.wallet_provider import make_token, new_keyring
from scenarios.loader import load_behaviours
from simulator.adapters.addresses import ListenerAddresses
from simulator.adapters.journal import JournalRing, MemoryJournal
from simulator.adapters.meter import PrometheusMeter
from simulator.adapters.names import FakerNames
from simulator.adapters.sandboxes.holds import HeldMessages
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.sandboxes.unstored_codes import UnstoredCodes
from simulator.adapters.terminals.authority import TerminalKeyAuthority
from simulator.adapters.terminals.hsm import TerminalModule
from simulator.adapters.vault import KeyVault
from simulator.adapters.wallets.tokens import TokenWallets
from simulator.catalogue.choices import CHOICES
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.core.agenda import Agenda
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import MessageNotSentError, Refusal
from simulator.domain.core.parameters import WholeCheck
from simulator.domain.core.records import LedgerEntry, Outcome
from simulator.domain.holding import GO_ON, Let, Stop
from simulator.domain.merchants.entities import AskedMerchant
from simulator.domain.merchants.hierarchy import AskedSandbox, decide_sandbox, stamp_of
from simulator.domain.payments.initial import TransactionIds
from simulator.domain.payments.ledger import entries_between
from simulator.domain.ports.sandbox import Ports
from simulator.domain.ports.server import ServerPorts
from simulator.domain.scripts import armed_scripts
from simulator.domain.steering.order import WRONG_FORCED_CODE
from simulator.domain.throttling.windows import Throttles
from simulator.domain.webhooks.records import Delivery, Endpoint
from simulator.grammar.choices import choose
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.twins import HandClock, SeededIds

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
CARD = {
    "paymentBrand": "VISA",
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "card.cvv": "123",
}
# What authenticates a shopper by 3-D Secure needs, beside a card.
BROWSER = {
    "customer.browser.acceptHeader": "text/html", "customer.browser.language": "en-GB",
    "customer.browser.screenHeight": "1080", "customer.browser.screenWidth": "1920",
    "customer.browser.timezone": "-60", "customer.browser.userAgent": "Mozilla/5.0",
    "customer.browser.javaEnabled": "false", "customer.givenName": "Jane",
    "customer.surname": "Jones", "billing.street1": "Long Lane 7", "billing.city": "Riverside",
    "billing.postcode": "12345", "billing.country": "DE",
}  # fmt: skip
BEHAVIOURS = load_behaviours()
# A check that finds nothing in any whole.
FITTING = WholeCheck(lambda _: [], lambda _: [])
APPROVED = Outcome(code="000.100.110")
DECLINED = Outcome(code="800.100.152")


class Answering:
    """An acquirer that returns the given outcomes or whole responses, the last one for ever, and
    records the requests.
    """

    def __init__(self, *outcomes: Outcome | AcquirerResponse, delay_s: float = 0):
        self.outcomes = list(outcomes or (APPROVED,))
        self.delay = timedelta(seconds=delay_s)
        self.asks: list[AcquirerRequest] = []

    def plan(self, ask: AcquirerRequest) -> AcquirerResponse:
        """The next outcome."""
        self.asks.append(ask)
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, AcquirerResponse):
            return outcome
        return AcquirerResponse(outcome=outcome, delay=self.delay)


class Refusing:
    """An acquirer that cannot be asked: the code that was to be forced cannot be."""

    def plan(self, ask: AcquirerRequest) -> AcquirerResponse:
        """Raises Refusal."""
        raise Refusal(WRONG_FORCED_CODE, f"{ask.payment}: expected a code that can be forced")


class Breakpoint:
    """A breakpoint at the acquirer: what is held there goes on at once."""

    stops = frozenset({Stop.ACQUIRER})

    def hold(self, message: object) -> Let:
        """How it goes on."""
        return GO_ON


class Frictionless:
    """A directory server that authenticates every card without asking, and remembers what it was
    asked; `answers` are other answers, by what is asked.
    """

    def __init__(self, **answers: object):
        self.answers = answers
        self.asked: list[tuple[str, dict]] = []

    def ask(self, what: str, message: dict) -> bytes:
        """What a directory server answers."""
        self.asked.append((what, message))
        answer = self.answers.get(what, self._usual)
        made = answer(what, message) if callable(answer) else answer
        return made if isinstance(made, bytes) else msgspec.json.encode(made)

    def signed(self, content: str) -> dict:
        """Everything is signed: the content itself."""
        return msgspec.json.decode(content)

    def _usual(self, what: str, message: dict) -> dict:
        if what == "lookup":
            return {"enrolled": True, "messageVersions": ["2.1.0", "2.2.0"]}
        return ares_to(message, "Y", eci="05", authenticationValue="AAABBWFlmQAAAABjRWWZEEFgFz8=")


def ares_to(areq: dict, status: str, **more: str) -> dict:
    """The ARes to an AReq."""
    return {
        "messageType": "ARes",
        "messageVersion": areq["messageVersion"],
        "threeDSServerTransID": areq["threeDSServerTransID"],
        "dsTransID": "d0000000-0000-4000-8000-000000000001",
        "acsTransID": "a0000000-0000-4000-8000-000000000001",
        "acsReferenceNumber": "ACS",
        "dsReferenceNumber": "DS",
        "transStatus": status,
        **more,
    }


class Resting:
    """A scheduler for tests that move time by hand."""

    def wake(self) -> None:
        """Do nothing."""

    def run_job(self, name: str, work: Callable[[], object]) -> None:
        """Do it at once."""
        work()

    def is_running(self, name: str) -> bool:
        """Whether something is being done beside: never."""
        return False

    def end_attempt(self, identity: str) -> None:
        """Leave it open, as a store does that takes nothing."""

    def carry_out(self, record: object, work: Callable[[], object]) -> None:
        """Do it; what it raises is the test's."""
        work()

    def is_set_aside(self, record: object) -> bool:
        """Whether it is set aside: never."""
        return False

    @contextmanager
    def looking(self, failed_writes: int) -> Iterator[Agenda]:
        """By nothing that was passed over before: everything is looked at again."""
        agenda = Agenda()
        with agenda.looking(datetime.max.replace(tzinfo=UTC), failed_writes):
            yield agenda


class NoLine:
    """A card link without a line."""

    def exchange(self, message: object, when_slow: object = None) -> dict[str, str]:
        """Nothing leaves."""
        raise MessageNotSentError("no line")


class RecordingDispatcher:
    """A dispatcher that keeps the deliveries it gets. `endpoints` are the active ones."""

    def __init__(self, *endpoints: Endpoint):
        self.endpoints: dict[str, list[Endpoint]] = {}
        for each in endpoints:
            self.endpoints.setdefault(each.entity, []).append(each)
        self.deliveries: list[Delivery] = []

    def enqueue(self, deliveries: Iterable[Delivery]) -> None:
        """Keep them."""
        self.deliveries += deliveries


def a_context(
    *,
    profile: str = "specification",
    overrides: dict[str, str] | None = None,
    acquirer: object = None,
    store: object = None,
    clock: object = None,
    channel: dict | None = None,
    dispatcher: object = None,
    directory: object = None,
    files: object = None,
) -> ChannelContext:
    """A context at the first channel of a new sandbox; every port is a small real object."""
    ids, vault, clock = SeededIds(1), KeyVault(bytes(32)), clock or HandClock(NOON)
    journal = MemoryJournal(JournalRing(100, timedelta(days=1)), clock=clock, real=clock)
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
    store, in_flight = store or MemoryStore(), GreenletCounter(lambda: 0)
    ports = Ports(
        sandbox=sandbox,
        store=store,
        clock=clock,
        scheduler=Resting(),
        in_flight=in_flight,
        holds=HeldMessages(store, clock, lambda: None),
        ids=ids,
        vault=vault,
        codes=UnstoredCodes().of(sandbox.id),
        hsm=TerminalModule(vault),
        key_authority=TerminalKeyAuthority(vault),
        acquirer=acquirer or Answering(),
        card_link=NoLine(),
        directory=directory or Frictionless(),
        dispatcher=dispatcher or RecordingDispatcher(),
        inbox=None,
        journal=journal,
        meter=PrometheusMeter(),
        addresses=ListenerAddresses("http://gateway.test/", "http://live.gateway.test/"),
        risk=_risk_system(store, clock, in_flight, merchant.channels[0]),
        wallets=TokenWallets(new_keys=new_keyring, make=make_token),
        throttles=Throttles(None, server.throttles),
        choices=choose(CHOICES, profile, overrides),
        clearing=SimulatedInstitutes(),
        settlement_files=files,
    )
    return ChannelContext(
        ports, merchant.channels[0], stamp_of(sandbox, merchant, merchant.channels[0])
    )


def _risk_system(
    store: object, clock: object, in_flight: object, channel: object
) -> SimulatedRiskSystem:
    return SimulatedRiskSystem(
        BEHAVIOURS,
        store,
        clock=clock,
        in_flight=in_flight,
        scripts=lambda: armed_scripts(store),
        channel_of=lambda _: channel,
    )


def new_ids(context: ChannelContext) -> TransactionIds:
    """Ids of a new transaction, as the pipeline assigns them."""
    ids = context.ports.ids
    return TransactionIds(
        id=ids.record(),
        short_id=ids.short(),
        trace=ids.trace(),
        now=context.ports.clock.now(),
        ndc="1",
    )


def ledger_entries_in(context: ChannelContext, payments: Iterable) -> list[LedgerEntry]:
    """The ledger entries of these payments."""
    wanted = {payment.id for payment in payments}
    found = entries_between(context.ports.store, "", "~")
    return [entry for entry in found if entry.payment in wanted]
