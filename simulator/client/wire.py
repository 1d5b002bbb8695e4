"""What travels on the wire: one kept-alive connection, forms, and answers read from JSON."""

import contextlib
import http.client
import json
import re
import select
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import SplitResult, urlencode, urlsplit

from simulator.client.files.bounded import is_deeper_than, values_at_most
from simulator.client.shown.unreadable import HiddenHeaders
from simulator.client.timed_socket import TimedSocket, connect
from simulator.client.transport.links import plain_link, tls_link
from simulator.client.transport.sendable import trust_in

# What a server may make a client keep, and how long it may take to send it. Far above any answer of
# a merchant API; only a file is larger.
ANSWER_BYTES_MAX, ANSWER_S_MAX = 32 * 1024 * 1024, 120.0
# Longer than the 60 seconds that a gateway waits at most for what was asked.
ANSWERED_S_MAX = 75.0
# Of JSON, which takes a hundred times its size as objects. The largest documents of a gateway, the
# trace of ten thousand payments or a list of as many sandboxes, have less than half of that.
VALUES_MAX = 2_000_000
# No document of a gateway is nested so deeply. What is goes for no JSON: it could not be looked
# through without end.
LEVELS_MAX = 100
PIECE_BYTES = 64 * 1024
BLANKS_MAX = 1024
# What a server may answer as a file, which is no document though it may be a single JSON line.
FILE_TYPES = ("application/octet-stream", "application/x-ndjson")
# What a path holds; anything else would have to be encoded by the one who names the path.
PATH_SIGNS = re.compile(r"[!-~]*")
UNSENDABLE = "expected headers of printable signs of Latin-1, got others; nothing was sent"
# The keys of a path to a member: `["a[b]"]`, `[a.b]`, `ab`. Which names need neither quotes nor
# brackets, and which brackets alone.
KEYS = re.compile(r'(?s)\["((?:[^"\\]|\\.)*)"\]|\[([^\]]*)\]|([^.\[\]]+)')
BARE, BRACKETED = re.compile(r"[^.\[\]]+"), re.compile(r'[^"\[\]][^\[\]]*')

Parameters = Mapping[str, str] | Iterable[tuple[str, str]]


class Writable(Protocol):
    """Where a file is written, piece by piece."""

    def write(self, piece: bytes, /) -> object:
        """Write all of a piece."""


