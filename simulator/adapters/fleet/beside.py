"""Serving calm sandboxes beside their homes: payments and reports at every member.

A request is served with what this member has read since the calm began, and stored in one commit
that the end of the calm would refuse. What turns out to be left to the home, before anything is
stored, is forwarded as if it had not been tried. Choice: D-654.
"""

import logging
import re
from collections.abc import Mapping
from contextlib import closing
from io import BytesIO
from time import monotonic
from typing import Any, NamedTuple
from wsgiref.types import WSGIApplication

import gevent
import msgspec
from gevent import getcurrent
from gevent.event import Event

from simulator.adapters.fleet.calm_messages import (
    BEGIN,
    HAND,
    LEND,
    PART,
    CalmLine,
    HandedOver,
    LeftBehind,
    LendOrder,
    LentBlock,
    decoded,
)
from simulator.adapters.fleet.handing_over import HomeLine, RemoteDispatcher, RemoteScheduler
from simulator.adapters.fleet.held_journal import HeldJournal
from simulator.adapters.fleet.lent_requests import LentRequests, OpenBlock
from simulator.adapters.fleet.peers import ForwardedAnswer, LostForwardError, UnservedError
from simulator.adapters.journal import MemoryJournal
from simulator.adapters.postgresql.calm import Calm, CalmDatabase
from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.postgresql.homes import Homes
from simulator.adapters.sandboxes.registry import SandboxRegistry
from simulator.adapters.sandboxes.runtime import SandboxRuntime
from simulator.adapters.store.engine import FleetPeer
from simulator.adapters.turns import made_in_slices, work_for
from simulator.adapters.webhooks.dispatcher import WebhookDispatcher
from simulator.domain.core.errors import HomeNeededError
from simulator.domain.core.hosts import Host
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.sandbox import Principal
from simulator.domain.throttling.windows import NOT_LENT, Block

LOG = logging.getLogger("sandgate.fleet")
# What is served beside a home: the method, and the paths.
SERVED: Mapping[str, re.Pattern[str]] = {
    "GET": re.compile(r"/v1/payments/[0-9a-f]{32}|/v[13]/query(?:/[0-9a-f]{32})?"),
    "POST": re.compile(r"/v1/payments(?:/[0-9a-f]{32})?"),
}
# How often a home is asked, how long it waits for requests under way, and when it is left alone.
ASK_AGAIN_S, DRAIN_S, IDLE_S = 1.0, 2.0, 60.0
ASKED_MAX = 10_000
# A longer report is left to the home: here it is kept until it is whole, since the calm may end.
LONG_ANSWER_BYTES = 4 << 20


class BesideParts(NamedTuple):
    """What serving beside a home needs of its member."""

    engine: PostgresEngine
    homes: Homes
    registry: SandboxRegistry
    line: CalmLine


class Absent:
    """What only the home has: every use of it raises HomeNeededError."""

    def __getattr__(self, name: str) -> Any:
        raise HomeNeededError(f"{name} is left to the home")


