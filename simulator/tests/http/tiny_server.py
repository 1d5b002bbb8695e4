"""A listener with a tiny application, for tests over real sockets.

Run as `python -m gevent.monkey tiny_server.py FOLDER SECONDS_OF_GRACE`.

Prints one JSON line with its ports, and a second one with what was cut when it stops.
"""

import json
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import gevent

from simulator.adapters.http.limits import Limits
from simulator.adapters.http.server import (
    ListenerOptions,
    close_listeners,
    new_budgets,
    open_listener,
)
from simulator.adapters.http.tls import certificate_for, server_context
from simulator.domain.core.errors import EpochEndedError

LIMITS = Limits(head_bytes_max=4096, idle_s=1.0, head_s=0.4, body_s=0.4, linger_s=0.5)
BODY_BYTES_MAX = 100_000
LONG_BYTES = 8 * 1024 * 1024


def pieces_of_what_is_gone():
    """The first piece of a list; what the others would be read of is deleted."""
    yield b"one "
    raise EpochEndedError("the sandbox was reset, restored or deleted")


def application(environ, start_response):
    """What arrived, as JSON; /slow takes its time, /boom fails, /stream comes in pieces, /long is
    long, /gone ends after a piece, /upload reads its body itself, or none of it.
    """
    path = environ["PATH_INFO"]
    if path == "/slow":
        time.sleep(0.5)
    if path == "/boom":
        raise RuntimeError("boom")
    if path == "/long":
        start_response("200 OK", [])
        return [b"a" * LONG_BYTES]
    if path == "/stream":
        start_response("200 OK", [])
        return (piece for piece in (b"one ", b"two"))
    if path == "/gone":
        start_response("200 OK", [])
        return pieces_of_what_is_gone()
    if path == "/upload":
        start_response("200 OK", [])
        pieces = iter(lambda: environ["wsgi.input"].read(10_000), b"")
        read = 0 if environ["QUERY_STRING"] else sum(map(len, pieces))
        return [json.dumps({"read": read}).encode()]
    stated = int(environ.get("CONTENT_LENGTH") or 0)
    sent = b"" if stated > BODY_BYTES_MAX else environ["wsgi.input"].read(BODY_BYTES_MAX + 1)
    length = max(stated, len(sent))
    seen = {
        "method": environ["REQUEST_METHOD"],
        "path": path,
        "length": length,
        "body": "" if length > BODY_BYTES_MAX else sent.decode("latin-1"),
        "listener": environ["sandgate.listener"],
        "scheme": environ["wsgi.url_scheme"],
        "headers": {key: value for key, value in environ.items() if key.startswith("HTTP_")},
    }
    status = "413 Content Too Large" if length > BODY_BYTES_MAX else "200 OK"
    body = json.dumps(seen).encode()
    start_response(status, [("Content-Length", str(len(body)))])
    return [body]


def answer(status, reason):
    """The body of an answer that no application gave."""
    return json.dumps({"status": status}).encode()


def main(folder):
    """Serve until SIGTERM."""
    tls = server_context(certificate_for((), folder=Path(folder), now=datetime.now(UTC)))
    options = ListenerOptions(answer, new_budgets(), limits=LIMITS)
    plain = open_listener("plain", ("127.0.0.1", 0), application, options=options)
    secure = open_listener("tls", ("127.0.0.1", 0), application, options=options, tls=tls)
    stopped = gevent.event.Event()
    gevent.signal_handler(signal.SIGTERM, stopped.set)
    print(json.dumps({"plain": plain.server_port, "tls": secure.server_port}), flush=True)
    stopped.wait()
    grace_s, idle_s = map(float, sys.argv[2:])
    cut = close_listeners([plain, secure], grace_s=grace_s, idle_s=idle_s)
    print(json.dumps({"cut": cut}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
