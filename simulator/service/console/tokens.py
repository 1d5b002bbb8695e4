"""Access tokens in the console; who does what is in the audit log before it is done.

Source: AUTH-05. Choice: D-495.
"""

from typing import Literal

from simulator.domain.console.people import AuditEntry
from simulator.domain.core.entities import AccessToken
from simulator.domain.core.hosts import Host
from simulator.domain.merchants.credentials import value_of
from simulator.domain.ports.console import ConsolePorts
from simulator.service.merchants import entities as using
from simulator.service.sandboxes.sandboxes import sandbox_with, vault_of


def reveal_token(console: ConsolePorts, by: str, place: using.EntityPath) -> str:
    """The value of a token. Raises UnknownSandboxError, UnknownEntityError, DiskError."""
    token = _refuse_unknown(console, place)
    _note(console, by, "reveal token", place)
    sandbox = sandbox_with(console.server, place.sandbox)
    return value_of(token, vault_of(console.server, sandbox))


def issue_token(
    console: ConsolePorts, by: str, sandbox: str, merchant: str, *, host: Host, alias: str
) -> using.Issued:
    """Another token of a merchant. Raises UnknownSandboxError, UnknownEntityError, BadInput."""
    issued = using.issue_token(console.server, sandbox, merchant, host=host, alias=alias)
    _note(console, by, "issue token", using.EntityPath(sandbox, merchant, issued.token.id))
    return issued


def rotate_token(console: ConsolePorts, by: str, place: using.EntityPath) -> using.Issued:
    """A new token in the place of one, which ends. Raises the same."""
    _refuse_unknown(console, place)
    _note(console, by, "rotate token", place)
    return using.rotate_token(console.server, place)


def set_token_state(
    console: ConsolePorts, by: str, place: using.EntityPath, state: Literal["active", "suspended"]
) -> None:
    """Suspend a token, or activate it. Raises the same."""
    _refuse_unknown(console, place)
    _note(console, by, "suspend token" if state == "suspended" else "activate token", place)
    using.set_token_state(console.server, place, state)


def _refuse_unknown(console: ConsolePorts, place: using.EntityPath) -> AccessToken:
    """The token at `place`: what is not done is not in the audit log, nor is an id that a person
    invented. Raises UnknownSandboxError, UnknownEntityError.
    """
    sandbox = sandbox_with(console.server, place.sandbox)
    return using.one_of(using.one_of(sandbox.merchants, place.merchant).tokens, place.id)


def _note(console: ConsolePorts, by: str, action: str, place: using.EntityPath) -> None:
    entry = AuditEntry(
        at=console.server.clock.now(),
        person=by,
        action=action,
        sandbox=place.sandbox,
        object=place.id,
    )
    console.people.append_audit(entry)
