"""Where the load goes: to the target alone, over TLS only to whom the target trusts."""

import signal
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import psutil
import pytest

from features.target_file import target_file
from load.tests.commands import read_json, sandgate_load, start_load
from simulator.adapters.tls import certificate_for

FEW = ("-u", "1", "-t", "1s", "--think", "0.2", "--users", "merchant")


@contextmanager
def answering(status: int, *, location: str = "", folder: Path | None = None) -> Iterator[list]:
    """A server that answers one thing to all, over TLS with certificates in a folder.

    Its port comes first, then the path of each request.
    """
    asked: list = []

    class Same(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

        do_GET = do_POST

    server = ThreadingHTTPServer(("127.0.0.1", 0), Same)
    if folder is not None:
        made = certificate_for([], folder=folder, now=datetime.now(UTC))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(made.chain, made.key)
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    asked.append(server.server_address[1])
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield asked
    finally:
        server.shutdown()
        server.server_close()


def described(folder: Path, **facts: str) -> str:
    (folder / "target.toml").write_text(target_file({"token": "t", "entity_id": "e", **facts}))
    return "target.toml"


def test_a_redirect_is_a_wrong_answer_and_is_not_followed(tmp_path):
    with (
        answering(200) as stranger,
        answering(307, location=f"http://127.0.0.1:{stranger[0]}/") as asked,
    ):
        target = described(tmp_path, base_url=f"http://127.0.0.1:{asked[0]}/")
        ran = sandgate_load(target, *FEW, "--json", "report.json", folder=tmp_path)

    assert len(asked) > 1, ran.errors
    assert stranger[1:] == []
    assert read_json(tmp_path / "report.json")["overall"]["failed"] > 0


@pytest.mark.parametrize("is_trusted", [True, False])
def test_a_certificate_is_believed_where_the_target_says_who_signed_it(tmp_path, is_trusted):
    with answering(500, folder=tmp_path / "tls") as asked:
        facts = {"base_url": f"https://127.0.0.1:{asked[0]}/"}
        if is_trusted:
            facts["ca_file"] = "tls/ca.pem"
        ran = sandgate_load(
            described(tmp_path, **facts), *FEW, "--json", "report.json", folder=tmp_path
        )

    assert (len(asked) > 1) == is_trusted, ran.errors


def test_a_run_that_is_told_to_end_leaves_no_process_and_no_token_behind(tmp_path):
    with answering(500) as asked:
        target = described(tmp_path, base_url=f"http://127.0.0.1:{asked[0]}/")
        process = start_load(
            target, *FEW, "-t", "60s", folder=tmp_path, environment={"TMPDIR": str(tmp_path)}
        )
        until = monotonic() + 30
        while len(asked) < 2 and monotonic() < until:
            sleep(0.05)
        plans = list(tmp_path.glob("sandgate-load-*/plan.json"))
        started = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)

    assert (len(plans), bool(started)) == (1, True), errors
    assert process.returncode == 128 + signal.SIGTERM
    assert not [each for each in started if each.is_running()]
    assert list(tmp_path.glob("sandgate-load-*")) == []
