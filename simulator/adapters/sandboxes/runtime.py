"""A sandbox in memory: its record, its store and what is bound to them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from msgspec.structs import replace

from simulator.adapters.draws import SeededDraws
from simulator.adapters.journal import JournalRing
from simulator.adapters.sandboxes.binding import (
    BoundAdapters,
    RuntimeParts,
    bind_adapters,
    channels_of,
    ports_of,
    throttles_of,
)
from simulator.adapters.sandboxes.home_ports import HomePorts
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.store.engine import SandboxStore
from simulator.catalogue.choices import CHOICES
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.draws import Drawn
from simulator.domain.core.entities import Channel, Merchant, Sandbox
from simulator.domain.core.errors import ConflictError, HomeNeededError
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import unit_of
from simulator.domain.merchants.hierarchy import stamp_of
from simulator.domain.ports.sandbox import Ports, Principal
from simulator.domain.scripts import armed_scripts, store_looks
from simulator.domain.steering.matching_scripts import is_used_up
from simulator.domain.throttling.windows import RequestGate, Throttles, ThrottleSetting
from simulator.domain.webhooks.records import Delivery
from simulator.grammar.choices import choose

CounterOf = Callable[[Host, str], RequestGate]


class SandboxRuntime:
    """A sandbox in memory. `idle_rounds` counts the rounds without a request for it."""

    __slots__ = ("clock", "idle_rounds", "ports", "principals", "scheduler", "store", "ring",
                 "_adapters", "_channels", "_counter_of")  # fmt: skip

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
        self.clock = adapters.clock
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
        """Whether work is in flight, or a request waits for its clock, its inbox or its journal, or
        its clock for the disk.
        """
        adapters = self._adapters
        has_waiters = adapters.inbox.has_waiters or adapters.ring.has_waiters
        is_at_work = adapters.in_flight.count > 0 or not adapters.dispatcher.is_idle
        return is_at_work or has_waiters or adapters.holds.is_starting

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

    def use(self) -> None:
        """It is used from here on, and what is in memory is what is stored. Raises DiskError where
        that is not known yet.
        """
        self.idle_rounds = 0
        self.store.settle(self._read_again)

    def _read_again(self) -> None:
        """Read what is in memory of the records: some were stored with unknown outcome."""
        adapters = self._adapters
        adapters.clock.read_again()
        self.ports.throttles.put(self.store.get(ThrottleSetting, "throttle") or ThrottleSetting())
        adapters.dispatcher.reload_endpoints()
        adapters.holds.start_clock()
        self.take_up()

    def store_counts(self) -> None:
        """Store what is counted in memory: random numbers of a sandbox with a seed, and what
        scripts were asked in vain.
        """
        store_looks(self.store)
        self._store_draw_count()

    def _store_draw_count(self) -> None:
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


class KeptState(NamedTuple):
    """What was kept of a sandbox that was not in memory: its journal, its throttle counters, if
    any, and what its clock has `shown`.
    """

    ring: JournalRing
    throttles: Throttles | None
    shown: datetime


def load_runtime(
    sandbox: Sandbox,
    store: SandboxStore,
    parts: RuntimeParts,
    *,
    kept: KeptState,
    fetch: Callable[[], Ports],
) -> SandboxRuntime:
    """The runtime of `sandbox` over its store and what was kept; due work gets its ports from
    `fetch`.

    A runtime must not reference itself: it is then freed at once when it is evicted.
    """
    adapters = bind_adapters(sandbox, store, parts, ring=kept.ring, fetch=fetch)
    adapters.clock.reach(kept.shown)
    store.watch(adapters.scheduler.agenda.notice, adapters.scheduler.wake)
    channels = channels_of(sandbox)
    throttles = kept.throttles or throttles_of(sandbox, store, parts.throttles)
    ports = ports_of(sandbox, adapters, parts, channels=channels, throttles=throttles)
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
    adapters = bind_adapters(sandbox, store, parts, ring=parts.new_ring(), fetch=_has_no_due_work)
    channels = channels_of(sandbox)
    throttles = throttles_of(sandbox, store, parts.throttles)
    ports = ports_of(sandbox, adapters, parts, channels=channels, throttles=throttles)
    ports = replace(
        ports,
        journal=home.journal_over(adapters.journal),
        scheduler=home.scheduler,
        dispatcher=home.dispatcher_for(adapters.dispatcher),
        card_link=home.absent,
        directory=home.absent,
    )
    # The clock of this machine may be behind that of the home, which has settled a day.
    parts.go_on(ports)
    return SandboxRuntime(ports, adapters, channels, home.counter_of)


def _has_no_due_work() -> Ports:
    raise HomeNeededError("due work is done at home")


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
