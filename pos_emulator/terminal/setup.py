"""Load a terminal: its identity and its keys, by what the control API answers once or remotely."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from pos_emulator.keys.element import SecureElement
from pos_emulator.keys.errors import InvalidKeyBlockError
from pos_emulator.keys.remote import LoadingKey
from pos_emulator.terminal.memory.identity import (
    Identity,
    IdentityError,
    identity_in,
    read_identity,
    write_identity,
)

KEY_BLOCKS_MAX = 8


def load_terminal(folder: Path, document: Mapping[str, Any], *, merchant: str = "") -> Identity:
    """Load what `Control.create_terminal` or `sandgate terminal new --format json` answered.

    The key that protects the key blocks is used here and kept nowhere. A folder takes a terminal
    once; its keys are not loaded again. Raises IdentityError, KeysError.
    """
    identity = identity_in(document, merchant)
    protection_key, blocks = _keys_in(document)
    element = SecureElement(folder, os.urandom)
    try:
        element.load(protection_key, blocks)
    finally:
        element.close()
    write_identity(folder, identity)
    return identity


class KeyOffice(Protocol):
    """Who certifies the key of a terminal and sends it new ones: the control API."""

    def certify(self, terminal: str, request: str) -> Mapping[str, Any]:
        """`certificate` and `authority` for a request, as PEM."""

    def keys(self, terminal: str, certificate: str, nonce: str) -> Mapping[str, Any]:
        """`kbpk`, `blocks` and `signature` of new keys."""


def keep_identity(folder: Path, document: Mapping[str, Any], *, merchant: str = "") -> Identity:
    """Keep who a new terminal is that loads its keys remotely. Raises IdentityError, KeysError."""
    identity = identity_in(document, merchant)
    folder.mkdir(parents=True, exist_ok=True)
    write_identity(folder, identity)
    return identity


def load_remotely(folder: Path, office: KeyOffice) -> None:
    """Load new keys into the terminal of a folder, its first ones or the next. Choice: D-510.

    No other process may have the terminal open. Raises KeysError, and what the office raises.
    """
    identity = read_identity(folder)
    own = LoadingKey(folder, identity.id, identity.device)
    try:
        # Each time: that of the load before may have expired.
        own.keep_certificate(office.certify(identity.id, own.request()))
        sent = office.keys(identity.id, own.certificate, own.draw_nonce())
        load = own.open(sent)
    finally:
        own.close()
    element = SecureElement(folder, os.urandom)
    try:
        element.load(load.protection_key, load.blocks)
    finally:
        element.close()


class UpdateOffice(Protocol):
    """Who sends a terminal the keys after those that it has: the control API."""

    def next_keys(self, terminal: str, present: Mapping[str, str]) -> Mapping[str, Any]:
        """`blocks` for a terminal, which has initial keys with these ids by usage."""


def roll_over_keys(folder: Path, office: UpdateOffice) -> None:
    """Load the next initial keys into the terminal of a folder, under its update keys; AES DUKPT
    alone has these. Choice: D-611.

    No other process may have the terminal open. Raises KeysError, and what the office raises.
    """
    identity = read_identity(folder)
    element = SecureElement(folder, os.urandom)
    try:
        sent = office.next_keys(identity.id, element.initial_keys())
        element.roll_over(_blocks_in(sent))
    finally:
        element.close()


def _blocks_in(sent: Mapping[str, Any]) -> list[tuple[str, str]]:
    try:
        return [(str(each["usage"]), str(each["block"])) for each in sent["blocks"]]
    except (KeyError, TypeError):
        raise InvalidKeyBlockError("blocks: expected usage and block of each") from None


def _keys_in(document: Mapping[str, Any]) -> tuple[bytes, list[tuple[str, str]]]:
    try:
        load = document["load"]
        blocks = [(str(each["usage"]), str(each["block"])) for each in load["blocks"]]
        protection_key = bytes.fromhex(load["kbpk"])
    except (KeyError, TypeError, ValueError):
        raise IdentityError("load: expected kbpk in hex, and blocks with usage and block") from None
    if len(blocks) > KEY_BLOCKS_MAX:
        raise IdentityError(f"load: expected at most {KEY_BLOCKS_MAX} blocks")
    return protection_key, blocks
