"""`sandgate serve` with a database that cannot be used: one line that says why and what to do."""

import socket
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from simulator.adapters.postgresql.advice import explained
from simulator.tests.adapters.postgresql.cluster import Cluster, run, running_cluster
from simulator.tests.kit.running import clean_environment, command_of, serving

PASSWORD = "not-the-password"
START_S_MAX = 60


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def standby(cluster: Cluster) -> Iterator[Cluster]:
    with running_cluster(primary=cluster) as standby:
        yield standby


def name_in(address: str) -> str:
    return address.partition("///")[2].partition("?")[0]


def schemas_in(address: str) -> list[tuple]:
    with psycopg.connect(address) as connection:
        return connection.execute(
            "select nspname from pg_namespace where nspname = 'sandgate'"
        ).fetchall()


def refused(data: Path, store: str) -> str:
    """What a gateway says that does not start, after the words that such errors begin with."""
    environment = {**clean_environment(), "SANDGATE_STORE": store}
    ended = subprocess.run(
        command_of(data), capture_output=True, env=environment, text=True, check=False,
        timeout=START_S_MAX,
    )  # fmt: skip
    start, _, message = ended.stderr.partition("the database of --store: ")
    assert (ended.returncode, ended.stdout, start) == (1, "", "sandgate: ")
    assert len(message.splitlines()) == 1 and PASSWORD not in message
    return message


def assert_says(message: str, *parts: str) -> None:
    """That a message has these parts, in this order: expected, got, and what to do."""
    place = 0
    for part in parts:
        place = message.find(part, place)
        assert place >= 0, f"expected {part!r} in its place, got: {message}"


def a_wrong_password(cluster: Cluster) -> str:
    run(cluster.address(), "create role guarded login password 'right'")
    access = cluster.socket.parent / "data" / "pg_hba.conf"
    access.write_text("local all guarded scram-sha-256\n" + access.read_text())
    run(cluster.address(), "select pg_reload_conf()")
    return f"postgresql://guarded:{PASSWORD}@/postgres?host={cluster.socket.parent}"


def a_role_that_is_kept_out(cluster: Cluster) -> str:
    run(cluster.address(), "create role rejected login")
    access = cluster.socket.parent / "data" / "pg_hba.conf"
    access.write_text("local all rejected reject\n" + access.read_text())
    run(cluster.address(), "select pg_reload_conf()")
    return cluster.address(user="rejected")


def a_role_with_no_connection_left(cluster: Cluster) -> str:
    run(cluster.address(), "create role crowded login connection limit 0")
    return cluster.address(user="crowded")


def a_missing_database(cluster: Cluster) -> str:
    return cluster.address("none")


def a_missing_role(cluster: Cluster) -> str:
    return cluster.address(user="absent")


def no_right_to_make_a_schema(cluster: Cluster) -> str:
    address = cluster.create()
    run(address, "create role visitor login")
    return cluster.address(name_in(address), user="visitor")


def a_schema_of_another_role(cluster: Cluster) -> str:
    address = cluster.create()
    run(
        address,
        "create role owner_of_it login",
        "create role latecomer login",
        f"grant create on database {name_in(address)} to latecomer",
        "create schema sandgate authorization owner_of_it",
        "create table sandgate.server (version int)",
    )
    return cluster.address(name_in(address), user="latecomer")


def no_right_to_connect(cluster: Cluster) -> str:
    address = cluster.create()
    run(
        address,
        "create role outsider login",
        f"revoke connect on database {name_in(address)} from public",
    )
    return cluster.address(name_in(address), user="outsider")


def a_clock_an_hour_ahead(cluster: Cluster) -> str:
    address = cluster.create()
    run(
        address,
        "create function public.clock_timestamp() returns timestamptz language sql"
        " as $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$",
        f"alter database {name_in(address)} set search_path = public, pg_catalog",
    )
    return address


def an_unknown_host(cluster: Cluster) -> str:
    return f"postgresql://sandgate:{PASSWORD}@nowhere.invalid/sandgate"


def a_port_without_a_server(cluster: Cluster) -> str:
    return f"postgresql://sandgate:{PASSWORD}@127.0.0.1:1/sandgate"