class UnsendablePathError(http.client.HTTPException):
    """A path that fits into no request, as with an id that holds a blank: nothing was sent."""

    def __init__(self, path: str):
        super().__init__(f"expected a path of printable ASCII without blanks, got {path!r}")
        self.path = path


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: status, headers by lower-case name, and the body, parsed where it is JSON.

    `body` is None for an empty body or one that was written into a file, and the raw bytes for one
    that is no JSON.
    """

    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def id(self) -> str:
        """The id of the payment, registration or checkout; empty when the answer has none."""
        return str(self.at("id") or "")

    @property
    def code(self) -> str:
        """The result code; empty when the answer has none."""
        return str(self.at("result.code") or "")

    @property
    def description(self) -> str:
        """The text beside the result code; empty when the answer has none."""
        return str(self.at("result.description") or "")

    @property
    def explanation(self) -> str:
        """Why the result code applies; empty when the answer does not explain it."""
        return str(self.at("resultDetails.ExtendedDescription") or "")

    @property
    def reason(self) -> str:
        """The description with its explanation, on one line."""
        return ": ".join(filter(None, (self.description, self.explanation)))

    @property
    def parameter_errors(self) -> list[Mapping[str, Any]]:
        """One entry a wrong parameter, with `name`, `value` and `message`."""
        return list(self.at("result.parameterErrors") or [])

    @property
    def is_file(self) -> bool:
        """Whether it is a success whose body is a file."""
        kind = self.headers.get("content-type", "").partition(";")[0].strip()
        return self.status < HTTPStatus.MULTIPLE_CHOICES and kind in FILE_TYPES

    @property
    def text(self) -> str:
        """A page or another text that is no JSON; empty where nothing of that kind came."""
        return self.body.decode("utf-8", "replace") if isinstance(self.body, bytes) else ""

    def at(self, path: str) -> Any:
        """What stands at a path such as `cart.items[0].name`, or None. A name with a dot stands in
        brackets, as in `customParameters[a.b]`, one with a bracket in quotes too: `["a[b]"]`.
        """
        found = self.body
        for key in keys_of(path):
            if isinstance(found, Mapping) and key in found:
                found = found[key]
            elif isinstance(found, list) and key.isdigit() and int(key) < len(found):
                found = found[int(key)]
            else:
                return None
        return found


@dataclass(frozen=True, slots=True)
class OutgoingRequest:
    """One request before it is sent; `path` is relative to the base address."""

    base_url: str
    method: str
    path: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    timeout_s: float = 10
    bytes_max: int = ANSWER_BYTES_MAX
    answer_s: float = ANSWER_S_MAX
    into: Writable | None = None


SendRequest = Callable[[], Answer]
# Stands around every request of a connection: it is given the request and what sends it, and
# answers. It may write down what it sees, wait before it sends, or send again.
Interceptor = Callable[[OutgoingRequest, SendRequest], Answer]


class Connection:
    """A kept-alive connection to a base address, opened when first needed; several threads may use
    it, and what they ask at the same time goes over as many connections.

    A request is never sent twice: a connection the other side has closed meanwhile is noticed
    before anything is written to it. `around` is asked to send each request, where there is one.
    The server is silent for at most `timeout_s` seconds, and its answer whole within `answer_s`, or
    `timeout_s` where that is longer. Its body has at most `bytes_max` bytes, and where it is JSON
    VALUES_MAX values, unless it goes into a file.
    """

    def __init__(
        self,
        base_url: str,
        *,
        timeout_s: float = 10,
        ca_file: str | None = None,
        around: Interceptor | None = None,
        bytes_max: int = ANSWER_BYTES_MAX,
        answer_s: float = ANSWER_S_MAX,
    ):
        self.base_url = base_url
        self._around = around
        self._base = urlsplit(base_url)
        self._path = self._base.path.rstrip("/") + "/"
        self._timeout_s = timeout_s
        self._bytes_max = bytes_max
        self._answer_s = answer_s
        self._tls = _tls_of(self._base, ca_file)
        self._idle: list[http.client.HTTPConnection] = []

    def ask(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        into: Writable | None = None,
    ) -> Answer:
        """The answer to one request; `path` is relative to the base address. A file that is
        answered is written `into` another, piece by piece, where there is one.

        Raises OSError or http.client.HTTPException when none came, of which UnsendablePathError is
        one where nothing could be asked.
        """
        headers = HiddenHeaders(headers)
        if not PATH_SIGNS.fullmatch(path):
            raise UnsendablePathError(path)
        limits = self._timeout_s, self._bytes_max, self._answer_s
        asked = OutgoingRequest(self.base_url, method, path, headers, body, *limits, into)
        return self._around(asked, lambda: self._ask(asked)) if self._around else self._ask(asked)

    def another(self) -> "Connection":
        """A second connection to the same address."""
        other = copy(self)
        other._idle = []
        return other

    def close(self) -> None:
        """Close what no request uses just now; the next request opens another."""
        while link := self._taken():
            link.close()

    def _ask(self, asked: OutgoingRequest) -> Answer:
        link, answer = self._link(), None
        try:
            self._begin(link)
            self._send(link, asked)
            answer = _answer_of(link.getresponse(), self._bytes_max, asked.into)
        finally:
            if answer is None:
                link.close()
        if answer.headers.get("connection", "").lower() == "close":
            link.close()
        else:
            self._idle.append(link)
        return answer

    def _send(self, link: http.client.HTTPConnection, asked: OutgoingRequest) -> None:
        path = self._path + asked.path
        # A server may refuse a large body before it has read it all: its answer still counts.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            try:
                link.request(asked.method, path, body=asked.body, headers=asked.headers)
            except OSError as error:
                # `http.client` has the headers as bytes, which pytest would show.
                raise error.with_traceback(None) from None
            except ValueError:
                raise http.client.HTTPException(UNSENDABLE) from None

    def _begin(self, link: http.client.HTTPConnection) -> None:
        # What `http.client` does with a socket it can do with this one.
        timed: Any = link.sock
        if timed is None:
            plain = connect(link.host, link.port, tls=self._tls, within_s=self._timeout_s)
            timed = TimedSocket(plain, silent_s=self._timeout_s, answer_s=self._answer_s)
            link.sock = timed
        timed.begin()

    def _link(self) -> http.client.HTTPConnection:
        """A link that is this request's alone until it is answered."""
        while link := self._taken():
            if not _is_dropped(link):
                return link
            link.close()
        return self._new_link()

    def _taken(self) -> http.client.HTTPConnection | None:
        # Another thread may take the last one between a look at the list and a pop.
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _new_link(self) -> http.client.HTTPConnection:
        host, port = self._base.hostname or "", self._base.port
        if self._tls is None:
            return plain_link(host, port, timeout=self._timeout_s)
        return tls_link(host, port, timeout=self._timeout_s, context=self._tls)


