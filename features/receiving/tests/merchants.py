"""Merchants to be judged: the example, or the example with a mistake, on a port of its own."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from features.receiving.beliefs import asking_url
from features.receiving.bench import Bench
from features.receiving.gateway import Gateway, serving
from features.receiving.sender import Sender
from features.receiving.shop import Shop
from features.receiving.tests.box import Edit

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


@contextmanager
def listening(
    edits: tuple[Edit, ...], gateway_url: str, tls: ssl.SSLContext | None = None
) -> Iterator[str]:
    """The address of the example with these mistakes, behind a certificate where one is given."""
    module = ModuleType("receiver")
    exec(compile(edited(EXAMPLE.read_text(encoding="utf-8"), edits), EXAMPLE, "exec"), vars(module))
    server = module.server_of(module.Shop(KEY, gateway_url, ":memory:"), 0)
    server.handle_error = lambda *_: None
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def bench_for(*edits: Edit, time_limit_s: float = 10.0) -> Iterator[Bench]:
    """Everything to judge the example with these mistakes."""
    with (
        serving("127.0.0.1", 0, Gateway()) as gateway,
        serving("127.0.0.1", 0, Gateway(lying=True)) as elsewhere,
        listening(edits, gateway.url) as url,
    ):
        shop = Shop(f"{url}/done", f"{url}/buy", "thank you", WATCH_S, gateway, elsewhere, None)
        yield Bench(
            KEY,
            ["hex", "wrapped"],
            Sender(f"{url}/webhook", time_limit_s=time_limit_s, tls=None),
            believes=asking_url(f"{url}/state?id={{id}}", None),
            settle_s=SETTLE_S,
            shop=shop,
        )
