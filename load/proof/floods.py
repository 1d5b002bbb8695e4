"""Hostile connections, and what becomes of other clients meanwhile.

Each flood is sent by a process of its own over several connections; one that is closed is opened
again. Beside it another merchant pays, on a connection of its own, and the resident memory of the
gateway is read. Where a flood is of connections, that merchant makes one for each payment.
"""

import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPException
from select import select
from time import monotonic, sleep
from typing import NamedTuple

from load.gateway.server import memory_bytes
from load.proof.merchant import create_merchant
from simulator.client.processes import ServerProcess

PIECE_BYTES = 64 * 1024
PAUSE_S = 0.02
TIMEOUT_S = 10.0
RETRY_S = 0.01
CENTS = 92_00
HOST = b"Host: localhost\r\n"
POST = b"POST /v1/payments HTTP/1.1\r\n" + HOST
PAYMENT_READ = b"GET /v1/payments/1 HTTP/1.1\r\n" + HOST + b"\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
# A long answer, to anybody.
PAGE_SCRIPT = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\n" + HOST + b"\r\n"
LONG = b"Content-Length: 16777216\r\n\r\n"
# In its place comes the access token of a merchant of the gateway.
TOKEN = b"{token}"
WRONG_TOKEN = b"Authorization: Bearer no-token-of-this-gateway\r\n"


TLS, ACS, CARD, SFTP = "tls_url", "acs_url", "card_host", "sftp"
# A line to the card host whose first message can be read; all that follows it cannot.
ECHO = (
    bytes.fromhex("0054 6000010000")
    + b"0800"
    + bytes.fromhex("8220000000000010 0400000000000000")
    + (b"1124000000000001037010328" + b"a" * 31 + b"301")
)
MALFORMED = bytes.fromhex("0708 6000010000") + b"\x11" * 1795
SSH = b"SSH-2.0-flood\r\n"


def areq_with(members: bytes) -> bytes:
    """A whole request to the directory server of 3-D Secure, with about as much as one may have."""
    body = b'{"messageType":"AReq","messageVersion":"2.2.0",%b}' % members
    head = b"POST /ds/areq HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(body)
    return head + body


def sign_ins(names: int) -> bytes:
    """Sign-ins at the console, each of another name with a password that is wrong."""
    bodies = (b"name=n%d&password=wrong-wrong-wrong" % number for number in range(names))
    head = b"POST /console/sign-in HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n"
    return b"".join(head % len(body) + body for body in bodies)


def payments_with(value: bytes) -> bytes:
    """A payment of a merchant with this value in four of its parameters."""
    body = b"&".join(b"customParameters[a%d]=%b" % (number, value) for number in range(4))
    kind = b"Content-Type: application/x-www-form-urlencoded\r\n"
    login = b"Authorization: Bearer " + TOKEN + b"\r\n"
    return POST + login + kind + b"Content-Length: %d\r\n\r\n" % len(body) + body


def client_hello() -> bytes:
    """What a client of TLS sends first."""
    sent = ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        _trusting().wrap_bio(ssl.MemoryBIO(), sent).do_handshake()
    return sent.read()


def _trusting() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Flood(NamedTuple):
    """What each connection sends at first, and then over and over; nothing: it waits. `listener`
    is the address of the gateway that it is sent to. With `is_left` each connection is closed as
    soon as it has sent its opening, in which a handshake of TLS is included.
    """

    opening: bytes
    piece: bytes
    listener: str = "base_url"
    is_left: bool = False

    @property
    def is_tls(self) -> bool:
        return self.listener == TLS and not self.is_left


FLOODS: Mapping[str, Flood] = {
    "chunk trailers": Flood(CHUNKED + b"0\r\n", b"a: b\r\n"),
    "chunk extensions": Flood(CHUNKED, b"1;a=b\r\nx\r\n"),
    "one chunk extension": Flood(CHUNKED + b"1;", b"a"),
    "chunks of one byte": Flood(CHUNKED, b"1\r\na\r\n"),
    "chunks of empty lines": Flood(CHUNKED, b"4\r\n\r\n\r\n\r\n"),
    "header fields": Flood(b"GET / HTTP/1.1\r\n", b"a: b\r\n"),
    "one header field": Flood(b"GET / HTTP/1.1\r\nA: ", b"b"),
    "a request line": Flood(b"GET /", b"a"),
    "empty lines": Flood(b"", b"\r\n"),
    "noise": Flood(b"", bytes(range(256))),
    "long bodies without a token": Flood(POST + LONG, b"a=b&"),
    "long bodies with a wrong token": Flood(POST + WRONG_TOKEN + LONG, b"a=b&"),
    "requests without a pause": Flood(b"", PAYMENT_READ),
    "noise after a handshake": Flood(b"", bytes(range(256)), TLS),
    "3-D Secure objects": Flood(b"", areq_with(b'"a":[%b0]' % (b"{}," * 20_000)), ACS),
    "3-D Secure extensions": Flood(
        b"", areq_with(b'"messageExtension":[%b0]' % (b"1," * 30_000)), ACS
    ),
    "wrong passwords of many names": Flood(b"", sign_ins(500)),
    "malformed card messages": Flood(ECHO, MALFORMED, CARD),
    "SSH packets": Flood(SSH, b"\0\0\0\x0c\x04\x32" + b"x" * 10, SFTP),
    "payments of a merchant": Flood(b"", payments_with(b"a" * 2000)),
    "digits and signs of a merchant": Flood(b"", payments_with(b"4%25" * 1000)),
    "digits and blanks of a merchant": Flood(b"", payments_with(b"1+" * 1000)),
    "names of secrets of a merchant": Flood(b"", payments_with(b"%3Ccvv%3E" * 250)),
    "connections that are left": Flood(PAYMENT_READ, b"", is_left=True),
    "handshakes that are left": Flood(client_hello(), b"", TLS, is_left=True),
    "requests over TLS": Flood(b"", b"GET / HTTP/1.1\r\n" + HOST + b"\r\n", TLS),
}
HELD: Mapping[str, Flood] = {
    "silent connections": Flood(b"", b""),
    "half a header": Flood(b"GET / HTTP/1.1\r\n" + HOST + b"A: " + b"b" * 60_000, b""),
    "a header that is too long": Flood(b"GET / HTTP/1.1\r\n" + HOST + b"A: " + b"b" * 66_000, b""),
    "many header fields": Flood(b"GET / HTTP/1.1\r\n" + HOST + b"A: b\r\n" * 120, b""),
    "half a body": Flood(POST + b"Content-Length: 16000\r\n\r\n" + b"a=b&" * 3900, b""),
    "half a long body": Flood(POST + LONG + b"a=b&" * 16_000, b""),
    "silence after a handshake": Flood(b"", b"", TLS),
    "answers that are not taken": Flood(PAGE_SCRIPT * 4, b""),
    "malformed card messages that wait": Flood(ECHO + MALFORMED * 40, b"", CARD),
    "half a card message": Flood(ECHO + MALFORMED[:1000], b"", CARD),
    "half a handshake of SSH": Flood(SSH + b"\0\0\x7f\xff\x04\x14" + b"a" * 20_000, b"", SFTP),
}


