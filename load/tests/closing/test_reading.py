"""Reading back distinguishes a lost payment from one the gateway did not let us read."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import BadStatusLine
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from features.target.records import Target
from load.closing.check import check_ledger
from load.closing.reading import ClosingCheckError, raise_closing_errors, read_evidence
from load.gateway.target import LoadTarget
from load.tests.records import APPROVED, create_record

ENTITY = "8" * 32
PAID = create_record("d1")
SHOWN = {"id": "d1", "paymentType": "DB", "amount": "10.00", "currency": "EUR",
         "result": {"code": APPROVED}}  # fmt: skip
UNKNOWN = {"result": {"code": "700.400.580"}}


@contextmanager
def start_gateway_with_response(status: int, body: bytes) -> Iterator[LoadTarget]:
    """Start a gateway that answers every read with the same response."""

    class CannedResponseHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), CannedResponseHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        base_url = f"http://127.0.0.1:{server.server_port}/"
        yield LoadTarget(Target(base_url, "t", ENTITY), "t", ENTITY)
        server.shutdown()


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (200, json.dumps(SHOWN).encode(), "passed"),
        (404, json.dumps(UNKNOWN).encode(), "failed"),
        (429, json.dumps(UNKNOWN).encode(), "1 could not be read"),
        (503, json.dumps(UNKNOWN).encode(), "1 could not be read"),
        (200, b"<html>", "1 could not be read"),
    ],
)
def test_a_payment_that_could_not_be_read_is_not_reported_as_lost(status, body, verdict):
    with start_gateway_with_response(status, body) as target:
        evidence = read_evidence(target, [PAID], None, None, progress=lambda _: None)

    assert check_ledger([PAID], evidence).clauses[0].verdict == verdict


def test_a_tree_that_could_not_be_read_is_not_reported_as_empty():
    captured = create_record("c1", operation="refer_payment", type="CP", root="tree")
    with start_gateway_with_response(503, b"") as target:
        evidence = read_evidence(target, [captured], None, None, progress=lambda _: None)

    check = check_ledger([captured], evidence)
    assert check.faults == []
    assert check.clauses[1].unread == 1


ODD = [
    ["x"],
    {"a": 1},
    5,
    "text",
    [SHOWN, None],
    [SHOWN | {"result": "x"}],
    [SHOWN | {"result": [1]}],
]


@pytest.mark.parametrize("rows", ODD)
def test_a_report_whose_rows_are_no_payments_could_not_be_read(rows):
    captured = create_record("d1", operation="refer_payment", type="CP", root="tree")
    body = json.dumps(SHOWN | {"paymentType": "CP", "payments": rows}).encode()
    with start_gateway_with_response(200, body) as target:
        evidence = read_evidence(target, [captured], None, None, progress=lambda _: None)

    check = check_ledger([captured], evidence)
    assert [each.verdict for each in check.clauses[:2]] == ["passed", "1 could not be read"]


@pytest.mark.parametrize("error", [BadStatusLine("x"), ConnectionResetError(), ValueError("x")])
def test_a_gateway_that_cannot_be_read_after_a_run_raises_an_error_that_says_so(error):
    with pytest.raises(ClosingCheckError, match="expected a gateway"), raise_closing_errors():
        raise error
