"""Load a terminal: its identity and its keys, from what the control API answers once."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pos_emulator.keys.element import SecureElement
from pos_emulator.terminal.memory.identity import (
    Identity,
    IdentityError,
    identity_in,
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
