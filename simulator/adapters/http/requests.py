"""Requests read out of the bytes of one connection: incrementally, strictly, one at a time.

llhttp (by httptools) reads header fields, lengths and chunks, and refuses what two readers could
understand differently. It is fed up to the empty line that ends a head, then as far as the stated
length or up to each empty line of a chunked body: so the first byte of every request is known, and
nothing of the next one is read with this one. What llhttp would let pass is refused here: in the
request line, which is not left to it, and in `_check_head`. Choices: D-70, D-71.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser

from simulator.adapters.http.limits import Limits
from simulator.domain.core.errors import UnreadableRequestError

# A method is written in letters: one of digits could be the number of a card.
REQUEST_LINE = re.compile(rb"([A-Za-z-]{1,32}) ([\x21-\x7e\x80-\xff]+) HTTP/(1\.[01])\r\n")
# The framework takes this for a mark of its own, and fails; in small letters it is no method.
MARK = "WEBSOCKET"
WHOLE_URL = re.compile(r"https?://([^/?]*)", re.IGNORECASE)
UPGRADE = re.compile(rb"(?<=\r\n)upgrade:[^\r]*\r\n", re.IGNORECASE)
EMPTY_LINE = b"\r\n\r\n"
# A chunk of one byte has five bytes around it. What comes beyond that are extensions and trailers.
CHUNK_BYTES = 6
# Empty lines of a chunked body that are looked at in one turn.
PIECES_MAX = 16
FRAMING_BYTES_MAX = 16 * 1024
AHEAD_BYTES_MAX = 16 * 1024
ONCE = frozenset({"HTTP_HOST", "HTTP_TRANSFER_ENCODING"})
UNPREFIXED = frozenset({"CONTENT_LENGTH", "CONTENT_TYPE"})
USUAL_NAMES = (
    "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Authorization",
    "Cache-Control", "Connection", "Content-Length", "Content-Type", "Cookie", "Expect", "Host",
    "Idempotency-Key", "Origin", "Referer", "Transfer-Encoding", "User-Agent",
)  # fmt: skip


class IncomingRequest:
    """A request whose head was read. `stated` is the length of its body, None for a chunked one;
    `body` is what came of it and was not taken yet, `length` how much came in all; `read` counts
    what is around its chunks as well.
    """

    __slots__ = ("body", "environ", "expects", "is_whole", "keeps_open", "length", "read", "stated",
                 "tail")  # fmt: skip

    def __init__(self, environ: dict[str, Any], *, keeps_open: bool):
        self.environ = environ
        self.keeps_open = keeps_open
        self.body = bytearray()
        self.stated = None if _is_chunked(environ) else int(environ.get("CONTENT_LENGTH", 0))
        self.expects = environ.get("HTTP_EXPECT", "").lower() == "100-continue"
        self.is_whole = False
        self.length = self.read = 0
        self.tail = b""

    @property
    def is_read_ahead(self) -> bool:
        """Whether a body that is not whole is read before the application is called."""
        come = max(self.stated or 0, len(self.body))
        return not self.is_whole and come <= AHEAD_BYTES_MAX


class RequestReader:
    """Reads the requests of a connection. `request` is the present one once its head is whole,
    `unread` what came after it.
    """

    __slots__ = ("_authority", "_base", "_environ", "_is_complete", "_keeps_open", "_limits",
                 "_parser", "request", "unread")  # fmt: skip

    def __init__(self, base: Mapping[str, Any], *, limits: Limits):
        self._base = base
        self._limits = limits
        self._environ: dict[str, Any] = {}
        self._authority: str | None = None
        self._is_complete = self._keeps_open = False
        self._parser: HttpRequestParser | None = HttpRequestParser(self)
        self.request: IncomingRequest | None = None
        self.unread = b""

    def feed(self, data: bytes) -> None:
        """Read on, at most to the end of the present request, and no longer than others can wait:
        then something is left in `unread`. Raises UnreadableRequestError.
        """
        self.unread = self.unread + data if self.unread else data
        if self.request is None:
            self.request = self._read_head()
        if self.request is not None and not self.request.is_whole:
            self._read_body(self.request)

    def go_on(self) -> None:
        """Begin the next request with what has come of it. Raises UnreadableRequestError."""
        self.request, self._environ = None, {}
        if self.unread:
            self.feed(b"")

    def close(self) -> None:
        """Read no more: release what came, and the parser, which references this reader."""
        self.request, self.unread, self._parser, self._environ = None, b"", None, {}

    @property
    def method(self) -> str:
        """The method of the latest request line that could be read."""
        return str(self._environ.get("REQUEST_METHOD", ""))

    @property
    def held(self) -> int:
        """Bytes in memory of what is still being read."""
        return len(self.unread) + (0 if self.request is None else len(self.request.body))

    def _read_head(self) -> IncomingRequest | None:
        limits = self._limits
        unread = self.unread = self.unread.removeprefix(b"\r\n")
        line_end = unread.find(b"\n") + 1
        if (line_end or len(unread)) > limits.line_bytes_max:
            raise UnreadableRequestError(414, "the request line is too long")
        line = REQUEST_LINE.fullmatch(unread, 0, line_end) if line_end else None
        if line_end and line is None:
            raise UnreadableRequestError(400, "the request line is malformed")
        end = unread.find(EMPTY_LINE) + len(EMPTY_LINE)
        is_whole = end >= len(EMPTY_LINE)
        if (end if is_whole else len(unread)) - line_end > limits.head_bytes_max:
            raise UnreadableRequestError(431, "the header is too long")
        if line is None or not is_whole:
            return None
        if unread.count(b"\r\n", line_end, end) > limits.fields_max + 1:
            said = f"the header has more than {limits.fields_max} fields"
            raise UnreadableRequestError(431, said)
        self.unread = unread[end:]
        self._begin(line)
        # A line that llhttp always knows: unknown methods are answered by the application.
        return self._parse_head(b"POST / HTTP/%b\r\n%b" % (line[3], unread[line_end:end]))

    def _begin(self, line: re.Match[bytes]) -> None:
        target, self._authority = _origin_form(line[2].decode("latin-1"))
        path, _, query = target.partition("?")
        if "%" in path:
            path = unquote_to_bytes(path.encode("latin-1")).decode("latin-1")
        self._is_complete = False
        self._environ = {
            **self._base,
            "REQUEST_METHOD": _method_in(line),
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_PROTOCOL": "HTTP/" + line[3].decode("ascii"),
        }

    def _parse_head(self, head: bytes) -> IncomingRequest:
        begun = self._environ.copy()
        try:
            self._parse(head)
        except HttpParserUpgrade:
            # No protocol is changed here: the head is read again as if the client had not asked.
            self._environ, self._parser = begun, HttpRequestParser(self)
            self._is_complete = False
            return self._parse_head(UPGRADE.sub(b"", head))
        environ = self._environ
        _check_head(environ)
        if self._authority is not None:
            environ["HTTP_HOST"] = self._authority
        request = IncomingRequest(environ, keeps_open=self._keeps_open)
        request.is_whole = self._is_complete
        return request

    def _read_body(self, request: IncomingRequest) -> None:
        for _ in range(PIECES_MAX):
            if not self.unread or request.is_whole:
                break
            size = self._piece_size(request)
            piece, self.unread = self.unread[:size], self.unread[size:]
            self._parse(piece)
            request.read += len(piece)
            request.is_whole = self._is_complete
            if request.read > CHUNK_BYTES * request.length + FRAMING_BYTES_MAX:
                raise UnreadableRequestError(400, "too much in chunk extensions and trailers")

    def _piece_size(self, request: IncomingRequest) -> int:
        """How much of what is unread belongs to this body for certain."""
        if request.stated is not None:
            return request.stated - request.read
        seen = request.tail + self.unread
        end = seen.find(EMPTY_LINE)
        size = len(self.unread) if end < 0 else end + len(EMPTY_LINE) - len(request.tail)
        request.tail = seen[: len(request.tail) + size][-len(EMPTY_LINE) + 1 :]
        return size

    def _parse(self, data: bytes) -> None:
        try:
            if self._parser is not None:
                self._parser.feed_data(data)
        except HttpParserError as error:
            cause = error.__context__
            if isinstance(cause, UnreadableRequestError):
                raise cause from None
            # Its text is a constant of the parser: it repeats nothing of the request.
            raise UnreadableRequestError(400, str(error)) from None

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by the parser: a field of the head, or a trailer, of which nothing is kept."""
        key = KEYS.get(name) or _key_of(name)
        if self.request is not None or key is None:
            return
        text, environ = value.decode("latin-1").rstrip(" \t"), self._environ
        if key not in environ:
            environ[key] = text
        elif key in ONCE:
            raise UnreadableRequestError(400, "a header that may come once came twice")
        else:
            environ[key] += ("; " if key == "HTTP_COOKIE" else ",") + text

    def on_headers_complete(self) -> None:
        """Called by the parser: the head is whole. A client of HTTP/1.0 is served once."""
        assert self._parser is not None
        is_new = self._environ["SERVER_PROTOCOL"] == "HTTP/1.1"
        self._keeps_open = is_new and bool(self._parser.should_keep_alive())

    def on_body(self, piece: bytes) -> None:
        """Called by the parser: bytes of the body."""
        request = self.request
        assert request is not None
        request.body += piece
        request.length += len(piece)

    def on_message_complete(self) -> None:
        """Called by the parser: the request is whole."""
        self._is_complete = True


