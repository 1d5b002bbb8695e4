"""A gateway as a member of the fleet that shares its database."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from simulator.adapters.postgresql.homes import Homes
from simulator.adapters.postgresql.members import FleetDatabase, FleetMember
from simulator.adapters.postgresql.schema import Connection
from simulator.adapters.postgresql.values import number_in
from simulator.adapters.postgresql.wire import SqlStatement, Wire
from simulator.adapters.store.engine import FleetAddress, FleetPeer, UnusableDatabaseError

# Two fleets would forward to one another and refuse each other's key.
HAS_KEY = (
    "update sandgate.server set fleet = %s where coalesce(fleet, '') in ('', %s) or not exists"
    " (select from sandgate.members where beat > clock_timestamp() - interval '10 s') returning 1"
)
COUNT_OTHERS = "select count(*) from members where id <> $1::int4"
LIST = "select id, url from members order by id"
HAS_MEMBERS = (
    "select from information_schema.tables"
    " where table_schema = 'sandgate' and table_name = 'members'"
)
# What people share has a home as well, and is no sandbox.
DESCRIBE = """
select m.id, m.url, m.version, extract(epoch from clock_timestamp() - m.beat)::float,
    (select count(*) from sandgate.homes h where h.member = m.id and h.sandbox <> 'console')
from sandgate.members m order by m.id
"""


class MemberState(NamedTuple):
    """A member as an operator sees it: how long it is silent, and how many sandboxes it has."""

    number: int
    url: str
    version: str
    silent_s: float
    sandboxes: int


class Fleet:
    """This member and the homes of sandboxes."""

    def __init__(self, database: FleetDatabase, member: FleetMember, open_wire: Callable[[], Wire]):
        self.member = member
        self.homes = Homes(database, member)
        self._database = database
        self._look: Callable[[], object] = lambda: None
        self._end: Callable[[], object] = lambda: None
        # Called before this member leaves the others.
        self.leaving: Callable[[], object] = lambda: None
        # From the first moment on: a long start must not cost the lease.
        member.begin(database, open_wire, look=lambda: self._look(), end=lambda: self._end())

    @property
    def is_alone(self) -> bool:
        """Whether no other member has joined."""
        number = SqlStatement(COUNT_OTHERS, [self.member.number_sent])
        ((row,),) = self._database.ask(number)
        return not number_in(bytes(row[0] or b""))

    def members(self) -> list[FleetPeer]:
        """Every member that has joined and was not removed. Raises UnreachableStoreError."""
        (rows,) = self._database.ask(SqlStatement(LIST))
        return [
            FleetPeer(number_in(bytes(number or b"")), bytes(url or b"").decode())
            for number, url in rows
        ]

    def begin(self, url: str, *, look: Callable[[], object], end: Callable[[], object]) -> None:
        """Be reached at `url`; `look` is called after each beat, `end` where the lease is lost."""
        self._look, self._end = look, end
        self.member.move(self._database, url)

    def leave(self) -> None:
        """Free every sandbox, for another member at once."""
        self.leaving()
        self.member.leave(self._database)


def join_fleet(
    connection: Connection,
    wire: Wire,
    address: FleetAddress,
    *,
    level_max: int,
    within_s: float,
) -> FleetMember:
    """A new member. Raises UnusableDatabaseError, DatabaseInUseError, UnreachableStoreError."""
    if connection.execute(HAS_KEY, (address.key, address.key)).fetchone() is None:
        raise UnusableDatabaseError(
            "members with another peer key use it, expected one fleet; give every member the same "
            "SANDGATE_PEER_KEY, or name another database"
        )
    return FleetMember(wire, address, level_max=level_max, within_s=within_s)


def members_in(connection: Connection) -> Iterator[MemberState]:
    """The members of the fleet in a database; a schema of an older release has none."""
    if connection.execute(HAS_MEMBERS).fetchone() is None:
        return
    for number, url, version, silent, homes in connection.execute(DESCRIBE).fetchall():
        yield MemberState(
            int(str(number)), str(url), str(version), float(str(silent)), int(str(homes))
        )
