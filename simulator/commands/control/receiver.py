"""A small receiver of notifications: reads them, shows them, and may pass them on."""

import http.client
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from simulator.domain.webhooks.envelopes import (
    ATTEMPT_HEADER,
    ID_HEADER,
    UnreadableEnvelopeError,
    open_envelope,
)
from simulator.domain.webhooks.targets import WebhookUrl

BODY_BYTES_MAX = 16 * 1024 * 1024
FORWARD_S = 20.0
UNREACHABLE = 502
NOT_PASSED_ON = frozenset({"host", "connection", "content-length", "transfer-encoding"})
Headers = Mapping[str, str]


class Receiver:
    """Listens on loopback. `secrets` are tried in turn; `show` gets one document a notification."""

    def __init__(
        self,
        port: int,
        *,
        forward_to: WebhookUrl | None = None,
        count: int = 0,
        show: Callable[[Mapping[str, Any]], None],
    ):
        self.secrets: list[str] = []
        self._forward_to = forward_to
        self._count = count
        self._show = show
        self._seen = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def run(self) -> None:
        """Receive until enough has come, or for ever."""
        try:
            self._server.serve_forever(poll_interval=0.05)
        finally:
            self._server.server_close()

    def take(self, headers: Headers, body: bytes) -> int:
        """Print a notification; the status to respond with, which --forward-to decides if given."""
        named = {name.lower(): value for name, value in headers.items()}
        shown: dict[str, Any] = {
            "id": named.get(ID_HEADER.lower()),
            "attempt": named.get(ATTEMPT_HEADER.lower()),
        }
        status = 200
        try:
            shown.update(open_envelope(headers, body, self.secrets))
        except UnreadableEnvelopeError as error:
            shown["error"], status = str(error), 400
        if self._forward_to is not None:
            shown["forwarded"] = status = forwarded(self._forward_to, headers, body)
        self._print(shown)
        return status

    def _print(self, shown: Mapping[str, Any]) -> None:
        with self._lock:
            self._show(shown)
            self._seen += 1

    def end_if_enough(self) -> None:
        """Stop once as many have come as were asked for."""
        if self._count and self._seen >= self._count:
            self._server.shutdown()


def forwarded(target: WebhookUrl, headers: Headers, body: bytes) -> int:
    """The status with which `target` takes it as it came; 502 where it cannot be reached."""
    kind = http.client.HTTPSConnection if target.scheme == "https" else http.client.HTTPConnection
    link = kind(target.host, target.port, timeout=FORWARD_S)
    passed = {name: value for name, value in headers.items() if name.lower() not in NOT_PASSED_ON}
    try:
        link.request("POST", target.path, body=body, headers=passed)
        return link.getresponse().status
    except (OSError, http.client.HTTPException):
        return UNREACHABLE
    finally:
        link.close()


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """One connection of a sender."""

        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(min(length, BODY_BYTES_MAX))
            status = receiver.take(dict(self.headers.items()), body)
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()
            self.wfile.flush()
            receiver.end_if_enough()

        def log_message(self, *_: object) -> None:
            """What arrives is shown by the receiver."""

    return Handler
