"""A faulty OpenAPI document is the fault of the document: no answer is said to be wrong."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from features.conformance.descriptions import DescriptionChecker
from features.support.assertions import ConformanceAssertionError
from features.target.records import Target
from simulator.client import Connection
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

JSON = {"Content-Type": "application/json"}


def described(responses: Any) -> bytes:
    paths = {"/v1/payments/{id}": {"get": {"responses": responses}}}
    return json.dumps({"openapi": "3.1.0", "paths": paths}).encode()


def schema(reference: str) -> dict[str, Any]:
    return {"200": {"content": {"application/json": {"schema": {"$ref": reference}}}}}


FAULTY = {
    "no JSON": (b"<html>", "status 200, no JSON"),
    "nothing": (b"", "status 200, no JSON"),
    "a list": (b"[]", "expected a JSON object"),
    "another document": (b'{"swagger": "2.0", "paths": {}}', "expected OpenAPI 3"),
    "no paths": (b'{"openapi": "3.1.0"}', "member paths"),
    "other paths": (b'{"openapi": "3.1.0", "paths": {"/a": 5}}', "member paths"),
    "a broken reference": (described({"200": {"$ref": "#/components/responses/None"}}),
                           "$ref '#/components/responses/None' leads nowhere"),
    "a circle": (described({"200": {"$ref": "#/paths/~1v1~1payments~1{id}/get/responses/200"}}),
                 "got a circle"),
    "a schema that is not there": (described(schema("#/components/schemas/None")),
                                   "schema at /paths"),
    "a schema that is none": (described({"200": {"content": {"application/json": {"schema": {
        "type": "nothing"}}}}}), "schema at /paths"),
    "no responses": (described(None), "GET /v1/payments/{id}: expected an operation"),
}  # fmt: skip


@contextmanager
def checking(
    document: Callable[[], bytes], answer: bytes = b"{}"
) -> Iterator[tuple[DescriptionChecker, Connection, str]]:
    """A checker, a connection that it stands around, and where the document is."""

    def respond(request: ReceivedRequest) -> ListenerResponse:
        is_document = request.path.endswith("openapi.json")
        return ListenerResponse(200, JSON, document() if is_document else answer)

    with listening(respond) as url:
        target = Target(url, "t", "e", openapi_url=f"{url}openapi.json")
        checker = DescriptionChecker(target)
        connection = Connection(url, around=checker.around)
        yield checker, connection, target.openapi_url
        connection.close()


@pytest.mark.parametrize(("content", "wrong"), FAULTY.values(), ids=FAULTY)
def test_a_faulty_document_is_named_and_the_answer_is_read(content: bytes, wrong: str) -> None:
    with checking(lambda: content) as (checker, connection, url):
        checker.begin()
        assert connection.ask("GET", "v1/payments/1", headers={}).body == {}
        with pytest.raises(ConformanceAssertionError) as raised:
            checker.demand_described()
    assert raised.value.what == "the OpenAPI document of the target can be read"
    assert raised.value.expected == f"a document of OpenAPI 3 at {url}"
    assert wrong in raised.value.came


def test_a_document_that_is_fixed_is_read_again_in_the_next_case() -> None:
    contents = [b"{}", b"{}", described({"200": {"content": {"application/json": {}}}})]
    with checking(lambda: contents.pop(0)) as (checker, connection, _):
        for _ in range(2):
            checker.begin()
            for _ in range(2):
                connection.ask("GET", "v1/payments/1", headers={})
            with pytest.raises(ConformanceAssertionError):
                checker.demand_described()
        checker.begin()
        connection.ask("GET", "v1/payments/1", headers={})
        checker.demand_described()


def test_a_body_that_is_no_json_is_the_fault_of_the_answer() -> None:
    content = described({"200": {"content": {"application/json": {"schema": {"type": "object"}}}}})
    with checking(lambda: content, b"<html>") as (checker, connection, _):
        checker.begin()
        connection.ask("GET", "v1/payments/1", headers={})
        with pytest.raises(ConformanceAssertionError, match="body: expected JSON"):
            checker.demand_described()
