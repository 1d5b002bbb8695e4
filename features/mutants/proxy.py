"""The proxy in front of the original gateway: it forwards every request and changes one thing.

One listener serves every mutant. The first part of a path names the mutant, the second the
interface: the merchant API of the test host or of the live host, the control API, or a merchant's
receiver, which the gateway calls through this proxy as well. Settlement files have a proxy of their
own, in `file_proxy`. So the conformance suite runs against
a mutant by its addresses alone.
"""

import json
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, cast
from urllib.parse import parse_qsl, quote_plus, urlsplit

from simulator.client import Answer, Connection, form_of

Interface = Literal["merchant", "live", "control", "receiver", "files"]

FORWARDED_HEADERS = (
    "accept",
    "authorization",
    "content-type",
    "cookie",
    "if-none-match",
    "sec-fetch-site",
    "x-authentication-tag",
    "x-event-id",
    "x-initialization-vector",
)
RETURNED_HEADERS = (
    "accept-encoding", "cache-control", "content-type", "etag", "location", "retry-after",
    "sandgate-capability", "set-cookie", "www-authenticate", "x-content-type-options",
)  # fmt: skip
# Where the suite's own receiver listens: only calls to it go through the proxy.
RECEIVER = "http://127.0.0.1:"
ENCODED_RECEIVER = quote_plus(RECEIVER).encode()
CALLBACK_PARAMETERS = ("notificationUrl", "shopperResultUrl")


@dataclass(frozen=True)
class ProxiedRequest:
    """One request as it arrived: `target` is path and query, without a leading slash."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    interface: Interface = "merchant"

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the body, the last of each name."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    @property
    def path(self) -> str:
        """The path without its query: `v1/payments/8a82...`."""
        return self.target.partition("?")[0]

    @property
    def is_payment(self) -> bool:
        """Whether it is a new payment of the merchant, on either host."""
        return self.method == "POST" and self.path == "v1/payments"

    def change(self, **changed: str) -> "ProxiedRequest":
        """The same request with some parameters changed; an empty value removes one.

        `card__cvv` stands for `card.cvv`.
        """
        return self.change_parameters(
            {name.replace("__", "."): text for name, text in changed.items()}
        )

    def change_parameters(self, changed: Mapping[str, str]) -> "ProxiedRequest":
        """The same request with some parameters changed; an empty value removes one."""
        parameters = self.parameters
        if all(parameters.get(name, "") == value for name, value in changed.items()):
            return self
        kept = {name: value for name, value in {**parameters, **changed}.items() if value}
        return replace(self, body=form_of(kept)) if self.body else self

    def parse_json(self) -> dict[str, Any]:
        """The JSON object of the body; empty for any other body."""
        return dict(json.loads(self.body)) if self.body.startswith(b"{") else {}


@dataclass(frozen=True)
class OriginalGateway:
    """The gateway behind the proxy.

    `responses` are its first responses by id; `memory` belongs to the mutant. `read_file` reads a
    settlement file of a merchant.
    """

    base_urls: Mapping[Interface, str]
    responses: dict[str, Answer]
    memory: dict[str, Any]
    connections: dict[str, Connection] = field(default_factory=dict)
    read_file: Callable[[str], bytes] | None = None

    def forward(self, request: ProxiedRequest) -> Answer:
        """The response of the original gateway, or of the merchant's receiver, to a request; for a
        file, its content.
        """
        if self.read_file is not None:
            return Answer(200, {}, self.read_file(request.target))
        base, target = self.base_urls.get(request.interface, ""), request.target
        if request.interface == "receiver":
            base, target = decode_receiver(request.target)
        connection = self.connections.setdefault(base, Connection(base))
        headers = {
            name: request.headers[name] for name in FORWARDED_HEADERS if name in request.headers
        }
        answer = connection.ask(request.method, target, headers=headers, body=request.body or None)
        self.responses.setdefault(answer.id, answer)
        return answer


MutantFunction = Callable[[ProxiedRequest, OriginalGateway], Answer]


@contextmanager
def serve_gateways(
    ready: Mapping[str, str], gateways: Mapping[str, MutantFunction], port: int = 0
) -> Iterator[str]:
    """The base address under which every gateway is served by its name, until the block ends.

    `ready` holds `base_url`, `live_url` and `control_url` of the original gateway. Port 0 takes a
    free one. Raises OSError if the port is in use.
    """
    base_urls: dict[Interface, str] = {
        "merchant": ready["base_url"],
        "live": ready["live_url"],
        "control": ready["control_url"],
    }
    server = ThreadingHTTPServer(("127.0.0.1", port), build_handler(base_urls, gateways))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def split_path(path: str) -> tuple[str, "Interface", str]:
    """The gateway, the interface and the target that a path names, empty where it names none.

    A browser asks for the icon of a page at the root.
    """
    name, interface, target = [*path.removeprefix("/").split("/", 2), "", ""][:3]
    return name, cast("Interface", interface), target


def build_handler(
    base_urls: Mapping[Interface, str], gateways: Mapping[str, MutantFunction]
) -> type[BaseHTTPRequestHandler]:
    """The HTTP handler that passes a request to the gateway named in its path."""
    memories: dict[str, tuple[dict[str, Answer], dict[str, Any]]] = {
        name: ({}, {}) for name in gateways
    }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        connections: dict[str, Connection]

        def setup(self) -> None:
            super().setup()
            self.connections = {}

        def handle_request(self) -> None:
            name, interface, target = split_path(self.path)
            if name not in gateways:
                self.send_error(404)
                return
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {key.lower(): value for key, value in self.headers.items()}
            request = ProxiedRequest(self.command, target, headers, body, interface)
            proxy_url = f"http://{self.headers['Host']}/{name}/"
            original = OriginalGateway(base_urls, *memories[name], self.connections)
            try:
                self.send_response_of(
                    gateways[name](route_callbacks(request, proxy_url), original), proxy_url
                )
            except OSError:
                # The gateway or receiver does not listen, or the client has closed its connection.
                self.close_connection = True

        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = handle_request  # noqa: N815

        def finish(self) -> None:
            super().finish()
            for connection in self.connections.values():
                connection.close()

        def send_response_of(self, answer: Answer, proxy_url: str) -> None:
            body = answer.body if isinstance(answer.body, bytes) else encode_json(answer.body)
            for interface in ("merchant", "live"):
                body = body.replace(
                    base_urls[interface].encode(), f"{proxy_url}{interface}/".encode()
                )
            self.send_response(answer.status)
            for header in RETURNED_HEADERS:
                if header in answer.headers:
                    self.send_header(header, answer.headers[header])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Write nothing: the conformance suite reports what it finds."""

    return Handler


