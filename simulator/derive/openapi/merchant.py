"""OpenAPI 3.1 of the merchant API, computed from the catalogue: one component a table."""

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.openapi.headers import header_components, headers_of, throttle_headers
from simulator.derive.openapi.without_token import open_paths
from simulator.derive.schemas.causes import THROTTLED, Cause, causes_in
from simulator.derive.schemas.examples import ENTITY, EXAMPLES, result_example
from simulator.derive.schemas.requests import RequestRules, generable_schema, rules_of, table_schema
from simulator.derive.schemas.surfaces import ANSWERS, IDS, SURFACES, TAGS
from simulator.grammar.choices import Choices
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import Table
from simulator.grammar.version import __version__

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
UNKNOWN_ID = "700.400.580"
# Statuses of answers to requests whose entity was known by then: their ndc begins with it.
WITH_ENTITY = (400, 404)
# The header of the answer to a post from a form.
OF_FORMS = {"pay_checkout": ("Sandgate-Capability",), "register_checkout": ("Sandgate-Capability",)}
# A browser that posts an empty form is led to the page of the form. Choice: D-342.
LED_ON, UNPAID = ("pay_checkout",), "000.200.000"
DESCRIPTION = """A payment gateway to test against.

Parameters travel as a form in UTF-8 under dotted names: `customer.givenName`,
`cart.items[0].name`, `customParameters[name]`. A parameter with an empty value counts as absent
(D-03). `entityId` may also be written `authentication.entityId` (D-32).

Every answer, of any status, is JSON with `result`, `buildNumber`, `timestamp` and `ndc`. Ids such
as PAY-01 name requirements, ids such as D-09 decisions (`sandgate explain D-09`)."""

# Ends the id of an operation at its path without the version prefix, which the page to try the API
# out leaves out.
BARE = "_bare"

# What can be read and referred to under the id in its answer.
PAYING = ("create_payment", "refer_payment")
AFTER_A_PAYMENT = {
    "read": {
        "operationId": "read_payment",
        "description": "Read the payment",
        "parameters": {"id": "$response.body#/id", "entityId": "$request.body#/entityId"},
    },
    "refer": {
        "operationId": "refer_payment",
        "description": "Capture, refund or reverse the payment",
        "parameters": {"id": "$response.body#/id"},
    },
}


def openapi_document(choices: Choices, *, entity_id: str = ENTITY) -> dict[str, Any]:
    """The merchant API under `choices`; its examples work with an entity that exists."""
    components = {name: answer.schema(choices) for name, answer in ANSWERS.items()}
    paths: dict[str, Any] = {}
    for operation in OPERATIONS.values():
        described = _operation(operation, choices, components, entity_id)
        for path in operation.paths:
            named = described if path == operation.path else _bare(described)
            paths.setdefault(path, {})[operation.method.lower()] = named
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sandgate",
            "version": __version__,
            "summary": f"The merchant API, profile {choices.profile}",
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"accessToken": []}],
        "tags": [{"name": name, "description": words} for name, words in TAGS.items()],
        "paths": {**paths, **open_paths(choices)},
        "components": {
            "securitySchemes": {
                "accessToken": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The access token of a merchant. AUTH-01",
                }
            },
            "schemas": components,
            "headers": header_components("Content-Disposition"),
        },
    }


def _operation(
    operation: Operation, choices: Choices, components: dict[str, Any], entity_id: str
) -> dict[str, Any]:
    surface = SURFACES[operation.id]
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [surface.tag],
        "summary": surface.summary,
        "description": f"{surface.words}{_rule_list(operation)}",
    }
    parameters = _parameters(operation, choices, entity_id)
    if parameters:
        described["parameters"] = parameters
    if operation.method == "POST":
        described["requestBody"] = _body(operation, choices, components, entity_id)
    described["responses"] = _responses(operation, choices)
    return described


def _bare(described: dict[str, Any]) -> dict[str, Any]:
    """The same operation at its path without the version prefix."""
    return {**described, "operationId": f"{described['operationId']}{BARE}"}


def _parameters(operation: Operation, choices: Choices, entity_id: str) -> list[dict[str, Any]]:
    found = []
    about = SURFACES[operation.id].of
    if "{id}" in operation.path:
        found.append(
            {
                "name": "id",
                "in": "path",
                "required": True,
                "description": f"The id of a {about}",
                "schema": IDS[about](choices),
            }
        )
    if operation.method != "POST":
        found += _query(operation, choices, entity_id)
    return found


def _query(operation: Operation, choices: Choices, entity_id: str) -> Iterable[dict[str, Any]]:
    rules = rules_of(operation, choices)
    for table in operation.tables:
        for name, schema in table_schema(table, rules).get("properties", {}).items():
            parameter = {"name": name, "in": "query", "schema": schema}
            if name == "entityId":
                parameter |= {"required": True, "example": entity_id}
            yield parameter


def _body(
    operation: Operation, choices: Choices, components: dict[str, Any], entity_id: str
) -> dict[str, Any]:
    rules = rules_of(operation, choices)
    shown = EXAMPLES[operation.id]
    first = {"entityId": entity_id, **next(iter(shown.values())).sent}
    tables = [_table(table, rules, components, first) for table in operation.tables]
    schema = {**generable_schema(rules), "allOf": [{"$ref": table} for table in tables]}
    if rules.is_closed:
        schema["unevaluatedProperties"] = False
    components[f"{operation.id}_request"] = schema
    examples = {
        name: {"summary": each.summary, "value": {"entityId": entity_id, **each.sent}}
        for name, each in shown.items()
    }
    media = {"schema": {"$ref": _ref(f"{operation.id}_request")}, "examples": examples}
    return {"required": True, "content": {FORM: media}}


