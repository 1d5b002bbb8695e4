"""Take snapshots of sandboxes in use, and restore them as a new epoch."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import NamedTuple

from msgspec.structs import replace

from simulator.domain.core.entities import Sandbox
from simulator.domain.core.ports import Vault
from simulator.domain.core.records import Script
from simulator.domain.core.transact import transact
from simulator.domain.holding import refuse_invalid_stops
from simulator.domain.merchants.restored import refuse_invalid_ids, refuse_invalid_sandbox
from simulator.domain.merchants.sizes import refuse_long_settings
from simulator.domain.ports.server import Readable, Refusing, ServerPorts, SnapshotFile
from simulator.domain.restored.counts import RecordCounts
from simulator.domain.restored.records import refuse_unusable_record
from simulator.domain.scripts import counted_scripts
from simulator.domain.snapshots import (
    SnapshotHeader,
    header_line,
    packed,
    read_header,
    read_sandbox,
    refuse_damaged,
    refuse_large,
    unlocked,
)
from simulator.domain.terminals.terminals import Terminal
from simulator.domain.webhooks.records import Endpoint
from simulator.service.sandboxes.sandboxes import sandbox_with, vault_of


class Snapshot(NamedTuple):
    """A file to send: its length and its content."""

    size: int
    pieces: Iterator[bytes]


class Restored(NamedTuple):
    """The restored sandbox, and whether it is new."""

    sandbox: Sandbox
    is_new: bool


def take_snapshot(server: ServerPorts, identity: str, passphrase: str | None) -> Snapshot:
    """The sandbox and its data as they are at one moment. Raises UnknownSandboxError,
    InvalidInputError, also where no restore would take what it has, and CrowdedSandboxError.
    """
    return server.registry.taken(identity, lambda: _taken(server, identity, passphrase))


def _taken(server: ServerPorts, identity: str, passphrase: str | None) -> Snapshot:
    sandbox = sandbox_with(server, identity)
    line, locked_key = packed(sandbox, server.vault, passphrase)
    refuse_long_settings(sandbox)
    RecordCounts.refuse_crowded(_counted_records(server, identity))
    spool = server.registry.snapshot(sandbox, line)
    now = server.clock.now()
    header = header_line(
        SnapshotHeader(made_at=now, bytes=spool.size, sha256=spool.sha256, locked_key=locked_key)
    )
    size = len(header) + spool.size
    with ExitStack() as undo:
        undo.callback(spool.close)
        refuse_large(size)
        undo.pop_all()
    return Snapshot(size, _joined(header, spool))


def _counted_records(server: ServerPorts, identity: str) -> Iterator[Endpoint | Script | Terminal]:
    store = server.registry.ports(identity).store
    yield from counted_scripts(store)
    yield from store.find(Endpoint, "all", "yes")
    yield from store.find(Terminal, "all", "yes")


def restore_snapshot(
    server: ServerPorts,
    content: Readable,
    passphrase: str | None,
    *,
    check: Callable[[Sandbox], object],
) -> Restored:
    """The sandbox of a snapshot: in a new epoch if there is one with its id, else new.

    Everything that was in it is gone, its credentials are those of the snapshot. The file is
    checked whole, at last by `check`, before anything is written; what takes long is done aside,
    and long files one after another.
    Raises InvalidInputError.
    """
    with closing(server.registry.receive(content)) as spool, spool.alone():
        header = read_header(spool.header)
        refuse_damaged(header, spool.size, spool.sha256)
        sandbox = read_sandbox(spool.first_line(), lambda: server.registry.pause(0))
        refuse_long_settings(sandbox)
        server.aside(refuse_invalid_ids, sandbox)
        refuse_invalid_stops(sandbox.breakpoints)
        sandbox = unlocked(header, sandbox, server.vault, passphrase)
        server.aside(refuse_invalid_sandbox, sandbox, vault_of(server, sandbox))
        server.aside(check, sandbox)
        return _restored(server, sandbox, spool)


def _restored(server: ServerPorts, sandbox: Sandbox, spool: SnapshotFile) -> Restored:
    def change() -> Restored:
        before = server.registry.sandbox(sandbox.id)
        after = replace(sandbox, version=0)
        if before is not None:
            after = replace(sandbox, version=before.version, epoch=before.epoch + 1)
        server.registry.restore(after, spool, refuse=_refusing(vault_of(server, after)))
        return Restored(after, before is None)

    return transact(server.registry, change)


def _refusing(vault: Vault) -> Refusing:
    """What refuses each record of one snapshot that no gateway stored, by what it holds, and the
    first that is one too many.
    """
    counts = RecordCounts()

    def refuse(record: object) -> None:
        counts.add(record)
        refuse_unusable_record(record, vault)

    return refuse


def _joined(header: bytes, spool: SnapshotFile) -> Iterator[bytes]:
    yield header
    yield from spool.pieces()
