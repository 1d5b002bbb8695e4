"""Merchants of one sandbox, and clients of one address, leave room at the SFTP server for others.

Choices: D-673, D-421.
"""

import socket
from pathlib import Path

import gevent
import pytest

from simulator.adapters.sftp.connections import SftpConnections
from simulator.adapters.sftp.login import SftpLogin
from simulator.adapters.sftp.users import LIMITS, FindUser, SftpUser
from simulator.tests.adapters.sftp.conftest import new_key

PASSWORD = "the right one"
OF_SANDBOX, OF_MERCHANT = LIMITS.connections_of_sandbox_max, LIMITS.connections_of_merchant_max


class Known:
    """A connection that has logged in."""

    def is_known(self) -> bool:
        return True


class Server:
    """The connections of a server, some of which have logged in."""

    def __init__(self, folder: Path, find: FindUser):
        key = folder / "key"
        new_key(key)
        self.connections = SftpConnections(key.read_text(), find, LIMITS)

    def enter(self, name: str) -> bool:
        """Whether a merchant comes in."""
        login = SftpLogin(self.connections._gatekeeper, "address a")
        is_in = login.check_auth_password(name, PASSWORD) == 0
        if is_in:
            self.connections._connections[Known()] = login  # type: ignore[index]
        return is_in


@pytest.fixture
def server(tmp_path: Path) -> Server:
    """Merchants are named by their sandbox and a number."""
    return Server(tmp_path, lambda name: SftpUser(name, PASSWORD, (), tmp_path, name[0]))


def test_the_merchants_of_one_sandbox_do_not_fill_the_server(server: Server) -> None:
    entered = [server.enter(f"a{number}") for number in range(LIMITS.connections_max)]

    assert sum(entered) == OF_SANDBOX <= LIMITS.connections_max // 4
    assert server.enter("b1")


def test_a_merchant_leaves_room_for_others_of_its_sandbox(server: Server) -> None:
    entered = [server.enter("a1") for _ in range(OF_SANDBOX)]

    assert sum(entered) == OF_MERCHANT < OF_SANDBOX
    assert server.enter("a2")


class Unknown:
    """A connection that has not logged in."""

    def __init__(self) -> None:
        self.is_cut = False

    def is_known(self) -> bool:
        return False

    def cut(self) -> None:
        self.is_cut = True


def full(server: Server, *addresses: str) -> list[Unknown]:
    """As many connections as there may be, from these addresses in turn, the oldest first."""
    opened = [Unknown() for _ in range(LIMITS.connections_max)]
    for number, each in enumerate(opened):
        address = f"address {addresses[number % len(addresses)]}"
        login = SftpLogin(server.connections._gatekeeper, address)
        server.connections._connections[each] = login  # type: ignore[index]
    return opened


def come_and_leave(server: Server, address: str) -> None:
    accepted, client = socket.socketpair()
    client.close()
    gevent.spawn(server.connections.serve, accepted, (address, 1)).get()


def closed(opened: list[Unknown]) -> list[int]:
    """Which of them made room, counted from the oldest."""
    return [number for number, each in enumerate(opened) if each.is_cut]


@pytest.mark.parametrize("new", ("::ffff:127.0.0.1", "127.0.0.9"))
def test_the_address_with_most_that_have_not_logged_in_makes_room(server: Server, new: str) -> None:
    opened = full(server, "127.0.0.9", "127.0.0.1", "127.0.0.1", "127.0.0.8")

    come_and_leave(server, new)

    assert closed(opened) == [1]


def test_an_address_that_has_as_many_as_the_others_makes_room_for_its_own(server: Server) -> None:
    opened = full(server, "127.0.0.9", "127.0.0.1")

    come_and_leave(server, "127.0.0.1")

    assert closed(opened) == [1]


def test_a_connection_that_is_cut_before_its_turn_ends_at_once(server: Server) -> None:
    connections, pairs = server.connections, [socket.socketpair() for _ in range(3)]
    turns = connections._gatekeeper.turns
    with turns._of_groups.taken("address of others"):
        waiting = [
            gevent.spawn(connections.serve, ours, (f"127.0.0.{number}", 1))
            for number, (ours, _) in enumerate(pairs, 1)
        ]
        gevent.sleep(0)
        assert len(connections._connections) == 3

        connections.cut()
        gevent.joinall(waiting, timeout=10)

        assert all(each.dead for each in waiting)
        assert not connections._connections
    for pair in pairs:
        for each in pair:
            each.close()