def _table(
    table: Table, rules: RequestRules, components: dict[str, Any], shown: Mapping[str, str]
) -> str:
    """The reference to a table's component, shared by operations in which it says the same.

    `shown` are the values to try first, where none are shown yet. Generators name classes by
    titles: what differs from the first of its table is titled by its operation too. D-290.
    """
    schema = {"title": table.title, "type": "object", **table_schema(table, rules)}
    for name in shown.keys() & schema.get("properties", {}).keys():
        schema["properties"][name]["examples"] = [shown[name]]
    name = _class_name(table.title)
    alike = [each for each in components if each == name or each.startswith(f"{name}_")]
    known = next((each for each in alike if _same_table(components[each], schema)), None)
    if known is None and name in components:
        known = f"{name}_{rules.operation.id}"
        components[known] = {**schema, "title": f"{table.title} ({rules.operation.id})"}
    elif known is None:
        known = name
        components[known] = schema
    return _ref(known)


def _class_name(title: str) -> str:
    """The words of a title as the name of a class in any language: no digit first, no dot."""
    words = re.findall("[A-Za-z0-9]+", title.replace("3D", "threeD"))
    return "".join(f"{word[0].upper()}{word[1:]}" for word in words)


def _same_table(known: dict[str, Any], schema: dict[str, Any]) -> bool:
    """Whether two schemas say the same but for their titles."""
    return _same({**known, "title": schema["title"]}, schema)


def _same(one: object, other: object) -> bool:
    """Whether two schemas say the same but for the values they show."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return one == other
    names = (one.keys() | other.keys()) - {"examples"}
    return all(_same(one.get(name), other.get(name)) for name in names)


def _responses(operation: Operation, choices: Choices) -> dict[str, Any]:
    success = _success(operation, choices)
    met = sorted(causes_in(operation, choices), key=lambda cause: cause.status)
    by_status = groupby(met, key=lambda cause: cause.status)
    refused = {str(status): _refusal(operation, list(met), choices) for status, met in by_status}
    refused.pop("200", None)
    led = {"307": _led(choices)} if operation.id in LED_ON else {}
    return {"200": success, **led, **refused}


def _led(choices: Choices) -> dict[str, Any]:
    shown = result_example(UNPAID, choices, with_entity=False)
    return {
        "description": "A browser confirms on the summary page of a shop.",
        "headers": headers_of("307", "Location"),
        "content": {JSON: {"schema": _one_of(("Result",)), "example": shown}},
    }


def _success(operation: Operation, choices: Choices) -> dict[str, Any]:
    names = _answers(operation, choices)
    first = ANSWERS[names[0]]
    media = {"schema": _one_of(names)}
    if first.example is not None:
        media["example"] = first.example(choices)
    headers = headers_of("200", *OF_FORMS.get(operation.id, ()))
    success = {"description": first.words, "headers": headers, "content": {JSON: media}}
    if operation.id in PAYING:
        success["links"] = AFTER_A_PAYMENT
    return success


def _answers(operation: Operation, choices: Choices) -> tuple[str, ...]:
    """The schemas of a success. Under the id of a registration the profile `field` has one more.
    Source: E07.
    """
    names = SURFACES[operation.id].answer
    also = operation.id == "read_payment" and choices["registration_read"] == "answer"
    return (*names, "Registration") if also else names


def _refusal(operation: Operation, met: list[Cause], choices: Choices) -> dict[str, Any]:
    codes = dict.fromkeys(cause.code for cause in met if cause.code)
    with_entity = met[0].status in WITH_ENTITY
    examples = {
        code: {"value": result_example(code, choices, with_entity=with_entity)}
        for code in codes or (UNKNOWN_ID,)
    }
    names = dict.fromkeys(name for cause in met for name in _schemas_of(cause, operation))
    status = str(met[0].status)
    more = (*throttle_headers(choices, status), *OF_FORMS.get(operation.id, ()))
    return {
        "description": _either(cause.when for cause in met),
        "headers": headers_of(status, *more),
        "content": {JSON: {"schema": _one_of(names), "examples": examples}},
    }


def _schemas_of(cause: Cause, operation: Operation) -> tuple[str, ...]:
    """Where each error has its own code there may be a payment, or what else the operation answers:
    declined, or refused. The payment comes first: clients that are made of the document take the
    first that fits.
    """
    if cause.code == THROTTLED:
        return ("Throttled",)
    answers = SURFACES[operation.id].answer
    return ("Payment", "Result", "Refused", *answers) if cause.code is None else ("Result",)


def _rule_list(operation: Operation) -> str:
    ids = ", ".join(dict.fromkeys(row.id for row in operation.relations))
    return f"\n\nRules: {ids}." if ids else ""


def _one_of(names: Iterable[str]) -> dict[str, Any]:
    schemas = [{"$ref": _ref(name)} for name in names]
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _either(causes: Iterable[str]) -> str:
    said = [f"{cause[0].upper()}{cause[1:]}." for cause in causes]
    return said[0] if len(said) == 1 else "\n".join(f"- {cause}" for cause in said)


def _ref(name: str) -> str:
    return f"#/components/schemas/{name}"
