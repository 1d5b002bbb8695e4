"""What mutants change in a response: claim success, refuse, or replace members."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from features.mutants.proxy import ProxiedRequest
from simulator.client import Answer

SUCCESS = {"code": "000.100.110", "description": "accepted by a mutant"}
TRAILER = ("buildNumber", "timestamp", "ndc")
Change = Callable[[dict[str, Any]], dict[str, Any] | None]


def claim_success(answer: Answer) -> Answer:
    """The same response, claiming success."""
    return replace(replace_members(answer, result=SUCCESS), status=200)


def claim_success_for(answer: Answer, *codes: str, when: bool = True) -> Answer:
    """The same response, claiming success where it has one of these result codes."""
    return claim_success(answer) if when and answer.code in codes else answer


def accept_parameters(answer: Answer, *prefixes: str, when: bool = True) -> Answer:
    """The same response, claiming success where it refuses a parameter with such a prefix."""
    named = [str(error["name"]) for error in answer.parameter_errors]
    refused = any(name.startswith(prefixes) for name in named)
    return claim_success(answer) if when and refused else answer


def refuse_parameters(answer: Answer, *names: str, when: bool = True) -> Answer:
    """A refusal that names exactly these parameters; the same response without any name."""
    if not names or not when:
        return answer
    errors = [{"name": name, "value": None, "message": "not as expected"} for name in names]
    return refuse(answer, 400, "200.300.404", parameterErrors=errors)


def report_not_found(answer: Answer) -> Answer:
    """A response with status 404."""
    return refuse(answer, 404, "200.300.404")


def refuse(answer: Answer, status: int, code: str, **more: Any) -> Answer:
    """A refusal in parent of a response, without the members of the response."""
    kept = {name: answer.at(name) for name in TRAILER if answer.at(name)}
    result = {"code": code, "description": "refused by a mutant", **more}
    return replace(answer, status=status, body={"result": result, **kept})


def replace_code(answer: Answer, code: str) -> Answer:
    """The same response with another result code."""
    return replace_at(answer, "result.code", code)


def replace_members(answer: Answer, **members: Any) -> Answer:
    """The same response with some members of its body replaced; None removes one."""
    if not isinstance(answer.body, dict):
        return answer
    body = {**answer.body, **members}
    return replace(answer, body={name: value for name, value in body.items() if value is not None})


def replace_at(answer: Answer, path: str, value: Any) -> Answer:
    """The same response with another value at a path such as `card.bin`; None removes it.

    A response without the parent of that path stays as it is.
    """
    *parents, last = path.split(".")
    body = copy.deepcopy(answer.body)
    parent = body
    for name in parents:
        parent = parent.get(name) if isinstance(parent, dict) else None
    if not isinstance(parent, dict):
        return answer
    parent[last] = value
    if value is None:
        del parent[last]
    return replace(answer, body=body)


def change_at(answer: Answer, path: str, change: Callable[[Any], Any]) -> Answer:
    """The same response with the value at a path changed, where there is one."""
    found = answer.at(path)
    return answer if found is None else replace_at(answer, path, change(found))


def change_entries(answer: Answer, name: str, change: Change) -> Answer:
    """The same response with each entry of a list changed; None removes an entry."""
    if not isinstance(answer.body, dict) or not isinstance(answer.body.get(name), list):
        return answer
    changed = [change(copy.deepcopy(entry)) for entry in answer.body[name]]
    return replace_members(answer, **{name: [entry for entry in changed if entry is not None]})


def change_notifications(request: ProxiedRequest, answer: Answer, change: Change) -> Answer:
    """The same response; where it is that of an inbox, with every notification changed."""
    return change_entries(answer, "arrived", change) if request.path.endswith("/inbox") else answer


def change_acquirer_messages(request: ProxiedRequest, answer: Answer, change: Change) -> Answer:
    """The same response; where it is a journal, with every message to the acquirer changed."""
    if "/journal/" not in request.path:
        return answer

    def changed(message: dict[str, Any]) -> dict[str, Any] | None:
        return change(message) if message["receiver"] == "acquirer" else message

    return change_entries(answer, "messages", changed)


def replace_message_parameters(message: dict[str, Any], **parameters: Any) -> dict[str, Any]:
    """A message to the acquirer with some parameters replaced; None removes one.

    `card__cvv` stands for `card.cvv`.
    """
    named = {name.replace("__", "."): value for name, value in parameters.items()}
    sent = message["body"].get("parameters")
    if sent is None:
        return message
    # A message in the process lists names and values; a card message lists names alone.
    whole = {**(sent if isinstance(sent, dict) else dict.fromkeys(sent, "")), **named}
    kept = {name: value for name, value in whole.items() if value is not None}
    shown = kept if isinstance(sent, dict) else list(kept)
    return {**message, "body": {**message["body"], "parameters": shown}}
