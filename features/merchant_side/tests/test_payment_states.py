"""The state of a payment is read within bounds, and from the merchant alone."""

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from features.merchant_side.payment_states import (
    ANSWER_BYTES_MAX,
    MerchantPaymentState,
    PaymentStateError,
    run_state_command,
    state_reader_by_url,
)
from features.merchant_side.webhook_messages import new_payment
from simulator.client.browser import Browser


@pytest.fixture
def merchant() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = self.path.strip("/").partition("?")[0]
            status = {"moved": 302, "unknown": 404}.get(page, 200)
            self.send_response(status)
            self.send_header("Location", "/paid")
            self.end_headers()
            with contextlib.suppress(OSError):
                if page == "streams":
                    while True:
                        self.wfile.write(b" " * 65536)
                while page == "drips" and not over.is_set():
                    self.wfile.write(b" ")
                    time.sleep(0.02)
                self.wfile.write(b'{"id": "1", "state": "paid"}')

        def log_message(self, *_: object) -> None:
            """Nothing."""

    over = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    over.set()
    server.shutdown()
    server.server_close()


def test_a_merchant_is_asked_and_one_that_knows_nothing_answers_404(merchant: str) -> None:
    asked = [
        state_reader_by_url(f"{merchant}/{page}", None)(new_payment())
        for page in ("paid", "unknown")
    ]

    assert asked == [MerchantPaymentState("paid"), MerchantPaymentState("unknown", 0)]


@pytest.mark.parametrize(
    ("page", "came"),
    [("streams", "more than 64 KiB"), ("drips", "not whole after 0.2 s"), ("moved", "got 302")],
)
def test_no_answer_is_read_for_ever_or_from_another_host(merchant, page, came) -> None:
    ask = state_reader_by_url(
        f"{merchant}/{page}", None, time_limit_s=0.2 if page == "drips" else 10.0
    )

    with pytest.raises(PaymentStateError, match=came):
        ask(new_payment())


def test_a_browser_waits_for_a_page_no_longer_than_its_limit(merchant: str) -> None:
    page = Browser(None, time_limit_s=0.2).open(f"{merchant}/drips")

    assert (page.status, page.error) == (0, "no answer: not whole after 0.2 s")


@pytest.mark.parametrize("program", [
    "while True: print('x' * 1000)",
    "import subprocess; subprocess.run(['yes'])",
])  # fmt: skip
def test_of_a_command_that_never_stops_printing_little_is_read(program: str) -> None:
    assert len(run_state_command([sys.executable, "-c", program])) == ANSWER_BYTES_MAX + 1


@pytest.mark.parametrize("program", [
    "import time; time.sleep(60)",
    "import subprocess; subprocess.run(['sleep', '60'])",
])  # fmt: skip
def test_a_command_that_takes_too_long_is_ended_with_what_it_started(program: str) -> None:
    began = time.monotonic()
    with pytest.raises(PaymentStateError, match=r"within 0\.5 s, got -9"):
        run_state_command([sys.executable, "-c", program], time_limit_s=0.5)

    assert time.monotonic() - began < 30
