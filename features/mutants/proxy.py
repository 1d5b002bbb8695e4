"""The listener in front of a sound gateway: everything passes through, and one thing is spoiled.

One listener serves every broken gateway. The first part of a path names the gateway, the second the
door: the merchant API of the test host or of the live host, the control API, or a merchant's
receiver, which the gateway calls through here as well. So a judge is shown a broken gateway by
nothing but its addresses.
"""

import json
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import parse_qsl, quote_plus, urlsplit

from simulator.client import Answer, Connection, form_of

Door = Literal["merchant", "live", "control", "receiver"]

SENT_ON = (
    "authorization",
    "content-type",
    "x-authentication-tag",
    "x-event-id",
    "x-initialization-vector",
)
SENT_BACK = ("content-type", "www-authenticate", "location", "retry-after")
# Where the judge's own receiver listens: only what is called there is led through here.
OURS = "http://127.0.0.1:"
CODED_OURS = quote_plus(OURS).encode()
CALLED = ("notificationUrl", "shopperResultUrl")


@dataclass(frozen=True)
class Asked:
    """One request as it came: `path` with its query and without a slash before it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    door: Door = "merchant"

    @property
    def sent(self) -> dict[str, str]:
        """The parameters of the body, the last of each name."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    @property
    def place(self) -> str:
        """The path without its query: `v1/payments/8a82...`."""
        return self.path.partition("?")[0]

    @property
    def is_payment(self) -> bool:
        """Whether it is a new payment of the merchant, on either host."""
        return self.method == "POST" and self.place == "v1/payments"

    def sending(self, **changed: str) -> "Asked":
        """The same request with some parameters changed; one without a value is left out.

        `card__cvv` stands for `card.cvv`.
        """
        return self.with_sent({name.replace("__", "."): text for name, text in changed.items()})

    def with_sent(self, changed: Mapping[str, str]) -> "Asked":
        """The same request with some parameters changed; one without a value is left out."""
        sent = self.sent
        if all(sent.get(name, "") == value for name, value in changed.items()):
            return self
        kept = {name: value for name, value in {**sent, **changed}.items() if value}
        return replace(self, body=form_of(kept)) if self.body else self

    def content(self) -> dict[str, Any]:
        """The JSON of the body; empty where it is none."""
        return dict(json.loads(self.body)) if self.body.startswith(b"{") else {}


@dataclass(frozen=True)
class Sound:
    """The sound gateway behind. `shown` is what it answered, by id; `seen` is the fault's own."""

    doors: Mapping[Door, str]
    shown: dict[str, Answer]
    seen: dict[str, Any]
    links: dict[str, Connection] = field(default_factory=dict)

    def answer(self, asked: Asked) -> Answer:
        """What the sound gateway, or the merchant's receiver, says to a request."""
        base, path = self.doors.get(asked.door, ""), asked.path
        if asked.door == "receiver":
            base, path = receiver_in(asked.path)
        link = self.links.setdefault(base, Connection(base))
        headers = {name: asked.headers[name] for name in SENT_ON if name in asked.headers}
        answer = link.ask(asked.method, path, headers=headers, body=asked.body or None)
        self.shown.setdefault(answer.id, answer)
        return answer


Broken = Callable[[Asked, Sound], Answer]


@contextmanager
def served(ready: Mapping[str, str], gateways: Mapping[str, Broken]) -> Iterator[str]:
    """The address under which every gateway is served by its name, until the end of the block.

    `ready` holds `base_url`, `live_url` and `control_url` of the sound gateway.
    """
    doors: dict[Door, str] = {
        "merchant": ready["base_url"],
        "live": ready["live_url"],
        "control": ready["control_url"],
    }
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(doors, gateways))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def handler_of(
    doors: Mapping[Door, str], gateways: Mapping[str, Broken]
) -> type[BaseHTTPRequestHandler]:
    """What answers a request: the gateway that is named in its path."""
    memories: dict[str, tuple[dict[str, Answer], dict[str, Any]]] = {
        name: ({}, {}) for name in gateways
    }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        links: dict[str, Connection]

        def setup(self) -> None:
            super().setup()
            self.links = {}

        def answer_one(self) -> None:
            name, door, path = [*self.path.removeprefix("/").split("/", 2), ""][:3]
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {key.lower(): value for key, value in self.headers.items()}
            asked = Asked(self.command, path, headers, body, door)  # type: ignore[arg-type]
            home = f"http://{self.headers['Host']}/{name}/"
            sound = Sound(doors, *memories[name], self.links)
            try:
                self.put(gateways[name](called_through(asked, home), sound), home)
            except OSError:
                # Nobody is at home there, or nobody waits for the answer any more.
                self.close_connection = True

        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer_one  # noqa: N815

        def finish(self) -> None:
            super().finish()
            for link in self.links.values():
                link.close()

        def put(self, answer: Answer, home: str) -> None:
            body = answer.body if isinstance(answer.body, bytes) else as_json(answer.body)
            for door in ("merchant", "live"):
                body = body.replace(doors[door].encode(), f"{home}{door}/".encode())
            self.send_response(answer.status)
            for header in SENT_BACK:
                if header in answer.headers:
                    self.send_header(header, answer.headers[header])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing: a judge that sees a fault says so itself."""

    return Handler


def called_through(asked: Asked, home: str) -> Asked:
    """The same request, so that the gateway calls the judge's receiver through this listener."""
    if asked.door == "control" and asked.place.endswith("/webhooks"):
        content = asked.content()
        content["url"] = through(str(content.get("url")), home)
        return replace(asked, body=json.dumps(content).encode())
    if asked.door == "merchant" and CODED_OURS in asked.body:
        sent = asked.sent
        return asked.with_sent({name: through(sent.get(name, ""), home) for name in CALLED})
    return asked


def through(address: str, home: str) -> str:
    """The address of this listener that leads to a receiver of the judge; another is left alone."""
    if not address.startswith(OURS):
        return address
    place, mark, query = address.partition("?")
    return f"{home}receiver/{urlsafe_b64encode(place.encode()).decode()}{mark}{query}"


def receiver_in(path: str) -> tuple[str, str]:
    """The base address of the receiver that a path leads to, and the path there."""
    coded, mark, query = path.partition("?")
    parts = urlsplit(urlsafe_b64decode(coded).decode())
    return f"{parts.scheme}://{parts.netloc}/", f"{parts.path.removeprefix('/')}{mark}{query}"


def as_json(body: Any) -> bytes:
    """A body as it travels."""
    return b"" if body is None else json.dumps(body).encode()
