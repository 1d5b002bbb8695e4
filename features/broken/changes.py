"""What a fault does to an answer: claims success, leaves something out, or says something else."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from features.broken.proxy import Asked
from simulator.client import Answer

TAKEN = {"code": "000.100.110", "description": "taken"}
FOUND_NOTHING = {"code": "200.300.404", "description": "not found"}
Change = Callable[[dict[str, Any]], dict[str, Any] | None]


def as_success(answer: Answer) -> Answer:
    """The same answer, claiming success."""
    return replace(with_members(answer, result=TAKEN), status=200)


def taking(answer: Answer, *codes: str, when: bool = True) -> Answer:
    """The same answer, claiming success where it has one of these result codes."""
    return as_success(answer) if when and answer.code in codes else answer


def forgiving(answer: Answer, *beginnings: str, when: bool = True) -> Answer:
    """The same answer, claiming success where it names a parameter that begins so."""
    named = [str(error["name"]) for error in answer.parameter_errors]
    refused = any(name.startswith(beginnings) for name in named)
    return as_success(answer) if when and refused else answer


def naming(answer: Answer, *names: str, when: bool = True) -> Answer:
    """A refusal that names exactly these parameters; the answer itself where there are none."""
    if not names or not when:
        return answer
    errors = [{"name": name, "value": None, "message": "not as expected"} for name in names]
    result = {"code": "200.300.404", "description": "wrong", "parameterErrors": errors}
    return replace(with_members(answer, result=result), status=400)


def lost(answer: Answer) -> Answer:
    """The same answer, claiming that there is no such thing."""
    return replace(with_members(answer, result=FOUND_NOTHING), status=404)


def coded(answer: Answer, code: str) -> Answer:
    """The same answer with another result code."""
    return with_at(answer, "result.code", code)


def with_members(answer: Answer, **members: Any) -> Answer:
    """The same answer with some members of its body changed; one that is None is left out."""
    if not isinstance(answer.body, dict):
        return answer
    body = {**answer.body, **members}
    return replace(answer, body={name: value for name, value in body.items() if value is not None})


def with_at(answer: Answer, path: str, value: Any) -> Answer:
    """The same answer with something else at a path such as `card.bin`; None leaves it out.

    An answer that has nothing to stand beside it is left as it is.
    """
    *way, last = path.split(".")
    body = copy.deepcopy(answer.body)
    place = body
    for name in way:
        place = place.get(name) if isinstance(place, dict) else None
    if not isinstance(place, dict):
        return answer
    place[last] = value
    if value is None:
        del place[last]
    return replace(answer, body=body)


def changing(answer: Answer, path: str, change: Callable[[Any], Any]) -> Answer:
    """The same answer with what stands at a path changed, where something stands there."""
    found = answer.at(path)
    return answer if found is None else with_at(answer, path, change(found))


def among(answer: Answer, name: str, change: Change) -> Answer:
    """The same answer with each entry of a list changed; one that becomes None is left out."""
    if not isinstance(answer.body, dict) or not isinstance(answer.body.get(name), list):
        return answer
    changed = [change(copy.deepcopy(entry)) for entry in answer.body[name]]
    return with_members(answer, **{name: [entry for entry in changed if entry is not None]})


def arriving(asked: Asked, answer: Answer, change: Change) -> Answer:
    """The same answer, with every notification changed where it shows what has arrived."""
    return among(answer, "arrived", change) if asked.place.endswith("/inbox") else answer


def telling(asked: Asked, answer: Answer, change: Change) -> Answer:
    """The same answer, with every message to the acquirer changed where it tells of messages."""
    if "/journal/" not in asked.place:
        return answer

    def changed(message: dict[str, Any]) -> dict[str, Any] | None:
        return change(message) if message["receiver"] == "acquirer" else message

    return among(answer, "messages", changed)


def told(message: dict[str, Any], **parameters: Any) -> dict[str, Any]:
    """A message to the acquirer with some parameters changed; one that is None is left out.

    `card__cvv` stands for `card.cvv`.
    """
    named = {name.replace("__", "."): value for name, value in parameters.items()}
    if "parameters" not in message["body"]:
        return message
    sent: Mapping[str, Any] = {**message["body"]["parameters"], **named}
    kept = {name: value for name, value in sent.items() if value is not None}
    return {**message, "body": {**message["body"], "parameters": kept}}
