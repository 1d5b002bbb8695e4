"""Reading back distinguishes a lost payment from one the gateway did not let us read."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import BadStatusLine
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from features.target.records import Target
from load.closing.check import NO_REPORTS, check_ledger
from load.closing.evidence import ClosingEvidence
from load.closing.reading import ClosingCheckError, raise_closing_errors, read_evidence
from load.closing.settlement import read_settled
from load.gateway.target import LoadTarget
from load.tests.records import APPROVED, create_record
from simulator.client import Control

ENTITY = "8" * 32
PAID = create_record("d1")
SHOWN = {"id": "d1", "paymentType": "DB", "amount": "10.00", "currency": "EUR",
         "result": {"code": APPROVED}}  # fmt: skip
UNKNOWN = {"result": {"code": "700.400.580"}}
TREE = [
    create_record("p1", type="PA", root="tree"),
    create_record("c1", operation="refer_payment", type="CP", root="tree"),
]
REPORTS = frozenset({"reports"})
FOUND = {"result": {"code": "000.000.100"}}
REPORTED = [{**SHOWN, "id": each.id, "paymentType": each.type} for each in TREE]


@contextmanager
def start_gateway_with_response(
    status: int, body: bytes, *, path: str = "", **facts: Any
) -> Iterator[LoadTarget]:
    """Start a gateway that answers every read with the same response; with `path`, reads of that
    one alone, and others as unknown.
    """

    class CannedResponseHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_there = not path or urlsplit(self.path).path == f"/{path}"
            content = body if is_there else json.dumps(UNKNOWN).encode()
            self.send_response(status if is_there else 404)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), CannedResponseHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        base_url = f"http://127.0.0.1:{server.server_port}/"
        target = Target(base_url, "t", ENTITY, **{"offers": REPORTS, **facts})
        yield LoadTarget(target, "t", ENTITY)
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
    with start_gateway_with_response(503, b"") as target:
        evidence = read_tree(target)

    check = check_ledger(TREE, evidence)
    assert check.faults == []
    assert check.clauses[1].unread == 1


def read_tree(target: LoadTarget) -> ClosingEvidence:
    return read_evidence(target, TREE, None, None, progress=lambda _: None)


UNREAD = "1 could not be read"


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (200, FOUND | {"payments": REPORTED}, "passed"),
        (200, FOUND | {"payments": []}, "failed"),
        (400, UNKNOWN, "failed"),
        (404, UNKNOWN, UNREAD),
        (403, {"result": {"code": "800.900.300"}}, UNREAD),
        (200, FOUND, UNREAD),
        (200, {"payments": REPORTED}, UNREAD),
    ],
)
def test_an_answer_that_is_no_report_is_not_an_empty_report(status, body, verdict):
    with start_gateway_with_response(status, json.dumps(body).encode()) as target:
        evidence = read_tree(target)

    assert check_ledger(TREE, evidence).clauses[1].verdict == verdict


@pytest.mark.parametrize("path", ["v1/query", "v2/reports"])
def test_a_tree_is_read_under_the_path_that_the_target_file_names(path):
    report = json.dumps(FOUND | {"payments": REPORTED}).encode()
    paths = {"v1/query": path}
    with start_gateway_with_response(200, report, path=path, paths=paths) as target:
        evidence = read_tree(target)

    assert check_ledger(TREE, evidence).clauses[1].verdict == "passed"


def test_without_reports_of_the_target_their_clause_is_not_checked():
    with start_gateway_with_response(404, b"", path="none", offers=frozenset()) as target:
        evidence = read_tree(target)

    clause = check_ledger(TREE, evidence).clauses[1]
    assert (clause.verdict, clause.not_checked, clause.unread) == ("not checked", NO_REPORTS, 0)
    assert "tree" not in evidence.unread


def test_a_target_that_does_not_offer_settlement_is_not_settled():
    with start_gateway_with_response(404, b"", sftp="127.0.0.1:1") as target:
        control = Control(target.target.base_url, "k")
        settled = read_settled(replace(target, control=control), 1, progress=lambda _: None)
        control.close()

    assert settled.not_checked == "the target settles nothing on request"


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
