"""TLS connections whose peer sends many records that bring nothing: OpenSSL would go on with them
for as long as they come, and no one else had a turn.
"""

import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from subprocess import DEVNULL, Popen
from types import SimpleNamespace
from typing import Any

import gevent
import pytest
import trustme
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA384
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from gevent.socket import create_connection, socket

from simulator.adapters.http.connection import PeerConnection
from simulator.adapters.http.limits import Limits
from simulator.adapters.tls.link import (
    HELLO_BYTES_MAX,
    QUIET_BYTES_MAX,
    QUIET_RECORDS_MAX,
    TlsLink,
)
from simulator.adapters.tls.settings import restrict
from simulator.adapters.turns import Turns
from simulator.adapters.webhooks.connection import HttpConnection

NAME = "localhost"
ALERT, HANDSHAKE, APPLICATION = 21, 22, 23
KEY_UPDATE = bytes((24, 0, 0, 1, 0))
UPDATE_BYTES = 27
HEAD_BYTES, SUITE, HASH_BYTES, KEY_BYTES, NONCE_BYTES = 5, "TLS_AES_256_GCM_SHA384", 48, 32, 12


class Keys:
    """What a client of TLS 1.3 encrypts with after its handshake (RFC 8446, 7.1 to 7.3)."""

    def __init__(self, secret: bytes):
        self._secret, self._count = secret, 0

    def record(self, content: bytes, kind: int) -> bytes:
        """The record with this content of this type."""
        size = len(content) + 1 + 16
        head = bytes((APPLICATION, 3, 3)) + size.to_bytes(2)
        start = int.from_bytes(self._expand(b"iv", NONCE_BYTES))
        nonce = (start ^ self._count).to_bytes(NONCE_BYTES)
        self._count += 1
        key = self._expand(b"key", KEY_BYTES)
        return head + AESGCM(key).encrypt(nonce, content + bytes((kind,)), head)

    def key_update(self) -> bytes:
        """The record that says that the next one is encrypted with the next key."""
        made = self.record(KEY_UPDATE, HANDSHAKE)
        self._secret, self._count = self._expand(b"traffic upd", HASH_BYTES), 0
        return made

    def _expand(self, label: bytes, size: int) -> bytes:
        name = b"tls13 " + label
        info = size.to_bytes(2) + bytes((len(name),)) + name + b"\0"
        return HKDFExpand(SHA384(), size, info).derive(self._secret)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def serving(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(NAME).configure_cert(context)
    return context


@pytest.fixture
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as made:
        yield made


def accepting(stack: ExitStack, serve: Callable[[socket], Any]) -> tuple[int, gevent.Greenlet]:
    """A port, and what becomes of the connection that is made to it."""
    listening = stack.enter_context(socket())
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    stack.callback(lambda: made.kill())
    made = gevent.spawn(lambda: serve(stack.enter_context(listening.accept()[0])))
    return listening.getsockname()[1], made


def split(records: bytes, size: int) -> bytes:
    """The same in records of at most `size` bytes each."""
    made = bytearray()
    while records:
        length = int.from_bytes(records[3:HEAD_BYTES])
        content = records[HEAD_BYTES : HEAD_BYTES + length]
        for start in range(0, length, size):
            piece = content[start : start + size]
            made += records[:3] + len(piece).to_bytes(2) + piece
        records = records[HEAD_BYTES + length :]
    return bytes(made)


def first_flight(trusting: ssl.SSLContext) -> bytes:
    """What a client begins with."""
    outgoing = ssl.MemoryBIO()
    client = trusting.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname=NAME)
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


def reading(serving: ssl.SSLContext, until: bytes = b"") -> Callable[[socket], bytes]:
    """A server that reads once, or until this comes."""

    def read(client: socket) -> bytes:
        link = TlsLink(client, serving)
        link.finish_handshake()
        data = link.recv(1000)
        while until and data != until:
            data = link.recv(1000)
        return data

    return read


def keys_of(
    stack: ExitStack, port: int, trusting: ssl.SSLContext, folder: Path
) -> tuple[socket, Keys]:
    """The socket of a client after its handshake, and what it encrypts with."""
    trusting.keylog_filename = str(folder / "keys")
    client = stack.enter_context(create_connection(("127.0.0.1", port), timeout=5))
    TlsLink(client, trusting, server=NAME).finish_handshake()
    lines = (folder / "keys").read_text().splitlines()
    (secret,) = (each.split()[2] for each in lines if each.startswith("CLIENT_TRAFFIC_SECRET_0"))
    return client, Keys(bytes.fromhex(secret))


