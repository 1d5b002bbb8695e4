"""The home of calm sandboxes: whom it lets serve beside it, and how it is alone with them again.

A sandbox is calm while nothing steers it and for ten seconds no request did more than pay and read.
What is counted, dated or kept in order is the home's before and after: it ends a calm before it
serves such a request, and has everything then that others did meanwhile. Choices: D-654, D-655.
"""

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import NamedTuple

import gevent
import msgspec
from gevent.lock import BoundedSemaphore

from simulator.adapters.fleet.calm_messages import (
    LEAVE,
    CalmLine,
    HandedOver,
    LeftBehind,
    LendOrder,
    decoded,
)
from simulator.adapters.fleet.peers import LostForwardError, UnservedError
from simulator.adapters.ids import random_hex
from simulator.adapters.postgresql.homes import Homes
from simulator.adapters.sandboxes.registry import SandboxRegistry
from simulator.adapters.sandboxes.runtime import SandboxRuntime
from simulator.domain.core.errors import (
    ConflictError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
    UnreachableStoreError,
)
from simulator.domain.journal.forgotten import ForgottenKeys
from simulator.domain.throttling.windows import NOT_LENT, Block

LOG = logging.getLogger("sandgate.fleet")
NUMBER_DIGITS = 15
# Of so many sandboxes that are not in a calm some are kept that no member asked for lately.
KEPT_MAX, KEPT_S = 1000, 60.0


class CalmRules(NamedTuple):
    """After how many seconds without a request that steers a sandbox is calm, and which part of a
    limit is lent at once.
    """

    after_s: float = 10.0
    part: float = 0.01


class _Sandbox:
    """What the home knows of one of its sandboxes: the calm it is in, 0 for none, since which entry
    of the journal, which members serve it, which have handed back what they did, and what of that
    is not taken yet, and whether one may have left deliveries behind, or stored some with unknown
    outcome; when a member asked for a calm, and when something steered it.
    """

    __slots__ = (
        "after", "asked_at", "has_left_over", "is_unknown", "left", "lock", "members", "number",
        "parted", "steered_at",
    )  # fmt: skip

    def __init__(self) -> None:
        self.lock = BoundedSemaphore(1)
        self.members: set[int] = set()
        self.parted: set[int] = set()
        self.left: list[LeftBehind] = []
        self.number = self.after = 0
        self.has_left_over = self.is_unknown = False
        # Of one that was taken over nothing is known.
        self.asked_at = self.steered_at = monotonic()

    def join(self, member: int) -> None:
        """A member serves it too."""
        self.members.add(member)
        self.parted.discard(member)

    def hand_back(self, member: int, left: LeftBehind) -> None:
        """A member serves it no more; what it did is handed back once, by whichever way."""
        if member not in self.parted:
            self.parted.add(member)
            self.members.discard(member)
            self.left.append(left)
            self.has_left_over |= left.is_unknown
            self.is_unknown |= left.is_unknown

    def end(self) -> None:
        """It is in no calm any more."""
        self.number, self.members, self.parted = 0, set(), set()

    def is_unused(self, seconds: float) -> bool:
        """Whether it is in no calm and none begins, and no member asked for one for so long."""
        is_busy = self.number or self.lock.locked()
        return not is_busy and monotonic() - self.asked_at > seconds


