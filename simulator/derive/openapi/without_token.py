"""What anybody may read of the merchant API, without an access token. One row a path."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from simulator.derive.openapi.headers import headers_of
from simulator.derive.schemas.causes import Cause, causes
from simulator.derive.schemas.examples import result_example
from simulator.derive.schemas.surfaces import ANSWERS, LOOK_UPS
from simulator.grammar.choices import Choices

JSON = "application/json"
# What may go wrong where nothing is sent and no sandbox is asked.
STAGES = ("store", "fault")


class OpenRead(NamedTuple):
    """A path that is read with GET, in which words, and the schema of its answer."""

    path: str
    id: str
    summary: str
    words: str
    answer: str


# fmt: off
ROWS = (
    OpenRead("/v1/resultcodes", "list_result_codes", "List the result codes",
        "Every result code with its description (D-171).", "ResultCodes"),
    OpenRead("/v1/fastcheckout/integrity", "read_integrity", "Read the hash of the form's script",
        "The same as of a checkout with integrity=true, without a checkout (D-134).", "Integrity"),
)
# fmt: on


def open_paths(choices: Choices) -> Mapping[str, dict[str, Any]]:
    """The path item of each row."""
    return {row.path: {"get": _operation(row, choices)} for row in ROWS}


def _operation(row: OpenRead, choices: Choices) -> dict[str, Any]:
    answer = ANSWERS[row.answer]
    assert answer.example is not None, "an answer of its own is shown"
    success = {
        "description": answer.words,
        "headers": headers_of("200"),
        "content": _content(row.answer, answer.example(choices)),
    }
    failed = [each for each in causes(choices) if each.stage in STAGES]
    return {
        "operationId": row.id,
        "tags": [LOOK_UPS],
        "summary": row.summary,
        "description": row.words,
        "security": [],
        "responses": {"200": success}
        | {str(each.status): _failed(each, choices) for each in failed},
    }


def _failed(cause: Cause, choices: Choices) -> dict[str, Any]:
    assert cause.code is not None, "each has one code"
    return {
        "description": f"{cause.when[0].upper()}{cause.when[1:]}.",
        "headers": headers_of(str(cause.status)),
        "content": _content("Result", result_example(cause.code, choices, with_entity=False)),
    }


def _content(schema: str, example: object) -> dict[str, Any]:
    return {JSON: {"schema": {"$ref": f"#/components/schemas/{schema}"}, "example": example}}
