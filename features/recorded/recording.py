"""A recording: requests of one release with the answers they got, and what differs today.

A flow is a list of requests, each a method, a path and parameters; `{1.id}` stands for the id in
the answer to the first of them. A value that is another one each time is recorded as `~`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from simulator.client import Answer, Client

FOLDER = Path(__file__).parent
REQUESTS = "requests"
ANY = "~"
# Words for people, the name of the release and the time of day: no program may compare them.
FREE = frozenset({"buildNumber", "description", "message", "timestamp"})
EARLIER = re.compile(r"\{(\d+)\.([^}]+)\}")

Request = tuple[str, str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request and the status and body it was answered with."""

    request: Request
    status: int
    body: Any


@cache
def requests() -> Mapping[str, Sequence[Request]]:
    """The requests that are recorded of every release, by the title of their flow."""
    return {title: [tuple(each) for each in flow] for title, flow in _read(REQUESTS).items()}


@cache
def recording_of(release: str) -> Mapping[str, Sequence[Recorded]]:
    """What a release answered, by the title of the flow."""
    return {
        title: [Recorded(tuple(each["request"]), each["status"], each["body"]) for each in flow]
        for title, flow in _read(release).items()
    }


def releases() -> list[str]:
    """The releases there is a recording of, oldest first."""
    found = [path.stem for path in FOLDER.glob("*.json") if path.stem != REQUESTS]
    return sorted(found, key=lambda name: [int(part) for part in name.split(".")])


def play(client: Client, flow: Sequence[Request]) -> list[Answer]:
    """The answers to a flow, in order."""
    answers: list[Answer] = []
    for method, path, parameters in flow:
        path = _filled(path, answers)
        sent = {name: _filled(value, answers) for name, value in parameters.items()}
        ask = {"GET": client.get, "POST": client.post, "DELETE": client.delete}[method]
        answers.append(ask(path, sent))
    return answers


def varying(one: Any, other: Any) -> Any:
    """The first of two bodies, with `~` wherever the second has another value."""
    if isinstance(one, dict) and isinstance(other, dict):
        values = {name: None if name in FREE else value for name, value in other.items()}
        return {name: varying(value, values.get(name)) for name, value in one.items()}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [varying(*pair) for pair in zip(one, other, strict=True)]
    return one if one == other else ANY


def differences(recorded: Any, came: Any, place: str = "") -> Iterator[str]:
    """The differences that break a merchant who relies on the recorded body.

    Members that were added since are no difference.
    """
    if isinstance(recorded, dict) and isinstance(came, dict):
        for name, value in recorded.items():
            yield from differences(value, came.get(name), f"{place}.{name}".lstrip("."))
    elif isinstance(recorded, list) and isinstance(came, list) and len(recorded) == len(came):
        for number, pair in enumerate(zip(recorded, came, strict=True)):
            yield from differences(*pair, f"{place}[{number}]")
    elif recorded != came and (came is None or recorded != ANY):
        yield f"{place} was {recorded!r}, is {came!r}"


def _filled(text: str, answers: Sequence[Answer]) -> str:
    return EARLIER.sub(lambda found: str(answers[int(found[1]) - 1].at(found[2])), text)


def _read(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