class CalmSandbox:
    """A sandbox in a calm, beside its home. Implements HomePorts for its runtime, which is loaded
    once built.
    """

    def __init__(self, calm: Calm, home: FleetPeer, parts: BesideParts):
        self.calm = calm
        self.used_at = monotonic()
        self.absent = Absent()
        self._home = home
        self._parts = parts
        self._counters: dict[tuple[Host, str], LentRequests] = {}
        self._taken: dict[object, OpenBlock] = {}
        self._under_way = 0
        self._is_free = Event()
        self._line = HomeLine(self._hand, self._hand_again)
        self.scheduler = RemoteScheduler(self._line)
        self.journal: HeldJournal
        self.runtime: SandboxRuntime
        self.database: CalmDatabase

    def load(self) -> None:
        """Read what requests need. Raises HomeNeededError, UnreachableStoreError."""
        engine, registry = self._parts.engine, self._parts.registry
        self.database = engine.calm_database(self.calm)
        self.runtime = registry.load_beside(
            self.calm.sandbox, self, lambda sandbox: engine.store_over(sandbox, self.database)
        )
        self.runtime.ports.clock.now()
        self.database.end()

    def dispatcher_for(self, local: WebhookDispatcher) -> RemoteDispatcher:
        """A dispatcher that hands deliveries to the home."""
        return RemoteDispatcher(local, self._line)

    def journal_over(self, local: MemoryJournal) -> HeldJournal:
        """The journal, without what is left to the home."""
        database = self.database
        self.journal = HeldJournal(local, lambda: database.has_stored)
        return self.journal

    def counter_of(self, host: Host, merchant: str) -> LentRequests:
        """What counts the requests of a merchant."""
        counter = self._counters.get((host, merchant))
        if counter is None:
            counter = self._counters[host, merchant] = LentRequests(
                lambda operation: self._borrow(host, merchant, operation),
                self._taken,
                host=host,
                merchant=merchant,
            )
        return counter

    def serve(
        self, application: WSGIApplication, environ: dict[str, Any]
    ) -> ForwardedAnswer | None:
        """The answer; None where the home has to give it. Raises LostForwardError,
        UnreachableStoreError.
        """
        self.used_at = monotonic()
        self._under_way += 1
        self.database.begin()
        is_left = False
        try:
            answer = _answer_of(application, environ)
            self.database.end()
            return answer
        except HomeNeededError as error:
            if self.database.has_stored:
                raise LostForwardError(f"after it was stored: {error}") from error
            is_left = True
            return None
        finally:
            self._end_request(is_left)

    def leave(self) -> LeftBehind:
        """What was done in the calm, once nothing is under way any more."""
        with gevent.Timeout(DRAIN_S, False):
            while self._under_way:
                self._is_free.clear()
                self._is_free.wait()
        lent: list[LentBlock] = []
        for counter in self._counters.values():
            lent += counter.unused()
        ring = self.runtime.ring
        journal = b"" if ring.is_empty else ring.dump()
        return LeftBehind(self.calm.number, journal, tuple(lent), self.database.is_unknown)

    def part(self) -> bool:
        """Leave the calm, which goes on without this member; whether the home knows it."""
        try:
            self._ask(PART, self.leave())
            return True
        except (UnservedError, LostForwardError) as error:
            LOG.warning("what this member did for sandbox %s is not in the journal: %s",
                        self.calm.sandbox, error)  # fmt: skip
            return False

    def _end_request(self, is_left: bool) -> None:
        """A request was answered, or is left to the home as if it had not been tried."""
        block = self._taken.pop(getcurrent(), None)
        if is_left and block is not None:
            block.left += 1
        self.journal.end(is_left=is_left)
        self.database.begin()
        self._under_way -= 1
        self._is_free.set()

    def _borrow(self, host: Host, merchant: str, operation: str) -> Block:
        order = LendOrder(self.calm.number, host, merchant, operation)
        try:
            return decoded(self._ask(LEND, order), Block)
        except (UnservedError, LostForwardError, msgspec.MsgspecError) as error:
            LOG.info("no requests are lent: %s", error)
            return NOT_LENT

    def _hand(self, handed: HandedOver) -> None:
        self._ask(HAND, handed)

    def _hand_again(self, handed: HandedOver) -> None:
        """To the member that is the home by now."""
        homes, sandbox = self._parts.homes, self.calm.sandbox
        homes.forget(sandbox)
        home = homes.home_of(sandbox)
        if home is None:
            self._parts.registry.runtime(sandbox).take_up()
        else:
            self._parts.line.ask(home, HAND, sandbox, handed)

    def _ask(self, what: str, message: object) -> bytes:
        return self._parts.line.ask(self._home, what, self.calm.sandbox, message)


