"""One sandbox in use: its ports, made of its record and its log, and made to fit another record."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from simulator.adapters.acquiring.connections import Line
from simulator.adapters.acquiring.link import Iso8583Link
from simulator.adapters.draws import SeededDraws
from simulator.adapters.journal import JournalRing, MemoryJournal
from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.sandboxes.scheduler import DueWorkScheduler
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.webhooks.attempts import DispatcherPorts
from simulator.adapters.webhooks.dispatcher import WebhookDispatcher
from simulator.adapters.webhooks.inbox import StoredInbox
from simulator.adapters.webhooks.sender import Connector
from simulator.catalogue.choices import CHOICES
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.draws import Drawn
from simulator.domain.core.entities import Channel, Merchant, Sandbox
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import (
    Acquirer,
    Addresses,
    ChannelContext,
    Clock,
    DirectoryServer,
    Ids,
    Meter,
    Ports,
    Principal,
    RiskSystem,
    Store,
    Wallets,
    unit_of,
)
from simulator.domain.core.records import Payment
from simulator.domain.core.server_ports import ServerVault
from simulator.domain.merchants.hierarchy import stamp_of
from simulator.domain.throttling.windows import ServerTables, Throttles, ThrottleSetting
from simulator.grammar.choices import choose


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What every world is made of.

    `acquirer_for` makes the far side of a sandbox, of its store, channels, clock and seed;
    `recover` is run on a world before its first use; `next_due` and `run_due` are what its pacer
    asks and does;
    `throttles` are the tables of a sandbox that names none; `new_ring` makes the memory of a
    journal; over `links` notifications leave, over a `card_line` card payments of the test mode
    EXTERNAL; `directory` is the directory server of 3-D Secure.
    """

    clock: Clock
    ids: Ids
    vault: ServerVault
    acquirer_for: Callable[[Store, Mapping[str, Channel], Clock, int | None], Acquirer]
    risk_for: Callable[[Store, Mapping[str, Channel]], RiskSystem]
    card_line: Callable[[], Line]
    directory: DirectoryServer
    recover: Callable[[Ports], object]
    next_due: Callable[[Ports], datetime | None]
    run_due: Callable[[Ports], object]
    meter: Meter
    addresses: Addresses
    wallets: Wallets
    throttles: ServerTables
    connector: Connector
    new_ring: Callable[[], JournalRing]
    durability: Durability = Durability.DISK


class Kept(msgspec.Struct):
    """What of a world outlives its rest: the journal, and counters whose windows are open."""

    ring: JournalRing
    throttles: Throttles | None = None


class Organs(NamedTuple):
    """Those of a world's ports that have to be stopped in the end, as what they are."""

    store: DocumentStore
    scheduler: DueWorkScheduler
    dispatcher: WebhookDispatcher
    in_flight: GreenletCounter
    inbox: StoredInbox
    card_link: Iso8583Link


class World:
    """A sandbox in use. `quiet` counts the rounds in which nobody asked for it."""

    __slots__ = ("scheduler", "passes", "ports", "quiet", "store", "_channels", "_organs")

    def __init__(self, ports: Ports, organs: Organs, channels: dict[str, Channel]):
        self.ports = ports
        self.store, self.scheduler = organs.store, organs.scheduler
        self.quiet = 0
        self._organs = organs
        self._channels = channels
        self.fit(ports.sandbox)

    def fit(self, sandbox: Sandbox) -> None:
        """Go on with another record of the same epoch; what is under way is not disturbed."""
        choices = choose(CHOICES, sandbox.profile, sandbox.overrides)
        self.ports = ports = replace(self.ports, sandbox=sandbox, choices=choices)
        self._channels.update(channels_of(sandbox))
        self.passes = {
            key: held for each in sandbox.merchants for key, held in _passes_of(each, ports)
        }

    @property
    def is_busy(self) -> bool:
        """Whether something is under way, or somebody waits for its clock or its inbox."""
        organs = self._organs
        is_idle = organs.dispatcher.is_idle and not organs.inbox.has_waiters
        return organs.in_flight.count > 0 or not is_idle

    def keep_draws(self) -> None:
        """Store how many numbers were drawn, where they follow a seed."""
        ids = self.ports.ids
        while isinstance(ids, SeededDraws):
            stored = self.store.get(Drawn, "drawn") or Drawn()
            if stored.count == ids.count:
                return
            with suppress(ConflictError):
                self.store.commit(unit_of(replace(stored, count=ids.count)))

    def hang_up(self) -> None:
        """Close the lines to the card host: a world that rests holds none."""
        self._organs.card_link.close()

    def end(self) -> None:
        """The epoch is over: work that is still under way is dropped when it saves."""
        self._organs.scheduler.stop()
        self._organs.dispatcher.stop()
        self._organs.card_link.close()
        self._organs.store.close()


