"""Files pushed to OpenSSH's server, where it is installed, and to what is no server for them."""

import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from msgspec.structs import replace

from simulator.adapters.sftp.push import FilePusher
from simulator.adapters.webhooks.sender import Connector
from simulator.client import Client, Control
from simulator.domain.settlement.pushing import PushAccess, PushFailedError, PushTarget
from simulator.domain.webhooks.targets import AddressPolicy
from simulator.tests.adapters.sftp.conftest import Served, new_key

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
LOOPBACK, START_S = "127.0.0.1", 10
CONTENT = b"SETTLED;DEBIT;POS\r\n" * 20_000
SALE = {
    "paymentType": "DB", "amount": "92.00", "currency": "EUR", "card.number": "4200000000000000",
    "card.expiryMonth": "05", "card.expiryYear": "2034",
}  # fmt: skip
NAME = "8a_sandgate-clearing_2030-01-04_001.csv"
needs_sshd = pytest.mark.skipif(SSHD is None, reason="OpenSSH's sshd is not installed")


class ForeignServer(NamedTuple):
    """OpenSSH's server, which lets this user in by a key; `folder` is where its files go."""

    access: PushAccess
    folder: Path
    host_key: Path


@contextmanager
def sshd(folder: Path, subsystem: str = "internal-sftp") -> Iterator[ForeignServer]:
    """The server, on a free port of this machine alone."""
    with closing(socket.create_server((LOOPBACK, 0))) as free:
        port = free.getsockname()[1]
    host_key, user_key, inbox = folder / "host_key", folder / "user_key", folder / "inbox"
    host_line, user_line = new_key(host_key), new_key(user_key)
    inbox.mkdir()
    (folder / "authorized").write_text(user_line)
    (folder / "config").write_text(
        f"ListenAddress {LOOPBACK}\nPort {port}\nHostKey {host_key}\nPidFile none\n"
        f"AuthorizedKeysFile {folder / 'authorized'}\nStrictModes no\nUsePAM no\n"
        f"PermitRootLogin yes\nPasswordAuthentication no\nSubsystem sftp {subsystem}\n"
    )
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    command = [str(SSHD), "-D", "-e", "-f", str(folder / "config")]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            wait_for(port)
            user = subprocess.check_output(["id", "-un"], text=True).strip()
            target = PushTarget(
                id="merchant", host=LOOPBACK, port=port, user=user, host_key=host_line,
                folder=str(inbox),
            )  # fmt: skip
            yield ForeignServer(PushAccess(target, "", user_key.read_text()), inbox, host_key)
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForeignServer]:
    with sshd(tmp_path_factory.mktemp("sshd")) as server:
        yield server


@pytest.fixture
def foreign(running: ForeignServer) -> ForeignServer:
    """The server, whose folder is empty."""
    for each in running.folder.iterdir():
        each.unlink()
    return running


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    path.write_bytes(CONTENT)
    return path


def wait_for(port: int) -> None:
    until = monotonic() + START_S
    while monotonic() < until:
        try:
            socket.create_connection((LOOPBACK, port), 1).close()
            return
        except OSError:
            sleep(0.05)
    raise TimeoutError(f"expected a server on port {port}")


def dial(host: str, port: int) -> socket.socket:
    """Without the loop of events, in which the gateway has everything, sockets are those of
    threads; how addresses are checked is tried below, and all of it with a gateway.
    """
    return socket.create_connection((host, port), 5)


def failure_of(access: PushAccess, *files: Path, pusher: FilePusher | None = None) -> str:
    """Why files are not pushed."""
    with pytest.raises(PushFailedError) as caught:
        (pusher or FilePusher(dial)).push(access, files)
    return str(caught.value)


def changed(access: PushAccess, **values: object) -> PushAccess:
    return access._replace(target=replace(access.target, **values))


@needs_sshd
def test_files_are_there_whole_and_under_their_names_alone(
    foreign: ForeignServer, file: Path
) -> None:
    checksum = file.with_name(f"{NAME}.sha256")
    checksum.write_text("0" * 64)

    FilePusher(dial).push(foreign.access, (checksum, file))

    assert (foreign.folder / NAME).read_bytes() == CONTENT
    assert sorted(each.name for each in foreign.folder.iterdir()) == [NAME, checksum.name]


