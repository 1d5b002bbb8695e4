"""Create, read, reset and delete sandboxes."""

from msgspec.structs import replace

from simulator.catalogue.choices import CHOICES
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.ports import Vault
from simulator.domain.core.server_ports import ServerPorts
from simulator.domain.merchants.credentials import Credentials, credentials_of
from simulator.domain.merchants.hierarchy import AskedSandbox, decide_sandbox
from simulator.grammar.choices import choose


class UnknownSandboxError(Exception):
    """No sandbox has the id."""


def create_sandbox(server: ServerPorts, asked: AskedSandbox) -> Credentials:
    """A new sandbox, stored, and its credentials. Raises UnknownChoiceError, InvalidInputError."""
    sandbox = decide_sandbox(asked, server)
    server.registry.save(sandbox)
    return credentials_of(sandbox, vault_of(server, sandbox))


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
    before = sandbox_with(server, identity)
    after = replace(before, epoch=before.epoch + 1)
    server.registry.save(after)
    return after


def delete_sandbox(server: ServerPorts, identity: str) -> None:
    """Remove the sandbox and everything in it. Raises UnknownSandboxError."""
    server.registry.delete(sandbox_with(server, identity))


def default_sandbox(server: ServerPorts) -> Credentials:
    """The credentials of the sandbox a server starts with: the oldest, created at the first start.

    It follows the profile and the overrides the server is started with.
    """
    oldest = next(iter(server.registry.sandboxes()), None)
    if oldest is None:
        return create_sandbox(server, AskedSandbox())
    wanted = replace(oldest, profile=server.profile, overrides=server.overrides)
    if wanted != oldest:
        choose(CHOICES, wanted.profile, wanted.overrides)
        server.registry.save(wanted)
    return credentials_of(oldest, vault_of(server, oldest))
