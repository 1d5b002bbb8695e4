"""Requests of one member of a fleet to another, over its internal listener."""

from collections.abc import Collection, Iterator, Mapping
from io import BytesIO
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote, urlsplit

import gevent
import msgspec
from geventhttpclient import HTTPClient
from geventhttpclient.response import HTTPConnectionClosed, HTTPParseError

from simulator.adapters.http.limits import CONNECTIONS_MAX
from simulator.adapters.store.engine import FleetPeer
from simulator.domain.core.errors import UnreadableRequestError
from simulator.domain.transport import TransportFault

# What a forwarded request says beside what the client sent, and what its answer says.
KEY, PLACE = "X-Sandgate-Peer", "X-Sandgate-Place"
LISTENER, SCHEME, REMOTE = "X-Sandgate-Listener", "X-Sandgate-Scheme", "X-Sandgate-Remote"
SERVED, FAULT = "X-Sandgate-Served", "X-Sandgate-Fault"
OWN_HEADERS = (KEY, PLACE, LISTENER, SCHEME, REMOTE, SERVED, FAULT)
# Of one connection, not of the request.
HOP_BY_HOP = frozenset(
    {"CONNECTION", "KEEP_ALIVE", "TRANSFER_ENCODING", "UPGRADE", "EXPECT", "TE", "CONTENT_LENGTH"}
)
CONNECT_S, ANSWER_S = 1.0, 330.0
PIECE_BYTES = 64 * 1024
SAFE_IN_PATH = "/:@!$&'()*+,;=~-._"


class UnservedError(Exception):
    """The member did not serve the request: it was not reached, stops, or is not its home."""


class LostForwardError(Exception):
    """The request was sent, and no answer came: whether it was carried out is unknown."""


class UnfinishedBodyError(OSError):
    """The body of a request did not come whole; `error` says why."""

    def __init__(self, error: UnreadableRequestError):
        super().__init__(error.reason)
        self.error = error


class BodySource(Protocol):
    """A body that is still coming."""

    def read(self, size: int, /) -> bytes: ...


class ComingBody:
    """A body that is sent on while it comes, so that it is in no memory; once it `has_begun` it
    cannot be sent again.
    """

    def __init__(self, source: BodySource):
        self.has_begun = False
        self._source = source

    def read(self, size: int) -> bytes:
        """The next bytes. Raises UnfinishedBodyError."""
        self.has_begun = True
        try:
            return self._source.read(size)
        except UnreadableRequestError as error:
            raise UnfinishedBodyError(error) from error


class StatedBody:
    """The same of a stated length."""

    def __init__(self, source: BodySource, length: int):
        self._coming = ComingBody(source)
        self._length = length

    def __len__(self) -> int:
        return self._length

    @property
    def has_begun(self) -> bool:
        """Whether something of it was read."""
        return self._coming.has_begun

    def read(self, size: int) -> bytes:
        """The next bytes. Raises UnfinishedBodyError."""
        return self._coming.read(size)


Body = bytes | ComingBody | StatedBody


class ForwardedAnswer(NamedTuple):
    """What another member answered."""

    status: str
    headers: list[tuple[str, str]]
    pieces: Iterator[bytes]
    fault: TransportFault | None


class Peers:
    """The other members, each with its kept connections. `key` is the secret they share."""

    def __init__(self, key: str):
        self._key = key
        self._clients: dict[str, HTTPClient] = {}
        self._waiting: dict[FleetPeer, set[Any]] = {}

    def forward(
        self, home: FleetPeer, place: str, environ: dict[str, Any], body: Body
    ) -> ForwardedAnswer:
        """The answer of another member to a request. Raises UnservedError, LostForwardError, and
        UnreadableRequestError where the body does not come.
        """
        headers = headers_of(environ) | {
            PLACE: place,
            LISTENER: environ["sandgate.listener"],
            SCHEME: environ["wsgi.url_scheme"],
            REMOTE: environ.get("REMOTE_ADDR", ""),
        }
        method, target = environ["REQUEST_METHOD"], target_of(environ)
        return self.send(home, method, target, headers=headers, body=body)

    def send(
        self,
        member: FleetPeer,
        method: str,
        target: str,
        *,
        headers: Mapping[str, str],
        body: Body,
    ) -> ForwardedAnswer:
        """The answer of a member. Raises as `forward`."""
        if not member.url:
            raise UnservedError("its address is not known yet")
        client, waiting = self._client(member.url), self._waiting.setdefault(member, set())
        waiting.add(gevent.getcurrent())
        try:
            # Connected first: what fails afterwards may have been carried out. Of a file as a body
            # the library asks for no more than `read`.
            sent: Any = body
            response = client.request(method, target, sent, {**headers, KEY: self._key})
        except UnfinishedBodyError as left:
            raise left.error from left
        except HTTPConnectionClosed as error:
            raise LostForwardError(str(error)) from error
        except (ConnectionRefusedError, TimeoutError) as error:
            raise _failed(error) from error
        except (OSError, HTTPParseError) as error:
            raise LostForwardError(str(error)) from error
        finally:
            waiting.discard(gevent.getcurrent())
        if response.get(SERVED) is None:
            response.release()
            raise UnservedError(f"it answered {response.status_code}")
        return _answer_of(response)

    def give_up(self, present: Collection[int]) -> None:
        """Wait for no answer of a member that is not among these: it was removed, and may be silent
        for good. Each request that waits for one ends with a LostForwardError.
        """
        for peer in [each for each in self._waiting if each.number not in present]:
            waiting = self._waiting.pop(peer)
            self._clients.pop(peer.url, None)
            gevent.get_hub().loop.run_callback(_lose, waiting)

    def _client(self, url: str) -> HTTPClient:
        client = self._clients.get(url)
        if client is None:
            client = self._clients[url] = _client_at(url)
        return client


