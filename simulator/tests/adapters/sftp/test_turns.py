"""SFTP clients that send much, all at once or without end hold up no one else."""

from pathlib import Path
from time import monotonic

import gevent
import pytest
from paramiko.common import AUTH_FAILED, AUTH_SUCCESSFUL

from simulator.adapters.logs import LimitedLog
from simulator.adapters.sftp.connections import LOG
from simulator.adapters.sftp.guarded import PACKET_BYTES_MAX, GuardedSocket
from simulator.adapters.sftp.login import (
    DELAY_S_MAX,
    Gatekeeper,
    SftpLogin,
    Suspicion,
)
from simulator.adapters.sftp.users import SftpUser
from simulator.adapters.turns import Turns
from simulator.tests.kit.event_loop import looks_during

CLIENTS, PACKETS = 20, 10


class FullSocket:
    """A socket that has always something to read, or always fails."""

    def __init__(self, error: OSError | None = None):
        self._error = error

    def recv(self, size: int) -> bytes:
        """So many bytes, or the error."""
        if self._error is not None:
            raise self._error
        return b"x" * size


@pytest.mark.parametrize("error", (None, ConnectionResetError()), ids=("data", "a reset"))
def test_of_all_clients_one_is_served_in_each_turn_of_the_event_loop(
    error: OSError | None,
) -> None:
    turns = Turns()

    def read(guarded: GuardedSocket) -> None:
        for _ in range(PACKETS):
            guarded.recv(16)

    def all_read() -> None:
        clients = [GuardedSocket(FullSocket(error), turns) for _ in range(CLIENTS)]
        gevent.joinall([gevent.spawn(read, each) for each in clients], raise_error=True)

    assert looks_during(all_read) > CLIENTS * PACKETS // 2


def test_a_packet_that_is_too_long_ends_the_connection_unread() -> None:
    guarded = GuardedSocket(FullSocket(), Turns())
    guarded.may_go_on = lambda received: True
    assert guarded.recv(PACKET_BYTES_MAX)
    assert guarded.recv(PACKET_BYTES_MAX + 1) == b""


def test_no_wrong_password_waits_for_a_client_that_has_left() -> None:
    suspicion = Suspicion()
    for _ in range(9):
        suspicion.delay_after("address a")
    keeper = Gatekeeper(lambda name: None, suspicion, lambda user: None, LimitedLog(LOG), Turns())
    login = SftpLogin(keeper, "address a")
    login.has_left = lambda: True

    before = monotonic()
    login.check_auth_password("user", "wrong")

    assert monotonic() - before < 4


def test_no_other_password_is_looked_at_before_the_first_is_answered(tmp_path: Path) -> None:
    now, user = [100.0], SftpUser("user", "the right one", (), tmp_path, "s")
    suspicion = Suspicion(lambda: now[0])
    keeper = Gatekeeper(lambda _: user, suspicion, lambda _: None, LimitedLog(LOG), Turns())

    def tried(password: str, address: str = "address a") -> int:
        login = SftpLogin(keeper, address)
        login.has_left = lambda: True
        return login.check_auth_password("user", password)

    assert tried("wrong") == AUTH_FAILED
    assert tried("the right one") == AUTH_FAILED
    assert tried("the right one", "address b") == AUTH_SUCCESSFUL
    now[0] += DELAY_S_MAX
    assert tried("the right one") == AUTH_SUCCESSFUL
