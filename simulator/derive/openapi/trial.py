"""The OpenAPI document as the page to try the API out reads it: few fields, a request a use case.

A form of hundreds of parameters becomes a text with one parameter a line, made of the examples, and
of a refusal only the reason is shown.
"""

from collections.abc import Mapping
from typing import Any

from simulator.derive.openapi.merchant import BARE, FORM

# The page encodes the lines as a form when it sends them.
LINES = "text/plain"
MORE = "One parameter a line, `name=value`. Every parameter: [reference](reference)."


def trial_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with each form as a text, and each operation once."""
    paths = {
        path: {method: _operation(operation) for method, operation in item.items()}
        for path, item in document["paths"].items()
        if not any(each["operationId"].endswith(BARE) for each in item.values())
    }
    return {**document, "paths": paths}


def _operation(operation: dict[str, Any]) -> dict[str, Any]:
    responses = {
        status: {"description": each["description"]} | _shown(status, each)
        for status, each in operation["responses"].items()
    }
    operation = {**operation, "responses": responses}
    body = operation.get("requestBody")
    if body is None:
        return operation
    examples = {
        name: {"summary": each["summary"], "value": _lines(each["value"])}
        for name, each in body["content"][FORM]["examples"].items()
    }
    content = {LINES: {"schema": {"type": "string"}, "examples": examples}}
    return {**operation, "requestBody": {**body, "description": MORE, "content": content}}


def _shown(status: str, response: Mapping[str, Any]) -> dict[str, Any]:
    """What the page shows of a response beside its description: of a success, what it holds."""
    return {"content": response["content"]} if status == "200" else {}


def _lines(sent: Mapping[str, str]) -> str:
    return "\n".join(f"{name}={value}" for name, value in sent.items())
