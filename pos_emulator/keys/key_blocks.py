"""TR-31 key blocks, versions A to D: how keys come into a terminal."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import psec.tr31

from pos_emulator.keys.errors import InvalidKeyBlockError
from pos_emulator.keys.triple_des import supply_triple_des

SERIAL_NUMBER, INITIAL_KEY_ID = "KS", "IK"
INITIAL_KEY = "B1"
DERIVING = "X"


@dataclass(frozen=True, slots=True)
class UnwrappedKey:
    """A key, and what its block says about it: usage (B1 is an initial DUKPT key), algorithm (T
    or A), mode of use, and the optional blocks by their two letters.
    """

    key: bytes = field(repr=False)
    usage: str
    algorithm: str
    mode: str
    optional: Mapping[str, str]

    @property
    def serial_number(self) -> bytes | None:
        """The serial number of an initial key, as KS or IK has it. Raises InvalidKeyBlockError."""
        sent = self.optional.get(SERIAL_NUMBER) or self.optional.get(INITIAL_KEY_ID)
        if sent is None:
            return None
        try:
            return bytes.fromhex(sent)
        except ValueError:
            raise InvalidKeyBlockError("the serial number of the key block is not hex") from None


def unwrap(protection_key: bytes, block: str) -> UnwrappedKey:
    """Return the key of a block, once its MAC proved that it is unchanged.

    Raises InvalidKeyBlockError.
    """
    supply_triple_des()
    try:
        header, key = psec.tr31.unwrap(protection_key, block)
    except (ValueError, IndexError, KeyError):
        # What psec says may quote the block.
        raise InvalidKeyBlockError(
            "the key block is malformed, was changed, or is under another key"
        ) from None
    return UnwrappedKey(
        key, header.key_usage, header.algorithm, header.mode_of_use, dict(header.blocks)
    )


def check_initial_key(unwrapped: UnwrappedKey) -> None:
    """Refuse a key that is no initial DUKPT key: a terminal takes no other and no base key.

    Raises InvalidKeyBlockError.
    """
    if (unwrapped.usage, unwrapped.mode) != (INITIAL_KEY, DERIVING):
        raise InvalidKeyBlockError(
            f"expected an initial key ({INITIAL_KEY}, {DERIVING}), "
            f"got {unwrapped.usage}, {unwrapped.mode}"
        )
    if unwrapped.serial_number is None:
        raise InvalidKeyBlockError("the key block names no serial number (KS or IK)")
