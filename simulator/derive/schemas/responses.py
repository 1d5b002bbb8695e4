"""JSON Schema of the answers of the merchant API: payment responses, and results without one.

Source: Payment response (common fields), Errors.
"""

from collections.abc import Iterator
from typing import Any

from simulator.catalogue.fields.responses import (
    PAYMENT_RESPONSE,
    POINT_OF_SALE_RESPONSE,
    REDIRECT,
    REGISTRATION_RESPONSE,
)
from simulator.catalogue.fields.three_d_secure import AUTHENTICATION_SHOWN
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.derive.checks.acceptance import resolved
from simulator.derive.checks.structures import nested_schema
from simulator.derive.schemas.facts import describe_fact, fact_of
from simulator.derive.schemas.patterns import value_schema
from simulator.grammar.choices import Choices
from simulator.grammar.formats import choice_of, digits, text
from simulator.grammar.parameters import OPTIONAL, REQUEST, REQUIRED, Param

PAYMENT_ID, CHECKOUT_ID = "id (payment)", "id (checkout)"
REGISTRATION_ID = "id (registration)"
OTHER_IDS = frozenset({CHECKOUT_ID, REGISTRATION_ID})
REFERENCED = "referencedId"
NO_FIELDS = frozenset({"structure"})
TYPES = choice_of(*PAYMENT_TYPES, notation="A2")

# Forms that the browser posts in hidden frames before it goes to redirect.url. Choice: D-194.
PRECONDITIONS = tuple(
    Param(f"redirect.preconditions[n].{name}", text(length), OPTIONAL, said, origin="D-194")
    for name, length, said in (
        ("origin", 255, "the frame that posts it"),
        ("waitUntil", 255, "what to wait for before the redirect"),
        ("description", 255, "what it is for"),
        ("url", 2048, "where it is posted"),
        ("method", 4, "how it is sent"),
        ("parameters[n].name", 255, "name of a field of the form"),
        ("parameters[n].value", 2048, "its value"),
    )
)

# Clients read them, though the specification does not name them. Choice: D-45.
BESIDE = (
    Param("paymentType", TYPES, REQUIRED, "as it was sent", origin="D-45"),
    Param("card.last4Digits", digits(4, 4), OPTIONAL, "the end of the card number", origin="D-45"),
    *AUTHENTICATION_SHOWN,
    *PRECONDITIONS,
)
ENVELOPE = ("result.code", "result.description", "buildNumber", "timestamp", "ndc")
ECHOED = {"type": "string"}
INTEGRITY = r"^sha384-[A-Za-z0-9+/]{64}$(?!\n)"


def payment_schema(choices: Choices) -> dict[str, Any]:
    """The payment response, with everything a request may have had that is echoed."""
    leaves = {name: dict(ECHOED) for row in _echoed_rows() for name in row.concrete_names}
    tables = (REGISTRATION_RESPONSE, PAYMENT_RESPONSE, REDIRECT, POINT_OF_SALE_RESPONSE)
    leaves |= {
        "id" if row.name == PAYMENT_ID else row.name: _field_schema(row, choices)
        for row in (*(row for table in tables for row in table.rows), *BESIDE)
        if _is_field(row, choices)
    }
    schema = nested_schema(leaves)
    schema["properties"]["result"]["required"] = ["code", "description"]
    required = ["id", "paymentType", "result", "buildNumber", "timestamp", "ndc"]
    return {**schema, "required": required, "description": "A payment and its result."}


def result_schema(choices: Choices) -> dict[str, Any]:
    """An answer that carries a result and no payment, with `parameterErrors` for broken rules."""
    rows = {row.name: row for row in PAYMENT_RESPONSE.rows}
    leaves = {name: _field_schema(rows[name], choices) for name in ENVELOPE}
    leaves["result.parameterErrors"] = {
        "description": "Every parameter that broke a rule, in the order of the specification.",
        "type": "array",
        "minItems": 1,
        "items": _parameter_error(),
    }
    leaves["resultDetails.ExtendedDescription"] = {
        "description": "Why the result code applies. D-274.",
        "type": "string",
        "maxLength": 2048,
    }
    schema = nested_schema(leaves)
    schema["properties"]["result"]["required"] = ["code", "description"]
    required = ["result", "buildNumber", "timestamp", "ndc"]
    return {**schema, "required": required, "description": "A result without a payment."}


def checkout_schema(choices: Choices) -> dict[str, Any]:
    """A checkout: its result, its id, what was fixed as far as answers repeat it, and where it was
    asked for the integrity of the form's script.
    """
    rows = {row.name: row for row in (*PAYMENT_RESPONSE.rows, *BESIDE)}
    leaves = {name: dict(ECHOED) for row in _echoed_rows() for name in row.concrete_names}
    shown = (*ENVELOPE, "paymentType", "amount", "currency")
    leaves |= {name: _field_schema(rows[name], choices) for name in shown}
    leaves["id"] = checkout_id_schema(choices)
    leaves["integrity"] = {"type": "string", "pattern": INTEGRITY}
    schema = nested_schema(leaves)
    schema["properties"]["result"]["required"] = ["code", "description"]
    required = ["id", "result", "buildNumber", "timestamp", "ndc"]
    return {**schema, "required": required, "description": "A checkout."}


