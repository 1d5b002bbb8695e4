"""A gateway that fits on a screen: it approves every payment, and may be told to answer otherwise.

It has no control API, keeps nothing and checks nothing, so it tells a judge apart from a gateway.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

APPROVED, REFUSED, THROTTLED = "000.100.110", "200.300.404", "800.120.100"
TOKEN = "a-token-nobody-may-see-0123456789"
CAPABILITY = "6592b8ea207b01ec498c65eb7874a9115516ef12def7e791"


@dataclass
class Manners:
    """How it answers: after so long, throttling every n-th request, telling what it was sent,
    refusing whatever it is asked for.

    Under `control/` it has no more of a control API than this status and this body.
    """

    url: str = ""
    delay_s: float = 0.0
    throttles: set[int] = field(default_factory=set)
    echoes: bool = False
    refuses: bool = False
    asked: list[str] = field(default_factory=list)
    status: int = 200
    control_status: int = 200
    control_body: Any = None


@contextmanager
def little_gateway() -> Iterator[Manners]:
    """A gateway that answers until the end of the block."""
    manners = Manners()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def answer(self) -> None:
            sent = dict(parse_qsl(self.rfile.read(int(self.headers.get("Content-Length") or 0))))
            given = {name.decode(): text.decode() for name, text in sent.items()}
            manners.asked.append(self.path)
            time.sleep(manners.delay_s)
            is_throttled = len(manners.asked) in manners.throttles
            code = THROTTLED if is_throttled else APPROVED
            body = {"id": "8" * 32, "card": {"number": given.get("card.number")}}
            body["result"] = {"code": code, "description": "told"}
            if manners.refuses:
                body = {"result": {"code": REFUSED, "description": "told"}}
            elif manners.echoes:
                body["seen"] = f"{given} {self.headers.get('Authorization')}"
                body["redirect"] = {"url": f"{manners.url}threeDSecure/{'8' * 32}/{CAPABILITY}"}
            is_control = self.path.startswith("/control/")
            content = json.dumps(manners.control_body if is_control else body).encode()
            status = manners.control_status if is_control else manners.status
            self.send_response(429 if is_throttled else status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            if is_throttled:
                self.send_header("Retry-After", "1")
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Nothing: the judge tells what it saw."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    manners.url = f"http://127.0.0.1:{server.server_port}/"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield manners
    finally:
        server.shutdown()
        server.server_close()