def route_callbacks(request: ProxiedRequest, proxy_url: str) -> ProxiedRequest:
    """The same request, with the addresses of the suite's receiver led through the proxy."""
    if request.interface == "control" and request.path.endswith("/webhooks"):
        content = request.parse_json()
        content["url"] = route_through(str(content.get("url")), proxy_url)
        return replace(request, body=json.dumps(content).encode())
    if request.interface == "merchant" and ENCODED_RECEIVER in request.body:
        sent = request.parameters
        return request.change_parameters(
            {name: route_through(sent.get(name, ""), proxy_url) for name in CALLBACK_PARAMETERS}
        )
    return request


def route_through(address: str, proxy_url: str) -> str:
    """The proxy's address for a receiver of the suite; any other address is left as it is."""
    if not address.startswith(RECEIVER):
        return address
    place, mark, query = address.partition("?")
    return f"{proxy_url}receiver/{urlsafe_b64encode(place.encode()).decode()}{mark}{query}"


def decode_receiver(target: str) -> tuple[str, str]:
    """The base address of the receiver that a request target stands for, and the target there."""
    encoded, mark, query = target.partition("?")
    parts = urlsplit(urlsafe_b64decode(encoded).decode())
    return f"{parts.scheme}://{parts.netloc}/", f"{parts.path.removeprefix('/')}{mark}{query}"


def encode_json(body: Any) -> bytes:
    """A body as bytes; nothing for no body."""
    return b"" if body is None else json.dumps(body).encode()
