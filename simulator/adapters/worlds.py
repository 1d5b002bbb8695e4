"""The sandboxes of this server: a registry of them, and for each one in use its store and its ports.

A sandbox is found by its token or its id. Its files are `<data>/<sandbox>/<epoch>.log`; a world is opened
at its first use, so that an idle sandbox costs an entry in the registry.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime

import msgspec
from gevent.event import AsyncResult

from simulator.adapters.commit import Durability
from simulator.adapters.flight import Flight
from simulator.adapters.kinds import KINDS
from simulator.adapters.pacer import Pacer
from simulator.adapters.store import DocumentStore
from simulator.adapters.world_clock import WorldClock
from simulator.catalogue.choices import CHOICES
from simulator.domain.clock import ClockSetting
from simulator.domain.errors import Gone
from simulator.domain.hierarchy import stamp_of, token_hash
from simulator.domain.ports import (
    Acquirer,
    Clock,
    Ids,
    Pass,
    Ports,
    Seat,
    Store,
    Unit,
    Vault,
    unit_of,
)
from simulator.domain.records import Channel, Merchant, Sandbox
from simulator.grammar.choices import choose

END_OF_TIME = "9999-12-31"


class World(msgspec.Struct, frozen=True):
    """A sandbox in use: its store in this epoch, its ports, and a pass for each of its tokens."""

    store: DocumentStore
    pacer: Pacer
    ports: Ports
    passes: Mapping[str, Pass]


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What every world is made of.

    `acquirer_for` makes the far side of a sandbox; `recover` is run on a world before its first use;
    `next_due` and `run_due` are what its pacer asks and does.
    """

    clock: Clock
    ids: Ids
    vault: Vault
    acquirer_for: Callable[[Store, Mapping[str, Channel]], Acquirer]
    recover: Callable[[Ports], object]
    next_due: Callable[[Ports], datetime | None]
    run_due: Callable[[Ports], object]
    durability: Durability = Durability.DISK


class Worlds:
    """Implements ports.Registry and the door's Tokens over the data folder `path`."""

    def __init__(self, path: str, parts: Parts):
        self._path = path
        self._parts = parts
        kinds = tuple(kind for kind in KINDS if kind.record is Sandbox)
        self._registry = DocumentStore(
            os.path.join(path, "registry.log"), kinds=kinds, durability=parts.durability
        )
        self._holders: dict[str, str] = {}
        self._worlds: dict[str, AsyncResult] = {}
        for sandbox in self.sandboxes():
            self._admit(sandbox)

    def pass_of(self, token: str) -> Pass | None:
        """What `token` opens, or None."""
        key = token_hash(token)
        identity = self._holders.get(key)
        return None if identity is None else self._world(identity).passes[key]

    def sandboxes(self) -> Iterator[Sandbox]:
        """Every sandbox, oldest first."""
        return self._registry.between(Sandbox, "date", "", END_OF_TIME)

    def sandbox(self, identity: str) -> Sandbox | None:
        """The sandbox with this id, or None."""
        return self._registry.get(Sandbox, identity)

    def ports(self, identity: str) -> Ports:
        """The ports of this sandbox in its present epoch."""
        return self._world(identity).ports

    def keep(self, sandbox: Sandbox) -> None:
        """Store a new or changed sandbox, durably; a new epoch starts with empty tables and a new file."""
        before = self._registry.get(Sandbox, sandbox.id)
        self._registry.save(unit_of(sandbox))
        self._admit(sandbox)
        if before is not None:
            self._retire(before.id)
        if before is not None and before.epoch != sandbox.epoch:
            with suppress(FileNotFoundError):
                os.remove(self._log_of(before))

    def drop(self, sandbox: Sandbox) -> None:
        """Remove a sandbox and its files, durably."""
        self._registry.save(Unit(removes=(sandbox,)))
        for merchant in sandbox.merchants:
            self._holders.pop(merchant.token_hash, None)
        self._retire(sandbox.id)
        shutil.rmtree(os.path.join(self._path, sandbox.id), ignore_errors=True)

    def close(self) -> None:
        """Make everything durable and let go of the files."""
        for identity in list(self._worlds):
            self._retire(identity)
        self._registry.close()

    def _admit(self, sandbox: Sandbox) -> None:
        for merchant in sandbox.merchants:
            self._holders[merchant.token_hash] = sandbox.id

    def _retire(self, identity: str) -> None:
        """End the epoch of a world: work that is still under way in it is dropped when it saves."""
        opened = self._worlds.pop(identity, None)
        if opened is not None:
            world = opened.get()
            world.pacer.rest()
            world.store.close()

    def _world(self, identity: str) -> World:
        opened = self._worlds.get(identity)
        if opened is None:
            opened = self._worlds[identity] = AsyncResult()
            try:
                opened.set(self._open(self._registry.get(Sandbox, identity)))
            except BaseException as error:
                del self._worlds[identity]
                opened.set_exception(error)
        return opened.get()

    def _open(self, sandbox: Sandbox | None) -> World:
        if sandbox is None:
            raise Gone("the sandbox was deleted")
        parts = self._parts
        store = DocumentStore(self._log_of(sandbox), durability=parts.durability)
        channels = {each.id: each for merchant in sandbox.merchants for each in merchant.channels}
        clock = WorldClock(parts.clock, lambda: _setting_in(store, sandbox))
        pacer = Pacer(
            clock, next_due=lambda: parts.next_due(ports), run=lambda: parts.run_due(ports)
        )
        ports = Ports(
            sandbox=sandbox,
            store=store,
            clock=clock,
            pacer=pacer,
            flight=Flight(lambda: clock.waiting),
            ids=parts.ids,
            vault=parts.vault,
            acquirer=parts.acquirer_for(store, channels),
            choices=choose(CHOICES, sandbox.profile, sandbox.overrides),
        )
        parts.recover(ports)
        pacer.wake()
        passes = {each.token_hash: _pass_of(each, sandbox, ports) for each in sandbox.merchants}
        return World(store, pacer, ports, passes)

    def _log_of(self, sandbox: Sandbox) -> str:
        return os.path.join(self._path, sandbox.id, f"{sandbox.epoch}.log")


def _setting_in(store: DocumentStore, sandbox: Sandbox) -> ClockSetting:
    """How a sandbox's clock was left; after a reset, how it was made."""
    return store.get(ClockSetting, "clock") or sandbox.clock


def _pass_of(merchant: Merchant, sandbox: Sandbox, ports: Ports) -> Pass:
    seats = {
        channel.id: Seat(ports, channel, stamp_of(sandbox, merchant, channel))
        for channel in merchant.channels
    }
    return Pass(ports, seats)

