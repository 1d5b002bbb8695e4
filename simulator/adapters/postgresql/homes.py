"""Which member of a fleet has which sandbox: its home, where everything of it is done.

A sandbox that no member has is taken by the one that is asked for it. It leaves its home when that
member gives it away, stops, or is removed.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import choice
from time import monotonic

import gevent

from simulator.adapters.postgresql.database import wait_for_outcomes
from simulator.adapters.postgresql.members import FleetDatabase, FleetMember
from simulator.adapters.postgresql.values import int4, int8, is_text, number_in
from simulator.adapters.postgresql.wire import SqlStatement
from simulator.adapters.postgresql.writer import Work
from simulator.adapters.store.engine import FleetPeer, ServedElsewhereError
from simulator.adapters.turns import pause
from simulator.domain.core.errors import HomeNeededError, UnknownOutcomeError
from simulator.domain.core.transact import transact

# Homes of others that are known without asking; who was wrong asks again.
KNOWN_MAX = 10_000
FREE_AT_ONCE = 50
LEAVING_STEP_S = 0.01
# How long one that makes a sandbox waits for another one to be done with it.
MAKE_S_MAX, MAKE_STEP_S = 8.0, 0.2
FIND = (
    "select h.member, coalesce(m.url, '') from homes h left join members m on m.id = h.member"
    " where h.sandbox = $1::text"
)
MAKE = "insert into homes (sandbox, member) values ($1::text, $2::int4) on conflict do nothing"
TAKE = "update homes set member = $2::int4 where sandbox = $1::text and member = 0"
# Locked, the row of a member is not removed before its homes are looked at.
GIVE = (
    "with there as (select id from members where id = $3::int4 for key share)"
    " update homes set member = there.id from there where sandbox = $1::text and member = $2::int4"
)
FREE = "update homes set member = 0 where sandbox = $1::text and member = $2::int4"
# With it go the worlds of epochs that no record names any more.
LEAVE = (
    "with gone as (delete from homes where sandbox = $1::text and member = $2::int4"
    " and not exists (select from sandboxes where world = 0 and id = $1::text) returning sandbox)"
    " update worlds w set sandbox = null from gone where w.sandbox = gone.sandbox"
)
FIND_FREE = f"select sandbox from homes where member = 0 limit {FREE_AT_ONCE}"

# The logarithm of nothing ends the transaction.
PUT_CALM = (
    "with done as (update homes set calm = $3::int8 where sandbox = $1::text"
    " and member = $2::int4 returning 1) select ln(count(*)) from done"
)

Fetch = Callable[[FleetPeer, str], object]


class Homes:
    """The homes as this member knows them; all methods may raise UnreachableStoreError."""

    def __init__(self, database: FleetDatabase, member: FleetMember):
        self._database = database
        self._member = member
        self._own: set[str] = set()
        self._leaving: set[str] = set()
        # Let go with unknown outcome: what names this member as their home may not stand.
        self._unsettled: set[str] = set()
        self._others: dict[str, FleetPeer] = {}
        self._fetch: Fetch | None = None
        # Members that stop, and those that stay where this one does.
        self._stopping: set[int] = set()
        self._successors: tuple[FleetPeer, ...] = ()
        # Called with each sandbox whose home this member has become.
        self.taken: Callable[[str], object] = lambda identity: None
        # Called with each sandbox of this member before it changes: no other one may serve it.
        self.steered: Callable[[str], object] = lambda identity: None

    def fetch_by(self, fetch: Fetch) -> None:
        """Another member is asked by `fetch` to give a sandbox to this one."""
        self._fetch = fetch

    def is_own(self, identity: str) -> bool:
        """Whether this member is the home, and its lease lasts."""
        return identity in self._own and self._member.is_valid

    def home_of(self, identity: str) -> FleetPeer | None:
        """The other member that has the sandbox; None where this one has it, or no member can.
        Raises UnreachableStoreError, also where this one had it when its lease ended.
        """
        while identity in self._leaving:
            gevent.sleep(LEAVING_STEP_S)
        if identity in self._own:
            self._member.refuse_ended()
            return None
        self._settle(identity)
        known = self._others.get(identity)
        if known is not None:
            return known
        found = self._find(identity)
        if found is not None and not found.number:
            if self._successors:
                return choice(self._successors)
            given = [identity.encode(), int4(self._member.number)]
            self._database.store(Work((), [("home", identity)], [SqlStatement(TAKE, given)]))
            found = self._find(identity)
        if found is None:
            return None
        if found.number == self._member.number:
            self._own.add(identity)
            self.taken(identity)
            return None
        if len(self._others) >= KNOWN_MAX:
            self._others.clear()
        if found.number not in self._stopping:
            self._others[identity] = found
        return found

    def take(self, identity: str) -> None:
        """Be the home of a sandbox; another member gives it away, unless this one stops. What is
        under way in a sandbox that is leaving has it still. Raises ServedElsewhereError.
        """
        if identity in self._own:
            self._member.refuse_ended()
            return
        home = self.home_of(identity)
        if home is None:
            return
        if self._fetch is not None and not self._successors:
            self._fetch(home, identity)
        self.forget(identity)
        home = self.home_of(identity)
        if home is not None:
            raise ServedElsewhereError(identity, home)

    def make(self, identity: str) -> None:
        """The same of a sandbox that may not be there yet: of two members that make it at once, by
        restoring it, one waits for the other. Raises ServedElsewhereError.
        """
        until = monotonic() + MAKE_S_MAX
        # Again where the one that had it has just left it, since the sandbox is gone.
        while identity not in self._own:
            given = [identity.encode(), int4(self._member.number)]
            self._database.store(Work((), [("home", identity)], [SqlStatement(MAKE, given)]))
            try:
                self.take(identity)
            except ServedElsewhereError:
                if self._successors or monotonic() > until:
                    raise
                gevent.sleep(MAKE_STEP_S)

    def leave(self, identity: str) -> None:
        """Be no home of a sandbox that is not there: the next one that makes it is."""
        with self.leaving(identity):
            self._store_left(identity, LEAVE)
            self.let_go(identity)

    def forget(self, identity: str) -> None:
        """What is known of the home of a sandbox was wrong, or is not known to be right."""
        self._others.pop(identity, None)

    def forget_gone(self, present: Collection[int]) -> None:
        """Ask again for the homes that are not among these members: they were removed."""
        self._stopping.intersection_update(present)
        self._successors = tuple(each for each in self._successors if each.number in present)
        for identity, peer in [*self._others.items()]:
            if peer.number not in present:
                del self._others[identity]

    def add_own(self, identity: str) -> None:
        """A sandbox was made here."""
        self._own.add(identity)

    @contextmanager
    def leaving(self, identity: str) -> Iterator[None]:
        """While it lasts requests for the sandbox wait for its next home; what is under way goes
        on.
        """
        self._leaving.add(identity)
        try:
            yield
        finally:
            self._leaving.discard(identity)

    def let_go(self, identity: str) -> None:
        """Have nothing more begin in a sandbox that is leaving, also not what is due."""
        self._own.discard(identity)
        self.forget(identity)

    def stop_taking(self, successors: Iterable[FleetPeer]) -> None:
        """This member stops: these take what has no home, as long as one of them stays."""
        self._successors = tuple(each for each in successors if each.number not in self._stopping)

    def note_stop(self, number: int) -> None:
        """The member with this number stops: where its sandboxes are is asked each time."""
        self._stopping.add(number)
        self._successors = tuple(each for each in self._successors if each.number != number)
        for identity in [each for each, peer in self._others.items() if peer.number == number]:
            del self._others[identity]

    @property
    def is_stopping(self) -> bool:
        """Whether others take what has no home."""
        return bool(self._successors)

    @property
    def own(self) -> list[str]:
        """The sandboxes that have their home here."""
        return [*self._own]

    def free(self, identity: str) -> None:
        """Leave a sandbox that is leaving to the member that is asked for it next."""
        self.let_go(identity)
        self._store_left(identity, FREE)

    def give(self, identity: str, number: int) -> None:
        """Give a sandbox that is leaving to the member with this number, if it is still one."""
        self.let_go(identity)
        self._store_left(identity, GIVE, int4(number))

    def begin_calm(self, identity: str, number: int) -> None:
        """Let others serve the sandbox beside this member, in the calm with this number. Raises
        HomeNeededError where this is not its home.
        """
        self._put_calm(identity, number)

    def end_calm(self, identity: str) -> None:
        """Let no other member store anything of the sandbox from here on: what is under way there
        is stored before.
        """
        with suppress(HomeNeededError):
            transact(self, lambda: self._put_calm(identity, 0))

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again."""
        pause(failures)

    def _put_calm(self, identity: str, number: int) -> None:
        given = [identity.encode(), int4(self._member.number), int8(number)]
        self._database.store(Work((), [("home", identity)], [SqlStatement(PUT_CALM, given)]))

    def take_free(self) -> Sequence[str]:
        """Some sandboxes that no member had, and that this one has now: when their next work is due
        is to be looked at. None where this member stops.
        """
        if self._successors:
            return []
        (rows,) = self._database.ask(SqlStatement(FIND_FREE))
        free = [bytes(row[0] or b"").decode() for row in rows]
        return [each for each in free if self.home_of(each) is None and each in self._own]

    def _store_left(self, identity: str, sql: str, *more: bytes) -> None:
        """Store that this member is no home of a sandbox. Raises UnreachableStoreError."""
        given = [identity.encode(), int4(self._member.number), *more]
        try:
            self._database.store(Work((), [("home", identity)], [SqlStatement(sql, given)]))
        except UnknownOutcomeError:
            self.let_go(identity)
            self._unsettled.add(identity)
            raise

    def _settle(self, identity: str) -> None:
        """Return once the home that is read stands. Raises UnreachableStoreError."""
        if identity in self._unsettled:
            wait_for_outcomes(self._database)
            self._unsettled.discard(identity)

    def _find(self, identity: str) -> FleetPeer | None:
        if not is_text(identity):
            return None
        (rows,) = self._database.ask(SqlStatement(FIND, [identity.encode()]))
        if not rows:
            return None
        number, url = (bytes(each or b"") for each in rows[0])
        return FleetPeer(number_in(number), url.decode())