class CalmHome:
    """The calm sandboxes of this member."""

    def __init__(self, homes: Homes, registry: SandboxRegistry, line: CalmLine):
        self.rules = CalmRules()
        self._homes = homes
        self._registry = registry
        self._line = line
        self._sandboxes: dict[str, _Sandbox] = {}
        self._steering: dict[str, int] = {}

    def begin(self, identity: str, member: int) -> int:
        """The number of the calm in which this member may serve the sandbox too; 0 for none."""
        sandbox = self._sandboxes.setdefault(identity, _Sandbox())
        sandbox.asked_at = monotonic()
        if not self._is_quiet(identity, sandbox):
            return 0
        with sandbox.lock:
            if not sandbox.number and not self._begin(identity, sandbox):
                return 0
            sandbox.join(member)
            return sandbox.number

    def end(self, identity: str) -> None:
        """Be alone with a sandbox again. Raises DiskError."""
        sandbox = self._sandboxes.get(identity)
        if sandbox is None:
            return
        sandbox.steered_at = monotonic()
        if not sandbox.number:
            return
        with sandbox.lock:
            if sandbox.number:
                self._call_back(identity, sandbox)
                runtime = self._take_back(identity, sandbox)
                # Who did not answer stores nothing more.
                self._homes.end_calm(identity)
                sandbox.end()
                runtime.ring.forgotten = None
                gevent.spawn(self._take_up, identity, sandbox)
        sandbox.steered_at = monotonic()

    @contextmanager
    def steering(self, identity: str) -> Iterator[None]:
        """While it lasts the sandbox gets no calm."""
        self._steering[identity] = self._steering.get(identity, 0) + 1
        try:
            yield
        finally:
            self._steering[identity] -= 1
            if not self._steering[identity]:
                del self._steering[identity]
            sandbox = self._sandboxes.get(identity)
            if sandbox is not None:
                sandbox.steered_at = monotonic()

    def lend(self, identity: str, order: LendOrder) -> Block:
        """Requests that another member may let through."""
        sandbox = self._sandboxes.get(identity)
        if sandbox is None or sandbox.number != order.number or sandbox.lock.locked():
            return NOT_LENT
        ports, end = self._registry.runtime(identity).ports, partial(self.end, identity)
        throttle = ports.throttles.of(order.host, order.merchant)
        now = ports.clock.now()
        return throttle.lend(order.operation, now, part=self.rules.part, fetch_back=end)

    def take_over(self, identity: str, handed: HandedOver) -> None:
        """Deliver what another member stored."""
        self._registry.runtime(identity).take_up(handed.deliveries)

    def part(self, identity: str, member: int, left: LeftBehind) -> None:
        """Take what a member did that leaves a calm; at the next occasion where what is stored is
        not known yet.
        """
        sandbox = self._sandboxes.get(identity)
        if sandbox is None:
            return
        with sandbox.lock, suppress(DiskError):
            if sandbox.number == left.number:
                sandbox.hand_back(member, left)
                gevent.spawn(self._take_up, identity, sandbox)
                self._take_back(identity, sandbox)

    def look(self, present: Collection[int]) -> None:
        """Deliver what members have stored that are gone, for only these are `present`, and could
        not hand over.
        """
        for identity, sandbox in [*self._sandboxes.items()]:
            if not sandbox.members.issubset(present):
                sandbox.members.intersection_update(present)
                sandbox.has_left_over = True
            if sandbox.has_left_over:
                gevent.spawn(self._take_up, identity, sandbox)
            elif len(self._sandboxes) > KEPT_MAX and sandbox.is_unused(KEPT_S):
                self.forget(identity)

    def forget(self, identity: str) -> None:
        """Know nothing of a sandbox any more, such as one that another member has now."""
        self._sandboxes.pop(identity, None)

    def _take_up(self, identity: str, sandbox: _Sandbox) -> None:
        """Deliver what other members stored and could not hand over; at the next look again where
        that fails. What is under way with unknown outcome is stored once the calm has ended.
        """
        is_unknown, sandbox.has_left_over, sandbox.is_unknown = sandbox.is_unknown, False, False
        try:
            if is_unknown:
                self.end(identity)
            self._registry.runtime(identity).take_up()
        except EpochEndedError:
            LOG.debug("sandbox %s was reset or deleted with its deliveries", identity)
        except (DiskError, HomeNeededError) as error:
            sandbox.has_left_over, sandbox.is_unknown = True, is_unknown
            LOG.warning("deliveries of sandbox %s wait: %s", identity, error)

    def _is_quiet(self, identity: str, sandbox: _Sandbox) -> bool:
        quiet_s = monotonic() - sandbox.steered_at
        return quiet_s >= self.rules.after_s and identity not in self._steering

    def _begin(self, identity: str, sandbox: _Sandbox) -> bool:
        runtime = self._registry.runtime(identity)
        if not runtime.is_calm:
            sandbox.steered_at = monotonic()
            return False
        # A request may have come meanwhile that steers it; one that comes later waits for us.
        if not self._is_quiet(identity, sandbox):
            return False
        sandbox.after, sandbox.number = runtime.ring.newest, int(random_hex(NUMBER_DIGITS), 16) + 1
        runtime.ring.forgotten = ForgottenKeys()
        try:
            self._homes.begin_calm(identity, sandbox.number)
        except (ConflictError, HomeNeededError, UnreachableStoreError) as error:
            LOG.info("sandbox %s is served at home alone: %s", identity, error)
            sandbox.number, runtime.ring.forgotten = 0, None
            return False
        return True

    def _call_back(self, identity: str, sandbox: _Sandbox) -> None:
        peers = {each.number: each for each in self._line.members()}

        def call(member: int) -> None:
            try:
                said = self._line.ask(peers[member], LEAVE, identity, sandbox.number)
                sandbox.hand_back(member, decoded(said, LeftBehind))
            except (KeyError, UnservedError, LostForwardError, msgspec.MsgspecError) as error:
                LOG.warning("what member %d did for sandbox %s is not in the journal: %r",
                            member, identity, error)  # fmt: skip

        gevent.joinall([gevent.spawn(call, each) for each in sandbox.members])

    def _take_back(self, identity: str, sandbox: _Sandbox) -> SandboxRuntime:
        """Take what members handed back, which have it no more. Raises DiskError, and keeps it."""
        runtime = self._registry.runtime(identity)
        left, sandbox.left = sandbox.left, []
        runtime.ring.merge(sandbox.after, [each.journal for each in left if each.journal])
        for block in (block for each in left for block in each.lent):
            throttle = runtime.ports.throttles.of(block.host, block.merchant)
            throttle.give_back(block.operation, Block(block.count, block.ends))
        return runtime