@pytest.mark.parametrize(
    ("made", "parts"),
    [
        (a_wrong_password, ("expected the password", 'got: ', 'for user "guarded"', "PGPASSFILE")),
        (an_unknown_host, ("expected the name of a host", "got: ", "nowhere.invalid", "correct")),
        (
            a_port_without_a_server,
            ("expected a server that listens", "got: ", "Connection refused", "start it, or"),
        ),
        (a_role_that_is_kept_out, ("expected a role", "got: ", "rejects", "name that role, or")),
        (
            a_role_with_no_connection_left,
            ("expected room for three connections", "got: ", "too many", "raise the limit"),
        ),
        (a_missing_database, ("expected a database", '"none" does not exist', "createdb")),
        (a_missing_role, ("expected a role", '"absent" does not exist', "createuser")),
        (
            no_right_to_make_a_schema,
            ("expected the right to make tables", "got: permission denied", "GRANT CREATE ON DATA",
             "TO visitor"),
        ),
        (
            a_schema_of_another_role,
            ("expected the right to make tables", "got: ", "belong to role owner_of_it: name that"),
        ),
        (no_right_to_connect, ("expected the right to connect", "got: ", "GRANT CONNECT")),
        (
            a_clock_an_hour_ahead,
            ("its clock and that of this machine are 3600 s apart", "expected at most 10 s",
             "set both by a time server"),
        ),
    ],
    ids=lambda each: each.__name__ if callable(each) else "",
)  # fmt: skip
def test_what_is_wrong_is_said_with_what_to_do(
    cluster: Cluster, tmp_path: Path, made: Callable[[Cluster], str], parts: tuple[str, ...]
) -> None:
    assert_says(refused(tmp_path / "data", made(cluster)), *parts)


def test_a_database_without_room_for_the_records_of_a_start_is_one_line(
    cluster: Cluster, tmp_path: Path
) -> None:
    """It ended with a traceback, as the full disk of a data folder did."""
    address, data = cluster.create(), tmp_path / "data"
    with serving(data, "--store", address):
        pass
    run(
        address,
        "create function sandgate.refuse() returns trigger language plpgsql as $$ begin "
        "raise exception using errcode = '53100', message = 'could not extend file'; end $$",
        "create trigger refused before insert or update on sandgate.sandboxes "
        "for each row execute function sandgate.refuse()",
    )

    ended = subprocess.run(
        command_of(data, "--store", address, "--profile", "field"), capture_output=True,
        env=clean_environment(), text=True, check=False, timeout=START_S_MAX,
    )  # fmt: skip

    assert (ended.returncode, ended.stdout, ended.stderr.count("Traceback")) == (1, "", 0)
    message = ended.stderr.splitlines()[-1].removeprefix("sandgate: the database of --store: ")
    assert_says(message, "expected one that stores", "could not extend file", "has room")


def test_it_is_said_to_a_gateway_that_has_its_key_too(cluster: Cluster, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    key = data / "vault.key"
    key.write_bytes(b64encode(bytes(32)))
    key.chmod(0o600)
    message = refused(data, cluster.address("none"))
    assert_says(message, "expected a database", '"none" does not exist', "createdb")


@pytest.mark.parametrize(
    ("wanted", "parts"),
    [
        ("", ("expected a server that writes", "got a standby", "name the primary")),
        (
            "&target_session_attrs=read-write",
            ("expected a server that writes", "got: ", "read-only", "name the primary"),
        ),
    ],
    ids=["as it is", "asked for one that writes"],
)
def test_a_real_standby_is_refused(
    cluster: Cluster, standby: Cluster, tmp_path: Path, wanted: str, parts: tuple[str, ...]
) -> None:
    assert_says(refused(tmp_path / "data", standby.address() + wanted), *parts)
    assert not schemas_in(cluster.address())


def test_a_server_that_is_too_old_is_refused(tmp_path: Path) -> None:
    with old_server("14.9") as port:
        store = f"postgresql://me:{PASSWORD}@127.0.0.1:{port}/x?sslmode=disable&gssencmode=disable"
        message = refused(tmp_path / "data", store)
    assert_says(message, "expected PostgreSQL 15 or newer", "got 14.9", "upgrade it, or")


def test_what_no_row_knows_is_passed_on_as_it_is() -> None:
    assert explained("Datenbank startet gerade") == "Datenbank startet gerade"
    message = explained("FATAL: the database system is starting up")
    assert_says(message, "expected a server that has started", "got: FATAL", "once it has")


@contextmanager
def old_server(version: str) -> Iterator[int]:
    """A server that lets everybody in and says its version; gives its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=_greet, args=(listening, version))
        thread.start()
        yield listening.getsockname()[1]
    thread.join(START_S_MAX)


def _greet(listening: socket.socket, version: str) -> None:
    connection, _ = listening.accept()
    with connection:
        connection.recv(4096)
        named = {"server_version": version, "server_encoding": "UTF8", "client_encoding": "UTF8"}
        facts = (f"{name}\0{value}\0".encode() for name, value in named.items())
        messages = [(b"R", bytes(4)), *((b"S", each) for each in facts), (b"Z", b"I")]
        sent = (kind + (len(body) + 4).to_bytes(4, "big") + body for kind, body in messages)
        connection.sendall(b"".join(sent))
        # Until the client has gone.
        connection.recv(4096)
