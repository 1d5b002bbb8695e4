"""Giving sandboxes away: one that another member asks for, and all of a member that stops.

A member that stops says so to the others first: they look up its sandboxes each time from then on,
and it takes none any more. Each sandbox is let go as soon as nothing of it is under way; what
comes meanwhile waits, and goes to its next home. Choice: D-616.
"""

import logging
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import gevent
from gevent.pool import Pool

from simulator.adapters.fleet.beside import BesideHomes
from simulator.adapters.fleet.calm_home import CalmHome
from simulator.adapters.fleet.calm_messages import CalmLine
from simulator.adapters.fleet.peers import LostForwardError, UnservedError
from simulator.adapters.postgresql.homes import Homes
from simulator.adapters.sandboxes.hand_over import HandOverSteps
from simulator.adapters.store.engine import FleetPeer
from simulator.domain.core.errors import (
    ConflictError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
    UnreachableStoreError,
)

LOG = logging.getLogger("sandgate.fleet")
# How long other requests for a sandbox wait for those under way, where a member asks for it and
# where this one stops; and how long they are served then, before it is tried again.
DRAIN_S, STOP_DRAIN_S, AGAIN_S = 2.0, 0.5, 0.2
GIVEN_AT_ONCE = 16

HandOver = Callable[..., bool]


class GiverParts(NamedTuple):
    """What giving needs of its member; `hand_over` is that of SandboxRegistry."""

    homes: Homes
    calm: CalmHome
    beside: BesideHomes
    line: CalmLine
    hand_over: HandOver
    under_way: Counter[str]


class SandboxGiver:
    """Gives the sandboxes of this member away."""

    def __init__(self, parts: GiverParts):
        self._parts = parts

    def give(self, identity: str, number: int) -> bool:
        """Give a sandbox to the member with this number; whether this one has it no more. Raises
        UnreachableStoreError.
        """
        homes = self._parts.homes
        if homes.home_of(identity) is not None:
            return True
        return self._give(identity, lambda: homes.give(identity, number), DRAIN_S)

    def give_all(self) -> None:
        """Leave every sandbox to the members that stay; return when none is here any more."""
        parts = self._parts
        try:
            successors = self._successors()
        except UnreachableStoreError as error:
            LOG.warning("the others take the sandboxes of this member later: %s", error)
            return
        parts.homes.stop_taking(successors)
        if not parts.homes.is_stopping:
            return
        parts.beside.stop()
        pool = Pool(GIVEN_AT_ONCE)
        while own := parts.homes.own:
            pool.map(self._free, own)
            if parts.homes.own:
                gevent.sleep(AGAIN_S)

    def _successors(self) -> list[FleetPeer]:
        """The other members that stay; each of them knows then that this one stops."""
        line = self._parts.line
        others = [each for each in line.members() if each.number != line.number]
        asked = [gevent.spawn(self._stays, each) for each in others]
        gevent.joinall(asked)
        return [peer for peer, call in zip(others, asked, strict=True) if call.value]

    def _stays(self, peer: FleetPeer) -> bool:
        try:
            return self._parts.line.say_stop(peer)
        except (UnservedError, LostForwardError) as error:
            LOG.info("member %d takes no sandbox of this one: %s", peer.number, error)
            return False

    def _free(self, identity: str) -> None:
        try:
            self._give(identity, lambda: self._parts.homes.free(identity), STOP_DRAIN_S)
        except (ConflictError, DiskError, EpochEndedError, HomeNeededError) as error:
            LOG.warning("sandbox %s is not handed over yet: %s", identity, error)

    def _give(self, identity: str, give: Callable[[], object], within_s: float) -> bool:
        homes, calm, under_way, hand_over = (
            self._parts.homes, self._parts.calm, self._parts.under_way, self._parts.hand_over
        )  # fmt: skip
        steps = HandOverSteps(lambda: under_way[identity], lambda: homes.let_go(identity), give)
        with calm.steering(identity):
            calm.end(identity)
            with homes.leaving(identity):
                is_given = hand_over(identity, steps, within_s=within_s)
        if is_given:
            calm.forget(identity)
        return is_given
