"""The headers of answers, as both OpenAPI documents describe them; each is a component."""

from collections.abc import Mapping
from typing import Any

from simulator.grammar.choices import Choices

TEXT = {"type": "string"}
# Every answer has them.
ALWAYS = ("Cache-Control", "X-Content-Type-Options")
# fmt: off
HEADERS: Mapping[str, dict[str, Any]] = {
    "Cache-Control": {
        "description": "Answers are about money: no cache may store one.",
        "required": True, "schema": {"const": "no-store"}},
    "X-Content-Type-Options": {
        "description": "A browser takes the answer for what its media type says.",
        "required": True, "schema": {"const": "nosniff"}},
    "WWW-Authenticate": {
        "description": "How to authenticate.", "required": True, "schema": TEXT},
    "Retry-After": {
        "description": "In so many seconds the request may be sent again.",
        "schema": {"type": "integer", "minimum": 0}},
    "Accept-Encoding": {
        "description": "Bodies are taken as they are, without a coding.",
        "required": True, "schema": {"const": "identity"}},
    "Content-Disposition": {
        "description": "The name of the file.", "required": True, "schema": TEXT},
    "Location": {
        "description": "Where the browser posts the same again.", "required": True,
        "schema": TEXT},
    "Sandgate-Capability": {
        "description": "What the next post of a form has to carry, where a form posted.",
        "schema": {"type": "string", "pattern": r"^[0-9a-f]{48}$(?!\n)"}},
}
# fmt: on
# The headers that come with an answer of this status, beside those of every answer.
BY_STATUS: Mapping[str, tuple[str, ...]] = {
    "401": ("WWW-Authenticate",),
    "415": ("Accept-Encoding",),
    "500": ("Retry-After",),
    "503": ("Retry-After",),
}


def headers_of(status: str, *more: str) -> dict[str, dict[str, str]]:
    """The headers of an answer of this status, and `more`, as references to components."""
    names = dict.fromkeys((*ALWAYS, *BY_STATUS.get(status, ()), *more))
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def throttle_headers(choices: Choices, status: str) -> tuple[str, ...]:
    """The headers that come with this status where it is that of a throttled request."""
    return ("Retry-After",) if status == choices["throttle_status"] else ()


def header_components(*unused: str) -> dict[str, dict[str, Any]]:
    """Every header by its name, but for those a document has no use for."""
    return {name: header for name, header in HEADERS.items() if name not in unused}
