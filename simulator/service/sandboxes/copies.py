"""Make a sandbox from the data of another one. Choice: D-631."""

from simulator.domain.copies import CopyDefaults, decide_copy
from simulator.domain.core.entities import Sandbox
from simulator.domain.ports.server import ServerPorts, SnapshotFile
from simulator.domain.snapshots import read_sandbox, to_json
from simulator.service.sandboxes.sandboxes import leaving_none, sandbox_with


def snapshot_of(server: ServerPorts, identity: str) -> SnapshotFile:
    """A sandbox and its data as they are at one moment. Raises UnknownSandboxError,
    CrowdedSandboxError.
    """

    def take() -> SnapshotFile:
        sandbox = sandbox_with(server, identity)
        return server.registry.snapshot(sandbox, to_json(sandbox) + b"\n")

    return server.registry.taken(identity, take)


def create_copy(server: ServerPorts, snapshot: SnapshotFile, *, seed: int) -> Sandbox:
    """A new sandbox with the data of a snapshot of this installation, under ids and secrets of its
    own. Raises InvalidInputError for a snapshot that is damaged.
    """
    was = read_sandbox(snapshot.first_line())
    copy = decide_copy(was, seed, CopyDefaults(server.ids, server.vault, server.clock.now()))
    made = leaving_none(server, copy.sandbox.id)
    with server.registry.copied(snapshot, copy) as data, made:
        server.registry.restore(copy.sandbox, data, is_own=True)
    return copy.sandbox
