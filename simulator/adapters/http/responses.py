"""What the application answers, as bytes."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

WITHOUT_BODY = ("204", "304")
REASONS = {
    400: "Bad Request",
    408: "Request Timeout",
    414: "URI Too Long",
    421: "Misdirected Request",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
}


class ResponseHead:
    """Status and header fields of one answer. `close` is whether the connection ends with it."""

    __slots__ = ("close", "fields", "is_chunked", "status")

    def __init__(self, *, close: bool):
        self.close = close
        self.is_chunked = False
        self.status = ""
        self.fields: list[tuple[str, str]] = []

    def start(
        self, status: str, fields: list[tuple[str, str]], _: object = None, /
    ) -> Callable[[bytes], object]:
        """What WSGI calls start_response."""
        self.status, self.fields = status, fields
        return _refuse_write

    def to_bytes(self, date: str, *, method: str, version: str, length: int | None) -> bytes:
        """The head. A body of unknown length is sent in chunks, or ends with the connection."""
        head = f"HTTP/1.1 {self.status}\r\nDate: {date}\r\n"
        has_length = False
        for name, value in self.fields:
            head += f"{name}: {value}\r\n"
            has_length = has_length or name.lower() == "content-length"
        if head.count("\n") != len(self.fields) + 2:
            raise ValueError("a header field with a line break")
        if length is None and not has_length:
            self.is_chunked = version == "HTTP/1.1"
            self.close = self.close or not self.is_chunked
            head += "Transfer-Encoding: chunked\r\n" if self.is_chunked else ""
        elif not has_length and method != "HEAD" and self.status[:3] not in WITHOUT_BODY:
            head += f"Content-Length: {length}\r\n"
        return (head + ("Connection: close\r\n\r\n" if self.close else "\r\n")).encode("latin-1")

    def framed(self, piece: bytes) -> bytes:
        """A piece of the body as it is sent."""
        return b"%x\r\n%b\r\n" % (len(piece), piece) if self.is_chunked else piece


def refusal_of(status: int, body: bytes, date: str, *, method: str) -> bytes:
    """The answer to what is no request, or no request for the application: the last one."""
    head = (
        f"HTTP/1.1 {status} {REASONS[status]}\r\nDate: {date}\r\n"
        "Content-Type: application/json;charset=UTF-8\r\n"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + (b"" if method == "HEAD" else body)


@contextmanager
def whole_or_coming(pieces: Any) -> Iterator[bytes | None]:
    """The body if it is at hand. In the end the application knows that its answer was sent, or is
    not taken.
    """
    try:
        yield _whole_body(pieces)
    finally:
        close_pieces(pieces)


def close_pieces(pieces: Any) -> None:
    """Close an answer that wants to be closed."""
    close = getattr(pieces, "close", None)
    if close is not None:
        close()


def _whole_body(pieces: Iterable[bytes]) -> bytes | None:
    if not isinstance(pieces, list | tuple):
        return None
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _refuse_write(data: bytes) -> Any:
    raise RuntimeError("expected the body as the application's result")
