"""A slot of the secure element: one initial key after another, and the counter of its use."""

import json
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, NamedTuple

from pos_emulator.keys import dukpt_aes, dukpt_tdes
from pos_emulator.keys.dukpt_aes import AES_BY_BYTES, AES_DUKPT
from pos_emulator.keys.dukpt_key import DukptKey
from pos_emulator.keys.dukpt_tdes import TDES_DUKPT
from pos_emulator.keys.errors import InvalidKeyError, StorageError
from pos_emulator.keys.future_keys import (
    FutureKeys,
    Scheme,
    is_exhausted,
    load_initial_key,
    take_key,
)
from pos_emulator.keys.key_blocks import UnwrappedKey, check_initial_key, unwrap
from pos_emulator.keys.storage import StateStore

SCHEMES = {scheme.name: scheme for scheme in (TDES_DUKPT, AES_DUKPT)}
TDES, AES = "T", "A"


class SlotStatus(NamedTuple):
    """Method, next serial number (hex), and whether the slot needs a new initial key."""

    scheme: str
    ksn: str
    is_exhausted: bool


@dataclass(frozen=True, slots=True)
class _State:
    """What lasts: method, future keys, the source of update keys, identities ever loaded."""

    scheme: Scheme
    keys: FutureKeys
    update_source: bytes | None = field(repr=False)
    identities: tuple[bytes, ...]


class KeySlot:
    """Future keys and counter of one usage. What is left is stored before a key is handed out."""

    def __init__(self, store: StateStore):
        self._store = store
        self._lock = Lock()
        self._state = _decode(store.read())

    def load(self, block: str, protection_key: bytes) -> None:
        """Load the initial key of a TR-31 block. Raises InvalidKeyBlockError, InvalidKeyError for
        an identity that was loaded before (its counters were used), StorageError.
        """
        with self._lock:
            self._load(unwrap(protection_key, block))

    def roll_over(self, block: str) -> None:
        """Load the next initial key, in a block under the update key of the present one.

        Raises as `load` does, and InvalidKeyError under TDES DUKPT, which has no update keys.
        """
        with self._lock:
            source, identity = self._update_source()
            algorithm = AES_BY_BYTES[len(source)]
            self._load(unwrap(dukpt_aes.update_key(source, identity, algorithm), block))

    def identity(self) -> bytes:
        """Return the identity of the initial key, which has an update key. Raises InvalidKeyError
        for another one and for an empty slot.
        """
        return self._update_source()[1]

    def take(self) -> DukptKey:
        """Return the key of the next transaction: never the same twice, whenever power fails.

        Raises ExhaustedError, InvalidKeyError for an empty slot, StorageError.
        """
        with self._lock:
            state = self._loaded()
            taken = take_key(state.scheme, state.keys)
            self._keep(replace(state, keys=taken.rest))
            return DukptKey(_ksn(state.scheme, state.keys.identity, taken.counter), taken.key)

    def status(self) -> SlotStatus | None:
        """Return what the slot holds, or None for an empty one."""
        state = self._state
        if state is None:
            return None
        exhausted = is_exhausted(state.scheme, state.keys)
        counter = 0 if exhausted else state.keys.counter
        ksn = _ksn(state.scheme, state.keys.identity, counter).hex().upper()
        return SlotStatus(state.scheme.name, ksn, exhausted)

    def _load(self, unwrapped: UnwrappedKey) -> None:
        check_initial_key(unwrapped)
        former = self._state.identities if self._state else ()
        state = _first_state(unwrapped)
        if state.keys.identity in former:
            raise InvalidKeyError("an initial key of this identity was loaded before")
        self._keep(replace(state, identities=(*former, state.keys.identity)))

    def _update_source(self) -> tuple[bytes, bytes]:
        """What update keys derive from, and the identity of the initial key."""
        state = self._loaded()
        if state.update_source is None:
            raise InvalidKeyError(f"{state.scheme.name} has no update keys")
        return state.update_source, state.keys.identity

    def _loaded(self) -> _State:
        if self._state is None:
            raise InvalidKeyError("the slot has no initial key")
        return self._state

    def _keep(self, state: _State) -> None:
        self._store.write(_encode(state))
        self._state = state


def _first_state(unwrapped: UnwrappedKey) -> _State:
    ksn, key = unwrapped.serial_number or b"", unwrapped.key
    if unwrapped.algorithm == TDES:
        keys = load_initial_key(TDES_DUKPT, key, dukpt_tdes.identity_of(ksn))
        return _State(TDES_DUKPT, keys, None, ())
    if unwrapped.algorithm != AES:
        raise InvalidKeyError("an initial key is for TDES (T) or AES (A)")
    identity = dukpt_aes.identity_of(ksn)
    keys = load_initial_key(AES_DUKPT, key, identity)
    return _State(AES_DUKPT, keys, dukpt_aes.update_key_source(key, identity), ())


def _ksn(scheme: Scheme, identity: bytes, counter: int) -> bytes:
    ksn_of = dukpt_tdes.ksn_of if scheme is TDES_DUKPT else dukpt_aes.ksn_of
    return ksn_of(identity, counter)


def _encode(state: _State) -> bytes:
    keys = state.keys
    document = {
        "scheme": state.scheme.name,
        "identity": keys.identity.hex(),
        "counter": keys.counter,
        "registers": [key and key.hex() for key in keys.registers],
        "update_source": state.update_source and state.update_source.hex(),
        "identities": [each.hex() for each in state.identities],
    }
    return json.dumps(document).encode()


def _decode(stored: bytes | None) -> _State | None:
    if stored is None:
        return None
    try:
        return _read(json.loads(stored))
    except (ValueError, KeyError, TypeError):
        raise StorageError("the state of the keys is malformed") from None


def _read(document: dict[str, Any]) -> _State:
    registers = tuple(key and bytes.fromhex(key) for key in document["registers"])
    identity, source = bytes.fromhex(document["identity"]), document["update_source"]
    return _State(
        SCHEMES[document["scheme"]],
        FutureKeys(identity, int(document["counter"]), registers),
        source and bytes.fromhex(source),
        tuple(map(bytes.fromhex, document["identities"])),
    )
