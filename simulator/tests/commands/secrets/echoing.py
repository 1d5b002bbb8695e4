"""A server that repeats the secrets it was sent, wherever an answer has room, however written."""

import json
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, quote_plus

# So long a part of a secret is found by no accident.
PART = 9
PACKED_PART = 12
ENTITY = "8" * 32
CONTROL = "_sandbox/v1/"


def spelled(secret: str) -> list[str]:
    """A secret as servers write it: as it is, for an address, in JSON, in base64."""
    packed = [b64encode(f"{before}{secret}".encode()).decode() for before in ("", "x", "xy", "x:y")]
    packed += [each.translate(str.maketrans("+/", "-_")) for each in packed]
    return [secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1], *packed]


def parts_in(text: str, secrets: Sequence[str]) -> list[str]:
    """The parts of secrets that stand in a text, however written."""
    return [part for secret in secrets for part in _parts_of(secret) if part in text]


def _parts_of(secret: str) -> Iterator[str]:
    plain, *others = spelled(secret)[:4]
    for form in {plain, *others}:
        yield from (form[at : at + PART] for at in range(len(form) - PART + 1))
    for before in range(3):
        # Beginning and end also have bits of what stands beside the secret.
        packed = b64encode(b"x" * before + secret.encode()).decode()[4:-4]
        yield from (packed[at : at + PACKED_PART] for at in range(len(packed) - PACKED_PART + 1))


def repeated(secrets: Sequence[str], length: int = 4000) -> str:
    """A text of about this length that is cut in a secret wherever it is cut."""
    forms = [form for secret in secrets for form in spelled(secret)]
    return " ".join(f"no {form} here" for form in forms * (length // len("".join(forms)) + 1))


class Kind:
    """How a server answers: its status, what stands behind it, its headers, and its body."""

    def __init__(
        self,
        status: int,
        body: Callable[[str], object],
        *,
        is_in_status: bool = False,
        header: str = "",
        content_type: str = "application/json",
    ):
        self.status, self.body, self.is_in_status = status, body, is_in_status
        self.header, self.content_type = header, content_type


def _result(said: str) -> object:
    return {"result": {"code": f"800.{said[:30]}", "description": said}, "id": said, "token": said}


def _documents(said: str) -> object:
    names = ("people", "scripts", "sandboxes", "held", "webhooks", "notices", "arrived", "runs",
             "entries", "terminals", "pending", "merchants")  # fmt: skip
    one = dict.fromkeys(
        ("id", "link", "behaviour", "asked", "state", "status", "name", "role", "created_at", "at",
         "mode", "label", "kind", "problem", "path", "ndc", "code", "url", "type", "event"), said,
    )  # fmt: skip
    return {**one, **dict.fromkeys(names, [one])}


KINDS: Mapping[str, Kind] = {
    "refusal": Kind(401, _result),
    "error": Kind(400, lambda said: {"error": {"where": said, "expected": said, "got": said}}),
    "unknown names": Kind(400, lambda said: {said: [said, {said: said}]}),
    "page": Kind(502, lambda said: f"<p title='{said}'>{said}", content_type="text/html"),
    "status line": Kind(400, _result, is_in_status=True),
    "redirect": Kind(302, _result, header="Location"),
    "header": Kind(401, _result, header="WWW-Authenticate"),
    "no HTTP": Kind(0, str),
    "documents": Kind(200, lambda said: _documents(said[: said.index(" here", 600)])),
    "text": Kind(200, str, content_type="text/plain"),
}


@contextmanager
def echoing(kind: Kind, secrets: Sequence[str], asked: list[str] | None = None) -> Iterator[str]:
    """The address of a server that answers every request so, and adds its path to `asked`."""
    said, paths = repeated(secrets), [] if asked is None else asked

    class Echo(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            paths.append(self.path)
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.close_connection = True
            if not kind.status:
                self.wfile.write(f"{repeated(secrets, 500)}\r\n\r\n".encode())
                return
            body = kind.body(said)
            content = (body if isinstance(body, str) else json.dumps(body)).encode()
            self.send_response(kind.status, repeated(secrets, 500) if kind.is_in_status else None)
            self.send_header("Content-Type", kind.content_type)
            self.send_header("Content-Length", str(len(content)))
            if kind.header:
                self.send_header(kind.header, f"/{said}")
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_PUT = do_DELETE = do_PATCH = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def variables_for(url: str, key: str, token: str) -> dict[str, str]:
    """The variables by which a command finds the server, and takes it for a gateway."""
    return {
        "SANDGATE_URL": url,
        "SANDGATE_CONTROL_URL": f"{url}{CONTROL}",
        "SANDGATE_CONTROL_API_KEY": key,
        "SANDGATE_TOKEN": token,
        "SANDGATE_LIVE_TOKEN": token,
        "SANDGATE_SANDBOX_ID": ENTITY,
        "SANDGATE_ENTITY_ID": ENTITY,
    }