class FloodResult(NamedTuple):
    """Latencies of the other merchant in seconds, its payments that were not taken, and the growth
    of the gateway's memory in bytes.
    """

    latencies: list[float]
    unanswered: int
    growth_bytes: int

    @property
    def p99_s(self) -> float:
        """The latency that one of a hundred requests exceeded."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) * 99 // 100, len(ordered) - 1)]


def port_of(server: ServerProcess, listener: str) -> int:
    """The port of a listener, whose address is a URL or a host and a port."""
    return int(str(server.facts[listener]).rstrip("/").rpartition(":")[2])


def run_flood(server: ServerProcess, name: str, *, connections: int, seconds: float) -> FloodResult:
    """Flood a gateway for some seconds, and pay at it meanwhile."""
    chosen = {**FLOODS, **HELD}[name]
    port = port_of(server, chosen.listener)
    with OtherMerchant(server, connects_to=chosen.listener if chosen.is_left else None) as merchant:
        merchant.pay()
        before = highest = memory_bytes(server)
        latencies: list[float] = []
        unanswered = 0
        with _flooding(port, name, connections, server.facts["token"]):
            until = monotonic() + seconds
            while monotonic() < until:
                began = monotonic()
                unanswered += not merchant.pay()
                latencies.append(monotonic() - began)
                highest = max(highest, memory_bytes(server))
                sleep(PAUSE_S)
    return FloodResult(latencies, unanswered, highest - before)


class OtherMerchant:
    """Another merchant of the gateway, who pays over one connection; with `connects_to` over a new
    one to this listener each time.
    """

    def __init__(self, server: ServerProcess, *, connects_to: str | None = None):
        self._merchant = create_merchant(server)
        self._connects = connects_to is not None
        if connects_to is not None:
            address, ca = str(server.facts[connects_to]), str(server.facts["ca_file"])
            self._merchant = self._merchant.reconnect(address, ca_file=ca)

    def __enter__(self) -> "OtherMerchant":
        return self

    def __exit__(self, *_: object) -> None:
        self._merchant.client.close()
        self._merchant.control.close()

    def pay(self) -> bool:
        """Whether a payment was taken."""
        if self._connects:
            self._merchant.client.close()
        try:
            return self._merchant.authorize(CENTS).status == HTTPStatus.OK
        except (OSError, HTTPException):
            self._merchant.client.close()
            return False


@contextmanager
def _flooding(port: int, name: str, connections: int, token: str) -> Iterator[None]:
    arguments = [str(port), name, str(connections), token]
    command = [sys.executable, "-m", "load.proof.floods", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


def flood(port: int, name: str, connections: int, token: str) -> None:
    """Flood a port until this process ends."""
    listed = {**FLOODS, **HELD}[name]
    chosen = listed._replace(piece=listed.piece.replace(TOKEN, token.encode()))
    if not chosen.piece and not chosen.is_left:
        held = [_open(port, chosen) for _ in range(connections)]
    else:
        held = []
        for _ in range(connections):
            threading.Thread(target=_send_on, args=(port, chosen), daemon=True).start()
    print(len(held), flush=True)
    sys.stdin.read()


def _open(port: int, chosen: Flood) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S)
    if chosen.is_tls:
        connection = _trusting().wrap_socket(connection)
    with suppress(OSError):
        connection.sendall(chosen.opening)
    return connection


def _send_on(port: int, chosen: Flood) -> None:
    while chosen.is_left:
        with suppress(OSError), _open(port, chosen):
            pass
    pieces = chosen.piece * max(PIECE_BYTES // len(chosen.piece), 1)
    while True:
        with suppress(OSError), _open(port, chosen) as connection:
            _send_without_end(connection, pieces)
        sleep(RETRY_S)


def _send_without_end(connection: socket.socket, pieces: bytes) -> None:
    """Send, and take what is answered: a gateway that cannot send its answers goes on with no other
    request.
    """
    connection.setblocking(False)
    left = memoryview(pieces)
    while True:
        readable, writable, _ = select([connection], [connection], [], TIMEOUT_S)
        if readable and not connection.recv(PIECE_BYTES):
            return
        if writable:
            left = left[connection.send(left) :] or memoryview(pieces)


if __name__ == "__main__":
    flood(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])