def result_codes_schema(choices: Choices) -> dict[str, Any]:
    """The list of the result codes."""
    schema = _open_schema(choices)
    known = schema["properties"]["result"]["properties"]
    item = {
        "type": "object",
        "additionalProperties": False,
        "required": ["code", "description"],
        "properties": {name: known[name] for name in ("code", "description")},
    }
    schema["properties"]["resultCodes"] = {"type": "array", "minItems": 1, "items": item}
    required = ["resultCodes", *schema["required"]]
    return {**schema, "required": required, "description": "Every result code."}


def integrity_schema(choices: Choices) -> dict[str, Any]:
    """The hash of the form's script."""
    schema = _open_schema(choices)
    schema["properties"]["integrity"] = {"type": "string", "pattern": INTEGRITY}
    described = "The hash of the script, as pages write it."
    return {**schema, "required": ["integrity", *schema["required"]], "description": described}


def _open_schema(choices: Choices) -> dict[str, Any]:
    """The result of what anybody may read."""
    schema = result_schema(choices)
    del schema["properties"]["result"]["properties"]["parameterErrors"]
    del schema["properties"]["resultDetails"]
    return schema


def registration_schema(choices: Choices) -> dict[str, Any]:
    """A registration: its brand, its account, and what was stored with it."""
    schema = payment_schema(choices)
    for name in ("paymentType", "registrationId", "amount", "currency", "descriptor", "pos"):
        del schema["properties"][name]
    schema["properties"]["id"] = registration_id_schema(choices)
    required = ["id", "result", "buildNumber", "timestamp", "ndc"]
    return {**schema, "required": required, "description": "A registration and its result."}


def settled_schema(choices: Choices) -> dict[str, Any]:
    """What was done to a registration that the answer does not show."""
    schema = result_schema(choices)
    del schema["properties"]["result"]["properties"]["parameterErrors"]
    schema["properties"] = {"id": registration_id_schema(choices), **schema["properties"]}
    required = ["id", *schema["required"]]
    return {**schema, "required": required, "description": "The id of a registration, a result."}


def refused_schema(choices: Choices) -> dict[str, Any]:
    """What state or limits forbid: an id to ask support about, and what was sent. D-40."""
    shown = payment_schema(choices)["properties"]
    schema = result_schema(choices)
    del schema["properties"]["result"]["properties"]["parameterErrors"]
    names = ("id", "paymentType", "paymentBrand", "card")
    schema["properties"] = {name: shown[name] for name in names} | schema["properties"]
    described = "A refusal with an id for support to ask about: no payment exists. D-40."
    return {**schema, "required": ["id", *schema["required"]], "description": described}


def throttled_schema(choices: Choices) -> dict[str, Any]:
    """The answer to one request too many: the only result without a payment that has an id."""
    schema = result_schema(choices)
    del schema["properties"]["result"]["properties"]["parameterErrors"]
    del schema["properties"]["resultDetails"]
    schema["properties"] = {"id": payment_id_schema(choices), **schema["properties"]}
    described = "A result for support to ask about: its id names nothing else. LIM-01."
    return {**schema, "required": ["id", *schema["required"]], "description": described}


def payment_id_schema(choices: Choices) -> dict[str, Any]:
    """The id of a payment."""
    return _id_schema(PAYMENT_ID, choices)


def checkout_id_schema(choices: Choices) -> dict[str, Any]:
    """The id of a checkout."""
    return _id_schema(CHECKOUT_ID, choices)


def registration_id_schema(choices: Choices) -> dict[str, Any]:
    """The id of a registration."""
    return _id_schema(REGISTRATION_ID, choices)


def _id_schema(name: str, choices: Choices) -> dict[str, Any]:
    row = next(row for row in PAYMENT_RESPONSE.rows if row.name == name)
    return value_schema(resolved(row.format, choices))


def _echoed_rows() -> Iterator[Param]:
    return (
        row
        for operation in OPERATIONS.values()
        for table in operation.tables
        for row in table.rows
        if row.echo and row.direction == REQUEST
    )


def _is_field(row: Param, choices: Choices) -> bool:
    if row.name == REFERENCED:
        return choices["referenced_id"] == "answer"
    return row.name not in OTHER_IDS and row.format.kind not in NO_FIELDS


def _field_schema(row: Param, choices: Choices) -> dict[str, Any]:
    described_as = describe_fact(fact_of(row, choices))
    return {"description": described_as, **value_schema(resolved(row.format, choices))}


def _parameter_error() -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "value", "message"],
        "properties": {
            "name": {"type": "string"},
            "value": {
                "description": "null where nothing was sent, or a secret",
                "type": ["string", "null"],
            },
            "message": {"type": "string"},
        },
    }
