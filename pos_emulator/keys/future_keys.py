"""Future keys: what a DUKPT device keeps in place of its initial key.

One key register for each bit of the counter. The key of a transaction is in the register of the
lowest bit that is set in its counter; from it come the keys of the registers below, then it is
erased: a device that is opened does not hold the keys of what it encrypted before. Counters with
more bits set than the scheme allows are skipped. Source: ANSI X9.24-1:2009, A.3; X9.24-3:2017, 6.5.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from pos_emulator.keys.errors import ExhaustedError, InvalidKeyError

FIRST_COUNTER = 1


@dataclass(frozen=True, slots=True)
class Scheme:
    """A DUKPT: its name, the bits of its counter, how many of them may be set, the lengths of its
    keys and of the identity in bytes, and how the key of a counter derives from the one above it.
    """

    name: str
    counter_bits: int
    ones_max: int
    key_sizes: tuple[int, ...]
    identity_size: int
    derive: Callable[[bytes, bytes, int], bytes]


@dataclass(frozen=True, slots=True)
class FutureKeys:
    """Identity of the initial key, the counter of the next transaction, and a key per register."""

    identity: bytes
    counter: int
    registers: tuple[bytes | None, ...] = field(repr=False)


class TakenKey(NamedTuple):
    """The key of one transaction, its counter, and what the device keeps once it is taken."""

    key: bytes
    counter: int
    rest: FutureKeys

    def __repr__(self) -> str:
        return f"TakenKey(counter={self.counter})"


def load_initial_key(scheme: Scheme, initial_key: bytes, identity: bytes) -> FutureKeys:
    """Return the future keys of an initial key, which is not among them. Raises InvalidKeyError."""
    if len(initial_key) not in scheme.key_sizes:
        raise InvalidKeyError(f"an initial key of {scheme.name} has not {len(initial_key)} bytes")
    if len(identity) != scheme.identity_size:
        raise InvalidKeyError(f"an identity of {scheme.name} has {scheme.identity_size} bytes")
    registers = [
        scheme.derive(initial_key, identity, 1 << bit) for bit in range(scheme.counter_bits)
    ]
    return FutureKeys(identity, FIRST_COUNTER, tuple(registers))


def take_key(scheme: Scheme, keys: FutureKeys) -> TakenKey:
    """Return the key of the next transaction, and what is left. Store what is left before the key
    is used. Raises ExhaustedError.
    """
    if is_exhausted(scheme, keys):
        raise ExhaustedError(f"the initial key of {scheme.name} has no counter left")
    counter, lowest = keys.counter, keys.counter & -keys.counter
    place = lowest.bit_length() - 1
    key = keys.registers[place]
    if key is None:
        raise InvalidKeyError(f"the register of counter {counter} is empty")
    registers = list(keys.registers)
    registers[place] = None
    following = counter + lowest
    if counter.bit_count() < scheme.ones_max:
        for bit in range(place):
            registers[bit] = scheme.derive(key, keys.identity, counter | 1 << bit)
        following = counter + 1
    return TakenKey(key, counter, FutureKeys(keys.identity, following, tuple(registers)))


def is_exhausted(scheme: Scheme, keys: FutureKeys) -> bool:
    """Return whether no counter is left."""
    return keys.counter >> scheme.counter_bits != 0
