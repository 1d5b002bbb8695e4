"""SFTP clients that send much, all at once or without end hold up no one else. Choice: D-421."""

from functools import partial
from pathlib import Path
from time import monotonic

import gevent
import pytest
from paramiko.common import AUTH_FAILED, AUTH_SUCCESSFUL

from simulator.adapters.logs import LimitedLog
from simulator.adapters.sftp.client_turns import ClientTurns
from simulator.adapters.sftp.connections import LOG
from simulator.adapters.sftp.guarded import PACKET_BYTES_MAX, GuardedSocket
from simulator.adapters.sftp.login import (
    DELAY_S_MAX,
    Gatekeeper,
    SftpLogin,
    Suspicion,
)
from simulator.adapters.sftp.users import SftpUser
from simulator.tests.kit.event_loop import looks_during

CLIENTS, PACKETS = 20, 10
PASSWORD = "the right one"


class FullSocket:
    """A socket that has always something to read, or always fails."""

    def __init__(self, error: OSError | None = None):
        self._error = error

    def recv(self, size: int) -> bytes:
        """So many bytes, or the error."""
        if self._error is not None:
            raise self._error
        return b"x" * size

    def shutdown(self, how: int) -> None:
        """Its other side has sent more than that."""


@pytest.mark.parametrize("error", (None, ConnectionResetError()), ids=("data", "a reset"))
def test_of_all_clients_one_is_served_in_each_turn_of_the_event_loop(
    error: OSError | None,
) -> None:
    turns = ClientTurns()

    def read(guarded: GuardedSocket) -> None:
        for _ in range(PACKETS):
            guarded.recv(16)

    def all_read() -> None:
        takes = [partial(turns.take, "group", f"client {number}") for number in range(CLIENTS)]
        clients = [GuardedSocket(FullSocket(error), each) for each in takes]
        gevent.joinall([gevent.spawn(read, each) for each in clients], raise_error=True)

    assert looks_during(all_read) > CLIENTS * PACKETS // 2


def test_a_packet_that_is_too_long_ends_the_connection_unread() -> None:
    guarded = GuardedSocket(FullSocket(), bool)
    guarded.may_go_on = lambda received: True
    assert guarded.recv(PACKET_BYTES_MAX)
    assert guarded.recv(PACKET_BYTES_MAX + 1) == b""


def test_no_wrong_password_waits_for_a_client_that_has_left() -> None:
    suspicion = Suspicion()
    for _ in range(9):
        suspicion.delay_after("address a")
    keeper = Gatekeeper(lambda name: None, suspicion, lambda user: None, LimitedLog(LOG))
    login = SftpLogin(keeper, "address a")
    login.has_left = lambda: True

    before = monotonic()
    login.check_auth_password("user", "wrong")

    assert monotonic() - before < 4


def test_no_other_password_is_looked_at_before_the_first_is_answered(tmp_path: Path) -> None:
    now, user = [100.0], SftpUser("user", "the right one", (), tmp_path, "s")
    suspicion = Suspicion(lambda: now[0])
    keeper = Gatekeeper(lambda _: user, suspicion, lambda _: None, LimitedLog(LOG))

    def tried(password: str, address: str = "address a") -> int:
        login = SftpLogin(keeper, address)
        login.has_left = lambda: True
        return login.check_auth_password("user", password)

    assert tried("wrong") == AUTH_FAILED
    assert tried("the right one") == AUTH_FAILED
    assert tried("the right one", "address b") == AUTH_SUCCESSFUL
    now[0] += DELAY_S_MAX
    assert tried("the right one") == AUTH_SUCCESSFUL


@pytest.fixture
def keeper(tmp_path: Path) -> Gatekeeper:
    """It knows merchants that are named by their sandbox and a number."""

    def find(name: str) -> SftpUser:
        return SftpUser(name, PASSWORD, (), tmp_path, name[0])

    return Gatekeeper(find, Suspicion(), lambda user: None, LimitedLog(LOG))


def before_login(keeper: Gatekeeper, address: str) -> SftpLogin:
    return SftpLogin(keeper, f"address {address}")


def after_login(keeper: Gatekeeper, merchant: str, address: str = "near") -> SftpLogin:
    login = before_login(keeper, address)
    assert login.check_auth_password(merchant, PASSWORD) == AUTH_SUCCESSFUL
    login.enter()
    return login


def order_of(logins: list[SftpLogin]) -> list[str]:
    """In which order they are served, by their merchants or their addresses, that all wait."""
    order: list[str] = []

    def serve(login: SftpLogin) -> None:
        login.turns.take()
        order.append(login.name or login.address)

    gevent.joinall([gevent.spawn(serve, each) for each in logins], raise_error=True)
    return order


def test_before_the_login_turns_go_round_over_addresses(keeper: Gatekeeper) -> None:
    crowd = [before_login(keeper, "near") for _ in range(CLIENTS)]

    order = order_of([*crowd, before_login(keeper, "far")])

    assert order[:3] == ["address near", "address far", "address near"]


def test_after_the_login_turns_go_round_over_sandboxes_and_in_one_over_merchants(
    keeper: Gatekeeper,
) -> None:
    crowd = [after_login(keeper, "a1") for _ in range(CLIENTS)]
    others = [after_login(keeper, each) for each in ("a2", "b1", "b1")]

    order = order_of([*crowd, *others])

    assert order[:6] == ["a1", "b1", "a2", "b1", "a1", "a1"]


def test_who_has_logged_in_waits_for_one_of_its_address_that_has_not(keeper: Gatekeeper) -> None:
    crowd = [before_login(keeper, "near") for _ in range(CLIENTS)]

    assert order_of([*crowd, after_login(keeper, "a1")])[1] == "a1"


def test_a_name_without_its_signature_takes_turns_of_its_address(keeper: Gatekeeper) -> None:
    crowd = [before_login(keeper, "near") for _ in range(CLIENTS)]
    named = before_login(keeper, "near")
    assert named.check_auth_password("a1", PASSWORD) == AUTH_SUCCESSFUL

    assert order_of([*crowd, named])[-1] == "a1"


def test_what_a_connection_sent_before_it_was_closed_is_not_looked_at() -> None:
    guarded = GuardedSocket(FullSocket(), bool)
    guarded.may_go_on = lambda received: True
    assert guarded.recv(16)

    guarded.cut()

    assert guarded.recv(16) == b""
