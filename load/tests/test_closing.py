"""Reading back tells what is lost from what the gateway would not let us read."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import BadStatusLine
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from features.target.records import Target
from load.certificate import certify
from load.closing import BooksNotClosed, closing, gather
from load.place import Place
from load.tests.making import APPROVED, told

ENTITY = "8" * 32
PAID = told("d1")
SHOWN = {"id": "d1", "paymentType": "DB", "amount": "10.00", "currency": "EUR",
         "result": {"code": APPROVED}}  # fmt: skip
UNKNOWN = {"result": {"code": "700.400.580"}}


@contextmanager
def answering(status: int, body: bytes) -> Iterator[Place]:
    """A gateway that answers every read with the same."""

    class Reader(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Reader) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        base_url = f"http://127.0.0.1:{server.server_port}/"
        yield Place(Target(base_url, "t", ENTITY), "t", ENTITY)
        server.shutdown()


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (200, json.dumps(SHOWN).encode(), "kept"),
        (404, json.dumps(UNKNOWN).encode(), "BROKEN"),
        (429, json.dumps(UNKNOWN).encode(), "1 could not be read"),
        (503, json.dumps(UNKNOWN).encode(), "1 could not be read"),
        (200, b"<html>", "1 could not be read"),
    ],
)
def test_what_the_gateway_would_not_show_is_not_called_lost(status, body, verdict):
    with answering(status, body) as place:
        evidence = gather(place, [PAID], None, None, progress=lambda _: None)

    assert certify([PAID], evidence).clauses[0].verdict == verdict


def test_a_tree_that_could_not_be_read_is_not_called_empty():
    captured = told("c1", operation="refer_payment", type="CP", root="tree")
    with answering(503, b"") as place:
        evidence = gather(place, [captured], None, None, progress=lambda _: None)

    certificate = certify([captured], evidence)
    assert certificate.faults == []
    assert certificate.clauses[1].unread == 1


@pytest.mark.parametrize("error", [BadStatusLine("x"), ConnectionResetError(), ValueError("x")])
def test_a_gateway_that_cannot_be_read_after_a_run_is_said_so(error):
    with pytest.raises(BooksNotClosed, match="expected a gateway that can be read"), closing():
        raise error