@needs_sshd
def test_an_rsa_key_lets_in(foreign: ForeignServer, file: Path) -> None:
    key = generate_private_key(65537, 3072)
    public = key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    with (foreign.host_key.parent / "authorized").open("a") as authorized:
        authorized.write(f"\n{public}\n")
    private = key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode()

    FilePusher(dial).push(foreign.access._replace(key=private), (file,))

    assert (foreign.folder / NAME).read_bytes() == CONTENT


@needs_sshd
def test_a_file_that_is_there_is_not_written_again_and_another_one_is_not_replaced(
    foreign: ForeignServer, file: Path
) -> None:
    there, other = foreign.folder / file.name, file.with_name("other.csv")
    there.write_bytes(CONTENT)
    before = there.stat().st_mtime_ns
    other.write_bytes(CONTENT)
    (foreign.folder / "other.csv").write_bytes(b"of another sender")

    FilePusher(dial).push(foreign.access, (file,))
    why = failure_of(foreign.access, other)

    assert there.stat().st_mtime_ns == before
    assert "other.csv, got one of 17 bytes" in why
    assert (foreign.folder / "other.csv").read_bytes() == b"of another sender"


@needs_sshd
@pytest.mark.parametrize("name", [NAME, f"{NAME}.sha256"])
def test_a_file_of_the_same_size_and_other_content_is_not_taken_for_this_one(
    foreign: ForeignServer, file: Path, name: str
) -> None:
    pushed = file.with_name(name)
    pushed.write_bytes(CONTENT)
    old = CONTENT[:-3] + b"X" + CONTENT[-2:]
    (foreign.folder / name).write_bytes(old)

    why = failure_of(foreign.access, pushed)

    assert f"no other file {foreign.folder / name}, got one of other content" in why
    assert (foreign.folder / name).read_bytes() == old
    assert [each.name for each in foreign.folder.iterdir()] == [name]


@needs_sshd
def test_a_server_with_another_host_key_gets_no_login(foreign: ForeignServer, file: Path) -> None:
    pinned = new_key(foreign.host_key.with_name("other_host_key"))
    access = changed(foreign.access, host_key=pinned)

    log = foreign.host_key.with_name("log")
    before = log.read_text().count("Accepted")

    why = failure_of(access, file)

    expected, came = access.target.fingerprint, foreign.access.target.fingerprint
    assert why.endswith(f"expected the host key {expected}, got {came}")
    assert log.read_text().count("Accepted") == before


@needs_sshd
def test_a_server_without_the_pinned_kind_of_key_gets_no_login(
    foreign: ForeignServer, file: Path
) -> None:
    kind = "ecdsa-sha2-nistp256"
    why = failure_of(changed(foreign.access, host_key=f"{kind} AAAA"), file)

    assert why.endswith(
        f"expected an SSH server with a host key {kind}, got a server with host keys of other kinds"
    )


@needs_sshd
@pytest.mark.parametrize("secrets", [{"password": "wrong password", "key": ""}, {"key": "another"}])
def test_a_refused_login_is_named(
    foreign: ForeignServer, file: Path, tmp_path: Path, secrets: dict[str, str]
) -> None:
    if secrets["key"]:
        new_key(tmp_path / "another")
        secrets = {"key": (tmp_path / "another").read_text()}
    why = failure_of(foreign.access._replace(**secrets), file)

    user, port = foreign.access.target.user, foreign.access.target.port
    assert why.startswith(f"{user} at {LOOPBACK}:{port}: expected to be let in")
    assert not any(secret and secret in why for secret in secrets.values())


