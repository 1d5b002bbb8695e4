"""Whether an OpenAPI document describes an answer: its status, its headers and its body."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import jsonschema_rs

DIALECT = "https://json-schema.org/draft/2020-12/schema"
BASE = "urn:openapi"
ERRORS_SHOWN = 5
# They belong to the transport, or stand in `content`; a document does not list them.
TRANSPORT = frozenset(
    {
        "connection", "content-encoding", "content-length", "content-type", "date", "keep-alive",
        "server", "trailer", "transfer-encoding", "vary", "via",
    }
)  # fmt: skip


class ReceivedAnswer(NamedTuple):
    """An answer as it came: `path` follows the address of the server in the document, header names
    are in lower case, and `body` is parsed where it is JSON.
    """

    method: str
    path: str
    status: int
    headers: Mapping[str, str]
    body: Any


class ResponseValidator:
    """Compares answers with one OpenAPI 3.1 document.

    Each schema is compiled when it is first needed: a document has hundreds.
    """

    def __init__(self, document: Mapping[str, Any]):
        self._document = document
        self._registry = jsonschema_rs.Registry([(BASE, {"$schema": DIALECT, **document})])
        self._compiled: dict[str, Any] = {}
        # A template such as /sandboxes/{id} also fits /sandboxes/restore: what is spelled out wins.
        templates = sorted(document["paths"], key=lambda path: path.count("{"))
        self._paths: list[tuple[str, re.Pattern[str]]] = [
            (template, _pattern_of(template)) for template in templates
        ]

    def operation_of(self, method: str, path: str) -> str | None:
        """The template of the path, where the document describes this method of it."""
        plain = path.partition("?")[0]
        for template, pattern in self._paths:
            if pattern.fullmatch(plain) and method.lower() in self._document["paths"][template]:
                return template
        return None

    def errors_of(self, answer: ReceivedAnswer) -> list[str]:
        """What the answer has that its operation does not describe; of an operation that is not
        described, nothing.
        """
        template = self.operation_of(answer.method, answer.path)
        return [] if template is None else list(self._errors(answer, template))

    def _errors(self, answer: ReceivedAnswer, template: str) -> Iterator[str]:
        method = answer.method.lower()
        responses = self._document["paths"][template][method]["responses"]
        status = _status_in(responses, answer.status)
        if status is None:
            yield f"status {answer.status} is not described"
            return
        stated: tuple[str, ...] = ("paths", template, method, "responses", status)
        described, place = self._resolved(responses[status], stated)
        yield from self._header_errors(answer, described, place)
        yield from self._content_errors(answer, described.get("content", {}), place)

    def _content_errors(
        self, answer: ReceivedAnswer, content: Mapping[str, Any], place: tuple[str, ...]
    ) -> Iterator[str]:
        media = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if not (media or content):
            return
        key = _media_in(content, media)
        if key is None:
            yield f"media type {media or 'none'} is not described"
        elif media == "application/json" and "schema" in content[key]:
            schema = self._schema((*place, "content", key, "schema"))
            yield from _said(schema.iter_errors(answer.body))

    def _header_errors(
        self, answer: ReceivedAnswer, described: Mapping[str, Any], place: tuple[str, ...]
    ) -> Iterator[str]:
        known = {name.lower(): name for name in described.get("headers", {})}
        for name in sorted(answer.headers.keys() - TRANSPORT - known.keys()):
            yield f"header {name} is not described"
        for name, spelled in known.items():
            header, at = self._resolved(described["headers"][spelled], (*place, "headers", spelled))
            value = answer.headers.get(name)
            if value is None:
                yield from [f"header {name} is missing"] if header.get("required") else []
                continue
            read = int(value) if _is_number(header, value) else value
            wrong = self._schema((*at, "schema")).iter_errors(read)
            yield from (f"header {name}: {error.message}" for error in wrong)

    def _resolved(
        self, found: Mapping[str, Any], place: tuple[str, ...]
    ) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """What stands at a place, or where it refers to."""
        if "$ref" not in found:
            return found, place
        names = unquote(found["$ref"]).removeprefix("#/").split("/")
        place = tuple(name.replace("~1", "/").replace("~0", "~") for name in names)
        inner: Any = self._document
        for name in place:
            inner = inner[int(name)] if isinstance(inner, list) else inner[name]
        return inner, place

    def _schema(self, place: tuple[str, ...]) -> Any:
        pointer = "/".join(name.replace("~", "~0").replace("/", "~1") for name in place)
        if pointer not in self._compiled:
            reference = {"$schema": DIALECT, "$ref": f"{BASE}#/{_encoded(pointer)}"}
            self._compiled[pointer] = jsonschema_rs.validator_for(
                reference, registry=self._registry, mask="the value"
            )
        return self._compiled[pointer]


def _status_in(responses: Mapping[str, Any], status: int) -> str | None:
    """The name under which a status is described: its own, its range, or `default`."""
    names = (str(status), f"{status // 100}XX", "default")
    return next((name for name in names if name in responses), None)


def _media_in(content: Mapping[str, Any], media: str) -> str | None:
    """The key under which a media type is described: its own, with parameters or without, or a
    range it is in.
    """
    keys = {key.partition(";")[0].strip().lower(): key for key in content}
    names = (media, f"{media.partition('/')[0]}/*", "*/*")
    return next((keys[name] for name in names if name in keys), None)


def _pattern_of(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{\w+\}", template)
    return re.compile("[^/]+".join(map(re.escape, parts)))


def _encoded(pointer: str) -> str:
    """A pointer as the fragment of an address, where braces may not stand."""
    return quote(pointer, safe="/~;=*+")


def _is_number(header: Mapping[str, Any], value: str) -> bool:
    return header["schema"].get("type") == "integer" and value.isdigit()


def _said(errors: Iterable[Any]) -> Iterator[str]:
    """What is not as described, and where: the first few, without the values that were sent."""
    for error in islice(chain.from_iterable(map(_nearest, errors)), ERRORS_SHOWN):
        keys = error.instance_path
        place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
        yield f"{place.removeprefix('.') or 'body'}: {error.message}"


def _nearest(error: Any) -> list[Any]:
    """An error; where none of several schemas fits, those of the one that fits best."""
    branches = getattr(error.kind, "context", None)
    return min(branches, key=len) if branches else [error]
