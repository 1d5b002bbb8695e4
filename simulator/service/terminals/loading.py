"""Load keys into a terminal over a line that others can read. Choices: D-510, D-611."""

from collections.abc import Mapping
from typing import Protocol

from msgspec.structs import replace

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import unit_of
from simulator.domain.core.transact import transact
from simulator.domain.ports.terminals import HasKeyAuthority
from simulator.domain.terminals.loading import (
    AUTHORITY,
    AskedCertificate,
    AskedKeys,
    AskedRollover,
    KeyRollover,
    RemoteLoad,
    TerminalAuthority,
    TerminalCertificate,
    signed_text,
)
from simulator.domain.terminals.serials import Usage
from simulator.domain.terminals.terminals import (
    KEY_DIGITS,
    Terminal,
    key_ids,
    key_number,
    keys_of,
    with_keys,
)
from simulator.service.terminals.terminals import (
    TerminalPorts,
    base_keys,
    counters_of,
    initial_keys,
    read_terminal,
)


class LoadingPorts(TerminalPorts, HasKeyAuthority, Protocol):
    """What keys are loaded with."""


def certify_terminal(
    ports: LoadingPorts, identity: str, asked: AskedCertificate
) -> TerminalCertificate:
    """Certify the key of a terminal. Raises UnknownTerminalError, RefusedCertificateError."""
    terminal, now = read_terminal(ports, identity), ports.clock.now()
    authority = transact(ports.store, lambda: _authority(ports))
    issued = ports.key_authority.certify(authority, asked.request, terminal, now)
    return TerminalCertificate(issued, authority.certificate)


def load_keys(ports: LoadingPorts, identity: str, asked: AskedKeys) -> RemoteLoad:
    """New initial keys for a terminal with this certificate. Those that it used last stay valid
    until the next load, because the answer may be lost. Raises UnknownTerminalError,
    RefusedCertificateError.
    """
    authority = transact(ports.store, lambda: _authority(ports))

    def change() -> RemoteLoad:
        terminal = read_terminal(ports, identity)
        number = key_number(ports.ids.hex(KEY_DIGITS))
        stored, is_new = base_keys(ports)
        load = ports.hsm.load_keys(stored.sealed, terminal.method, number)
        kbpk = ports.key_authority.encrypt_for(
            authority,
            asked.certificate,
            bytes.fromhex(load.kbpk),
            terminal=terminal,
            now=ports.clock.now(),
        ).hex()
        has_used = any(each.counter for each in counters_of(ports, terminal))
        loaded = with_keys(terminal, key_ids(terminal.method, number), has_used=has_used)
        known = {*terminal.keys.values(), *terminal.former.values()}
        removes = tuple(initial_keys(ports.store, known - {*loaded.former.values()}))
        new = (stored,) if is_new else ()
        ports.store.commit(unit_of(loaded, *keys_of(loaded), *new, removes=removes))
        text = signed_text(terminal.id, asked.nonce, kbpk, load.blocks)
        signature = ports.key_authority.sign(authority, text).hex()
        return RemoteLoad(kbpk, load.blocks, signature)

    return transact(ports.store, change)


def roll_over_keys(ports: TerminalPorts, identity: str, asked: AskedRollover) -> KeyRollover:
    """The next initial keys of a terminal, under the update keys of those that it has. Both stay
    valid until the next rollover or load, because the answer may be lost. Raises
    UnknownTerminalError, InvalidInputError. Choice: D-611.
    """

    def change() -> KeyRollover:
        terminal, present = read_terminal(ports, identity), asked.present
        _check_present(terminal, present)
        stored, _ = base_keys(ports)
        number = key_number(ports.ids.hex(KEY_DIGITS))
        blocks = ports.hsm.roll_over(stored.sealed, present, number)
        rolled = replace(terminal, keys=key_ids(terminal.method, number), former=present)
        known = {*terminal.keys.values(), *terminal.former.values()}
        removes = tuple(initial_keys(ports.store, known - {*present.values()}))
        ports.store.commit(unit_of(rolled, *keys_of(rolled), removes=removes))
        return KeyRollover(blocks)

    return transact(ports.store, change)


def _check_present(terminal: Terminal, present: Mapping[Usage, str]) -> None:
    """Raise InvalidInputError unless each is a key that this terminal was loaded with."""
    if terminal.method != "AES":
        raise InvalidInputError("terminal", "one of AES DUKPT, which has update keys", "TDES")
    for usage, key in present.items():
        if key not in (terminal.keys.get(usage), terminal.former.get(usage)):
            expected = "the id of an initial key that the terminal was loaded with"
            raise InvalidInputError(usage.lower(), expected, "another one")


def _authority(ports: LoadingPorts) -> TerminalAuthority:
    """The authority of the sandbox, made when it is first needed."""
    stored = ports.store.get(TerminalAuthority, AUTHORITY)
    if stored is not None:
        return stored
    made = ports.key_authority.new(ports.clock.now())
    ports.store.commit(unit_of(made))
    return made