def _client_at(url: str) -> HTTPClient:
    """A client that sends each request once: who forwards decides what is sent again (D-652)."""
    parts = urlsplit(url)
    client = HTTPClient(
        parts.hostname or "",
        parts.port,
        connection_timeout=CONNECT_S,
        network_timeout=ANSWER_S,
        concurrency=CONNECTIONS_MAX,
        block_size=PIECE_BYTES,
    )
    # The library would send a PUT or DELETE again that was not answered, once more than this.
    client._connection_pool.size = -1
    # Nor is its name that of a client which sent none.
    client.default_headers.clear()
    return client


def body_of(environ: Mapping[str, Any]) -> Body:
    """The body of a request, which is at hand where it is short."""
    source = environ["wsgi.input"]
    if isinstance(source, BytesIO):
        return source.getvalue()
    if "HTTP_TRANSFER_ENCODING" in environ:
        return ComingBody(source)
    return StatedBody(source, int(environ["CONTENT_LENGTH"]))


def headers_of(environ: Mapping[str, Any]) -> dict[str, str]:
    """The headers of a request that go on with it; nothing of what members say to each other."""
    found = {
        key[5:].replace("_", "-").title(): value
        for key, value in environ.items()
        if key.startswith("HTTP_") and key[5:] not in HOP_BY_HOP
    }
    if environ.get("CONTENT_TYPE"):
        found["Content-Type"] = environ["CONTENT_TYPE"]
    return {name: value for name, value in found.items() if name not in OWN_HEADERS}


def target_of(environ: Mapping[str, Any]) -> str:
    """Path and query of a request."""
    path = quote(environ["PATH_INFO"].encode("latin-1"), safe=SAFE_IN_PATH)
    if path.startswith("//"):
        # Where a target begins so, a host would follow; read again, the path is the same.
        path = f"/%2F{path[2:]}"
    query = environ.get("QUERY_STRING")
    return f"{path}?{query}" if query else path


def _lose(waiting: set[Any]) -> None:
    # Called by the event loop, where everybody who waits does so for a socket.
    for greenlet in [*waiting]:
        if greenlet in waiting:
            greenlet.throw(LostForwardError("it was removed before it answered"))


def _failed(error: OSError) -> Exception:
    # A refused connection is one that was never made; a time-out may be of the answer.
    if isinstance(error, ConnectionRefusedError):
        return UnservedError(str(error))
    return LostForwardError(str(error))


def _answer_of(response: Any) -> ForwardedAnswer:
    ours = {name.lower() for name in OWN_HEADERS}
    headers = [
        (name, value)
        for name, value in response.headers
        if name.lower() not in ours and name.upper().replace("-", "_") not in HOP_BY_HOP | {"DATE"}
    ]
    length = response.get("content-length")
    if length is not None:
        headers.append(("Content-Length", length))
    fault = response.get(FAULT)
    return ForwardedAnswer(
        f"{response.status_code} {response.status_message or ''}".rstrip(),
        headers,
        _pieces_of(response),
        None if fault is None else msgspec.json.decode(fault, type=TransportFault),
    )


def _pieces_of(response: Any) -> Iterator[bytes]:
    try:
        while piece := response.read(PIECE_BYTES):
            yield bytes(piece)
    except (OSError, HTTPParseError) as error:
        raise LostForwardError(str(error)) from error
    finally:
        response.release()
