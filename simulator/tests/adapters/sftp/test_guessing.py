"""Only a login that has succeeded counts wrong passwords from nought again. Choice: D-421."""

import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any, NamedTuple

import paramiko
import pytest
from paramiko.common import cMSG_SERVICE_REQUEST, cMSG_USERAUTH_REQUEST

from simulator.adapters.logs import LimitedLog
from simulator.adapters.sftp.login import DELAY_S_MAX, Gatekeeper, SftpLogin, Suspicion
from simulator.adapters.sftp.transport import IncomingTransport
from simulator.adapters.sftp.users import SftpUser
from simulator.tests.adapters.sftp.conftest import new_key
from simulator.tests.adapters.sftp.test_login import Hand

PASSWORD, WAITED_S, TRIED = "a password of mine", 10, 3
NO_UTF_8 = b"\xff\xfe"


class Server(NamedTuple):
    """A server without a listener: what it counts, and the merchants it knows."""

    suspicion: Suspicion
    keeper: Gatekeeper
    host_key: paramiko.Ed25519Key
    key: paramiko.Ed25519Key
    clock: Hand


class Tried(NamedTuple):
    """One connection: its login, and the client's side."""

    login: SftpLogin
    client: paramiko.Transport


@pytest.fixture
def server(tmp_path: Path) -> Server:
    made = []
    for name in ("host", "key"):
        line = new_key(tmp_path / name)
        made.append(paramiko.Ed25519Key.from_private_key_file(str(tmp_path / name)))
    users = {name: SftpUser(name, PASSWORD, (line,), tmp_path, "s") for name in ("m", "other")}
    clock = Hand()
    log = LimitedLog(logging.getLogger("test"))
    suspicion = Suspicion(clock)
    keeper = Gatekeeper(users.get, suspicion, lambda user: None, log)
    return Server(suspicion, keeper, made[0], made[1], clock)


def enter(server: Server, way: Callable[[Tried], object], *, address: str = "address a") -> bool:
    """Whether the client is logged in after it went this way."""
    ours, theirs = socket.socketpair()
    incoming, client = IncomingTransport(ours), paramiko.Transport(theirs)
    login = SftpLogin(server.keeper, address)
    try:
        incoming.add_server_key(server.host_key)
        incoming.start_server(event=Event(), server=login)
        client.start_client(timeout=WAITED_S)
        with suppress(paramiko.SSHException):
            way(Tried(login, client))
        return bool(incoming.is_authenticated())
    finally:
        client.close()
        # What follows its answer is done then.
        incoming.join(WAITED_S)
        incoming.close()


def by_password(user: str, password: str) -> Callable[[Tried], object]:
    return lambda tried: tried.client.auth_password(user, password, fallback=False)


def by_key(key: Any, user: str = "m") -> Callable[[Tried], object]:
    return lambda tried: tried.client.auth_publickey(user, key)


def forged(known: paramiko.Ed25519Key, own: paramiko.Ed25519Key) -> Any:
    """A key of which the public half alone is known: it signs by one of its own."""
    parts = ("public_blob", "algorithm_name", "get_name", "get_base64", "asbytes", "get_bits")
    shown = {name: getattr(known, name) for name in parts}
    return SimpleNamespace(**shown, sign_ssh_data=own.sign_ssh_data)


def ask(tried: Tried, method: str, *parts: Any, user: str | bytes = "m") -> None:
    """A request for a login as the client's own library does not send it."""
    sent = paramiko.Message()
    sent.add_byte(cMSG_SERVICE_REQUEST)
    sent.add_string("ssh-userauth")
    tried.client._send_message(sent)  # type: ignore[attr-defined]
    sent = paramiko.Message()
    sent.add_byte(cMSG_USERAUTH_REQUEST)
    for each in (user, "ssh-connection", method):
        sent.add_string(each)
    sent.add_boolean(False)
    for each in parts:
        sent.add_string(each)
    tried.client._send_message(sent)  # type: ignore[attr-defined]


def probing(server: Server) -> Callable[[Tried], object]:
    """Ask whether a key would be taken, without a signature."""

    def way(tried: Tried) -> None:
        ask(tried, "publickey", server.key.get_name(), server.key.asbytes())
        until = monotonic() + WAITED_S
        while not tried.login.name and monotonic() < until:
            sleep(0.01)
        assert tried.login.name == "m"

    return way


def suspected(server: Server) -> list[float]:
    """How long the next wrong passwords of the user and from the address take."""
    return [server.suspicion.delay_after(each) for each in ("user m", "address a")]


def try_wrong(server: Server, times: int = TRIED, user: str = "m") -> None:
    for _ in range(times):
        assert not enter(server, by_password(user, "wrong"))
        server.clock.now += DELAY_S_MAX


@pytest.mark.parametrize("way", ("a probe", "a forged signature", "another key"))
def test_a_key_without_its_signature_forgets_no_wrong_password(
    server: Server, tmp_path: Path, way: str
) -> None:
    new_key(tmp_path / "foreign")
    foreign = paramiko.Ed25519Key.from_private_key_file(str(tmp_path / "foreign"))
    ways = {
        "a probe": probing(server),
        "a forged signature": by_key(forged(server.key, foreign)),
        "another key": by_key(foreign),
    }
    try_wrong(server)

    assert not enter(server, ways[way])

    assert suspected(server) == [0.2 * 2**TRIED] * 2


@pytest.mark.parametrize("way", ("password", "key"))
def test_a_login_counts_from_nought_again(server: Server, way: str) -> None:
    try_wrong(server)

    assert enter(server, by_password("m", PASSWORD) if way == "password" else by_key(server.key))

    assert suspected(server) == [0.2, 0.2]


@pytest.mark.parametrize("way", ("password", "key"))
def test_a_login_forgets_no_try_of_its_address_for_another_user(server: Server, way: str) -> None:
    own = by_password("other", PASSWORD) if way == "password" else by_key(server.key, "other")
    try_wrong(server)
    try_wrong(server, 1, "other")

    assert enter(server, own)

    assert suspected(server) == [0.2 * 2**TRIED] * 2
    assert server.suspicion.delay_after("user other") == 0.2


def test_a_login_from_elsewhere_leaves_the_address_that_guesses(server: Server) -> None:
    try_wrong(server)

    assert enter(server, by_password("m", PASSWORD), address="address b")

    assert suspected(server) == [0.2, 0.2 * 2**TRIED]


@pytest.mark.parametrize("what", ("password", "name"))
def test_a_password_or_name_that_is_no_utf_8_is_a_wrong_one(
    server: Server, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    user = "m" if what == "password" else NO_UTF_8.decode(errors="replace")
    left: list[bool] = []

    def way(tried: Tried) -> None:
        if what == "password":
            ask(tried, "password", NO_UTF_8)
        else:
            ask(tried, "password", PASSWORD, user=NO_UTF_8)
        until = monotonic() + WAITED_S
        while not left and monotonic() < until:
            sleep(0.05)
            if server.suspicion.barred_s(f"{user} from address a"):
                left.append(tried.client.is_active())

    try_wrong(server, user=user)
    caplog.clear()

    assert not enter(server, way)

    assert left == [True]
    counted = [server.suspicion.delay_after(each) for each in (f"user {user}", "address a")]
    assert counted == [0.2 * 2 ** (TRIED + 1)] * 2
    said = [each.getMessage() for each in caplog.records if each.name == "test"]
    assert said == ["a login was refused: unknown merchant, or another password"]
