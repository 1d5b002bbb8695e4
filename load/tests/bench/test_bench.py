"""The bench runs and its figures have values and units. Their size is not tested here."""

import sys
from pathlib import Path

import pytest
import typer

from load.bench.__main__ import ITEMS, main, measure
from load.bench.payment import PARAMETERS, encode_form, payment_requests
from load.bench.plan import QUICK
from load.figures.figure import Figure
from reports.machine import describe_run


def test_the_measured_payment_has_forty_parameters():
    assert len(encode_form("8" * 32).split("&")) == 40
    assert "entityId" not in PARAMETERS


def test_a_prepared_request_states_its_length():
    request = payment_requests(
        "http://127.0.0.1:8080/", token="t", entity_id="8" * 32
    ).format_request(1)
    head, _, body = request.partition(b"\r\n\r\n")

    assert f"Content-Length: {len(body)}".encode() in head


def test_quick_figures_have_values_and_units():
    figures = measure(["sandboxes", "idle", "disk", "forms", "operations"], QUICK)

    assert all(isinstance(figure, Figure) and figure.values for figure in figures)
    assert {figure.name: figure.unit for figure in figures} == {
        "new sandbox": "ms", "reset of a sandbox": "ms", "sync of 8 KiB": "ms",
        "memory an idle sandbox": "KiB", "files of idle sandboxes": "open files",
        "openings of a form": "requests/s", "opening against bare application": "ratio",
        "p95, opening a form": "ms", "p95, opening against a payment": "ratio",
        "processor, authorization": "microseconds", "processor, capture": "microseconds",
        "processor, refund": "microseconds", "processor, registration": "microseconds",
        "processor, checkout created": "microseconds", "processor, checkout paid": "microseconds",
        "processor, execution": "microseconds",
    }  # fmt: skip


ANSWERING = """#!{python}
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{{}}")

port = int(sys.argv[sys.argv.index("--port") + 1])
ThreadingHTTPServer(("127.0.0.1", port), Answering).serve_forever()
"""


def test_programs_that_are_installed_are_measured_beside_the_gateway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    program = tmp_path / "prism"
    program.write_text(ANSWERING.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))

    figures = measure(["peers"], QUICK)

    names = ["answers, Prism", "payments beside Prism", "payment against Prism"]
    assert [figure.name for figure in figures] == names
    answers, payments, ratio = (figure.values for figure in figures)
    assert ratio == tuple(ours / theirs for ours, theirs in zip(payments, answers, strict=True))
    skipped = capsys.readouterr().err
    assert "skipped: WireMock, there is no wiremock on the PATH" in skipped
    assert "skipped: Mockoon, there is no mockoon-cli on the PATH" in skipped


def test_an_unknown_item_is_refused_with_the_known_ones():
    with pytest.raises(
        typer.BadParameter, match=f"expected some of {', '.join(ITEMS)}, got nothing"
    ):
        main(only=["nothing"], quick=True)


def test_the_machine_is_described_by_its_parts():
    described = describe_run("python -m load.bench")

    assert set(described) == {"command", "date", "machine", "versions"}
    assert set(described["machine"]) >= {"processor", "cores", "memory (GiB)", "system"}
    assert described["versions"]["falcon"]
