"""The first payment of a trainer: `sandgate terminal run` with nothing else there, and its page."""

import json
import re
import sys
from collections.abc import Callable, Mapping
from http.client import HTTPConnection
from tempfile import TemporaryFile
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from simulator.client.processes import running_server

CARD, PIN, AMOUNT = "gold", "1234", "60.00"
COMMAND = (sys.executable, "-m", "simulator", "terminal", "run", "--port", "0", "--ready-json")
LOOKS_MAX = 60
WAIT_S_MAX = 30.0


class FirstDipError(RuntimeError):
    """The terminal did not come so far; the message says how far it came."""


class _Page:
    """The page of a terminal, as a browser speaks to it."""

    def __init__(self, url: str):
        self._link = HTTPConnection(urlsplit(url).netloc, timeout=WAIT_S_MAX)
        token = re.search(rb'name="page-token" content="([^"]+)"', self._ask("GET", "/"))
        if token is None:
            raise FirstDipError("expected a page with a token")
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


def time_first_dip() -> float:
    """Seconds from the command until the first chip payment with a PIN is approved.

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
        return perf_counter() - began


def _is_asked(kind: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda state: (state.get("question") or {}).get("kind") == kind
