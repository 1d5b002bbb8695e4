"""Requests inside the process: however long an answer is, others have their turn."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from simulator.adapters.console.calls import InProcessCalls
from simulator.client.wire import Answer
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.console import ANSWER_BYTES_MAX
from simulator.domain.story_run import StoryCall
from simulator.tests.kit.event_loop import looks_during

BASE = "http://gateway.test/"
JSON = [("Content-Type", "application/json")]


class LongAnswer:
    """An application whose answer has so many pieces."""

    def __init__(self, pieces: int):
        self.pieces, self.made, self.is_closed = pieces, 0, False

    def __call__(self, environ: object, start: Callable[..., Any]) -> "LongAnswer":
        start("200 OK", JSON)
        return self

    def __iter__(self) -> Iterator[bytes]:
        yield b'{"text":"'
        for _ in range(self.pieces):
            self.made += 1
            yield b"x" * (ANSWER_BYTES_MAX >> 8)
        yield b'"}'

    def close(self) -> None:
        self.is_closed = True


def asked(application: LongAnswer) -> Answer:
    """Its answer."""
    calls = InProcessCalls(SimpleNamespace(base=lambda host: BASE))
    calls.connect(application, application)
    return calls.ask(StoryCall(BASE, "GET", "v1/query", {}, None))


def test_others_have_their_turn_between_the_pieces_of_an_answer() -> None:
    application = LongAnswer(100)
    assert looks_during(lambda: asked(application)) > 100
    assert application.is_closed


def test_of_an_answer_that_is_too_long_no_more_is_read() -> None:
    application = LongAnswer(10_000)
    with pytest.raises(InvalidInputError, match="answer: expected an answer of at most 4 MiB"):
        asked(application)
    assert application.made == 256 and application.is_closed