class BesideHomes:
    """The calm sandboxes that this member serves beside their homes. Implements Tokens for the
    application that serves them. `served` counts what was answered here; a home is asked again
    after `ask_again_s`, and left alone where none asked here for `idle_s`.
    """

    def __init__(self, parts: BesideParts):
        self.served = 0
        self.ask_again_s, self.idle_s = ASK_AGAIN_S, IDLE_S
        self._parts = parts
        self._sandboxes: dict[str, CalmSandbox] = {}
        # Those whose calm this member leaves, until the home was notified, and those about which
        # it is being notified.
        self._parting: dict[str, CalmSandbox] = {}
        self._notifying: set[str] = set()
        self._joining: set[str] = set()
        self._ask_at: dict[str, float] = {}
        self._application: WSGIApplication | None = None

    def serve_by(self, application: WSGIApplication) -> None:
        """Requests are served by this application, which has this as its tokens."""
        self._application = application

    def principal_of(self, token: str) -> Principal | None:
        """What `token` opens in a calm sandbox. Raises HomeNeededError where that is over."""
        key = token_hash(token)
        sandbox = self._sandboxes.get(self._parts.registry.sandbox_of_token(key) or "")
        if sandbox is None:
            raise HomeNeededError("the calm is over")
        work_for(sandbox.calm.sandbox)
        return sandbox.runtime.principals.get(key)

    def serve(self, place: str, home: FleetPeer, environ: dict[str, Any]) -> ForwardedAnswer | None:
        """The answer to a request for a calm sandbox with this home; None where the home has to
        give it. Raises LostForwardError, UnreachableStoreError.
        """
        if not _is_served(environ):
            return None
        sandbox = self._sandboxes.get(place) or self._join(place, home)
        application, answer = self._application, None
        if sandbox is None or application is None:
            return None
        if sandbox.calm.home == home.number:
            answer = self._served(sandbox, application, environ)
        if answer is not None:
            self.served += 1
            return answer
        # It is read again, here or elsewhere.
        environ["wsgi.input"].seek(0)
        if sandbox.calm.home != home.number or sandbox.database.is_over:
            self._forget(sandbox)
        return None

    def _served(
        self, sandbox: CalmSandbox, application: WSGIApplication, environ: dict[str, Any]
    ) -> ForwardedAnswer | None:
        try:
            return sandbox.serve(application, environ)
        finally:
            if sandbox.database.is_unknown:
                # Only behind the calm is it known what is to be delivered.
                gevent.spawn(self._part, sandbox)

    def leave(self, identity: str, number: int) -> LeftBehind:
        """What was done here in a calm that its home ends."""
        sandbox = self._sandboxes.get(identity) or self._parting.get(identity)
        if sandbox is None or sandbox.calm.number != number:
            return LeftBehind(number)
        self._forget(sandbox)
        return sandbox.leave()

    def look(self) -> None:
        """Leave the calm of what was not asked for here for a while, and try again where a home
        does not know yet that what is stored here may not be known.
        """
        for sandbox in [*self._parting.values()]:
            gevent.spawn(self._notify, sandbox)
        for sandbox in [*self._sandboxes.values()]:
            if monotonic() - sandbox.used_at > self.idle_s:
                gevent.spawn(self._part, sandbox)

    def stop(self) -> None:
        """Leave every calm."""
        self._application = None
        gevent.joinall([gevent.spawn(self._part, each) for each in [*self._sandboxes.values()]])

    def _part(self, sandbox: CalmSandbox) -> None:
        """Leave a calm, once. If the home ends it before it receives that, it is given the same."""
        identity = sandbox.calm.sandbox
        if self._sandboxes.get(identity) is not sandbox:
            return
        self._forget(sandbox)
        self._parting[identity] = sandbox
        self._notify(sandbox)

    def _notify(self, sandbox: CalmSandbox) -> None:
        """Let the home know that this member leaves; at the next look again where that fails and an
        outcome is unknown, as long as there is that home.
        """
        identity, is_kept = sandbox.calm.sandbox, False
        if self._parting.get(identity) is not sandbox or identity in self._notifying:
            return
        self._notifying.add(identity)
        try:
            if not sandbox.part() and sandbox.database.is_unknown:
                members = self._parts.line.members()
                is_kept = sandbox.calm.home in {each.number for each in members}
        finally:
            self._notifying.discard(identity)
            if not is_kept:
                del self._parting[identity]

    def _join(self, place: str, home: FleetPeer) -> CalmSandbox | None:
        """The sandbox where its home lets others serve it, or None."""
        is_busy = place in self._joining or place in self._parting
        if self._application is None or is_busy or monotonic() < self._ask_at.get(place, 0.0):
            return None
        self._joining.add(place)
        try:
            return self._joined(place, home)
        finally:
            self._joining.discard(place)

    def _joined(self, place: str, home: FleetPeer) -> CalmSandbox | None:
        if len(self._ask_at) >= ASKED_MAX:
            self._ask_at.clear()
        self._ask_at[place] = monotonic() + self.ask_again_s
        try:
            number = decoded(self._parts.line.ask(home, BEGIN, place, None), int)
            if not number:
                return None
            sandbox = CalmSandbox(Calm(place, home.number, number), home, self._parts)
            sandbox.load()
        except (UnservedError, LostForwardError, HomeNeededError, msgspec.MsgspecError) as error:
            LOG.debug("sandbox %s is served at home: %s", place, error)
            return None
        self._sandboxes[place] = sandbox
        if self._application is None:
            # It stops, and has left the others already.
            self._part(sandbox)
            return None
        return sandbox

    def _forget(self, sandbox: CalmSandbox) -> None:
        identity = sandbox.calm.sandbox
        if self._sandboxes.get(identity) is sandbox:
            del self._sandboxes[identity]


def _is_served(environ: Mapping[str, Any]) -> bool:
    paths = SERVED.get(environ["REQUEST_METHOD"])
    if paths is None or paths.fullmatch(environ["PATH_INFO"]) is None:
        return False
    return isinstance(environ["wsgi.input"], BytesIO)


def _answer_of(application: WSGIApplication, environ: dict[str, Any]) -> ForwardedAnswer:
    started: list[Any] = []

    def start(status: str, headers: list[tuple[str, str]], *_: object) -> Any:
        started[:] = status, headers

    pieces, size = [], 0
    # Everybody else has a turn between the pieces of a report.
    with closing(made_in_slices(application(environ, start))) as made:
        for piece in made:
            pieces.append(piece)
            size += len(piece)
            if size > LONG_ANSWER_BYTES and environ["REQUEST_METHOD"] == "GET":
                raise HomeNeededError("a long answer is sent by the home, while it is made")
    return ForwardedAnswer(started[0], started[1], iter(pieces), None)
