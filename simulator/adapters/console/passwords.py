"""Passwords by Argon2id. Source: RFC 9106. Choice: D-494."""

import os
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from gevent.lock import BoundedSemaphore

from simulator.domain.core.background import Aside
from simulator.domain.ports.console import CrowdedSignInError

LANES = 1
SALT_BYTES, HASH_BYTES = 16, 32
# Each takes 19 MiB and 50 ms of a processor, so they are checked one at a time. To wait costs next
# to nothing: who tries passwords over fewer connections keeps no one out.
WAITING_MAX = 100


class PasswordCost(NamedTuple):
    """What it costs to check a password, and so to guess one."""

    memory_kib: int
    rounds: int


COST = PasswordCost(memory_kib=19 * 1024, rounds=2)


class Argon2Passwords:
    """Implements ports.console.Passwords in a thread, one at a time and in the order they came, so
    that no other request waits.
    """

    def __init__(self, aside: Aside, cost: PasswordCost = COST):
        self._aside, self._cost = aside, cost
        self._waiting = 0
        self._one = BoundedSemaphore(1)

    def hash(self, password: str) -> str:
        """What is kept of a password."""
        kept: str = self._counted(_hash, password, self._cost)
        return kept

    def fits(self, password: str, kept: str) -> bool:
        """Whether it is that password."""
        is_right: bool = self._counted(_fits, password, kept, self._cost)
        return is_right

    def _counted(self, work: Callable[..., Any], *arguments: Any) -> Any:
        if self._waiting >= WAITING_MAX:
            raise CrowdedSignInError
        self._waiting += 1
        try:
            with self._one:
                return self._aside(work, *arguments)
        finally:
            self._waiting -= 1


def _hash(password: str, cost: PasswordCost) -> str:
    maker = Argon2id(
        salt=os.urandom(SALT_BYTES),
        length=HASH_BYTES,
        iterations=cost.rounds,
        lanes=LANES,
        memory_cost=cost.memory_kib,
    )
    return maker.derive_phc_encoded(password.encode())


def _fits(password: str, kept: str, cost: PasswordCost) -> bool:
    try:
        Argon2id.verify_phc_encoded(password.encode(), kept or _kept_of_no_one(cost))
    except InvalidKey:
        return False
    return bool(kept)


@cache
def _kept_of_no_one(cost: PasswordCost) -> str:
    """What a password is compared with where no one has the name: that takes as long."""
    return _hash(os.urandom(SALT_BYTES).hex(), cost)
