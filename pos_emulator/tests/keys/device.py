"""Bring a device to any counter, as it may skip counters but never go back."""

from dataclasses import replace

from pos_emulator.keys.future_keys import FutureKeys, Scheme, TakenKey, load_initial_key, take_key


def take_at(scheme: Scheme, keys: FutureKeys, counter: int) -> TakenKey:
    """Take the key of `counter` by one jump for each bit that is set in it, from the highest on."""
    reached = 0
    for bit in reversed(range(scheme.counter_bits)):
        if counter >> bit & 1:
            reached |= 1 << bit
            taken = take_key(scheme, replace(keys, counter=reached))
            keys = taken.rest
    return taken


def load_and_take(scheme: Scheme, initial_key: bytes, identity: bytes, counter: int) -> TakenKey:
    """Take the key of `counter` on a device that was just loaded."""
    return take_at(scheme, load_initial_key(scheme, initial_key, identity), counter)
