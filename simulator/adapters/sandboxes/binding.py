"""What a sandbox in memory is built from: its adapters over one store, and its ports over them."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

import msgspec

from simulator.adapters.acquiring.connections import LinkConnection
from simulator.adapters.acquiring.link import Iso8583Link
from simulator.adapters.draws import SeededDraws
from simulator.adapters.journal import JournalRing, MemoryJournal
from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.sandboxes.holds import HeldMessages
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.sandboxes.scheduler import DueWorkScheduler
from simulator.adapters.sandboxes.unstored_codes import UnstoredCodes
from simulator.adapters.simulators import (
    AcquirerFactory,
    AcquirerSurroundings,
    RiskSystemFactory,
)
from simulator.adapters.store.engine import SandboxStore
from simulator.adapters.terminals.authority import TerminalKeyAuthority
from simulator.adapters.terminals.hsm import TerminalModule
from simulator.adapters.webhooks.attempts import DispatcherPorts
from simulator.adapters.webhooks.dispatcher import WebhookDispatcher
from simulator.adapters.webhooks.inbox import StoredInbox
from simulator.adapters.webhooks.sender import Connector
from simulator.catalogue.choices import CHOICES
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.draws import Drawn
from simulator.domain.core.entities import Channel, Sandbox
from simulator.domain.core.ports import (
    Addresses,
    Clock,
    Ids,
    Meter,
    ServerVault,
    Store,
    Vault,
)
from simulator.domain.core.records import Payment
from simulator.domain.ports.clearing import ClearingInstitutes
from simulator.domain.ports.sandbox import Ports
from simulator.domain.ports.settlement import SettlementFiles
from simulator.domain.ports.simulators import DirectoryServer, Wallets
from simulator.domain.terminals.terminals import KEYS, TerminalKeys
from simulator.domain.throttling.windows import (
    ServerTables,
    Throttles,
    ThrottleSetting,
)
from simulator.grammar.choices import choose


class RuntimeParts(msgspec.Struct, frozen=True, kw_only=True):
    """What every sandbox runtime is built from.

    `acquirer_for` creates the acquirer of a sandbox; `recover` is called with the ports of a loaded
    sandbox before its first use, `go_on` with those of one beside its home; the scheduler calls
    `next_due` and `run_due`, and `end_attempt` with the id of a payment; `throttles` are the tables
    of a sandbox that names none; `new_ring` creates an empty journal; `connector` connects to
    webhook URLs, `card_line` to the card host in the test mode EXTERNAL; `directory` is the
    directory server of 3-D Secure; `settlement_files` gives the folders of settlement of a sandbox,
    by its id and store.
    """

    clock: Clock
    ids: Ids
    vault: ServerVault
    codes: UnstoredCodes
    acquirer_for: AcquirerFactory
    risk_for: RiskSystemFactory
    card_line: Callable[[], LinkConnection]
    directory: DirectoryServer
    recover: Callable[[Ports], object]
    go_on: Callable[[Ports], object]
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


def bind_adapters(
    sandbox: Sandbox,
    store: SandboxStore,
    parts: RuntimeParts,
    *,
    ring: JournalRing,
    fetch: Callable[[], Ports],
) -> BoundAdapters:
    """The adapters of a sandbox over its store and journal; due work has the ports of `fetch`."""
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
        card_link=Iso8583Link(parts.card_line, clock, sandbox.id, epoch=sandbox.epoch_id),
    )


def ports_of(
    sandbox: Sandbox,
    adapters: BoundAdapters,
    parts: RuntimeParts,
    *,
    channels: dict[str, Channel],
    throttles: Throttles,
) -> Ports:
    """The ports of a sandbox over its adapters."""
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
        risk=parts.risk_for(store, channels, adapters.clock, adapters.in_flight),
        throttles=throttles,
        choices=choose(CHOICES, sandbox.profile, sandbox.overrides),
        clearing=parts.clearing,
        settlement_files=parts.settlement_files(sandbox.id, store),
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


def throttles_of(sandbox: Sandbox, store: SandboxStore, server_tables: ServerTables) -> Throttles:
    """The throttles of a sandbox with the tables that were stored last."""
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