def test_a_handshake_in_a_few_pieces_goes_on(
    stack: ExitStack, serving: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    port, _ = accepting(stack, lambda client: TlsLink(client, serving).finish_handshake())
    client = stack.enter_context(create_connection(("127.0.0.1", port), timeout=5))
    client.sendall(split(first_flight(trusting), 50))
    assert client.recv(1)[0] == HANDSHAKE


def test_a_handshake_of_a_byte_a_record_ends(
    stack: ExitStack, serving: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    port, served = accepting(stack, lambda client: TlsLink(client, serving).finish_handshake())
    client = stack.enter_context(create_connection(("127.0.0.1", port), timeout=5))
    client.sendall(split(first_flight(trusting), 1))
    with pytest.raises(ConnectionAbortedError):
        served.get(timeout=5)


@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\xff\xff", b"\0" * 9])
def test_what_is_no_tls_is_refused_at_once(
    stack: ExitStack, serving: ssl.SSLContext, sent: bytes
) -> None:
    port, served = accepting(stack, lambda client: TlsLink(client, serving).finish_handshake())
    client = stack.enter_context(create_connection(("127.0.0.1", port)))
    client.sendall(sent)
    with pytest.raises(ssl.SSLError):
        served.get(timeout=5)


@pytest.mark.parametrize("updates", [0, 1, QUIET_RECORDS_MAX - 1, QUIET_RECORDS_MAX, 1000])
def test_so_many_key_updates_may_come_before_data(
    stack: ExitStack,
    serving: ssl.SSLContext,
    trusting: ssl.SSLContext,
    tmp_path: Path,
    updates: int,
) -> None:
    port, served = accepting(stack, reading(serving))
    client, keys = keys_of(stack, port, trusting, tmp_path)

    client.sendall(b"".join(keys.key_update() for _ in range(updates)))
    client.sendall(keys.record(b"hello", APPLICATION))

    if updates < QUIET_RECORDS_MAX:
        assert served.get(timeout=5) == b"hello"
    else:
        with pytest.raises(ConnectionAbortedError):
            served.get(timeout=5)


@pytest.mark.parametrize("claimed", [HELLO_BYTES_MAX + 1, 131_000])
def test_a_hello_that_names_a_long_message_is_refused_before_memory_is_taken_for_it(
    stack: ExitStack, serving: ssl.SSLContext, claimed: int
) -> None:
    port, served = accepting(stack, lambda client: TlsLink(client, serving).finish_handshake())
    client = stack.enter_context(create_connection(("127.0.0.1", port)))
    client.sendall(b"\x16\x03\x01\0\x04\x01" + claimed.to_bytes(3))
    with pytest.raises(ConnectionAbortedError):
        served.get(timeout=5)


def test_so_many_bytes_may_bring_nothing_as_long_as_a_connection_lasts(
    stack: ExitStack, serving: ssl.SSLContext, trusting: ssl.SSLContext, tmp_path: Path
) -> None:
    """Between key updates there is data: never too many are in a row."""
    port, served = accepting(stack, reading(serving, until=b"end"))
    client, keys = keys_of(stack, port, trusting, tmp_path)
    updates = QUIET_BYTES_MAX // UPDATE_BYTES + 100
    with suppress(OSError):
        for _ in range(updates // 16):
            client.sendall(b"".join(keys.key_update() for _ in range(16)))
            client.sendall(keys.record(b"a", APPLICATION))
        client.sendall(keys.record(b"end", APPLICATION))
    with pytest.raises(ConnectionAbortedError):
        served.get(timeout=5)


@pytest.mark.parametrize("group", ["ffdhe2048", "ffdhe8192"])
def test_no_key_is_exchanged_in_a_group_of_numbers(
    stack: ExitStack, serving: ssl.SSLContext, group: str
) -> None:
    restrict(serving)
    port, served = accepting(stack, lambda client: TlsLink(client, serving).finish_handshake())
    command = ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-groups", group]
    ran = Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
    with pytest.raises(ssl.SSLError):
        served.get(timeout=10)
    ran.wait(10)


def test_both_sides_offer_curves_alone(trusting: ssl.SSLContext) -> None:
    restrict(trusting)
    suites = [each["name"] for each in trusting.get_ciphers()]
    assert suites and all(each.startswith(("TLS_", "ECDHE-")) for each in suites)


def test_a_receiver_of_notifications_may_not_either(
    stack: ExitStack, serving: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    def serve(client: socket) -> None:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        server = serving.wrap_bio(incoming, outgoing, server_side=True)
        incoming.write(client.recv(10_000))
        with pytest.raises(ssl.SSLWantReadError):
            server.do_handshake()
        client.sendall(split(outgoing.read(), 1))

    port, _ = accepting(stack, serve)
    with pytest.raises(OSError, match="bring nothing"):
        HttpConnection("127.0.0.1", port, turns=Turns(), tls=trusting, name=NAME)


def test_others_have_their_turn_between_records(
    stack: ExitStack, serving: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    """As of many connections that send a byte a record none is served again and again."""
    count, looks = 50, []

    def take(client: socket) -> int:
        link = TlsLink(client, serving)
        link.finish_handshake()
        service: Any = SimpleNamespace(environ={}, limits=Limits())
        connection = PeerConnection(service, link, ("127.0.0.1", 1))
        gevent.sleep(0.2)
        ticking = gevent.spawn(tick, looks)
        taken = sum(len(connection._take()) for _ in range(count))
        ticking.kill()
        return taken

    port, served = accepting(stack, take)
    client = stack.enter_context(create_connection(("127.0.0.1", port)))
    link = TlsLink(client, trusting, server=NAME)
    link.finish_handshake()
    for _ in range(count):
        link.send(b"a")
    assert served.get(timeout=5) == count
    assert len(looks) >= count - 1


def tick(looks: list[None]) -> None:
    """Be another one who waits for a turn."""
    while True:
        gevent.sleep(0)
        looks.append(None)


def test_more_data_than_a_record_holds_goes_through(
    stack: ExitStack, serving: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    content = bytes(range(256)) * 4000

    def echo(client: socket) -> None:
        link, read = TlsLink(client, serving), b""
        link.finish_handshake()
        while len(read) < len(content):
            read += link.recv(5000)
        link.sendall(read)
        link.shutdown(1)

    port, served = accepting(stack, echo)
    link = TlsLink(
        stack.enter_context(create_connection(("127.0.0.1", port))), trusting, server=NAME
    )
    link.finish_handshake()
    link.sendall(content)
    came = b""
    while piece := link.recv(7000):
        came += piece
    assert came == content
    served.get(timeout=5)
