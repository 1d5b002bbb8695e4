"""Plays a story: sends its requests and prints each message as it passes. Masked: D-94."""

import json
import queue
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from textwrap import wrap
from typing import Any

from rich.console import Console
from rich.text import Text

from scenarios.story import Story
from simulator.client import Answer, Connection, Control, ControlError
from simulator.client.browser import BY_VARIABLE, failure_reason
from simulator.domain.journal.exchanges import masked_redirects
from simulator.domain.journal.trace import shortened
from simulator.domain.masking.masking import masked
from simulator.domain.story_run import Facts, StoryCall, StoryExpectationError, StoryRun

TIMEOUT_S = 30.0
CALL_S_MAX = 10.0
ANSWER_LENGTH_MAX, VALUE_LENGTH_MAX = 160, 60
# Requests, and what they carry: a line can be copied.
SENT = (">", "    ", "shop receives")
BROKEN: Any = {
    "subsequent_indent": " " * 7, "break_long_words": False, "break_on_hyphens": False
}  # fmt: skip
ARROW_LINE = re.compile(r"^(\d{4}-\S+ \S+)?\s+(\S.*? -> \S.*?)\s{2,}(.*)$")
Arrow = tuple[str, str, str]


# A story written by a user may name an address that is malformed or does not respond.
TROUBLE = (StoryExpectationError, ControlError, OSError, HTTPException, ValueError)


class StoryPlayer:
    """Plays one story in one sandbox, and prints each message. Implements story_run.Watcher."""

    def __init__(self, facts: Facts, console: Console, pause: Callable[[], None]):
        self._facts = facts
        self._console = console
        self._pause = pause
        self._shown: dict[str, Counter[Arrow]] = {}
        self._calls: queue.Queue[str] = queue.Queue()
        self._run = StoryRun(facts, ask, self)

    @property
    def kept(self) -> dict[str, str]:
        """The pieces of answers that later steps may name."""
        return self._run.kept

    def play(self, story: Story) -> None:
        """Play every step. Raises StoryExpectationError, which names the step."""
        self._console.print(Text(story.title, "bold"))
        self._console.print(story.about.strip())
        with _shop(self._calls) as url:
            self.kept["shop"] = url
            for number, step in enumerate(story.steps, 1):
                self._pause()
                self._console.print()
                self._console.print(Text(f"{number}. {step.say.strip()}", "bold cyan"))
                try:
                    self._run.play(step, story.steps[: number - 1])
                except TROUBLE as error:
                    said = masked(str(error), self._run.secrets)
                    raise StoryExpectationError(f"step {number}: {said}") from error

    def sent(self, line: str, sent: Mapping[str, Any]) -> None:
        """Print a request."""
        self._line(">", line, "green")
        hidden = masked(sent, self._run.secrets)
        assert isinstance(hidden, dict)
        for name, value in hidden.items():
            if name != "entityId":
                self._line("    ", f"{name} = {_cut(_text_of(value), VALUE_LENGTH_MAX)}", "dim")

    def answered(self, answer: Answer) -> None:
        """Print an answer."""
        self._line("<", _cut(self._in_short(answer), ANSWER_LENGTH_MAX), "yellow")

    def fulfilled(self) -> None:
        """Say that it is what the step expected."""
        self._line("   ", "as expected", "dim")

    def received(self) -> None:
        """Print the next call of the shop."""
        self._line("shop receives", _next_of(self._calls), "magenta")

    def shown(self, payment: str) -> None:
        """Print the messages about a payment that are new."""
        control = Control(self._facts["control_url"], self._facts["control_key"])
        try:
            trace = control.trace(self._facts["sandbox_id"], payment)
        finally:
            control.close()
        arrows = list(_arrows_of(trace))
        for time, way, label in _new_of(arrows, self._shown.get(payment, Counter())):
            self._line(f"    {time[11:]}  {way}:", label, "")
        self._shown[payment] = Counter(arrows)

    def _in_short(self, answer: Answer) -> str:
        if answer.code:
            return f"{answer.status}  {answer.code}  {answer.reason}  {answer.id}".rstrip()
        if isinstance(answer.body, bytes) or answer.body is None:
            return str(answer.status)
        return f"{answer.status}  {_text_of(masked(answer.body, self._run.secrets))}"

    def _line(self, sign: str, text: str, style: str) -> None:
        hidden = masked_redirects(str(masked(text, self._run.secrets)).encode()).decode()
        line = f"  {sign} {shortened(hidden)}"
        # What is sent stays on its line; what comes goes on below.
        lines = [line] if sign in SENT else wrap(line, self._console.width, **BROKEN)
        for each in lines:
            self._console.print(Text(each, style), soft_wrap=True)


def ask(call: StoryCall) -> Answer:
    """The answer to a request of a story, on a connection of its own. Raises
    StoryExpectationError where none comes.
    """
    try:
        with closing(Connection(call.base, timeout_s=TIMEOUT_S)) as connection:
            return connection.ask(call.method, call.target, headers=call.headers, body=call.body)
    except (OSError, HTTPException) as error:
        reason = failure_reason(error, trust=BY_VARIABLE)
        raise StoryExpectationError(f"expected an answer of {call.base}, got: {reason}") from error


@contextmanager
def _shop(calls: "queue.Queue[str]") -> Iterator[str]:
    """The address of a shop that listens on loopback; the lines of its requests go to `calls`."""

    class Handler(BaseHTTPRequestHandler):
        """Answers 200 to every request."""

        timeout = TIMEOUT_S

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
        yield f"http://127.0.0.1:{server.server_address[1]}/done"
    finally:
        server.shutdown()
        server.server_close()


def _next_of(calls: "queue.Queue[str]") -> str:
    try:
        return calls.get(timeout=CALL_S_MAX)
    except queue.Empty:
        raise StoryExpectationError("received: expected a call of the shop, got none") from None


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


def _text_of(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length] + "..."
