"""What a start finds in a database that cannot keep the records: a clear error, nothing written."""

from pathlib import Path

import psycopg
import pytest

from simulator.adapters.key_files import UnsafeKeyFileError
from simulator.adapters.postgresql.engine import PostgresEngine, inspect_database
from simulator.adapters.postgresql.schema import (
    CLOCK_APART_MAX,
    LEVEL,
    VERSION,
    refuse_unfit_server,
)
from simulator.adapters.store.engine import UnusableDatabaseError
from simulator.engines import open_engine, open_vault_of
from simulator.setting_sources import read_settings
from simulator.settings import Settings, SettingsError
from simulator.tests.adapters.postgresql.cluster import Cluster, run
from simulator.tests.adapters.webhooks.parcels import KINDS


def content(address: str) -> list[tuple]:
    """Every table and its number of columns, with the row of the server where there is one."""
    with psycopg.connect(address, autocommit=True) as connection:
        found = connection.execute(
            "select table_schema, table_name, count(*) from information_schema.columns"
            " where table_schema not in ('pg_catalog', 'information_schema')"
            " group by 1, 2 order by 1, 2"
        ).fetchall()
        if any(schema == "sandgate" and table == "server" for schema, table, _ in found):
            found += connection.execute("select * from sandgate.server").fetchall()
    return found


def opened(address: str, fingerprint: str = "ours") -> PostgresEngine:
    return PostgresEngine(address, fingerprint, kinds=KINDS)


def test_an_empty_database_gets_the_schema_and_its_next_start_finds_it(address: str) -> None:
    assert inspect_database(address) is None
    opened(address).close()
    row = inspect_database(address)
    assert row is not None and (row.version, row.fingerprint) == (VERSION, "ours")
    opened(address).close()


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        pytest.param(
            ["create table orders (id int)"], "tables of other programs.*public.orders",
            id="shared with another program",
        ),
        pytest.param(
            ["create schema sandgate", "create table sandgate.mine (id int)"],
            "with other tables", id="a schema of the same name",
        ),
    ],
)  # fmt: skip
def test_a_database_of_something_else_is_refused(
    address: str, statements: list[str], expected: str
) -> None:
    run(address, *statements)
    before = content(address)
    with pytest.raises(UnusableDatabaseError, match=expected):
        opened(address)
    assert content(address) == before


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(f"set version = {VERSION + 1}", "a newer release", id="a newer schema"),
        pytest.param(f"set level = {LEVEL + 1}", "a newer release", id="a newer level"),
        pytest.param("set fingerprint = 'theirs'", "sealed with another key", id="another key"),
    ],
)
def test_a_database_of_another_gateway_is_refused(address: str, change: str, expected: str) -> None:
    opened(address).close()
    run(address, f"update sandgate.server {change}")
    before = content(address)
    with pytest.raises(UnusableDatabaseError, match=expected):
        opened(address)
    assert content(address) == before


def test_a_database_has_one_gateway_at_a_time(address: str) -> None:
    first = opened(address)
    before = content(address)
    with pytest.raises(UnusableDatabaseError, match="a gateway at this machine.*one at a time"):
        opened(address)
    assert content(address) == before
    first.close()
    opened(address).close()


def test_a_role_without_the_right_to_make_a_schema_is_refused(cluster: Cluster) -> None:
    address = cluster.create()
    run(address, "drop role if exists guest", "create role guest login")
    name = address.partition("///")[2].partition("?")[0]
    with pytest.raises(UnusableDatabaseError, match="permission denied.*GRANT CREATE ON DATABASE"):
        opened(cluster.address(name, user="guest"))
    assert content(address) == []


def test_a_role_that_may_only_read_is_refused(cluster: Cluster, address: str) -> None:
    opened(address).close()
    run(
        address,
        "create role reader login",
        "grant usage on schema sandgate to reader",
        "grant select on all tables in schema sandgate to reader",
    )
    before = content(address)
    name = address.partition("///")[2].partition("?")[0]
    with pytest.raises(
        UnusableDatabaseError, match="expected the role .*permission denied.*name that"
    ):
        opened(cluster.address(name, user="reader"))
    assert content(address) == before


def test_a_standby_is_refused(address: str) -> None:
    name = address.partition("///")[2].partition("?")[0]
    run(address, f"alter database {name} set default_transaction_read_only = on")
    with pytest.raises(UnusableDatabaseError, match="a server that writes"):
        opened(address)


