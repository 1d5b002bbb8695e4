"""Requests of a stage to the gateway and its ACS: inside the process, nowhere else."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication, WSGIEnvironment

from simulator.adapters.turns import LONG_WORK, made_in_slices
from simulator.catalogue.console_words import plain
from simulator.client.wire import Answer
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import LIVE, TEST
from simulator.domain.core.ports import Addresses
from simulator.domain.ports.console import ANSWER_BYTES_MAX
from simulator.domain.story_run import StoryCall, StoryExpectationError

PLAIN = "plain"
LOOPBACK = "127.0.0.1"
LONG_BYTES = 64 * 1024


class InProcessCalls:
    """Asks the applications of this process what a client would ask at their addresses."""

    def __init__(self, addresses: Addresses):
        self._addresses = addresses
        self._gateway: WSGIApplication | None = None
        self._acs: WSGIApplication | None = None
        self._acs_url = ""

    def connect(self, gateway: WSGIApplication, acs: WSGIApplication) -> None:
        """These are the applications."""
        self._gateway, self._acs = gateway, acs

    def move_acs(self, url: str) -> None:
        """Browsers reach the ACS at this address, which ends with a slash."""
        self._acs_url = url

    def ask(
        self,
        call: StoryCall,
        *,
        has_left: Callable[[], bool] = lambda: False,
        most: int = ANSWER_BYTES_MAX,
    ) -> Answer:
        """The answer to a request, whose client leaves once `has_left` says so. Raises
        StoryExpectationError for any other address, InvalidInputError for an answer of more than
        `most` bytes: nothing of it is read beyond that.
        """
        url = call.base + call.target
        for base, application, listener in self._places():
            if base and url.startswith(base) and application is not None:
                environ = _environ_of(call, base, url, listener)
                environ["sandgate.has_left"] = has_left
                return _answer_of(application, environ, most)
        raise StoryExpectationError("expected an address of this gateway or its ACS, got another")

    def _places(self) -> Iterator[tuple[str, WSGIApplication | None, str]]:
        yield self._acs_url, self._acs, "acs"
        yield self._addresses.base(LIVE), self._gateway, LIVE
        yield self._addresses.base(TEST), self._gateway, PLAIN


def _environ_of(call: StoryCall, base: str, url: str, listener: str) -> WSGIEnvironment:
    scheme, _, place = base.partition("://")
    path, _, query = url.removeprefix(base).partition("?")
    body = call.body or b""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": call.method,
        "SCRIPT_NAME": "",
        # As a listener writes it: the bytes of UTF-8, each as a sign.
        "PATH_INFO": unquote_to_bytes(f"/{path}").decode("latin-1"),
        "QUERY_STRING": query,
        "CONTENT_LENGTH": str(len(body)),
        "SERVER_NAME": LOOPBACK,
        "SERVER_PORT": "443" if scheme == "https" else "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": LOOPBACK,
        "HTTP_HOST": place.split("/")[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scheme,
        "wsgi.input": BytesIO(body),
        "wsgi.errors": BytesIO(),
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "sandgate.listener": listener,
    }
    for name, value in call.headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    return environ


def _answer_of(application: WSGIApplication, environ: WSGIEnvironment, most: int) -> Answer:
    head: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], *_: object) -> Any:
        head[:] = int(status.split()[0]), {name.lower(): value for name, value in headers}

    with closing(made_in_slices(application(environ, start_response))) as pieces:
        body = _joined(pieces, most)
    status, headers = head
    content: Any = body or None
    if "json" in headers.get("content-type", ""):
        if len(body) > LONG_BYTES:
            LONG_WORK.take()
        content = json.loads(body)
    return Answer(status, headers, content)


def _joined(pieces: Iterator[bytes], most: int) -> bytes:
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > most:
            expected = plain("errors.data_answered", most=f"{most >> 20} MiB")
            raise InvalidInputError("answer", expected, plain("errors.more_data"))
    return bytes(body)
