"""Take snapshots of sandboxes in use, and restore them as a new epoch."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from simulator.domain.core.entities import Sandbox
from simulator.domain.core.server_ports import Readable, ServerPorts, SnapshotFile
from simulator.domain.core.transact import transact
from simulator.domain.snapshots import (
    SnapshotHeader,
    header_line,
    packed,
    read_header,
    refuse_damaged,
    unpacked,
)
from simulator.service.sandboxes.sandboxes import sandbox_with


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
    InvalidInputError.
    """
    line, locked_key = packed(sandbox_with(server, identity), server.vault, passphrase)
    spool = server.registry.snapshot(identity, line)
    now = server.clock.now()
    header = header_line(
        SnapshotHeader(made_at=now, bytes=spool.size, sha256=spool.sha256, locked_key=locked_key)
    )
    return Snapshot(len(header) + spool.size, _joined(header, spool))


def restore_snapshot(server: ServerPorts, content: Readable, passphrase: str | None) -> Restored:
    """The sandbox of a snapshot: in a new epoch if there is one with its id, else new.

    Everything that was in it is gone, its credentials are those of the snapshot. Raises
    InvalidInputError.
    """
    spool = server.registry.receive(content)
    try:
        header = read_header(spool.header)
        refuse_damaged(header, spool.size, spool.sha256)
        sandbox = unpacked(header, spool.first_line(), server.vault, passphrase)
        return _restored(server, sandbox, spool)
    finally:
        spool.close()


def _restored(server: ServerPorts, sandbox: Sandbox, spool: SnapshotFile) -> Restored:
    def change() -> Restored:
        before = server.registry.sandbox(sandbox.id)
        after = replace(sandbox, version=0)
        if before is not None:
            after = replace(sandbox, version=before.version, epoch=before.epoch + 1)
        server.registry.restore(after, spool)
        return Restored(after, before is None)

    return transact(server.registry, change)


def _joined(header: bytes, spool: SnapshotFile) -> Iterator[bytes]:
    yield header
    yield from spool.pieces()
