"""Pushes files to the SFTP server of a merchant: each whole, under its name once it is there.

The address that is checked is the address that is connected to, as for webhooks (D-86). The host
key is pinned: a server with another one gets no login. A file is written under a name that begins
with a dot and ends with .part, and renamed when all of it is there. Choice: D-620.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from posixpath import join
from typing import Any, BinaryIO, NoReturn

import gevent
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from gevent.lock import BoundedSemaphore
from paramiko import (
    ECDSAKey,
    Ed25519Key,
    PKey,
    RSAKey,
    SFTPClient,
    SFTPError,
    SSHException,
)

from simulator.adapters.background import Threads
from simulator.adapters.sftp.guarded import GuardedSocket
from simulator.adapters.sftp.library_log import show_outgoing
from simulator.adapters.sftp.server_words import said_in, words_of
from simulator.adapters.sftp.transport import KEY_EXCHANGES, OutgoingTransport, WholeMessage
from simulator.adapters.turns import Turns, next_turn
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.settlement.push_keys import read_push_key
from simulator.domain.settlement.pushing import PushAccess, PushFailedError
from simulator.domain.webhooks.targets import RefusedAddressError

ANSWER_S = 30.0
PUSH_S = 3600.0
AT_ONCE = 4
ANSWER_BYTES_MAX = 64 * 1024
PIECE_BYTES = 32 * 1024
ANSWERED_EVERY = 64
# Of a key exchange, and what a server says before it.
BEFORE_LOGIN_BYTES_MAX = 64 * 1024
VERSION = "SSH-2.0-Sandgate"
# A pinned RSA key signs by SHA-2 alone.
RSA_SIGNATURES = ("rsa-sha2-512", "rsa-sha2-256")
KINDS: tuple[type[PKey], ...] = (Ed25519Key, ECDSAKey)
# How the library ends where a server goes, refuses, or says what is no text of the protocol.
ENDED = (SSHException, SFTPError, EOFError, InvalidInputError, OSError, ValueError)
Dial = Callable[[str, int], Any]


class FilePusher:
    """Pushes a few files at once, to addresses that `dial` lets it connect to."""

    def __init__(self, dial: Dial, *, answer_s: float = ANSWER_S, push_s: float = PUSH_S):
        self._dial, self._answer_s, self._push_s = dial, answer_s, push_s
        self._turns, self._reading, self._aside = BoundedSemaphore(AT_ONCE), Turns(), Threads()
        show_outgoing()

    def push(self, access: PushAccess, files: tuple[Path, ...]) -> None:
        """Put files into the folder of the target, one after another. One that is there already,
        with the same content, was put there before. Raises PushFailedError.
        """
        limit = _time_limit(access, self._push_s)
        with self._turns, limit, self._connected(access) as sftp:
            for path in files:
                _put(sftp, access, path)

    @contextmanager
    def _connected(self, access: PushAccess) -> Iterator[SFTPClient]:
        target = access.target
        try:
            guarded = GuardedSocket(self._dial(target.host, target.port), self._reading.take)
        except RefusedAddressError as error:
            _fail(access, "an address that may be connected to", str(error))
        except OSError as error:
            _fail(access, "a server that answers", error)
        transport = OutgoingTransport(guarded, lambda text: said_in(text, access))
        guarded.may_go_on = lambda received: (
            received <= BEFORE_LOGIN_BYTES_MAX or transport.is_authenticated()
        )
        try:
            yield self._logged_in(transport, access)
        finally:
            transport.close()

    def _logged_in(self, transport: OutgoingTransport, access: PushAccess) -> SFTPClient:
        target = access.target
        transport.local_version = VERSION
        transport.banner_timeout = transport.auth_timeout = self._answer_s
        kind, pinned = target.host_key.split()
        options = transport.get_security_options()
        options.kex = KEY_EXCHANGES
        options.key_types = RSA_SIGNATURES if kind == "ssh-rsa" else (kind,)
        try:
            transport.start_client(timeout=self._answer_s)
            came = transport.get_remote_server_key()
        except ENDED as error:
            _fail(access, f"an SSH server with a host key {kind}", error)
        if came.get_base64() != pinned:
            _fail(access, f"the host key {target.fingerprint}", f"{came.fingerprint}")
        try:
            if access.key:
                key = self._aside(_private_key, access.key)
                transport.auth_publickey(target.user, key)
            else:
                transport.auth_password(target.user, access.password, fallback=False)
        except ENDED as error:
            _fail(access, "to be let in with its key or password", error)
        try:
            sftp = _Session.from_transport(transport)
            assert sftp is not None, "the transport is open"
            channel = sftp.get_channel()
            assert channel is not None, "the session is open"
            channel.settimeout(self._answer_s)
        except ENDED as error:
            _fail(access, "an SFTP session", error)
        return sftp


class _Session(SFTPClient):
    """A session that takes answers of the length that a push needs, and reads each to its end."""

    def _read_all(self, n: int) -> bytes:
        if n > ANSWER_BYTES_MAX:
            raise EOFError
        read: bytes = super()._read_all(n)  # type: ignore[misc]
        return read

    def _read_response(self, waitfor: Any = None) -> Any:
        kind, message = super()._read_response(waitfor)  # type: ignore[misc]
        return kind, message and WholeMessage(message.get_remainder())


def _put(sftp: SFTPClient, access: PushAccess, path: Path) -> None:
    folder, size = access.target.folder, path.stat().st_size
    final, part = join(folder, path.name), join(folder, f".{path.name}.part")
    there = _size_of(sftp, access, final)
    if there is not None:
        if there != size:
            _fail(access, f"no other file {final}", f"one of {there} bytes")
        if not _is_same(sftp, access, (path, final)):
            _fail(access, f"no other file {final}", "one of other content; remove it there")
        return
    try:
        with path.open("rb") as source:
            _write(sftp, source, size, part)
        written = sftp.stat(part).st_size
        if written != size:
            _fail(access, f"{size} bytes in {part}", str(written))
        sftp.rename(part, final)
    except ENDED as error:
        with suppress(*ENDED):
            sftp.remove(part)
        _fail(access, f"{final} to be written", error)


def _write(sftp: SFTPClient, source: BinaryIO, size: int, part: str) -> None:
    """Write pieces without waiting for the answer to each: with every so many of them, and with
    the last one, come the answers to all before. Others have their turn after each piece.
    """
    number = sent = 0
    with sftp.open(part, "wb") as remote:
        while piece := source.read(PIECE_BYTES):
            number, sent = number + 1, sent + len(piece)
            remote.set_pipelined(sent < size and number % ANSWERED_EVERY != 0)
            remote.write(piece)
            next_turn()


def _size_of(sftp: SFTPClient, access: PushAccess, path: str) -> int | None:
    try:
        return sftp.stat(path).st_size
    except FileNotFoundError:
        return None
    except ENDED as error:
        _fail(access, f"to see whether {path} is there", error)


def _is_same(sftp: SFTPClient, access: PushAccess, files: tuple[Path, str]) -> bool:
    """Whether a file has the content of the one of the same size that is there: after a reset of
    the sandbox names come again.
    """
    path, there = files
    try:
        with path.open("rb") as source, sftp.open(there, "rb") as remote:
            return all(remote.read(len(piece)) == piece for piece in _pieces_of(source))
    except ENDED as error:
        _fail(access, f"to compare {there}", error)


def _pieces_of(source: BinaryIO) -> Iterator[bytes]:
    """A file piece by piece; others have their turn after each."""
    while piece := source.read(PIECE_BYTES):
        yield piece
        next_turn()


@contextmanager
def _time_limit(access: PushAccess, seconds: float) -> Iterator[None]:
    try:
        with gevent.Timeout(seconds):
            yield
    except gevent.Timeout:
        _fail(access, f"a push within {seconds:g} s", "none")


def _private_key(text: str) -> PKey:
    """The key, as the library takes it. Raises InvalidInputError, SSHException."""
    found = read_push_key(text)
    if isinstance(found, RSAPrivateKey):
        return RSAKey(key=found)
    for kind in KINDS:
        with suppress(SSHException, ValueError, IndexError):
            return kind.from_private_key(StringIO(text))
    raise SSHException("the private key cannot be read")


def _fail(access: PushAccess, expected: str, came: str | Exception) -> NoReturn:
    target = access.target
    came = came if isinstance(came, str) else words_of(came, access)
    where = f"{target.user} at {target.host}:{target.port}"
    raise PushFailedError(f"{where}: expected {expected}, got {came}") from None
