"""What a fault does to an answer: claims success, leaves something out, or says something else."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from features.mutants.proxy import Asked
from simulator.client import Answer

TAKEN = {"code": "000.100.110", "description": "taken"}
CLOSING = ("buildNumber", "timestamp", "ndc")
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
    return refusing(answer, 400, "200.300.404", parameterErrors=errors)


def lost(answer: Answer) -> Answer:
    """An answer that claims that there is no such thing."""
    return refusing(answer, 404, "200.300.404")


def refusing(answer: Answer, status: int, code: str, **more: Any) -> Answer:
    """A refusal in place of an answer; it shows nothing of what was asked for."""
    kept = {name: answer.at(name) for name in CLOSING if answer.at(name)}
    result = {"code": code, "description": "not this time", **more}
    return replace(answer, status=status, body={"result": result, **kept})


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
    sent = message["body"].get("parameters")
    if sent is None:
        return message
    # Inside the process names are told; over the line, what stood in the message.
    whole = {**(sent if isinstance(sent, dict) else dict.fromkeys(sent, "")), **named}
    kept = {name: value for name, value in whole.items() if value is not None}
    shown = kept if isinstance(sent, dict) else list(kept)
    return {**message, "body": {**message["body"], "parameters": shown}}
