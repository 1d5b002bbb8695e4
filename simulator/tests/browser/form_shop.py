"""A shop with the hosted form in its page, of another origin than the gateway's."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from importlib.resources import files
from urllib.parse import urlsplit

from simulator.client import Client, Control
from simulator.tests.browser.shop import listening
from simulator.tests.kit.running import Serving

RESULT = "<!DOCTYPE html><title>Result</title><h1>Thank you</h1>"
POLICY = (
    "default-src 'none'; script-src {g} 'self' 'nonce-shop'; style-src {g}; img-src {g} data:; "
    "frame-src {g}"
)
# The page keeps its calls in `seen` and in an attribute, which is read without its scripts.
HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>A shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="X-UA-Compatible" content="IE=edge"><link rel="icon" href="data:,">
<script nonce="shop">var seen = [], messages = [];
seen.push = function (call) {
  Array.prototype.push.call(seen, call);
  document.documentElement.setAttribute("data-seen", JSON.stringify(seen));
};
window.addEventListener("message", function (event) {
  messages.push(String(event.data));
  sessionStorage.setItem("messages", JSON.stringify(messages));
});</script>
"""
PAGE = (
    HEAD
    + """<script nonce="shop">var wpwlOptions = {options};</script></head>
<body><h1>Checkout</h1>{before}<form action="{result}" class="paymentWidgets"
data-brands="{brands}"></form>{after}</body></html>
"""
)


class FormShop:
    """A merchant of a sandbox of his own, and the page his shopper sees."""

    def __init__(self, running: Serving, url: str, **options: object):
        facts = running.facts
        self.gateway = facts["base_url"]
        self.url = url
        self.control = Control(facts["control_url"], facts["control_key"])
        made = self.control.create_sandbox(**options)
        self.sandbox = made["id"]
        self.client = Client(self.gateway, made["token"], made["entity_id"])
        self.page = RESULT
        self.headers: dict[str, str] = {}

    def prepare(self, **more: str) -> str:
        """The id of a new checkout."""
        sent = {"amount": "92.00", "currency": "EUR", "paymentType": "DB", **more}
        answer = self.client.post("v1/checkouts", sent)
        assert answer.status == 200, answer.body
        return answer.id

    def show(
        self, checkout: str, options: str = "{}", brands: str = "VISA MASTER AMEX", after: str = ""
    ) -> str:
        """The address of a page with the form of a checkout; `options` is JavaScript."""
        before = '<script src="{script}"></script>'
        parts = {"before": before, "options": options, "brands": brands, "after": after}
        return self.publish(PAGE, checkout, parts)

    def publish(self, page: str, checkout: str, parts: Mapping[str, str] | None = None) -> str:
        """The address of a page in which {script} and {result} are those of a checkout."""
        script = f"{self.gateway}v1/paymentWidgets.js?checkoutId={checkout}"
        result = f"{self.url}/result?order=7"
        for name, text in {**(parts or {}), "script": script, "result": result}.items():
            page = page.replace(f"{{{name}}}", text)
        self.page = page
        gateway = self.gateway.rstrip("/")
        self.headers = {"Content-Security-Policy": POLICY.format(g=gateway)}
        return f"{self.url}/checkout"

    def result_at(self, address: str) -> str:
        """The result code a shop reads when its shopper comes back to `address`."""
        query = dict(part.split("=") for part in urlsplit(address).query.split("&"))
        path = query["resourcePath"].replace("%2F", "/").lstrip("/")
        return self.client.get(path).code


@contextmanager
def form_shop(running: Serving, **options: object) -> Iterator[FormShop]:
    """A shop that listens on a port of its own, named otherwise than the gateway."""
    with listening(FormCounter) as server:
        server.shop = FormShop(running, f"http://localhost:{server.server_port}", **options)
        yield server.shop


def jquery() -> bytes:
    """The library that most shops bring."""
    return files("xstatic.pkg.jquery").joinpath("data", "jquery.min.js").read_bytes()


class FormCounter(BaseHTTPRequestHandler):
    """Answers a shopper's browser."""

    def do_GET(self) -> None:
        """The page with the form, the one to come back to, or jQuery."""
        shop = self.server.shop
        is_result = self.path.startswith("/result")
        is_library = self.path == "/jquery.js"
        content = jquery() if is_library else (RESULT if is_result else shop.page).encode()
        self.send_response(200)
        kind = "text/javascript" if is_library else "text/html"
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        for name, value in ({} if is_result else shop.headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Says nothing."""
