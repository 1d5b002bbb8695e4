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


PLAIN = ReceivedAnswer("GET", "/things/1", 200, {"content-type": f"{JSON};charset=UTF-8"}, None)


def document_of(operation: dict) -> dict:
    return {"openapi": "3.1.0", "paths": {"/things/{id}": {"get": operation}}}


def errors_of_operation(operation: dict, body: object) -> list[str]:
    return ResponseValidator(document_of(operation)).errors_of(PLAIN._replace(body=body))


def errors_in(response: dict, status: str, body: object) -> list[str]:
    """The errors of an answer with the status 200 whose response is described under `status`."""
    return errors_of_operation({"responses": {status: response}}, body)


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


@pytest.mark.parametrize("status", ["200", "2XX", "default"])
@pytest.mark.parametrize("media", [JSON, f"{JSON}; charset=UTF-8", "application/*", "*/*"])
def test_what_is_described_by_a_range_is_described(status: str, media: str) -> None:
    answered = {"content": {media: {"schema": CLOSED}}}
    assert errors_in(answered, status, {"id": "a"}) == []
    assert errors_in(answered, status, {"other": "a"})
    assert errors_in({"content": {"text/*": {}}}, status, {}) == [
        "media type application/json is not described"
    ]


@pytest.mark.parametrize("status", ["201", "3XX", "2xx"])
def test_another_status_describes_none(status: str) -> None:
    answered = {"content": {JSON: {"schema": CLOSED}}}
    assert errors_in(answered, status, {"id": "a"}) == ["status 200 is not described"]


def test_the_nearest_description_counts() -> None:
    near, far = {"content": {JSON: {"schema": CLOSED}}}, {"content": {JSON: {"schema": False}}}
    responses = {"default": far, "2XX": far, "200": near}
    assert errors_of_operation({"responses": responses}, {"id": "a"}) == []
    both = {"content": {"*/*": {"schema": False}, JSON: {"schema": CLOSED}}}
    assert errors_in(both, "200", {"id": "a"}) == []


def test_a_reference_is_a_pointer_with_escapes() -> None:
    reference = "#/paths/~1other~1%7Bid%7D/get/responses/200"
    document = {
        "openapi": "3.1.0",
        "paths": {
            "/things/{id}": {"get": {"responses": {"200": {"$ref": reference}}}},
            "/other/{id}": {"get": {"responses": {"200": {"content": {JSON: {"schema": CLOSED}}}}}},
        },
    }
    validator = ResponseValidator(document)
    assert validator.errors_of(PLAIN._replace(body={"id": "a"})) == []
    assert validator.errors_of(PLAIN._replace(body={"other": "a"}))


def test_an_answer_without_content_needs_no_media_type() -> None:
    validator = ResponseValidator(document_of({"responses": {"204": {"description": "done"}}}))
    assert validator.errors_of(PLAIN._replace(status=204, headers={})) == []
    assert validator.errors_of(PLAIN._replace(status=204)) == [
        "media type application/json is not described"
    ]
