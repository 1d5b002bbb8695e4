"""The shopper's browser: it trusts who the target file says is to be trusted."""

import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import trustme

from features.support.shopper import Shopper
from features.target.records import Target


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def page(authority: trustme.CA) -> Iterator[str]:
    """The address of a page whose certificate only that authority vouches for."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"https://127.0.0.1:{server.server_port}/page"
    server.shutdown()
    server.server_close()


def test_a_shopper_trusts_the_authority_of_the_target(
    page: str, authority: trustme.CA, tmp_path: Path
) -> None:
    ca_file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(ca_file))
    assert Shopper(ca_file=str(ca_file)).arrive({"url": page}).status == 200
    with pytest.raises(ssl.SSLCertVerificationError):
        Shopper().arrive({"url": page})


@pytest.fixture
def target() -> Target:
    return Target("https://gateway.example/", "t", "e", ca_file="ca.pem")


@pytest.fixture
def around() -> None:
    """No interceptor."""


def test_the_shopper_of_a_scenario_is_given_the_authority_of_its_target(shopper: Shopper) -> None:
    assert shopper.ca_file == "ca.pem"
