"""Terminals of a sandbox: the records, and what the control API takes to create one.

The keys of all terminals of a sandbox follow from its base keys, which are kept sealed; a terminal
gets two initial keys as an operator of key loading would hand them over. Choice: D-405.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

import msgspec

from simulator.domain.core.shapes import shape
from simulator.domain.terminals.serials import KEY_SETS, Method, Usage, initial_serial

KEYS = "terminals"
# Terminal ids are this number and more, so that they have eight digits.
FIRST_ID, NUMBER_MAX = 10_000_000, 2**19 - 1
TERMINALS_MAX = 1000
DEVICE_DIGITS, KEY_DIGITS = 10, 8

Model = Literal[
    "SANDGATE_COUNTERTOP", "SANDGATE_PORTABLE", "SANDGATE_MOBILE",
    "SANDGATE_PINPAD", "SANDGATE_INTEGRATED", "SANDGATE_UNATTENDED",
]  # fmt: skip
Loading = Literal["facility", "remote"]


class AskedTerminal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A terminal as the control API takes it: its model, its channel, and how its keys change with
    each use.
    """

    model: Model = "SANDGATE_COUNTERTOP"
    channel: Annotated[str, shape("Its id. Without it: the first of the sandbox.")] = ""
    method: Annotated[Method, shape("Of DUKPT.")] = "AES"
    loading: Annotated[
        Loading, shape("How it gets its first keys: in this answer, or remotely, by `keys`.")
    ] = "facility"


class TerminalKeys(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The base keys of a sandbox and the zone key of its card host, sealed by the security module;
    made with the first terminal.
    """

    id: str = KEYS
    version: int = 0
    sealed: str


class Terminal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A terminal. Its id is pos.terminalId; `device` is pos.deviceId, its serial number; `keys` are
    the ids of its initial keys by what they are for, `former` those before the last remote load.
    """

    id: str
    version: int = 0
    device: str
    model: Model
    channel: str
    method: Method
    keys: Mapping[Usage, str]
    former: Mapping[Usage, str] = {}
    created_at: datetime


class InitialKey(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An initial key by the id that its serial numbers begin with: whose it is, and the highest
    counter of a serial number that a payment was made with. The key itself is in no record.
    """

    id: str
    version: int = 0
    terminal: str
    channel: str
    method: Method
    usage: Usage
    counter: int = 0


class KeyBlock(msgspec.Struct, frozen=True):
    """An initial key for a terminal: what it is for, its first serial number, and itself as a key
    block of TR-31, which says its serial number too.
    """

    usage: Usage
    ksn: str
    block: str


class KeyLoad(msgspec.Struct, frozen=True):
    """What a new terminal is loaded with: the key that protects the key blocks, and these. The
    first is a secret in the clear, in hex; neither is stored.
    """

    kbpk: str
    blocks: tuple[KeyBlock, ...]

    def __repr__(self) -> str:
        return "KeyLoad(...)"


def terminal_of(asked: AskedTerminal, channel: str, digits: str, *, now: datetime) -> Terminal:
    """A terminal with a number and a device id made of `digits`, random hex."""
    number = key_number(digits[:KEY_DIGITS])
    return Terminal(
        id=str(FIRST_ID + number),
        device=f"{int(digits[KEY_DIGITS:], 16) % 10**DEVICE_DIGITS:0{DEVICE_DIGITS}d}",
        model=asked.model,
        channel=channel,
        method=asked.method,
        keys=key_ids(asked.method, number) if asked.loading == "facility" else {},
        created_at=now,
    )


def key_number(digits: str) -> int:
    """The number that keys are derived with, made of eight digits of random hex."""
    return int(digits, 16) % NUMBER_MAX + 1


def key_ids(method: Method, number: int) -> dict[Usage, str]:
    """The ids of the initial keys of this number."""
    return {
        each.usage: initial_serial(each, number).key for each in KEY_SETS if each.method == method
    }


def with_keys(terminal: Terminal, keys: Mapping[Usage, str], *, has_used: bool) -> Terminal:
    """The terminal after a remote load. What it has encrypted with the keys that it used last is
    still read: those before this load, or where it never used them, since the answer was lost, the
    ones before these. Choice: D-510.
    """
    former = terminal.keys if has_used or not terminal.former else terminal.former
    return msgspec.structs.replace(terminal, keys=keys, former=former)


def number_of(terminal: Terminal) -> int:
    """The number that the keys were derived with which it was created with."""
    return int(terminal.id) - FIRST_ID


def keys_of(terminal: Terminal) -> tuple[InitialKey, ...]:
    """The records of its initial keys, which nothing was encrypted with yet."""
    return tuple(
        InitialKey(
            id=key,
            terminal=terminal.id,
            channel=terminal.channel,
            method=terminal.method,
            usage=usage,
        )
        for usage, key in terminal.keys.items()
    )
