"""Create, list, read and remove the terminals of a sandbox. Choice: D-405."""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from simulator.domain.core.entities import Channel, Sandbox
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import (
    HasClock,
    HasIds,
    HasSandbox,
    HasStore,
    Store,
    Unit,
    unit_of,
)
from simulator.domain.core.transact import transact
from simulator.domain.ports.terminals import HasSecurityModule
from simulator.domain.terminals.terminals import (
    KEYS,
    TERMINALS_MAX,
    AskedTerminal,
    InitialKey,
    KeyLoad,
    Terminal,
    TerminalKeys,
    keys_of,
    number_of,
    terminal_of,
)

DRAWN_DIGITS = 20


class TerminalPorts(HasClock, HasIds, HasSandbox, HasSecurityModule, HasStore, Protocol):
    """What terminals are created with."""


class UnknownTerminalError(Exception):
    """No terminal of the sandbox has the id."""

    def __init__(self) -> None:
        super().__init__("no terminal has the id in the path")


class LoadedTerminal(NamedTuple):
    """A new terminal, and the keys that are loaded into it, unless it loads them remotely."""

    terminal: Terminal
    load: KeyLoad | None


def create_terminal(ports: TerminalPorts, asked: AskedTerminal) -> LoadedTerminal:
    """A new terminal of a channel, with keys that are shown this once. Raises InvalidInputError.
    Choice: D-361.
    """
    channel = _channel_of(ports.sandbox, asked.channel)

    def change() -> LoadedTerminal:
        # Read before the count: one that came between changed them.
        keys, _ = base_keys(ports)
        _refuse_many(ports)
        digits = ports.ids.hex(DRAWN_DIGITS)
        terminal = terminal_of(asked, channel.id, digits, now=ports.clock.now())
        # A number that another terminal has conflicts with its record, and another one is drawn.
        # Of two that are counted at once, one conflicts in the base keys.
        ports.store.commit(unit_of(terminal, *keys_of(terminal), keys))
        if not terminal.keys:
            return LoadedTerminal(terminal, None)
        load = ports.hsm.load_keys(keys.sealed, terminal.method, number_of(terminal))
        return LoadedTerminal(terminal, load)

    return transact(ports.store, change)


def _refuse_many(ports: TerminalPorts) -> None:
    count = ports.store.count(Terminal)
    if count >= TERMINALS_MAX:
        expected = f"at most {TERMINALS_MAX} terminals of a sandbox; remove some first"
        raise InvalidInputError("terminals", expected, f"{count + 1}")


def list_terminals(ports: TerminalPorts) -> list[Terminal]:
    """The terminals of the sandbox, the oldest first."""
    return ports.store.find(Terminal, "all", "yes")


def read_terminal(ports: TerminalPorts, identity: str) -> Terminal:
    """The terminal with this id. Raises UnknownTerminalError."""
    found = ports.store.get(Terminal, identity)
    if found is None:
        raise UnknownTerminalError
    return found


def counters_of(ports: TerminalPorts, terminal: Terminal) -> tuple[InitialKey, ...]:
    """The initial keys of a terminal, each with the highest counter that was seen."""
    return tuple(initial_keys(ports.store, terminal.keys.values()))


def remove_terminal(ports: TerminalPorts, identity: str) -> None:
    """Remove a terminal and its keys: what it encrypts from now on is refused. Raises
    UnknownTerminalError.
    """

    def change() -> None:
        terminal = read_terminal(ports, identity)
        keys = (*terminal.keys.values(), *terminal.former.values())
        removes = (terminal, *initial_keys(ports.store, keys))
        ports.store.commit(Unit(removes=removes))

    transact(ports.store, change)


def base_keys(ports: TerminalPorts) -> tuple[TerminalKeys, bool]:
    """The base keys of the sandbox, and whether they are new and have to be stored."""
    stored = ports.store.get(TerminalKeys, KEYS)
    return stored or TerminalKeys(sealed=ports.hsm.new_keys()), stored is None


def initial_keys(store: Store, ids: Iterable[str]) -> list[InitialKey]:
    """The records of initial keys with these ids, as far as there are any."""
    found = (store.get(InitialKey, key) for key in ids)
    return [each for each in found if each is not None]


def _channel_of(sandbox: Sandbox, identity: str) -> Channel:
    channels = [channel for merchant in sandbox.merchants for channel in merchant.channels]
    for channel in channels:
        if identity in ("", channel.id):
            return channel
    raise InvalidInputError("channel", "the id of a channel of the sandbox", "another one")