@needs_sshd
def test_a_full_disk_is_named_and_nothing_is_left(foreign: ForeignServer, file: Path) -> None:
    """What is written to /dev/full is refused as by a full disk."""
    full = file.with_name("full.csv")
    full.write_bytes(CONTENT)
    (foreign.folder / ".full.csv.part").symlink_to("/dev/full")

    why = failure_of(foreign.access, full)

    assert f"expected {foreign.folder}/full.csv to be written" in why
    assert "as where its disk is full" in why
    assert not (foreign.folder / "full.csv").exists()
    assert not (foreign.folder / ".full.csv.part").is_symlink()


@needs_sshd
def test_a_folder_that_may_not_be_written_or_is_not_there_is_named(
    tmp_path: Path, foreign: ForeignServer, file: Path
) -> None:
    with sshd(tmp_path, "internal-sftp -R") as reading:
        assert failure_of(reading.access, file).endswith("to be written, got permission denied")

    nowhere = changed(foreign.access, folder=f"{foreign.folder}/nowhere")
    assert failure_of(nowhere, file).endswith("to be written, got no such folder or file")


def test_addresses_that_webhooks_may_not_go_to_are_not_connected_to(file: Path) -> None:
    calls: list[object] = []
    pusher = FilePusher(Connector(AddressPolicy(), resolve=lambda *_: ["10.0.0.1"]).dial)

    for host in ("127.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "inside.example"):
        access = PushAccess(a_target(host), "a password", "")
        why = failure_of(access, file, pusher=pusher)
        assert "expected an address that may be connected to" in why
        assert "is no public address" in why
    assert calls == []


def answers_never(peer: socket.socket) -> None:
    sleep(2)


def answers_http(peer: socket.socket) -> None:
    peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 200)


def closes(peer: socket.socket) -> None:
    return


@pytest.mark.parametrize("behave", [answers_never, answers_http, closes])
def test_what_is_no_server_is_named_and_waited_for_a_while_alone(
    file: Path, behave: Callable[[socket.socket], None]
) -> None:
    with closing(socket.create_server((LOOPBACK, 0))) as listener:

        def serve() -> None:
            peer, _ = listener.accept()
            with peer:
                behave(peer)

        thread = Thread(target=serve)
        thread.start()
        access = PushAccess(a_target(LOOPBACK, listener.getsockname()[1]), "a password", "")
        began = monotonic()
        why = failure_of(access, file, pusher=FilePusher(dial, answer_s=0.5))
        thread.join()

    assert "expected an SSH server with a host key ssh-ed25519" in why
    assert monotonic() - began < 10


def a_target(host: str, port: int = 22) -> PushTarget:
    key = f"ssh-ed25519 {'A' * 68}"
    return PushTarget(id="m", host=host, port=port, user="u", host_key=key, folder=".")


@needs_sshd
def test_a_gateway_pushes_the_file_of_a_bank_day(foreign: ForeignServer, served: Served) -> None:
    """All of it: the control API, the clock, the run, greenlets, and a server of others."""
    control = Control(served.facts["control_url"], served.facts["control_key"])
    frozen = {"mode": "frozen", "at": "2030-01-03T12:00:00Z"}
    sandbox = control.create_sandbox(clock=frozen)
    (merchant,) = sandbox["entities"]["merchants"]
    target, key = foreign.access.target, foreign.access.key
    control.set_push_target(
        sandbox["id"], merchant["id"], host=target.host, port=target.port, user=target.user,
        host_key=target.host_key, folder=target.folder, key=key,
    )  # fmt: skip
    shop = Client(served.facts["base_url"], sandbox["token"], sandbox["entity_id"])
    sold = shop.post("v1/payments", SALE)
    control.advance_clock(sandbox["id"], by="1d")
    (run,) = control.settle(sandbox["id"], institute="Sandgate Clearing")
    control.drain(sandbox["id"])

    (push,) = control.settlement(sandbox["id"], run["id"])["pushes"]

    (name,) = run["delivered"]
    assert (push["file"], push["state"], push["problem"]) == (name, "pushed", "")
    there = (foreign.folder / name).read_bytes()
    assert sold.id.encode() in there
    assert (foreign.folder / f"{name}.sha256").read_text().split()[0] == sha256(there).hexdigest()
    assert [each for each in foreign.folder.iterdir() if each.name.endswith(".part")] == []
    control.close()
