"""The listener of the reference gateway: routes, credentials and bytes."""

import json
import re
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from features.reference_gateway.answers import MALFORMED, NO_RIGHT, answer, refusal
from features.reference_gateway.gateway import ReferenceGateway, Said, nothing

ID = "([^/]+)"
ROUTES = (
    ("POST", "v1/payments/?", "pay"),
    ("GET", f"v1/payments/{ID}", "read"),
    ("POST", f"v1/payments/{ID}", "refer"),
    ("POST", "v1/registrations", "register"),
    ("POST", f"v1/registrations/{ID}/payments", "charge"),
    ("GET", f"v1/registrations/{ID}", "stored"),
    ("DELETE", f"v1/registrations/{ID}", "remove"),
    ("POST", "(?:v1/)?checkouts", "prepare"),
    ("POST", f"(?:v1/)?checkouts/{ID}/payment", "pay_in"),
    ("GET", f"(?:v1/)?checkouts/{ID}/payment", "end_of"),
)
# A list without an index, with none that counts from 0, and a map without a key.
BAD_NAME = re.compile(r"\[\]|\[-|\[0\d|items[.\[](?!\d)")
BODY_LONGEST = 16 * 2**20


@contextmanager
def serving() -> Iterator[dict[str, str]]:
    """The address, token and entity of a gateway that answers until the end of the block."""
    gateway, token, entity = ReferenceGateway(), secrets.token_hex(24), secrets.token_hex(16)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(gateway, token, entity))
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    try:
        yield {"base_url": address, "token": token, "entity_id": entity}
    finally:
        server.shutdown()
        server.server_close()


def handler_of(gateway: ReferenceGateway, token: str, entity: str) -> type[BaseHTTPRequestHandler]:
    """The answer of the operation that the path of a request names, for a caller with the token."""
    one_at_a_time = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def answer_one(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with one_at_a_time:
                status, said = self.said(body)
            content = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json; charset=UTF-8")
            self.send_header("Content-Length", str(len(content)))
            if status == 401:
                self.send_header("WWW-Authenticate", "Bearer")
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_DELETE = answer_one  # noqa: N815

        def said(self, body: bytes) -> Said:
            shown = re.fullmatch(r"Bearer (\S+)", self.headers.get("Authorization") or "")
            if shown is None:
                return 401, answer(NO_RIGHT, "no bearer token was shown")
            if not secrets.compare_digest(shown[1], token):
                return 403, answer(NO_RIGHT, "the token is not known")
            parts = urlsplit(self.path)
            route = route_of(self.command, parts.path.removeprefix("/"))
            if route is None:
                return nothing()
            form = body.decode("utf-8", "surrogateescape") if body else parts.query
            return self.routed(*route, form=form, size=len(body))

        def routed(self, name: str, ids: tuple[str, ...], *, form: str, size: int) -> Said:
            if size > BODY_LONGEST:
                return 413, answer(MALFORMED, "the body is too long")
            pairs = read(form)
            if pairs is None:
                return 400, answer(MALFORMED, "the form cannot be read")
            sent = {key: value for key, value in pairs if value}
            if not re.fullmatch("[0-9a-f]{32}", sent.get("entityId", "")):
                return 400, refusal(["entityId"], sent)
            if sent["entityId"] != entity:
                return 403, answer(NO_RIGHT, "the entity is not known")
            operation = getattr(gateway, name)
            said: Said = operation(*ids, sent) if self.command == "POST" else operation(*ids)
            return said

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

    return Handler


def route_of(method: str, path: str) -> tuple[str, tuple[str, ...]] | None:
    """The operation a request asks for, and the ids in its path; None where there is none."""
    for verb, pattern, name in ROUTES:
        match = re.fullmatch(pattern, path)
        if match and verb == method:
            return name, match.groups()
    return None


def read(form: str) -> list[tuple[str, str]] | None:
    """The parameters of a form; None where they are no text, or one of them comes twice."""
    pairs = parse_qsl(form, keep_blank_values=True, errors="surrogateescape")
    names = [name for name, _ in pairs]
    text = "".join(name + value for name, value in pairs)
    undecodable = any("\udc80" <= sign <= "\udcff" or sign in "\0\ufffd" for sign in text)
    unreadable = any(not name or BAD_NAME.search(name) for name in names)
    return None if undecodable or unreadable or len(set(names)) < len(names) else pairs
