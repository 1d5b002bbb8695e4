"""A sandbox in memory: its ports, built from its record and its log."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from simulator.adapters.acquiring.connections import LinkConnection
from simulator.adapters.acquiring.link import Iso8583Link
from simulator.adapters.draws import SeededDraws
from simulator.adapters.journal import JournalRing, MemoryJournal
from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.sandboxes.holds import HeldMessages
from simulator.adapters.sandboxes.home_ports import HomePorts
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.sandboxes.scheduler import DueWorkScheduler
from simulator.adapters.sandboxes.unstored_codes import UnstoredCodes
from simulator.adapters.simulators import AcquirerFactory, AcquirerSurroundings
from simulator.adapters.store.engine import SandboxStore
from simulator.adapters.terminals.authority import TerminalKeyAuthority
from simulator.adapters.terminals.hsm import TerminalModule
from simulator.adapters.webhooks.attempts import DispatcherPorts
from simulator.adapters.webhooks.dispatcher import WebhookDispatcher
from simulator.adapters.webhooks.inbox import StoredInbox
from simulator.adapters.webhooks.sender import Connector
from simulator.catalogue.choices import CHOICES
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.draws import Drawn
from simulator.domain.core.entities import Channel, Merchant, Sandbox
from simulator.domain.core.errors import ConflictError, HomeNeededError
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import (
    Addresses,
    Clock,
    Ids,
    Meter,
    ServerVault,
    Store,
    Vault,
    unit_of,
)
from simulator.domain.core.records import Payment
from simulator.domain.merchants.hierarchy import stamp_of
from simulator.domain.ports.clearing import ClearingInstitutes
from simulator.domain.ports.sandbox import Ports, Principal
from simulator.domain.ports.settlement import SettlementFiles
from simulator.domain.ports.simulators import DirectoryServer, RiskSystem, Wallets
from simulator.domain.scripts import armed_scripts
from simulator.domain.steering.matching_scripts import is_used_up
from simulator.domain.terminals.terminals import KEYS, TerminalKeys
from simulator.domain.throttling.windows import (
    RequestGate,
    ServerTables,
    Throttles,
    ThrottleSetting,
)
from simulator.domain.webhooks.records import Delivery
from simulator.grammar.choices import choose


class RuntimeParts(msgspec.Struct, frozen=True, kw_only=True):
    """What every sandbox runtime is built from.

    `acquirer_for` creates the acquirer of a sandbox;
    `recover` is called with the ports of a loaded sandbox before its first use; the scheduler calls
    `next_due` and `run_due`, and `end_attempt` with the id of a payment; `throttles` are the tables
    of a sandbox that names none; `new_ring` creates an empty journal; `connector` connects to
    webhook URLs, `card_line` to the card host in the test mode EXTERNAL; `directory` is the
    directory server of 3-D Secure; `settlement_files` gives the folders of a sandbox.
    """

    clock: Clock
    ids: Ids
    vault: ServerVault
    codes: UnstoredCodes
    acquirer_for: AcquirerFactory
    risk_for: Callable[[Store, Mapping[str, Channel]], RiskSystem]
    card_line: Callable[[], LinkConnection]
    directory: DirectoryServer
    recover: Callable[[Ports], object]
    next_due: Callable[[Ports], datetime | None]
    run_due: Callable[[Ports], object]
    end_attempt: Callable[[Ports, str], object]
    meter: Meter
    addresses: Addresses
    wallets: Wallets
    throttles: ServerTables
    connector: Connector
    new_ring: Callable[[], JournalRing]
    clearing: ClearingInstitutes
    settlement_files: Callable[[str, Store], SettlementFiles]


CounterOf = Callable[[Host, str], RequestGate]


class BoundAdapters(NamedTuple):
    """The adapters that are bound to one sandbox, with what only its runtime may call of them."""

    store: SandboxStore
    clock: MovableClock
    vault: Vault
    hsm: TerminalModule
    scheduler: DueWorkScheduler
    in_flight: GreenletCounter
    holds: HeldMessages
    ring: JournalRing
    journal: MemoryJournal
    inbox: StoredInbox
    dispatcher: WebhookDispatcher
    card_link: Iso8583Link


class SandboxRuntime:
    """A sandbox in memory. `idle_rounds` counts the rounds without a request for it."""

    __slots__ = ("idle_rounds", "ports", "principals", "scheduler", "store", "ring", "_adapters",
                 "_channels", "_counter_of")  # fmt: skip

    def __init__(
        self,
        ports: Ports,
        adapters: BoundAdapters,
        channels: dict[str, Channel],
        counter_of: CounterOf | None = None,
    ):
        self.idle_rounds = 0
        self._counter_of = counter_of or ports.throttles.of
        self.ports = ports
        self.scheduler = adapters.scheduler
        self.store = adapters.store
        self.ring = adapters.ring
        self._adapters = adapters
        self._channels = channels
        self.update_sandbox(ports.sandbox)

    def update_sandbox(self, sandbox: Sandbox) -> None:
        """Use another record of the same epoch; work in flight is not disturbed."""
        choices = choose(CHOICES, sandbox.profile, sandbox.overrides)
        self.ports = ports = replace(self.ports, sandbox=sandbox, choices=choices)
        self._channels.update(channels_of(sandbox))
        self._adapters.holds.stops = frozenset(sandbox.breakpoints)
        self.principals = {
            key: held
            for each in sandbox.merchants
            for key, held in _principals_of(each, ports, self._counter_of)
        }

    @property
    def in_flight(self) -> GreenletCounter:
        """What counts its work in flight."""
        return self._adapters.in_flight

    @property
    def is_busy(self) -> bool:
        """Whether work is in flight, or a request waits for its clock, its inbox or its journal."""
        adapters = self._adapters
        has_waiters = adapters.inbox.has_waiters or adapters.ring.has_waiters
        return adapters.in_flight.count > 0 or not adapters.dispatcher.is_idle or has_waiters

    @property
    def is_calm(self) -> bool:
        """Whether nothing steers the sandbox, so that payments need not be counted or dated in one
        place: no seed, no script that may still answer, no breakpoint, a clock that shows real
        time, and no request that waits for what comes.
        """
        ports, adapters = self.ports, self._adapters
        is_watched = adapters.inbox.has_waiters or adapters.ring.has_waiters
        is_held = bool(adapters.holds.stops) or adapters.holds.count > 0
        if is_watched or is_held or ports.sandbox.seed is not None:
            return False
        is_scripted = not all(map(is_used_up, armed_scripts(self.store)))
        return ports.clock.setting.world is None and not is_scripted

    def take_up(self, deliveries: Iterable[Delivery] | None = None) -> None:
        """Deliver what others stored, by default all that is under way, as far as it is not known
        here, and do what is due, which was not noticed.
        """
        if deliveries is None:
            deliveries = self.store.find(Delivery, "under_way", "yes")
        self._adapters.dispatcher.take_up(deliveries)
        self.scheduler.agenda.reset()
        self.scheduler.wake()

    def store_draw_count(self) -> None:
        """Store how many random numbers were drawn, if the sandbox has a seed."""
        ids = self.ports.ids
        while isinstance(ids, SeededDraws):
            stored = self.store.get(Drawn, "drawn") or Drawn()
            if stored.count == ids.count:
                return
            with suppress(ConflictError):
                self.store.commit(unit_of(replace(stored, count=ids.count)))

    def evict(self) -> bool:
        """Free its log and its lines to the card host; False where the store is in use."""
        if not self.store.sleep():
            return False
        self._adapters.card_link.close()
        return True

    def stop(self) -> None:
        """End the epoch: work that is still in flight is dropped when it commits."""
        self.scheduler.stop()
        self._adapters.holds.stop()
        self._adapters.dispatcher.stop()
        self._adapters.card_link.close()
        self.ring.wake()
        self.store.close()
        # Who waits for either finds the store closed, and waits no longer.
        self._adapters.clock.stop()
        self._adapters.inbox.wake()


def load_runtime(
    sandbox: Sandbox,
    store: SandboxStore,
    parts: RuntimeParts,
    *,
    ring: JournalRing,
    throttles: Throttles | None,
    fetch: Callable[[], Ports],
) -> SandboxRuntime:
    """The runtime of `sandbox` over its store and journal, with the throttle counters it had, if
    any; due work gets its ports from `fetch`.

    A runtime must not reference itself: it is then freed at once when it is evicted.
    """
    adapters = _bind_adapters(sandbox, store, parts, ring=ring, fetch=fetch)
    store.watch(adapters.scheduler.agenda.notice)
    channels = channels_of(sandbox)
    throttles = throttles or _throttles_of(sandbox, store, parts.throttles)
    ports = _ports_of(sandbox, adapters, parts, channels=channels, throttles=throttles)
    runtime = SandboxRuntime(ports, adapters, channels)
    adapters.holds.start_clock()
    parts.recover(runtime.ports)
    return runtime


def load_beside(
    sandbox: Sandbox, store: SandboxStore, parts: RuntimeParts, home: HomePorts
) -> SandboxRuntime:
    """The runtime of a calm sandbox at a member that is not its home: nothing in it is due, sent or
    taken up, which is left to the home.
    """
    adapters = _bind_adapters(sandbox, store, parts, ring=parts.new_ring(), fetch=_has_no_due_work)
    channels = channels_of(sandbox)
    throttles = _throttles_of(sandbox, store, parts.throttles)
    ports = _ports_of(sandbox, adapters, parts, channels=channels, throttles=throttles)
    ports = replace(
        ports,
        scheduler=home.scheduler,
        dispatcher=home.dispatcher_for(adapters.dispatcher),
        card_link=home.absent,
        directory=home.absent,
    )
    return SandboxRuntime(ports, adapters, channels, home.counter_of)


def _has_no_due_work() -> Ports:
    raise HomeNeededError("due work is done at home")


def _ports_of(
    sandbox: Sandbox,
    adapters: BoundAdapters,
    parts: RuntimeParts,
    *,
    channels: dict[str, Channel],
    throttles: Throttles,
) -> Ports:
    store = adapters.store
    surroundings = AcquirerSurroundings(
        store=store,
        channels=channels,
        clock=adapters.clock,
        seed=sandbox.seed,
        zone_key=lambda: _zone_key_in(store, adapters.hsm),
    )
    return Ports(
        sandbox=sandbox,
        store=store,
        clock=adapters.clock,
        scheduler=adapters.scheduler,
        in_flight=adapters.in_flight,
        holds=adapters.holds,
        ids=_ids_of(sandbox, store, parts.ids),
        vault=adapters.vault,
        codes=parts.codes.of(sandbox.id),
        hsm=adapters.hsm,
        key_authority=TerminalKeyAuthority(adapters.vault),
        acquirer=parts.acquirer_for(surroundings),
        card_link=adapters.card_link,
        directory=parts.directory,
        dispatcher=adapters.dispatcher,
        inbox=adapters.inbox,
        journal=adapters.journal,
        meter=parts.meter,
        addresses=parts.addresses,
        wallets=parts.wallets,
        risk=parts.risk_for(store, channels),
        throttles=throttles,
        choices=choose(CHOICES, sandbox.profile, sandbox.overrides),
        clearing=parts.clearing,
        settlement_files=parts.settlement_files(sandbox.id, store),
    )


def _bind_adapters(
    sandbox: Sandbox,
    store: SandboxStore,
    parts: RuntimeParts,
    *,
    ring: JournalRing,
    fetch: Callable[[], Ports],
) -> BoundAdapters:
    vault = parts.vault.vault_of(sandbox.id, sandbox.key_sealed)
    clock = MovableClock(parts.clock, lambda: _setting_in(store, sandbox))
    in_flight = GreenletCounter(lambda: clock.waiting + holds.count)
    scheduler = DueWorkScheduler(
        clock,
        in_flight,
        next_due=lambda: parts.next_due(fetch()),
        run=lambda: parts.run_due(fetch()),
        end_attempt=lambda identity: parts.end_attempt(fetch(), identity),
    )
    holds = HeldMessages(store, clock, scheduler.wake)
    inbox = StoredInbox(store, clock, ids=parts.ids, vault=vault)
    journal = MemoryJournal(ring, clock=clock, real=parts.clock)
    dispatcher_ports = DispatcherPorts(
        store=store, clock=clock, vault=vault, ids=parts.ids, inbox=inbox,
        connector=parts.connector.of_sandbox(), journal=journal.append_attempt,
        wake=scheduler.wake, holds=holds,
    )  # fmt: skip
    return BoundAdapters(
        store=store,
        clock=clock,
        vault=vault,
        hsm=TerminalModule(vault),
        scheduler=scheduler,
        in_flight=in_flight,
        holds=holds,
        ring=ring,
        journal=journal,
        inbox=inbox,
        dispatcher=WebhookDispatcher(dispatcher_ports, in_flight),
        card_link=Iso8583Link(parts.card_line, clock, sandbox.id),
    )


def channels_of(sandbox: Sandbox) -> dict[str, Channel]:
    """The channels of a sandbox by their ids."""
    return {each.id: each for merchant in sandbox.merchants for each in merchant.channels}


def _zone_key_in(store: SandboxStore, hsm: TerminalModule) -> bytes | None:
    """The key of PIN blocks on their way to the card host; None: no terminal was created yet."""
    keys = store.get(TerminalKeys, KEYS)
    return None if keys is None else hsm.zone_key(keys.sealed)


def _setting_in(store: SandboxStore, sandbox: Sandbox) -> ClockSetting:
    """The stored clock setting; after a reset, the one the sandbox was created with."""
    return store.get(ClockSetting, "clock") or sandbox.clock


def _throttles_of(sandbox: Sandbox, store: SandboxStore, server_tables: ServerTables) -> Throttles:
    # Counters outlive the runtime: they must not reference the record of the sandbox.
    made = ThrottleSetting(throttle=sandbox.throttle, live_throttle=sandbox.live_throttle)
    return Throttles(store.get(ThrottleSetting, "throttle"), made, server_tables)


def _ids_of(sandbox: Sandbox, store: SandboxStore, ids: Ids) -> Ids:
    """The ids of the sandbox; with a seed they continue after the last number that was drawn, or
    after a crash at least one for each payment.
    """
    if sandbox.seed is None:
        return ids
    drawn = store.get(Drawn, "drawn") or Drawn()
    return SeededDraws(ids, sandbox.seed, count=max(drawn.count, store.count(Payment)))


def _principals_of(
    merchant: Merchant, ports: Ports, counter_of: CounterOf
) -> Iterator[tuple[str, Principal]]:
    """The principal of each active token of a merchant, by the hash of the token."""
    for token in merchant.tokens:
        if token.state == "active":
            contexts = {
                channel.id: ChannelContext(
                    ports, channel, stamp_of(ports.sandbox, merchant, channel), token.host
                )
                for channel in merchant.channels
            }
            throttle = counter_of(token.host, merchant.id)
            yield token.hash, Principal(ports, contexts, token.host, throttle, merchant)
