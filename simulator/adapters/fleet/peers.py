"""Requests of one member of a fleet to another, over its internal listener."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

import msgspec
from geventhttpclient import HTTPClient
from geventhttpclient.response import HTTPConnectionClosed, HTTPParseError

from simulator.adapters.store.engine import FleetPeer
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
CONNECTIONS_MAX = 1000
PIECE_BYTES = 64 * 1024
SAFE_IN_PATH = "/:@!$&'()*+,;=~-._"


class UnservedError(Exception):
    """The member did not serve the request: it was not reached, stops, or is not its home."""


class LostForwardError(Exception):
    """The request was sent, and no answer came: whether it was carried out is unknown."""


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

    def forward(self, home: FleetPeer, place: str, environ: dict[str, Any]) -> ForwardedAnswer:
        """The answer of another member to a request whose body is at hand.

        Raises UnservedError, LostForwardError, and ValueError for what cannot be sent on.
        """
        headers = headers_of(environ) | {
            PLACE: place,
            LISTENER: environ["sandgate.listener"],
            SCHEME: environ["wsgi.url_scheme"],
            REMOTE: environ.get("REMOTE_ADDR", ""),
        }
        body: BytesIO = environ["wsgi.input"]
        return self.send(
            home,
            environ["REQUEST_METHOD"],
            target_of(environ),
            headers=headers,
            body=body.getvalue(),
        )

    def send(
        self,
        member: FleetPeer,
        method: str,
        target: str,
        *,
        headers: Mapping[str, str],
        body: bytes,
    ) -> ForwardedAnswer:
        """The answer of a member. Raises as `forward`."""
        if not member.url:
            raise UnservedError("its address is not known yet")
        client = self._client(member.url)
        try:
            # Connected first: what fails afterwards may have been carried out.
            response = client.request(method, target, body, {**headers, KEY: self._key})
        except HTTPConnectionClosed as error:
            raise LostForwardError(str(error)) from error
        except (ConnectionRefusedError, TimeoutError) as error:
            raise _failed(error) from error
        except (OSError, HTTPParseError) as error:
            raise LostForwardError(str(error)) from error
        if response.get(SERVED) is None:
            response.release()
            raise UnservedError(f"it answered {response.status_code}")
        return _answer_of(response)

    def _client(self, url: str) -> HTTPClient:
        client = self._clients.get(url)
        if client is None:
            parts = urlsplit(url)
            client = self._clients[url] = HTTPClient(
                parts.hostname or "",
                parts.port,
                connection_timeout=CONNECT_S,
                network_timeout=ANSWER_S,
                concurrency=CONNECTIONS_MAX,
                block_size=PIECE_BYTES,
            )
        return client


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
    query = environ.get("QUERY_STRING")
    return f"{path}?{query}" if query else path


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
    finally:
        response.release()
