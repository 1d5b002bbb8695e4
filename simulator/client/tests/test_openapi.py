"""Whether answers obey an OpenAPI document, by a small document of its own."""

import pytest

from simulator.client.openapi import ReceivedAnswer, ResponseValidator

TEXT = {"type": "string"}
CLOSED = {"type": "object", "properties": {"id": TEXT}, "additionalProperties": False}
LISTED = {"type": "object", "properties": {"ids": {"type": "array"}}, "required": ["ids"]}
JSON = "application/json"
DOCUMENT = {
    "openapi": "3.1.0",
    "paths": {
        "/things/{id}": {
            "get": {
                "responses": {
                    "200": {
                        "headers": {
                            "X-Needed": {"$ref": "#/components/headers/X-Needed"},
                            "X-Count": {"schema": {"type": "integer", "maximum": 9}},
                        },
                        "content": {
                            JSON: {
                                "schema": {"anyOf": [{"$ref": "#/components/schemas/One"}, LISTED]}
                            }
                        },
                    },
                    "404": {"$ref": "#/components/responses/404"},
                }
            }
        },
        "/things/all": {"get": {"responses": {"200": {"content": {"text/plain": {}}}}}},
    },
    "components": {
        "schemas": {"One": CLOSED},
        "headers": {"X-Needed": {"required": True, "schema": {"const": "yes"}}},
        "responses": {"404": {"content": {JSON: {"schema": CLOSED}}}},
    },
}
NEEDED = {"content-type": f"{JSON};charset=UTF-8", "x-needed": "yes", "date": "today"}
NUMBER = "4200000000000000"


def errors_of(body: object, *, status: int = 200, path: str = "/things/1", **more: str):
    headers = {name.replace("_", "-"): value for name, value in more.items()}
    answer = ReceivedAnswer("GET", path, status, {**NEEDED, **headers}, body)
    return ResponseValidator(DOCUMENT).errors_of(answer)


def test_an_answer_as_described_has_no_errors() -> None:
    assert errors_of({"id": "1"}) == []
    assert errors_of({"ids": []}, x_count="9") == []
    assert errors_of({"id": "1"}, path="/things/1?more=yes") == []


@pytest.mark.parametrize(
    ("error", "body", "more"),
    [
        ("status 500 is not described", {}, {"status": 500}),
        ("header x-more is not described", {}, {"x_more": "1"}),
        ('header x-needed: "yes" was expected', {}, {"x_needed": "no"}),
        ("header x-count: the value is greater than the maximum of 9", {}, {"x_count": "10"}),
        ("media type text/html is not described", b"", {"content_type": "text/html"}),
        ("body: Additional properties are not allowed ('more' was unexpected)", {"more": 1}, {}),
        ('id: the value is not of type "string"', {"id": 1}, {}),
        ("header x-needed is not described", {}, {"status": 404}),
    ],
)
def test_each_thing_that_is_not_described_is_an_error(error: str, body: object, more: dict) -> None:
    assert errors_of(body, **more) == [error]


def test_a_header_that_every_answer_has_is_missed() -> None:
    answer = ReceivedAnswer("GET", "/things/1", 200, {"content-type": JSON}, {})

    assert ResponseValidator(DOCUMENT).errors_of(answer) == ["header x-needed is missing"]


def test_a_path_that_is_spelled_out_wins_over_a_template() -> None:
    headers = {"content-type": "text/plain"}
    answer = ReceivedAnswer("GET", "/things/all", 200, headers, b"")

    assert ResponseValidator(DOCUMENT).errors_of(answer) == []


def test_what_is_no_operation_of_the_document_has_no_errors() -> None:
    validator = ResponseValidator(DOCUMENT)

    assert validator.operation_of("GET", "/others") is None
    assert validator.operation_of("PUT", "/things/1") is None
    assert validator.operation_of("GET", "/things/1") == "/things/{id}"


def test_no_error_repeats_a_value() -> None:
    assert NUMBER not in str(errors_of({"id": [NUMBER]}, x_needed=NUMBER))
