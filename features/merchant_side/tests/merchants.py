"""Merchants to be judged: the example, or the example with a mistake, on a port of its own."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from features.merchant_side.context import CheckContext
from features.merchant_side.payment_states import state_reader_by_url
from features.merchant_side.shop import MerchantShop
from features.merchant_side.stub_gateway import StubGateway, serving
from features.merchant_side.tests.mutant_merchants import Edit
from features.merchant_side.webhook_sender import WebhookSender

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "receiver" / "receiver.py"
KEY = bytes(range(32))
SETTLE_S, WATCH_S = 0.1, 1.0


def edited(source: str, edits: tuple[Edit, ...]) -> str:
    """The source with every edit made. What is edited stands there exactly once."""
    for there, instead in edits:
        assert source.count(there) == 1, f"{there!r} stands there {source.count(there)} times"
        source = source.replace(there, instead)
    return source


class Merchant:
    """The example with these mistakes, which can be ended and started again on the same port."""

    def __init__(
        self, edits: tuple[Edit, ...], gateway_url: str, database: str, tls: ssl.SSLContext | None
    ):
        source = edited(EXAMPLE.read_text(encoding="utf-8"), edits)
        self._module = ModuleType("receiver")
        exec(compile(source, EXAMPLE, "exec"), vars(self._module))
        self._gateway_url, self._database, self._tls = gateway_url, database, tls
        self.port = 0

    def start(self) -> None:
        self._shop = self._module.Shop(KEY, self._gateway_url, self._database)
        self._server = self._module.server_of(self._shop, self.port)
        self._server.handle_error = lambda *_: None
        self.port = self._server.server_port
        if self._tls is not None:
            self._server.socket = self._tls.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._shop.database.close()

    def restart(self) -> None:
        self.stop()
        self.start()


@contextmanager
def listening(
    edits: tuple[Edit, ...], gateway_url: str, tls: ssl.SSLContext | None = None
) -> Iterator[str]:
    """The address of a merchant, behind a certificate where one is given."""
    merchant = Merchant(edits, gateway_url, ":memory:", tls)
    merchant.start()
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{merchant.port}"
    finally:
        merchant.stop()


@contextmanager
def context_for(*edits: Edit, time_limit_s: float = 10.0) -> Iterator[CheckContext]:
    """Everything to judge the example with these mistakes."""
    with (
        serving("127.0.0.1", 0, StubGateway()) as gateway,
        serving("127.0.0.1", 0, StubGateway(lying=True)) as elsewhere,
        TemporaryDirectory() as folder,
    ):
        merchant = Merchant(edits, gateway.url, f"{folder}/shop.db", None)
        merchant.start()
        url = f"http://127.0.0.1:{merchant.port}"
        pages = (f"{url}/done", f"{url}/buy", "thank you")
        shop = MerchantShop(*pages, WATCH_S, gateway, elsewhere, None, window_s=WATCH_S)
        yield CheckContext(
            KEY,
            ["hex", "wrapped"],
            WebhookSender(f"{url}/webhook", time_limit_s=time_limit_s, tls=None),
            read_state=state_reader_by_url(f"{url}/state?id={{id}}", None),
            settle_s=SETTLE_S,
            shop=shop,
            restart=merchant.restart,
        )
        merchant.stop()