def pairs_of(parameters: Parameters) -> list[tuple[str, str]]:
    """Parameters as a list of name and value, whether they came as a mapping or as pairs. Raises
    TypeError for anything else.
    """
    given = parameters.items() if isinstance(parameters, Mapping) else parameters
    pairs = list(given) if isinstance(given, Iterable) else [given]
    if all(map(_is_pair, pairs)):
        return pairs
    kind = type(parameters).__name__
    raise TypeError(f"parameters: expected a mapping of names to values, got {kind}")


def _is_pair(pair: object) -> bool:
    return isinstance(pair, tuple | list) and len(pair) == 2


def form_of(parameters: Parameters) -> bytes:
    """Parameters as a form body: UTF-8, percent-encoded, in the order given."""
    return urlencode(pairs_of(parameters)).encode("ascii")


def _tls_of(base: SplitResult, ca_file: str | None) -> ssl.SSLContext | None:
    return trust_in(ca_file) if base.scheme == "https" else None


def _is_dropped(link: http.client.HTTPConnection) -> bool:
    """Whether an idle connection is of no more use: nothing but its end makes it readable."""
    if link.sock is None:
        return True
    poll = select.poll()
    poll.register(link.sock, select.POLLIN)
    return bool(poll.poll(0))


def _answer_of(response: http.client.HTTPResponse, bytes_max: int, into: Writable | None) -> Answer:
    headers = {name.lower(): value for name, value in response.getheaders()}
    answer = Answer(response.status, headers, None)
    if into is None or not answer.is_file:
        return replace(answer, body=_body_of(_read_within(response, bytes_max)))
    for piece in _pieces_of(response):
        into.write(piece)
    return answer


def _read_within(response: http.client.HTTPResponse, bytes_max: int) -> bytes:
    """The whole body. Raises http.client.HTTPException where it is too long or cut off."""
    content = bytearray()
    for piece in _pieces_of(response):
        content += piece
        if len(content) > bytes_max:
            raise http.client.HTTPException(f"expected at most {bytes_max} bytes, got more")
    return bytes(content)


def _pieces_of(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """The body, piece by piece. Raises http.client.HTTPException where it is cut off."""
    count = 0
    while piece := response.read1(PIECE_BYTES):
        count += len(piece)
        yield piece
    if response.length:
        missing = f"expected {response.length} bytes more than the {count} that came"
        raise http.client.HTTPException(missing)
    # It notices the end, so that the connection takes the next request.
    yield response.read()


def _body_of(content: bytes) -> Any:
    """What is JSON as objects. Raises http.client.HTTPException where there are too many."""
    if not content:
        return None
    begins = content[:BLANKS_MAX].lstrip()[:1]
    if begins in (b"[", b"{", b"") and values_at_most(content) > VALUES_MAX:
        raise http.client.HTTPException(f"expected at most {VALUES_MAX} values, got more")
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return content
    return content if _is_too_deep(content, document) else document


def _is_too_deep(content: bytes, document: Any) -> bool:
    # Most answers have fewer brackets than levels are allowed.
    opened = content.count(b"[") + content.count(b"{")
    return opened > LEVELS_MAX and is_deeper_than(LEVELS_MAX, document)


def keys_of(path: str) -> Iterator[str]:
    """The keys of a path such as `cart.items[0].name`. Undoes `path_of`."""
    for found in KEYS.finditer(path):
        quoted, bracketed, bare = found.groups()
        yield re.sub(r"(?s)\\(.)", r"\1", quoted) if quoted is not None else bracketed or bare or ""


def path_of(keys: Iterable[str]) -> str:
    """The path to the member under these keys, whatever signs are in them."""
    return "".join(map(_step_to, keys)).removeprefix(".")


def _step_to(key: str) -> str:
    if BARE.fullmatch(key):
        return f".{key}"
    if BRACKETED.fullmatch(key):
        return f"[{key}]"
    quoted = re.sub(r'(["\\])', r"\\\1", key)
    return f'["{quoted}"]'
