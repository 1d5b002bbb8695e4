"""Plays a story: sends its requests and prints each message as it passes. Masked: D-94."""

import json
import queue
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from textwrap import wrap
from typing import Any
from urllib.parse import urlencode, urlsplit

from rich.console import Console
from rich.text import Text

from scenarios.story import Expected, Request, Story, StoryStep
from simulator.client import FORM, Answer, Connection, Control, ControlError, form_of
from simulator.domain.journal.trace import shortened
from simulator.domain.masking.masking import masked, masked_redirects

TIMEOUT_S = 30.0
CALL_S_MAX = 10.0
ANSWER_LENGTH_MAX, VALUE_LENGTH_MAX = 160, 60
# Requests, and what they carry: a line can be copied.
SENT = (">", "    ", "shop receives")
BROKEN: Any = {
    "subsequent_indent": " " * 7, "break_long_words": False, "break_on_hyphens": False
}  # fmt: skip
KEPT = re.compile(r"\{(\w+)\}")
ARROW_LINE = re.compile(r"^(\d{4}-\S+ \S+)?\s+(\S.*? -> \S.*?)\s{2,}(.*)$")
Facts = Mapping[str, str]
Arrow = tuple[str, str, str]


class StoryExpectationError(Exception):
    """What a step expected did not come."""


# A story written by a user may name an address that is malformed or does not respond.
TROUBLE = (StoryExpectationError, ControlError, OSError, HTTPException, ValueError)


class StoryPlayer:
    """Plays one story in one sandbox. `kept` are the pieces that later steps may name."""

    def __init__(self, facts: Facts, console: Console, pause: Callable[[], None]):
        self._facts = facts
        self._console = console
        self._pause = pause
        self._secrets = [text for fact, text in facts.items() if "token" in fact or "key" in fact]
        self._shown: dict[str, Counter[Arrow]] = {}
        self.kept: dict[str, str] = {}

    def play(self, story: Story) -> None:
        """Play every step. Raises StoryExpectationError, which names the step."""
        self._console.print(Text(story.title, "bold"))
        self._console.print(story.about.strip())
        with _shop() as (url, calls):
            self.kept["shop"] = url
            for number, step in enumerate(story.steps, 1):
                self._pause()
                self._console.print()
                self._console.print(Text(f"{number}. {step.say.strip()}", "bold cyan"))
                try:
                    self._do(step, calls)
                except TROUBLE as error:
                    raise StoryExpectationError(f"step {number}: {error}") from error

    def _do(self, step: StoryStep, calls: "queue.Queue[str]") -> None:
        if step.call is not None:
            self._check(self._called(step.call), step)
        if step.control is not None:
            self._check(self._controlled(step.control), step)
        for _ in range(step.received):
            self._line("shop receives", _next_of(calls), "magenta")
        if step.show:
            self._show(self._filled(step.show))

    def _called(self, request: Request) -> Answer:
        path = self._filled(request.path)
        is_elsewhere = "://" in path
        base, path = _parted(path) if is_elsewhere else (self._facts["base_url"], path)
        token = {} if is_elsewhere else {"Authorization": f"Bearer {self._facts['token']}"}
        entity = {} if is_elsewhere else {"entityId": self._facts["entity_id"]}
        query, form = dict(request.query), dict(request.form)
        (form if form else query).update(entity)
        asked = Request(path, request.method, form, query, request.document)
        return self._asked(base, asked, token)

    def _controlled(self, request: Request) -> Answer:
        path = f"sandboxes/{self._facts['sandbox_id']}/{self._filled(request.path)}"
        asked = Request(path, request.method, request.form, request.query, request.document)
        key = {"Authorization": f"Bearer {self._facts['control_key']}"}
        return self._asked(self._facts["control_url"], asked, key)

    def _asked(self, base: str, request: Request, headers: Mapping[str, str]) -> Answer:
        form, query = self._filled(dict(request.form)), self._filled(dict(request.query))
        document = self._filled(dict(request.document))
        target = f"{request.path}?{urlencode(query)}" if query else request.path
        self._print_request(f"{request.method} {urlsplit(base).path}{target}", form or document)
        body = json.dumps(document).encode() if document else None
        kind = {"Content-Type": "application/json"} if document else {}
        if form:
            body, kind = form_of(form), {"Content-Type": FORM}
        connection = Connection(base, timeout_s=TIMEOUT_S)
        try:
            sent = {"Accept": "application/json", **headers, **kind}
            return connection.ask(request.method, target, headers=sent, body=body)
        finally:
            connection.close()

    def _print_request(self, line: str, sent: Mapping[str, Any]) -> None:
        self._line(">", line, "green")
        hidden = masked(sent, self._secrets)
        assert isinstance(hidden, dict)
        for name, value in hidden.items():
            if name != "entityId":
                self._line("    ", f"{name} = {_cut(_text_of(value), VALUE_LENGTH_MAX)}", "dim")

    def _check(self, answer: Answer, step: StoryStep) -> None:
        self._line("<", _cut(self._in_short(answer), ANSWER_LENGTH_MAX), "yellow")
        assert step.expect is not None
        for what, expected, got in _compared(answer, step.expect, self._filled):
            if expected != got:
                shown = masked(got, self._secrets)
                raise StoryExpectationError(f"{what}: expected {expected!r}, got {shown!r}")
        self._line("   ", "as expected", "dim")
        for name, path in step.keep.items():
            found = answer.at(path)
            if found is None:
                raise StoryExpectationError(
                    f"keep.{name}: expected a member {path} in the answer, got none"
                )
            self.kept[name] = str(found)

    def _in_short(self, answer: Answer) -> str:
        if answer.code:
            return f"{answer.status}  {answer.code}  {answer.reason}  {answer.id}".rstrip()
        if isinstance(answer.body, bytes) or answer.body is None:
            return str(answer.status)
        return f"{answer.status}  {_text_of(masked(answer.body, self._secrets))}"

    def _show(self, payment: str) -> None:
        control = Control(self._facts["control_url"], self._facts["control_key"])
        try:
            trace = control.trace(self._facts["sandbox_id"], payment)
        finally:
            control.close()
        arrows = list(_arrows_of(trace))
        for time, way, label in _new_of(arrows, self._shown.get(payment, Counter())):
            self._line(f"    {time[11:]}  {way}:", label, "")
        self._shown[payment] = Counter(arrows)

    def _line(self, sign: str, text: str, style: str) -> None:
        hidden = masked_redirects(str(masked(text, self._secrets)).encode()).decode()
        line = f"  {sign} {shortened(hidden)}"
        # What is sent stays on its line; what comes goes on below.
        lines = [line] if sign in SENT else wrap(line, self._console.width, **BROKEN)
        for each in lines:
            self._console.print(Text(each, style), soft_wrap=True)

    def _filled(self, value: Any) -> Any:
        if isinstance(value, str):
            return KEPT.sub(self._piece, value)
        if isinstance(value, Mapping):
            return {name: self._filled(each) for name, each in value.items()}
        return [self._filled(each) for each in value] if isinstance(value, list) else value

    def _piece(self, found: re.Match[str]) -> str:
        if found[1] not in self.kept:
            raise StoryExpectationError(
                f"expected one of {', '.join(self.kept)}, got {{{found[1]}}}"
            )
        return self.kept[found[1]]


