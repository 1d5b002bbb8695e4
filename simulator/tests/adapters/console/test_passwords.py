"""Passwords are checked one at a time, so that nothing else waits for many of them."""

from collections.abc import Callable
from typing import Any

import gevent

from simulator.adapters.console.passwords import COST, WAITING_MAX, Argon2Passwords, _kept_of_no_one
from simulator.domain.core.background import at_once
from simulator.domain.ports.console import CrowdedSignInError


class CountingAside:
    """Counts what is done at once, and gives every other greenlet its turn meanwhile."""

    def __init__(self) -> None:
        self.now = self.most = self.done = 0

    def __call__(self, work: Callable[..., Any], *arguments: Any) -> Any:
        self.now += 1
        self.most = max(self.most, self.now)
        gevent.idle()
        self.now -= 1
        self.done += 1
        return False


def test_one_password_is_checked_at_a_time_and_a_bounded_number_waits() -> None:
    aside = CountingAside()
    passwords = Argon2Passwords(aside)

    def fits() -> bool:
        try:
            return passwords.fits("x", "")
        except CrowdedSignInError:
            return True

    tries = [gevent.spawn(fits) for _ in range(WAITING_MAX + 20)]
    gevent.joinall(tries, raise_error=True)

    assert (aside.most, aside.done) == (1, WAITING_MAX)
    assert sum(each.value for each in tries) == 20


def test_what_is_kept_of_a_password_costs_what_was_chosen() -> None:
    passwords = Argon2Passwords(at_once)

    kept = passwords.hash("correct horse battery")

    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert passwords.fits("correct horse battery", kept)
    assert not passwords.fits("correct horse", kept)
    assert not passwords.fits("correct horse battery", "")
    assert _kept_of_no_one(COST).startswith("$argon2id$v=19$m=19456,t=2,p=1$")