def test_a_database_in_another_encoding_is_refused(cluster: Cluster) -> None:
    run(cluster.address(), "create database latin template template0 encoding 'LATIN1'")
    with pytest.raises(UnusableDatabaseError, match="expected a database in UTF8, got LATIN1"):
        opened(cluster.address("latin"))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("postgresql://127.0.0.1:1/nothing", "Connection refused"),
        ("postgresql:///nothing?host=/nowhere", "No such file"),
        ("postgresql://127.0.0.1/x?sslmode=perhaps", "invalid sslmode"),
        ("postgresql://127.0.0.1/x?no_such_option=1", "no_such_option"),
    ],
)
def test_a_wrong_address_is_said_in_the_words_of_the_client(address: str, expected: str) -> None:
    with pytest.raises(UnusableDatabaseError, match=expected):
        inspect_database(address)


class Info:
    """What a connection knows of a server that is not at hand."""

    def __init__(self, version: int, encoding: str):
        self.server_version = version
        self._status = {"server_version": f"{version / 10000:g}", "server_encoding": encoding}

    def parameter_status(self, name: str) -> str:
        return self._status[name]


class Elsewhere:
    """A connection to a server that is too old, or whose clock is wrong."""

    def __init__(self, version: int = 180000, answer: tuple = ()):
        self.info = Info(version, "UTF8")
        self._answer = answer

    def execute(self, statement: str) -> "Elsewhere":
        return self

    def fetchone(self) -> tuple:
        return self._answer


def test_an_old_server_is_refused() -> None:
    with pytest.raises(UnusableDatabaseError, match="PostgreSQL 15 or newer, got 14"):
        refuse_unfit_server(Elsewhere(version=140000))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_clock_that_is_wrong_is_refused(address: str, sign: int) -> None:
    with psycopg.connect(address) as connection:
        (now,) = connection.execute("select clock_timestamp()").fetchone()
    wrong = now + sign * (CLOCK_APART_MAX + CLOCK_APART_MAX / 2)
    with pytest.raises(UnusableDatabaseError, match="1[0-9] s apart"):
        refuse_unfit_server(Elsewhere(answer=(False, wrong)))


def test_the_key_of_the_records_is_not_made_anew(address: str, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "first", store=address)
    settings.data.mkdir()
    open_engine(settings, open_vault_of(settings)).close()
    before = content(address)

    other = Settings(data=tmp_path / "other", store=address)
    other.data.mkdir()
    with pytest.raises(UnsafeKeyFileError, match=r"vault\.key: .+ start with another database$"):
        open_vault_of(other)
    assert not list(other.data.iterdir())
    named = Settings(data=other.data, store=address, vault_key_file=settings.data / "vault.key")
    open_engine(named, open_vault_of(named)).close()
    assert content(address)[:-1] == before[:-1]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:secret@[::1/x", "postgresql://me:%zzsecret@h/x",
        "postgresql://me:secret word@h/x", "postgresql://me:a/secret@h/x",
        "postgresql://me:secret/a@h/x", "postgresql://me:secret?a@h/x",
        "postgresql://me:a?secret@h/x", "postgresql://me:a#secret@h/x", "postgresql://me:secret",
        "postgresql://me:a@secret@127.0.0.1:1/x", "postgresql:///x?password=secret%zz",
        "postgresql:///x?password=secret%00", "postgresql:///x?password=a=secret",
        "postgresql:///x?host=/nowhere&password=secret", "postgresql://me:secret@127.0.0.1:1/x",
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_address_is_said_without_its_password(address: str) -> None:
    with pytest.raises(UnusableDatabaseError) as refused:
        inspect_database(address)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "store",
    [
        "postgresql://me:secret@127.0.0.1/x", "postgresql:///x?host=/tmp&password=secret",
        "postgresql://me:secret@[::1/x", "postgresql://me:a/secret@h/x",
        "postgresql://me:s@cret@h/x",
        "postgresql:///x?pass%77ord=secret", "postgresql:///x?sslpassword=secret",
    ],
)  # fmt: skip
def test_a_password_on_the_command_line_is_refused(store: str) -> None:
    with pytest.raises(SettingsError, match="without a password") as refused:
        read_settings({"store": store}, {})
    assert "secret" not in str(refused.value)
    settings, sources = read_settings({}, {"SANDGATE_STORE": store})
    assert settings.store == store
    assert {each.shown for each in sources if each.row.name == "store"} == {"********"}


@pytest.mark.parametrize(
    "given",
    [
        {"store": "mysql://x"},
        {"store": "postgres"},
        {"store": "postgresql"},
        {"store": "postgresql:///x", "durability": "memory"},
    ],
)
def test_settings_that_cannot_be_are_refused(given: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        read_settings(given, {})
