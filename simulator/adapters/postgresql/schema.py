"""The schema of a database: what it must be before anything is written, and how it is made.

Tables and columns come from the rows of KINDS: what is new there is added at the next start, and
nothing is ever taken away, so that the release before still finds what it knows. The row of the
server says which version of the schema that is, and from which on it is written.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import psycopg

from simulator.adapters.postgresql.levels import too_high
from simulator.adapters.postgresql.tables import IndexColumn, RecordTable
from simulator.adapters.postgresql.wire import words_of
from simulator.adapters.store.engine import UnusableDatabaseError

SCHEMA = "sandgate"
# Counts when an older release could not use the schema any more; additions do not count.
VERSION = 1
# The highest write level of this release: one more with each release that has a `Kind.since`, or a
# `Kind.level`.
LEVEL = 2
SERVER_VERSION_MIN = 150000
CLOCK_APART_MAX = timedelta(seconds=10)
# Errors of a role that may not make something, or does not see what is there.
RIGHTS = ("42501", "42P06")
NAMED_MAX = 3

Connection = psycopg.Connection[tuple[object, ...]]

SERVER = (
    "create table server (only_one bool primary key default true check (only_one),"
    " version int not null, level int not null, fingerprint text not null,"
    " term bigint not null default 0, batches bigint[] not null default '{}')"
)
WORLDS = (
    "create table worlds (world int primary key generated always as identity,"
    " sandbox text, epoch int not null, unique (sandbox, epoch))"
)
# Of a fleet: its members, the home of each sandbox (0: none) with the number of its calm (0: it is
# not calm), and which records were changed.
MEMBERS = (
    "create table members (id int primary key generated always as identity, url text not null,"
    " version text not null, beat timestamptz not null, batches bigint[] not null default '{}')"
)
HOMES = "create table homes (sandbox text primary key, member int not null)"
CHANGED = (
    "create table changed_sandboxes (number bigint not null, sandbox text not null,"
    " at timestamptz not null default clock_timestamp())"
)
# What a member writes at, and could write at.
MEMBER_LEVELS = (
    "alter table members add column level int not null default 1",
    "alter table members add column level_max int not null default 1",
)
FILL_HOMES = (
    "insert into homes (sandbox, member) select id, 0 from sandboxes where world = 0"
    " union all select 'console', 0 on conflict do nothing"
)
# Two members that start at once make one schema.
ONE_AT_A_TIME = "select pg_advisory_xact_lock(1935765348, 0)"
# Of other programs: neither ours, nor PostgreSQL's own, nor those of an extension.
FOREIGN_TABLES = """
select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', %s)
and n.nspname !~ '^pg_(toast|temp)' and not exists (
    select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
order by 1
"""
OWNER = "select nspowner::regrole::text from pg_namespace where nspname = %s"
COLUMNS = "select table_name, column_name from information_schema.columns where table_schema = %s"


class ServerRow(NamedTuple):
    """What the database says of itself."""

    version: int
    level: int
    fingerprint: str


def read_server_row(connection: Connection, level_max: int = LEVEL) -> ServerRow | None:
    """The row of the server; None in an empty database. Nothing is written.

    Raises UnusableDatabaseError for a database that is not Sandgate's, or cannot be, or that is
    written at a higher level than `level_max`.
    """
    refuse_unfit_server(connection)
    columns = _columns_in(connection)
    foreign = [str(name) for (name,) in connection.execute(FOREIGN_TABLES, (SCHEMA,)).fetchall()]
    if foreign:
        named = ", ".join(foreign[:NAMED_MAX])
        raise UnusableDatabaseError(
            f"expected a database of its own, got one with {len(foreign)} tables of other programs "
            f"({named}); make another one: createdb sandgate"
        )
    if not columns:
        return None
    if "server" not in columns:
        raise UnusableDatabaseError(
            f"expected the schema {SCHEMA} of a gateway, got one of that name with other tables; "
            "make another database: createdb sandgate"
        )
    found = connection.execute(f"select version, level, fingerprint from {SCHEMA}.server")
    row = found.fetchone()
    if row is None:
        raise UnusableDatabaseError(
            f"expected one row in {SCHEMA}.server, got none: put it back from a backup"
        )
    version, level, fingerprint = row
    _refuse_newer(int(str(version)), int(str(level)), level_max)
    return ServerRow(int(str(version)), int(str(level)), str(fingerprint))


def refuse_other_key(row: ServerRow | None, fingerprint: str) -> None:
    """Raise UnusableDatabaseError where the secrets in the database are sealed with another key."""
    if row is not None and row.fingerprint != fingerprint:
        raise UnusableDatabaseError(
            "its secrets are sealed with another key than the vault.key of this data folder; put "
            "the key file back that belongs to the database"
        )


def make_schema(
    connection: Connection, tables: Sequence[RecordTable], fingerprint: str, level: int = LEVEL
) -> None:
    """Make what is missing of the schema, all of it or nothing; a new one begins at the write level
    `level`. Raises UnusableDatabaseError.
    """
    try:
        with connection.transaction():
            connection.execute(ONE_AT_A_TIME)
            columns = _columns_in(connection)
            for statement in _missing(columns, tables, (fingerprint, level)):
                connection.execute(statement.encode())
            for changed in (each for each in tables if _new_columns(each, columns)):
                _compute_keys(connection, changed)
    except psycopg.Error as error:
        advice = _advice_on_rights(connection) if error.sqlstate in RIGHTS else ""
        raise UnusableDatabaseError(
            f"expected the right to make tables, got: {words_of(error)}{advice}"
        ) from error


def refuse_unfit_server(connection: Connection) -> None:
    if connection.info.server_version < SERVER_VERSION_MIN:
        got = connection.info.parameter_status("server_version")
        raise UnusableDatabaseError(
            f"expected PostgreSQL 15 or newer, got {got}; upgrade it, or name another server"
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise UnusableDatabaseError(
            f"expected a database in UTF8, got {encoding}: createdb -E UTF8 -T template0 sandgate"
        )
    row = connection.execute(
        "select pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool,"
        " clock_timestamp()"
    ).fetchone()
    assert row is not None, "it always answers"
    is_read_only, its_time = row
    if is_read_only:
        raise UnusableDatabaseError(
            "expected a server that writes, got a standby or one that only reads; name the primary,"
            " or add target_session_attrs=read-write"
        )
    assert isinstance(its_time, datetime), "an instant with its zone"
    apart = abs(its_time - datetime.now(UTC))
    if apart > CLOCK_APART_MAX:
        raise UnusableDatabaseError(
            f"its clock and that of this machine are {apart.total_seconds():.0f} s apart, expected "
            f"at most {CLOCK_APART_MAX.total_seconds():.0f} s; set both by a time server"
        )


def _refuse_newer(version: int, level: int, level_max: int) -> None:
    if version > VERSION:
        raise UnusableDatabaseError(
            f"a newer release has made it: expected schema {VERSION}, got {version}; start that "
            "release, or restore a backup"
        )
    if level > level_max:
        raise UnusableDatabaseError(too_high(level, level_max))


def _advice_on_rights(connection: Connection) -> str:
    """Who can give this role what it lacks."""
    owner = connection.execute(OWNER, (SCHEMA,)).fetchone()
    if owner is not None:
        return f"; its tables belong to role {owner[0]}: name that one in the address"
    info = connection.info
    return f"; let its owner run: GRANT CREATE ON DATABASE {info.dbname} TO {info.user}"


def _columns_in(connection: Connection) -> dict[str, set[str]]:
    """The columns of each table of the schema that this role may see."""
    columns: dict[str, set[str]] = {}
    for table, column in connection.execute(COLUMNS, (SCHEMA,)).fetchall():
        columns.setdefault(str(table), set()).add(str(column))
    return columns


def _missing(
    columns: dict[str, set[str]], tables: Sequence[RecordTable], first: tuple[str, int]
) -> Iterator[str]:
    fingerprint, level = first
    if not columns:
        yield f"create schema {SCHEMA}"
    yield f"set local search_path = {SCHEMA}"
    if "server" not in columns:
        yield SERVER
        yield (
            "insert into server (version, level, fingerprint)"
            f" values ({VERSION}, {level}, '{fingerprint}')"
        )
        yield WORLDS
    if "members" not in columns:
        yield "alter table server add column changes bigint not null default 0"
        yield "alter table server add column fleet text"
        yield from (MEMBERS, HOMES, "create index on homes (member)", CHANGED)
        yield "create index on changed_sandboxes (number)"
    if "calm" not in columns.get("homes", ()):
        yield "alter table homes add column calm bigint not null default 0"
    if "level" not in columns.get("members", ()):
        yield from MEMBER_LEVELS
    for table in tables:
        if table.name not in columns:
            yield from _table(table)
            continue
        for each in _new_columns(table, columns):
            yield f"alter table {table.name} add column {each.column} bytea"
            yield _index(table, each)
    if any(table.name == "sandboxes" for table in tables):
        yield FILL_HOMES


def _new_columns(table: RecordTable, columns: dict[str, set[str]]) -> list[IndexColumn]:
    """The indexes that a table has not yet."""
    known = columns.get(table.name)
    if known is None:
        return []
    return [each for each in table.columns if each.column.strip('"') not in known]


def _compute_keys(connection: Connection, table: RecordTable) -> None:
    """Put the keys of every record into their columns, after some were added."""
    named = ", ".join(f"{each.column} = %s" for each in table.columns)
    change = f"update {table.name} set {named} where world = %s and id = %s"
    rows = connection.execute(f"select world, id, body::text from {table.name}".encode())
    for world, identity, body in rows.fetchall():
        record = table.read(str(body).encode(), str(identity).encode(), world=int(str(world)))
        keys = table.keys_of(record)
        encoded = [None if key is None else key.encode() for key in keys]
        connection.execute(change.encode(), (*encoded, world, identity))


def _table(table: RecordTable) -> Iterator[str]:
    keys = "".join(f", {each.column} bytea" for each in table.columns)
    yield (
        f'create table {table.name} (world int not null, id text collate "C" not null,'
        " version int not null, serial bigint not null generated by default as identity,"
        f" body json not null{keys}, primary key (world, id))"
    )
    # Bodies stay in their row as they are: to compress them costs more than to write them.
    yield f"alter table {table.name} set (toast_tuple_target = 8160)"
    for each in table.columns:
        yield _index(table, each)


def _index(table: RecordTable, each: IndexColumn) -> str:
    return (
        f"create index on {table.name} (world, {each.column}, serial)"
        f" where {each.column} is not null"
    )
