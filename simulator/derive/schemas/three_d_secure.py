"""JSON Schema 2020-12 of the messages of 3-D Secure 2, and what is wrong with a message.

Both ends check by them: the gateway's 3DS server, and the simulators behind it. Source: D-198.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from simulator.catalogue.messages.three_d_secure import FIELDS, FOLLOWS, MESSAGES, VERSIONS
from simulator.grammar.formats import Format
from simulator.grammar.message_fields import (
    ABSENT,
    EXTENSIONS,
    REQUIRED,
    TRUTH,
    Follows,
    MessageField,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"
EXTENSIONS_MAX = 10
# As both ends read so much of a body, a message is that long at most.
MESSAGE_BYTES_MAX = 64 * 1024
# A message of more values is not read: to make and to judge them would take its time.
COMMAS_MAX = 4000
EXTENSION = {
    "type": "object",
    "required": ["name", "id", "criticalityIndicator", "data"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 64},
        "id": {"type": "string", "minLength": 1, "maxLength": 64},
        "criticalityIndicator": {"type": "boolean"},
        "data": {"type": "object"},
    },
}
SHAPES: Mapping[str, dict[str, Any]] = {
    TRUTH: {"type": "boolean"},
    # Of a list that is too long nothing else is judged: that would take a second.
    EXTENSIONS: {
        "type": "array",
        "maxItems": EXTENSIONS_MAX,
        "if": {"maxItems": EXTENSIONS_MAX},
        "then": {"items": EXTENSION},
    },
}


class Wrong(NamedTuple):
    """What is wrong with a message: a code of catalogue ERRORS, and the names it is about.

    No value stands in it, so that it may be answered and logged.
    """

    code: str
    detail: str


def message_schema(message: str, version: str) -> dict[str, Any]:
    """The schema of one kind of message in one version."""
    rows = [(row, _need(row, message)) for row in FIELDS if _need(row, message) != ABSENT]
    conditions = [_condition(row) for row in FOLLOWS if row.message == message]
    return {
        "$schema": DIALECT,
        "title": f"{message} of 3-D Secure {version}",
        "type": "object",
        "required": [row.name for row, need in rows if need == REQUIRED],
        "properties": {row.name: _field_schema(row, message, version) for row, _ in rows},
        **({"allOf": conditions} if conditions else {}),
    }


def _condition(row: Follows) -> dict[str, Any]:
    return {
        "if": {
            "required": [row.name],
            "properties": {row.name: {"enum": list(row.values)}},
        },
        "then": {"required": list(row.required)},
    }


def read_message(body: bytes) -> dict[str, Any] | Wrong:
    """The message that `body` writes, before anything is judged but that it is one JSON object."""
    repeated: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        document = dict(found)
        if len(document) < len(found):
            times = Counter(name for name, _ in found)
            repeated.extend(name for name, count in times.items() if count > 1)
        return document

    if len(body) > MESSAGE_BYTES_MAX:
        return Wrong("101", f"expected at most {MESSAGE_BYTES_MAX} bytes")
    if body.count(b",") > COMMAS_MAX:
        return Wrong("101", f"expected at most {COMMAS_MAX} commas")
    try:
        document = json.loads(body, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return Wrong("101", "expected JSON")
    if not isinstance(document, dict):
        return Wrong("101", "expected a JSON object")
    known = known_names().intersection(repeated)
    return Wrong("204", ", ".join(sorted(known))) if known else document


def wrong_with(document: Mapping[str, Any], *messages: str) -> Wrong | None:
    """What is wrong with a message that should be one of `messages`, or None.

    The order is that of the protocol: kind, version, what is missing, forms, extensions.
    """
    kind, version = document.get("messageType"), document.get("messageVersion")
    if kind not in messages or not isinstance(kind, str):
        return Wrong("101", f"messageType: expected {' or '.join(messages)}")
    if version is None:
        return Wrong("201", "messageVersion")
    if version not in VERSIONS or not isinstance(version, str):
        return Wrong("102", f"messageVersion: expected {' or '.join(VERSIONS)}")
    missing, malformed = _faults(document, kind, version)
    if missing:
        return Wrong("201", ", ".join(missing))
    if malformed:
        return Wrong("203", ", ".join(malformed))
    if any(each["criticalityIndicator"] for each in document.get("messageExtension", ())):
        return Wrong("202", "messageExtension: none is known that is critical")
    return None


@cache
def known_names() -> frozenset[str]:
    """The names of all fields."""
    return frozenset(row.name for row in FIELDS)


def _faults(document: Mapping[str, Any], kind: str, version: str) -> tuple[list[str], list[str]]:
    """The names of fields that are missing, and of those that are malformed, in their order."""
    missing: set[str] = set()
    malformed: set[str] = set()
    for error in _validator(kind, version).iter_errors(document):
        if not error.absolute_path and error.validator == "required":
            missing.update(name for name in error.validator_value if name not in document)
        elif error.absolute_path:
            malformed.add(str(error.absolute_path[0]))
    order = [row.name for row in FIELDS]
    return sorted(missing, key=order.index), sorted(malformed, key=order.index)


@cache
def _validator(kind: str, version: str) -> Any:
    # Imported when a message has to be judged: a server that meets none starts without it.
    from jsonschema import Draft202012Validator

    return Draft202012Validator(message_schema(kind, version))


def _need(row: MessageField, message: str) -> str:
    return row.needs.split()[MESSAGES.index(message)]


def _field_schema(row: MessageField, message: str, version: str) -> dict[str, Any]:
    if row.name == "messageType":
        return {"const": message}
    if row.name == "messageVersion":
        return {"const": version}
    if row.shape in SHAPES:
        return SHAPES[row.shape]
    is_newer = row.newer is not None and version != VERSIONS[0]
    return _text_schema(row.newer if is_newer and row.newer else row.format)


def _text_schema(format: Format) -> dict[str, Any]:
    if format.values:
        return {"enum": list(format.values)}
    return {
        "type": "string",
        "minLength": format.min,
        "maxLength": format.max,
        "pattern": format.strict_pattern,
    }