@contextmanager
def _shop() -> Iterator[tuple[str, "queue.Queue[str]"]]:
    """The address of a shop that listens on loopback, and the lines of the requests it got."""
    calls: queue.Queue[str] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        """Answers 200 to every request."""

        def do_GET(self) -> None:
            """Note the call."""
            calls.put(f"GET {self.path}")
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing: the story shows the call."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/done", calls
    finally:
        server.shutdown()
        server.server_close()


def _next_of(calls: "queue.Queue[str]") -> str:
    try:
        return calls.get(timeout=CALL_S_MAX)
    except queue.Empty:
        raise StoryExpectationError("received: expected a call of the shop, got none") from None


def _compared(
    answer: Answer, expected: Expected, filled: Callable[[str], str]
) -> Iterator[tuple[str, str, str]]:
    yield "status", str(expected.status), str(answer.status)
    if expected.code:
        yield "code", expected.code, answer.code
    for path, text in expected.at.items():
        yield path, filled(text), str(answer.at(path))


def _arrows_of(trace: str) -> Iterator[Arrow]:
    """Time, way and label of each message; a time stands only where it is another."""
    time = ""
    for line in trace.splitlines():
        found = ARROW_LINE.match(line)
        if found:
            time = found[1] or time
            yield time, found[2], found[3]


def _new_of(arrows: list[Arrow], shown: Counter[Arrow]) -> Iterator[Arrow]:
    known = Counter(shown)
    for arrow in arrows:
        if known[arrow]:
            known[arrow] -= 1
        else:
            yield arrow


def _parted(url: str) -> tuple[str, str]:
    """Where a server is, and the rest of an address."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}/", parts.path.lstrip("/") + query


def _text_of(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length] + "..."
