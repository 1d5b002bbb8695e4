"""The merchant's receiver during a run: listens on loopback, opens what comes, notes when."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import time

from cryptography.exceptions import InvalidTag

from features.spec.envelopes import opened
from load.ledger import Heard

TAKEN, NOT_OURS = 200, 400


class Ear:
    """What came so far. `secret` opens it; what it does not open is counted and not taken."""

    def __init__(self) -> None:
        self.url = ""
        self.secret = ""
        self.heard: list[Heard] = []
        self.unreadable = 0

    def take(self, headers: dict[str, str], body: bytes) -> int:
        """Note one notification; the status to answer it with."""
        at = time()
        try:
            told = opened(headers, body, self.secret)
        except (InvalidTag, ValueError, KeyError):
            self.unreadable += 1
            return NOT_OURS
        payment = str(told.get("payload", {}).get("id", ""))
        identity = headers.get("x-event-id", "")
        self.heard.append(
            Heard(identity, str(told.get("type")), str(told.get("action")), payment, at)
        )
        return TAKEN


@contextmanager
def listening() -> Iterator[Ear]:
    """An ear that listens until the end of the block."""
    ear = Ear()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.send_response(ear.take(headers, body))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing: the certificate says what was missing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    ear.url = f"http://127.0.0.1:{server.server_port}/"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield ear
    finally:
        server.shutdown()
        server.server_close()
