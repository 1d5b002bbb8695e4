"""Plays the steps of a story: sends its requests, compares what comes, keeps pieces of it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlencode, urlsplit

from msgspec.structs import replace

from scenarios.story import BRACE, SHOPPER, Expected, Request, StoryStep
from simulator.client.merchant import FORM
from simulator.client.wire import Answer, form_of
from simulator.domain.masking.masking import hidden_in, longest_first

KEPT = re.compile(r"\{(\w+)\}")
CAPABILITY = "Checkout "
Facts = Mapping[str, str]


class StoryExpectationError(Exception):
    """What a step expected did not come."""


class StoryCall(NamedTuple):
    """One request of a story: the base address, and what goes there. One that `prepares` is no
    step: it only gets what the request of the step needs.
    """

    base: str
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes | None
    prepares: bool = False

    @property
    def is_of_shopper(self) -> bool:
        """Whether the form of a checkout posts it."""
        return self.headers.get("Authorization", "").startswith(CAPABILITY)


class Watcher(Protocol):
    """Sees what happens while a step is played."""

    def sent(self, line: str, sent: Mapping[str, Any]) -> None:
        """A request is about to leave: its line, and its parameters or its document."""

    def answered(self, answer: Answer) -> None:
        """Its answer came."""

    def fulfilled(self) -> None:
        """The answer is what the step expected."""

    def received(self) -> None:
        """The shop receives a call. Raises StoryExpectationError where none comes."""

    def shown(self, payment: str) -> None:
        """What is new about a payment is shown."""


class StoryRun:
    """One story in one sandbox. `kept` are the pieces that later steps may name.

    `facts` has `base_url`, `token` and `entity_id`, for steps of the control API `control_url`,
    `sandbox_id` and `control_key` too. `ask` sends a request and returns its answer.
    """

    def __init__(self, facts: Facts, ask: Callable[[StoryCall], Answer], watcher: Watcher):
        self._facts = facts
        self._ask = ask
        self._watcher = watcher
        self._earlier: Sequence[StoryStep] = ()
        self._hidden: set[str] = set()
        self.kept: dict[str, str] = {}

    @property
    def secrets(self) -> list[str]:
        """What is never shown: also not under another name what was sent or came as a secret."""
        known = [text for fact, text in self._facts.items() if "token" in fact or "key" in fact]
        return longest_first([*known, *self._hidden])

    def play(self, step: StoryStep, earlier: Sequence[StoryStep]) -> None:
        """Play one step, after those of the story before it. Raises StoryExpectationError, and what
        `ask` raises.
        """
        self._earlier = earlier
        if step.call is not None:
            self._check(self._called(step.call), step)
        if step.control is not None:
            self._check(self._controlled(step.control), step)
        for _ in range(step.received):
            self._watcher.received()
        if step.show:
            self._watcher.shown(self._filled(step.show))

    def _called(self, request: Request) -> Answer:
        path = self._filled(request.path)
        if request.by == SHOPPER:
            return self._submitted(path, request)
        is_elsewhere = "://" in path
        base, path = _parted(path) if is_elsewhere else (self._facts["base_url"], path)
        token = {} if is_elsewhere else {"Authorization": f"Bearer {self._facts['token']}"}
        entity = {} if is_elsewhere else {"entityId": self._facts["entity_id"]}
        query, form = dict(request.query), dict(request.form)
        (form if form else query).update(entity)
        asked = replace(request, path=path, form=form, query=query)
        return self._asked(base, asked, token)

    def _submitted(self, path: str, request: Request) -> Answer:
        """What the form of a checkout posts, with a capability for that checkout alone."""
        base, checkout = self._facts["control_url"], path.split("/")[-2]
        target = f"sandboxes/{self._facts['sandbox_id']}/checkouts/{checkout}/capability"
        sent = {"Accept": "application/json", "Content-Type": "application/json", **self._key}
        issued = self._ask(StoryCall(base, "POST", target, sent, b"{}", prepares=True))
        capability = issued.at("capability")
        if not isinstance(capability, str):
            raise StoryExpectationError(
                f"expected a checkout that can be paid, got status {issued.status} for its form"
            )
        asked = replace(request, path=path)
        header = {"Authorization": f"{CAPABILITY}{capability}"}
        return self._asked(self._facts["base_url"], asked, header)

    @property
    def _key(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._facts['control_key']}"}

    def _controlled(self, request: Request) -> Answer:
        path = f"sandboxes/{self._facts['sandbox_id']}/{self._filled(request.path)}"
        asked = replace(request, path=path)
        return self._asked(self._facts["control_url"], asked, self._key)

    def _asked(self, base: str, request: Request, headers: Mapping[str, str]) -> Answer:
        form, query = self._filled(dict(request.form)), self._filled(dict(request.query))
        document = self._filled(dict(request.document))
        self._hidden.update(hidden_in((form, query, document)))
        target = f"{request.path}?{urlencode(query)}" if query else request.path
        self._watcher.sent(f"{request.method} {urlsplit(base).path}{target}", form or document)
        body = json.dumps(document).encode() if document else None
        kind = {"Content-Type": "application/json"} if document else {}
        if form:
            body, kind = form_of(form), {"Content-Type": FORM}
        sent = {"Accept": "application/json", **headers, **kind}
        answer = self._ask(StoryCall(base, request.method, target, sent, body))
        self._hidden.update(hidden_in(answer.body))
        self._watcher.answered(answer)
        return answer

    def _check(self, answer: Answer, step: StoryStep) -> None:
        assert step.expect is not None
        for what, expected, got in _compared(answer, step.expect, self._filled):
            if expected != got:
                raise StoryExpectationError(f"{what}: expected {expected!r}, got {got!r}")
        self._watcher.fulfilled()
        for name, path in step.keep.items():
            found = answer.at(path)
            if found is None:
                raise StoryExpectationError(
                    f"keep.{name}: expected a member {path} in the answer, got none"
                )
            self.kept[name] = str(found)

    def _filled(self, value: Any) -> Any:
        if isinstance(value, str):
            return KEPT.sub(self._piece, value)
        if isinstance(value, Mapping):
            return {name: self._filled(each) for name, each in value.items()}
        return [self._filled(each) for each in value] if isinstance(value, list) else value

    def _piece(self, found: re.Match[str]) -> str:
        known = {BRACE: "{", **self.kept}
        if found[1] not in known:
            raise StoryExpectationError(self._said_of_missing(found[1]))
        return known[found[1]]

    def _said_of_missing(self, name: str) -> str:
        """What a step lacks, and which step should have given it."""
        givers = [number for number, each in enumerate(self._earlier, 1) if name in each.keep]
        if givers:
            why = f"which step {givers[-1]} did not give as it went otherwise"
        else:
            given = ", ".join(self.kept) or "nothing"
            why = f"which no step before it gives; given so far: {given}"
            why += f"; a brace that names nothing is written {{{BRACE}}}"
        return f"this step needs {{{name}}}, {why}"


def _compared(
    answer: Answer, expected: Expected, filled: Callable[[str], str]
) -> Iterator[tuple[str, str, str]]:
    yield "status", str(expected.status), str(answer.status)
    if expected.code:
        yield "code", expected.code, answer.code
    for path, text in expected.at.items():
        yield path, filled(text), str(answer.at(path))


def _parted(url: str) -> tuple[str, str]:
    """Where a server is, and the rest of an address."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}/", parts.path.lstrip("/") + query
