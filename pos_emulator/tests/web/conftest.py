"""A terminal with its page, at a gateway of its own, and a client that does what the page does."""

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from pos_emulator.counter.opening import Counter, counter_at, place_for
from pos_emulator.web.server import TerminalPage, serving_page

LOOKS_MAX = 60
WAIT_S_MAX = 30


class PageClient:
    """Asks for the state and presses keys, as the scripts of the page do."""

    def __init__(self, url: str, counter: Counter) -> None:
        self.url = url
        self.counter = counter
        self.state: dict[str, Any] = {"version": 0}
        self.seen: list[dict[str, Any]] = []
        self.papers: list[dict[str, Any]] = []
        found = re.search(rb'name="page-token" content="([^"]+)"', self.get("/")[1])
        self.token = found[1].decode()

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        """Status and body of an answer; a header given as "" is left out."""
        link = HTTPConnection(urlsplit(self.url).netloc, timeout=WAIT_S_MAX)
        try:
            link.request(method, path, body or None, headers)
            answer = link.getresponse()
            return answer.status, answer.read()
        finally:
            link.close()

    def get(self, path: str) -> tuple[int, bytes]:
        return self.ask("GET", path)

    def act(self, action: str, **body: object) -> tuple[int, dict[str, Any]]:
        """Press something, as the page does."""
        headers = {"X-Terminal-Page": self.token, "Content-Type": "application/json"}
        status, said = self.ask("POST", f"/do/{action}", json.dumps(body).encode(), **headers)
        return status, json.loads(said)

    def do(self, action: str, **body: object) -> dict[str, Any]:
        """Press something that the terminal takes."""
        status, said = self.act(action, **body)
        assert status == 200, said
        return said

    def look(self) -> dict[str, Any]:
        """The state, as soon as it is another."""
        seen = {
            "version": self.state["version"],
            "notice": len(self.seen),
            "paper": len(self.papers),
        }
        status, body = self.get("/state?" + urlencode(seen))
        assert status == 200
        self.state = json.loads(body)
        self.seen += self.state["happened"]
        self.papers += self.state["papers"]
        return self.state

    def until_asked(self, kind: str) -> dict[str, Any]:
        """Look until the terminal asks for this; return the question."""
        for _ in range(LOOKS_MAX):
            question = self.state.get("question")
            if question and question["kind"] == kind:
                self.state["question"] = None
                return question
            self.look()
        raise AssertionError(f"not asked for {kind}: {self.state}")

    def until_done(self) -> dict[str, Any]:
        """Look until no payment is under way; return its line of the journal."""
        for _ in range(LOOKS_MAX):
            if not self.look()["is_busy"]:
                return self.state["entries"][0]
        raise AssertionError(f"still under way: {self.state}")

    def dip(self, amount: str, card: str = "gold", pin: str = "1234") -> dict[str, Any]:
        """Pay with a chip and a PIN."""
        self.do("order", operation="sale", amount=amount)
        self.until_asked("card")
        self.do("card", card=card, reader="chip")
        self.until_asked("pin")
        self.do("pin", pin=pin)
        return self.until_done()


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counter]:
    """A terminal in a sandbox of its own."""
    folder: Path = tmp_path_factory.mktemp("terminal") / "kept"
    with place_for({}) as place, counter_at(place, folder=folder, model="COUNTERTOP") as made:
        yield made


@pytest.fixture(scope="module")
def page(counter: Counter) -> Iterator[PageClient]:
    """Its page, and a client in front of it."""
    made = TerminalPage(
        counter.terminal, counter.desk, till=counter.till, feed=counter.feed,
        trace_of=counter.place.trace_of,
    )  # fmt: skip
    with serving_page(made, "127.0.0.1:0") as url:
        yield PageClient(url, counter)