def _check_head(environ: Mapping[str, Any]) -> None:
    """Refuse what llhttp would let pass. Raises UnreadableRequestError."""
    version, coding = environ["SERVER_PROTOCOL"], environ.get("HTTP_TRANSFER_ENCODING")
    if "HTTP_HOST" not in environ and version == "HTTP/1.1":
        raise UnreadableRequestError(400, "an HTTP/1.1 request without a Host header")
    if coding is not None and version != "HTTP/1.1":
        raise UnreadableRequestError(400, "a Transfer-Encoding in a request before HTTP/1.1")
    if coding is not None and coding.lower() != "chunked":
        raise UnreadableRequestError(501, "a Transfer-Encoding other than chunked")
    has_body = coding is not None or int(environ.get("CONTENT_LENGTH", 0)) > 0
    if environ["REQUEST_METHOD"] == "HEAD" and has_body:
        raise UnreadableRequestError(400, "a HEAD request with a body")


def _is_chunked(environ: Mapping[str, Any]) -> bool:
    return "HTTP_TRANSFER_ENCODING" in environ


def _method_in(line: re.Match[bytes]) -> str:
    method = line[1].decode("ascii")
    return method.lower() if method == MARK else method


def _origin_form(target: str) -> tuple[str, str | None]:
    """The path and query of a request target; a whole URL is what a proxy would send, and the host
    in it counts, not that of the field. Source: RFC 9112, 3.2.2.
    """
    if target.startswith("/") or target == "*":
        return target, None
    found = WHOLE_URL.match(target)
    if found is None:
        raise UnreadableRequestError(400, "a request target that is no path")
    rest = target[found.end() :]
    return rest if rest.startswith("/") else f"/{rest}", found[1]


def _key_of(name: bytes) -> str | None:
    """The WSGI name of a field; one with an underscore could pass for another: None."""
    key = name.decode("latin-1").upper().replace("-", "_")
    if b"_" in name:
        return None
    return key if key in UNPREFIXED else f"HTTP_{key}"


# How nearly every client spells them.
KEYS = {
    spelled.encode(): _key_of(name.encode())
    for name in USUAL_NAMES
    for spelled in (name, name.lower())
}
