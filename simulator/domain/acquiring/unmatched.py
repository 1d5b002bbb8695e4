"""Answers of a card host that belong to no request: what keeps each from the one it resembles.

"The answer came, and the request still timed out": the trace says which field was wrong.
Choice: D-184.
"""

from collections.abc import Iterable
from typing import NamedTuple

from simulator.domain.acquiring.messages import ANSWERS, MATCHED, Message
from simulator.domain.core.errors import NoResponseError


class UnmatchedAnswer(NamedTuple):
    """An answer, and what it would need to belong to a request."""

    answer: Message
    problems: tuple[str, ...]


class UnmatchedAnswerError(NoResponseError):
    """No answer in time, but some that could not be matched."""

    def __init__(self, why: str, unmatched: tuple[UnmatchedAnswer, ...]):
        super().__init__(why)
        self.unmatched = unmatched


def problems_of(answer: Message, request: Message) -> tuple[str, ...]:
    """What keeps an answer from belonging to a request."""
    expected = ANSWERS.get(request["t"], "none")
    found = [] if answer["t"] == expected else [f"type: expected {expected}, got {answer['t']}"]
    for number, name in MATCHED.items():
        asked, got = request.get(number, ""), answer.get(number, "")
        if asked != got:
            found.append(f"field {number}, {name}: expected {asked or 'none'}, got {got or 'none'}")
    if "39" not in answer:
        found.append("field 39, response code: expected one, got none")
    return tuple(found)


def resembled(answer: Message, requests: Iterable[Message]) -> Message | None:
    """The request that an answer is most likely meant for: of those with a field in common that it
    is matched by, the one with the fewest problems; None where there is none.
    """
    alike = [each for each in requests if _has_common_field(answer, each)]
    return min(alike, key=lambda each: len(problems_of(answer, each)), default=None)


def _has_common_field(answer: Message, request: Message) -> bool:
    # The terminal is that of all payments of a channel.
    return any(answer.get(number) == request.get(number, "") != "" for number in ("11", "37"))
