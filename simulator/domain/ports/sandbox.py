"""All ports of one sandbox, and what a token opens there."""

from collections.abc import Mapping
from typing import Protocol

import msgspec

from simulator.domain.core.agenda import Scheduler
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.entities import Merchant, Sandbox
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import (
    Addresses,
    Codes,
    Ids,
    InFlightCounter,
    Meter,
    SandboxClock,
    Store,
    Vault,
)
from simulator.domain.holding import Holds
from simulator.domain.ports.clearing import ClearingInstitutes
from simulator.domain.ports.journal import Journal
from simulator.domain.ports.settlement import SettlementFiles
from simulator.domain.ports.simulators import (
    Acquirer,
    CardLink,
    DirectoryServer,
    RiskSystem,
    Wallets,
)
from simulator.domain.ports.terminals import KeyAuthority, SecurityModule
from simulator.domain.ports.webhooks import Dispatcher, Inbox
from simulator.domain.throttling.windows import RequestGate, Throttles
from simulator.grammar.choices import Choices


class Ports(msgspec.Struct, frozen=True, kw_only=True):
    """All ports, bound to one sandbox: no service can forget which sandbox it works in."""

    sandbox: Sandbox
    store: Store
    clock: SandboxClock
    scheduler: Scheduler
    in_flight: InFlightCounter
    holds: Holds
    ids: Ids
    vault: Vault
    codes: Codes
    hsm: SecurityModule
    key_authority: KeyAuthority
    acquirer: Acquirer
    card_link: CardLink
    directory: DirectoryServer
    dispatcher: Dispatcher
    inbox: Inbox
    journal: Journal
    meter: Meter
    addresses: Addresses
    wallets: Wallets
    risk: RiskSystem
    throttles: Throttles
    choices: Choices
    clearing: ClearingInstitutes
    settlement_files: SettlementFiles


class Principal(msgspec.Struct, frozen=True):
    """What a token opens on its host: the ports of its sandbox, and a context for each channel's
    id.

    `throttle` counts the requests of the merchant there.
    """

    ports: Ports
    contexts: Mapping[str, ChannelContext[Ports]]
    host: Host
    throttle: RequestGate
    merchant: Merchant


class HasThrottles(Protocol):
    @property
    def throttles(self) -> Throttles: ...
