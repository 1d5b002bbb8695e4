"""Who may speak to the page: this machine, by its own name, from the page itself.

Another page in the same browser can send requests here, or lead a name of its own to 127.0.0.1. The
first lacks the token of the page, the second names another host.
"""

import secrets
from collections.abc import Mapping
from email.message import Message

from simulator.client.listener import ReceivedRequest

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
BODY_BYTES_MAX = 4096
CONNECTIONS_MAX = 64
TOKEN_HEADER = "x-terminal-page"
JSON = "application/json"


class Guard:
    """The token of one start of the page, and the names it answers to once it has a port."""

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(24)
        self.hosts: frozenset[str] = frozenset()

    def listen_on(self, port: int) -> None:
        """Answer to the names of this machine on this port."""
        self.hosts = frozenset(f"{name}:{port}" for name in LOOPBACK_NAMES)

    def admit(self, headers: Message) -> int:
        """The status that refuses a request before its body is read, 0 admits it."""
        if "Transfer-Encoding" in headers:
            return 411
        length = headers.get("Content-Length", "0")
        if not (length.isascii() and length.isdecimal() and len(length) < 10):
            return 400
        if int(length) > BODY_BYTES_MAX:
            return 413
        return 0 if headers.get("Host", "").lower() in self.hosts else 421

    def complaint_about(self, request: ReceivedRequest) -> str:
        """Why a request may change nothing, or ""."""
        headers: Mapping[str, str] = request.headers
        origin = headers.get("origin", "")
        if origin and origin.removeprefix("http://") not in self.hosts:
            return f"expected the origin of this page, got {origin[:80]!r}"
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return "expected a request of this page, got one of another site"
        if not secrets.compare_digest(headers.get(TOKEN_HEADER, "").encode(), self.token.encode()):
            return f"expected the token of this page in {TOKEN_HEADER}; load the page again"
        if headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            return f"expected Content-Type {JSON}"
        return ""
