"""Wrong passwords are answered later each time; the host key stays the same."""

from pathlib import Path

import pytest

from simulator.adapters.key_files import UnsafeKeyFileError
from simulator.adapters.sftp.host_key import open_host_key
from simulator.adapters.sftp.login import SUSPECTS_MAX, Suspicion


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_each_wrong_password_waits_twice_as_long_up_to_eight_seconds() -> None:
    suspicion = Suspicion(Hand())

    delays = [suspicion.delay_after("user a", "address b") for _ in range(8)]

    assert delays == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 8.0, 8.0]


def test_an_address_waits_for_all_users_it_tries_and_a_user_from_all_addresses() -> None:
    suspicion = Suspicion(Hand())
    suspicion.delay_after("user a", "address b")

    assert suspicion.delay_after("user c", "address b") == 0.4
    assert suspicion.delay_after("user a", "address d") == 0.4
    assert suspicion.delay_after("user e", "address f") == 0.2


def test_a_login_or_fifteen_minutes_forgive() -> None:
    clock = Hand()
    suspicion = Suspicion(clock)
    for _ in range(5):
        suspicion.delay_after("user a")
    suspicion.forget("user a")
    assert suspicion.delay_after("user a") == 0.2

    clock.now += 901
    assert suspicion.delay_after("user a") == 0.2


def test_many_suspects_take_no_more_memory_than_a_few() -> None:
    suspicion = Suspicion(Hand())
    for number in range(SUSPECTS_MAX + 10):
        suspicion.delay_after(f"user {number}")

    assert suspicion.delay_after("user 0") == 0.2
    assert suspicion.delay_after(f"user {SUSPECTS_MAX + 9}") == 0.4


def test_the_host_key_stays_the_same_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "sftp.key"

    first, second = open_host_key(path), open_host_key(path)

    assert first == second
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    with pytest.raises(UnsafeKeyFileError, match="expected mode 600"):
        open_host_key(path)


def test_a_damaged_host_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sftp.key"
    path.write_text("no key\n")
    path.chmod(0o600)

    with pytest.raises(UnsafeKeyFileError, match="expected an Ed25519 key"):
        open_host_key(path)
