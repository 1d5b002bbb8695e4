"""Create, read, reset and delete sandboxes."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from msgspec.structs import replace

from simulator.catalogue.choices import CHOICES
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DiskError
from simulator.domain.core.ports import Vault
from simulator.domain.core.transact import transact
from simulator.domain.merchants.credentials import (
    Credentials,
    CurrentAccess,
    credentials_of,
    current_access,
)
from simulator.domain.merchants.hierarchy import AskedSandbox, decide_sandbox
from simulator.domain.merchants.sizes import refuse_long_settings
from simulator.domain.ports.server import ServerPorts
from simulator.grammar.choices import choose


class UnknownSandboxError(Exception):
    """No sandbox has the id."""


def create_sandbox(server: ServerPorts, asked: AskedSandbox) -> Credentials:
    """A new sandbox, stored, and its credentials. Raises UnknownChoiceError, InvalidInputError."""
    sandbox = _decided(server, asked)
    server.registry.save(sandbox)
    return credentials_of(sandbox, vault_of(server, sandbox))


def create_whole(server: ServerPorts, asked: AskedSandbox) -> str:
    """The id of a new sandbox, of which nothing stays where it may not last."""
    sandbox = _decided(server, asked)
    with leaving_none(server, sandbox.id):
        server.registry.save(sandbox)
    return sandbox.id


def _decided(server: ServerPorts, asked: AskedSandbox) -> Sandbox:
    sandbox = decide_sandbox(asked, server)
    refuse_long_settings(sandbox)
    return sandbox


@contextmanager
def leaving_none(server: ServerPorts, identity: str) -> Iterator[None]:
    """While a sandbox is made that no one finds where the disk fails: it is deleted then, as far as
    the disk lets it.
    """
    try:
        yield
    except DiskError:
        with suppress(DiskError, UnknownSandboxError):
            delete_sandbox(server, identity)
        raise


def vault_of(server: ServerPorts, sandbox: Sandbox) -> Vault:
    """The vault of `sandbox`: no other vault opens what it seals. Choice: D-110."""
    return server.vault.vault_of(sandbox.id, sandbox.key_sealed)


def sandbox_with(server: ServerPorts, identity: str) -> Sandbox:
    """The sandbox with the id `identity`. Raises UnknownSandboxError."""
    sandbox = server.registry.sandbox(identity)
    if sandbox is None:
        raise UnknownSandboxError("no sandbox has the id in the path")
    return sandbox


def reset_sandbox(server: ServerPorts, identity: str) -> Sandbox:
    """The sandbox in a new epoch: tables empty, entities as before. Raises UnknownSandboxError."""

    def change() -> Sandbox:
        before = sandbox_with(server, identity)
        after = replace(before, epoch=before.epoch + 1)
        server.registry.save(after)
        return after

    return transact(server.registry, change)


def delete_sandbox(server: ServerPorts, identity: str) -> None:
    """Remove the sandbox and everything in it. Raises UnknownSandboxError."""
    transact(server.registry, lambda: server.registry.delete(sandbox_with(server, identity)))


def default_access(server: ServerPorts) -> CurrentAccess | None:
    """What opens the default sandbox now; None where it was deleted. Choice: D-716."""
    sandbox = server.registry.sandbox(server.registry.default() or "")
    return None if sandbox is None else current_access(sandbox, vault_of(server, sandbox))


def default_sandbox(server: ServerPorts) -> CurrentAccess:
    """What opens the sandbox a server starts with: made at the first start, and anew where it was
    deleted. Choice: D-296.

    It follows the profile and the overrides the server is started with.
    """
    registry = server.registry
    named = registry.default()
    # A data folder of 0.1.0 names none: there it was the oldest.
    held = next(iter(registry.sandboxes()), None) if named is None else registry.sandbox(named)
    before = decide_sandbox(AskedSandbox(), server) if held is None else held
    wanted = replace(before, profile=server.profile, overrides=server.overrides)
    if wanted != held or named != wanted.id:
        choose(CHOICES, wanted.profile, wanted.overrides)
        registry.save_default(wanted)
    return current_access(wanted, vault_of(server, wanted))