def open_world(
    sandbox: Sandbox, store: DocumentStore, parts: Parts, *, kept: Kept, fetch: Callable[[], Ports]
) -> World:
    """The world of `sandbox` over its store; `fetch` gives its ports whenever due work asks.

    A world must not know itself: what nobody holds any more is then gone at once.
    """
    vault = parts.vault.vault_of(sandbox.id, sandbox.key_sealed)
    channels = channels_of(sandbox)
    clock = MovableClock(parts.clock, lambda: _setting_in(store, sandbox))
    scheduler = DueWorkScheduler(
        clock, next_due=lambda: parts.next_due(fetch()), run=lambda: parts.run_due(fetch())
    )
    in_flight = GreenletCounter(lambda: clock.waiting)
    inbox = StoredInbox(store, clock, ids=parts.ids, vault=vault)
    journal = MemoryJournal(kept.ring, clock=clock, real=parts.clock)
    dispatcher_ports = DispatcherPorts(
        store=store,
        clock=clock,
        vault=vault,
        ids=parts.ids,
        inbox=inbox,
        connector=parts.connector,
        journal=journal.append_attempt,
        wake=scheduler.wake,
    )
    dispatcher = WebhookDispatcher(dispatcher_ports, in_flight)
    card_link = Iso8583Link(parts.card_line, clock, sandbox.id)
    ports = Ports(
        sandbox=sandbox,
        store=store,
        clock=clock,
        scheduler=scheduler,
        in_flight=in_flight,
        ids=_ids_of(sandbox, store, parts.ids),
        vault=vault,
        acquirer=parts.acquirer_for(store, channels, clock, sandbox.seed),
        card_link=card_link,
        directory=parts.directory,
        dispatcher=dispatcher,
        inbox=inbox,
        journal=journal,
        meter=parts.meter,
        addresses=parts.addresses,
        wallets=parts.wallets,
        risk=parts.risk_for(store, channels),
        throttles=kept.throttles or _throttles_of(sandbox, store, parts.throttles),
        choices=choose(CHOICES, sandbox.profile, sandbox.overrides),
    )
    world = World(
        ports, Organs(store, scheduler, dispatcher, in_flight, inbox, card_link), channels
    )
    parts.recover(world.ports)
    return world


def channels_of(sandbox: Sandbox) -> dict[str, Channel]:
    """The channels of a sandbox by their ids."""
    return {each.id: each for merchant in sandbox.merchants for each in merchant.channels}


def _setting_in(store: DocumentStore, sandbox: Sandbox) -> ClockSetting:
    """How a sandbox's clock was left; after a reset, how it was made."""
    return store.get(ClockSetting, "clock") or sandbox.clock


def _throttles_of(sandbox: Sandbox, store: DocumentStore, ours: ServerTables) -> Throttles:
    # Counters outlive the world: they must not hold the record of the sandbox.
    made = ThrottleSetting(throttle=sandbox.throttle, live_throttle=sandbox.live_throttle)
    return Throttles(store.get(ThrottleSetting, "throttle"), made, ours)


def _ids_of(sandbox: Sandbox, store: DocumentStore, ids: Ids) -> Ids:
    """A seeded sandbox draws on where it stopped; after a crash, not before its last payment."""
    if sandbox.seed is None:
        return ids
    drawn = store.get(Drawn, "drawn") or Drawn()
    return SeededDraws(ids, sandbox.seed, count=max(drawn.count, store.count(Payment)))


def _passes_of(merchant: Merchant, ports: Ports) -> Iterator[tuple[str, Principal]]:
    """A pass for each active token of a merchant, by the hash of the token."""
    for token in merchant.tokens:
        if token.state == "active":
            contexts = {
                channel.id: ChannelContext(
                    ports, channel, stamp_of(ports.sandbox, merchant, channel), token.host
                )
                for channel in merchant.channels
            }
            throttle = ports.throttles.of(token.host, merchant.id)
            yield token.hash, Principal(ports, contexts, token.host, throttle, merchant)
