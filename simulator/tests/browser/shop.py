"""A shop of the tests: it has a page that does what merchants do with a redirect, and one to come
back to.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WAIT_MS_MAX = 10_000
HEAD = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>A shop</title>'
    "</head><body>"
)
DONE = HEAD + "<h1>Back in the shop</h1></body></html>"
# Goes on as the interface says: after the load event of the frame, or some ten seconds.
SCRIPT = f"""
const go = () => document.getElementById("redirect").submit();
const method = document.getElementById("method");
if (method) {{
  document.getElementById("hidden").addEventListener("load", go, {{ once: true }});
  setTimeout(go, {WAIT_MS_MAX});
  method.submit();
}} else go();
"""


class Shop:
    """Where the shop is, and the redirect its shopper is sent to next."""

    def __init__(self, url: str):
        self.url = url
        self.page = DONE

    def sends(self, redirect: Mapping[str, Any]) -> str:
        """The address of a page that sends its shopper to this redirect of a payment."""
        self.page = paying_page(redirect)
        return f"{self.url}/pay"


@contextmanager
def open_shop() -> Iterator[Shop]:
    """A shop that listens on a port of its own."""
    with listening(Counter) as server:
        server.shop = Shop(f"http://127.0.0.1:{server.server_port}")
        yield server.shop


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[Any]:
    """A server on a port of its own, for as long as the block runs."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class Counter(BaseHTTPRequestHandler):
    """Answers a shopper's browser."""

    def do_GET(self) -> None:
        """The page that sends on, or the one to come back to."""
        page = self.server.shop.page if self.path == "/pay" else DONE
        content = page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


def paying_page(redirect: Mapping[str, Any]) -> str:
    """A page that posts the preconditions in a hidden frame and then goes to the redirect."""
    method = "".join(
        form_of(each, 'id="method" target="hidden"') for each in redirect.get("preconditions", ())
    )
    onward = form_of(redirect, 'id="redirect"', "<button>Go on</button>")
    return (
        f'{HEAD}<h1>One moment</h1><iframe id="hidden" name="hidden" hidden></iframe>'
        f"{method}{onward}<script>{SCRIPT}</script></body></html>"
    )


def form_of(target: Mapping[str, Any], attributes: str, inner: str = "") -> str:
    """A form that posts the parameters of `target` to its address."""
    fields = "".join(
        f'<input type="hidden" name="{escape(each["name"])}" value="{escape(each["value"])}">'
        for each in target["parameters"]
    )
    action = escape(target["url"])
    return f'<form method="post" action="{action}" {attributes}>{fields}{inner}</form>'
