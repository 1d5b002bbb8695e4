"""The first payment of a trainer: `sandgate terminal run` with nothing else there, and its page."""

import json
import re
import sys
from collections.abc import Callable, Mapping
from http.client import HTTPConnection
from tempfile import TemporaryFile
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from simulator.client.processes import running_server

CARD, PIN, AMOUNT = "gold", "1234", "60.00"
COMMAND = (sys.executable, "-m", "simulator", "terminal", "run", "--port", "0", "--ready-json")
FILE = re.compile(rb'(?:src|href)="/static/([a-z.]+)"')
IMPORTED = re.compile(rb'from "\./([a-z.]+)"')
LOOKS_MAX = 60
WAIT_S_MAX = 30.0


class FirstDipError(RuntimeError):
    """The terminal did not come so far; the message says how far it came."""


class FirstDip(NamedTuple):
    """Seconds until the first payment is approved, from the command on, and until the page has all
    its files and the state of the terminal, from its address on.
    """

    approval_s: float
    page_s: float


class _Page:
    """The page of a terminal, as a browser speaks to it."""

    def __init__(self, url: str):
        began = perf_counter()
        self._link = HTTPConnection(urlsplit(url).netloc, timeout=WAIT_S_MAX)
        written = self._ask("GET", "/")
        token = re.search(rb'name="page-token" content="([^"]+)"', written)
        if token is None:
            raise FirstDipError("expected a page with a token")
        self._load(written)
        self._ask("GET", "/state")
        self.ready_s = perf_counter() - began
        self._headers = {"X-Terminal-Page": token[1].decode(), "Content-Type": "application/json"}
        self._version = 0

    def press(self, action: str, **body: object) -> None:
        """Do something at the terminal."""
        self._ask("POST", f"/do/{action}", json.dumps(body).encode(), self._headers)

    def wait_for(self, is_reached: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any]:
        """Look until the terminal is where it is expected. Raises FirstDipError."""
        for _ in range(LOOKS_MAX):
            state = json.loads(self._ask("GET", f"/state?version={self._version}"))
            self._version = state["version"]
            if is_reached(state):
                return dict(state)
        raise FirstDipError(f"expected another state, got {state['message']}")

    def _load(self, written: bytes) -> None:
        """Get the files that the page names, and those that its scripts name."""
        names = FILE.findall(written)
        for name in names:
            found = self._ask("GET", f"/static/{name.decode()}")
            names += [each for each in IMPORTED.findall(found) if each not in names]

    def _ask(
        self, method: str, path: str, body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:  # fmt: skip
        self._link.request(method, path, body, dict(headers or {}))
        answer = self._link.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise FirstDipError(f"{method} {path}: {answer.status} {content[:200]!r}")
        return content


def time_first_dip() -> FirstDip:
    """How long it takes until the first chip payment with a PIN is approved.

    Without the seconds in which a person looks and thinks. Raises FirstDipError.
    """
    began = perf_counter()
    with TemporaryFile() as stderr, running_server(COMMAND, stderr=stderr) as server:
        page = _Page(server.facts["page_url"])
        page.press("order", operation="sale", amount=AMOUNT)
        page.wait_for(_is_asked("card"))
        page.press("card", card=CARD, reader="chip")
        page.wait_for(_is_asked("pin"))
        page.press("pin", pin=PIN)
        entry = page.wait_for(lambda state: not state["is_busy"])["entries"][0]
        if entry["ending"] != "approved":
            raise FirstDipError(f"expected an approval, got {entry['ending']}")
        return FirstDip(perf_counter() - began, page.ready_s)


def _is_asked(kind: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda state: (state.get("question") or {}).get("kind") == kind
