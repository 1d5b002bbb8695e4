"""Request heads, read strictly: what two readers could understand differently is refused.

A lenient reader in front of a strict one is how one request is smuggled inside another, so a line
without a colon, a blank before it, a folded line or a second length is an error here.
"""

import re
from typing import Protocol

FIELD = re.compile(
    rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*?)[ \t]*\r?\n"
)
LENGTH = re.compile(r"[0-9]{1,15}")
ONCE = frozenset({"content-length", "host", "transfer-encoding"})
PASSED_APART = frozenset({"content-length", "content-type"})


class Lines(Protocol):
    """A buffered stream of bytes."""

    def readline(self, limit: int, /) -> bytes: ...


class UnreadableHeadError(ValueError):
    """A request that cannot be read as HTTP; `status` answers it, `reason` is for the log."""

    def __init__(self, status: int, reason: str):
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Head:
    """The header fields of one request by their lower-case name, a repeated one joined by a comma.

    The methods are those the server asks of its own message class.
    """

    __slots__ = ("fields",)
    status = ""

    def __init__(self, fields: dict[str, str]):
        self.fields = fields

    def get(self, name: str, default: str | None = None) -> str | None:
        """The value of a field, or the default."""
        return self.fields.get(name.lower(), default)

    getheader = get

    def __delitem__(self, name: str) -> None:
        del self.fields[name]

    @property
    def typeheader(self) -> str | None:
        """The content type, or None."""
        return self.fields.get("content-type")

    @property
    def chunked(self) -> bool:
        """Whether the body comes in chunks; any other coding has been refused."""
        return "transfer-encoding" in self.fields

    def environ(self) -> list[tuple[str, str]]:
        """The fields under their WSGI names; one with an underscore could pass for another: no."""
        return [
            ("HTTP_" + name.upper().replace("-", "_"), value)
            for name, value in self.fields.items()
            if name not in PASSED_APART and "_" not in name
        ]


def read_head(lines: Lines, *, version: str, bytes_max: int) -> Head:
    """The header fields up to the empty line. Raises Unreadable."""
    head = Head(_fields(lines, bytes_max))
    _check_framing(head.fields, version)
    if version == "HTTP/1.1" and "host" not in head.fields:
        raise UnreadableHeadError(400, "an HTTP/1.1 request without a Host header")
    return head


def _fields(lines: Lines, left: int) -> dict[str, str]:
    fields: dict[str, str] = {}
    while True:
        line = lines.readline(left + 1)
        left -= len(line)
        if left < 0:
            raise UnreadableHeadError(431, "the header is too long")
        if line in (b"\r\n", b"\n"):
            return fields
        _add(fields, line)


def _add(fields: dict[str, str], line: bytes) -> None:
    match = FIELD.fullmatch(line)
    if match is None:
        raise UnreadableHeadError(400, "a header line that is no header field")
    name, value = match[1].decode("ascii").lower(), match[2].decode("latin-1")
    if name not in fields:
        fields[name] = value
    elif name in ONCE:
        raise UnreadableHeadError(400, f"a second {name} header")
    else:
        fields[name] += ("; " if name == "cookie" else ",") + value


def _check_framing(fields: dict[str, str], version: str) -> None:
    coding, length = fields.get("transfer-encoding"), fields.get("content-length")
    if length is not None and not LENGTH.fullmatch(length):
        raise UnreadableHeadError(400, "a Content-Length that is no number")
    if coding is None:
        return
    if length is not None:
        raise UnreadableHeadError(400, "both Content-Length and Transfer-Encoding")
    if version != "HTTP/1.1":
        raise UnreadableHeadError(400, "a Transfer-Encoding in a request before HTTP/1.1")
    if coding.lower() != "chunked":
        raise UnreadableHeadError(501, "a Transfer-Encoding other than chunked")
