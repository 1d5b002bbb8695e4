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
REFERENCES_MAX = 20
# What reading a document raises that has other members or types than one of OpenAPI.
OTHER_FORM = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
TRANSPORT = frozenset(
    {
        "connection", "content-encoding", "content-length", "content-type", "date", "keep-alive",
        "server", "trailer", "transfer-encoding", "vary", "via",
    }
)  # fmt: skip


class FaultyDocumentError(ValueError):
    """An OpenAPI document that cannot be read: what is wrong in it. No answer is to blame."""


class ReceivedAnswer(NamedTuple):
    """An answer as it came: `path` follows the address of the server in the document, header names
    are in lower case, and `body` is parsed where it is JSON.
    """

    method: str
    path: str
    status: int
    headers: Mapping[str, str]
    body: Any


class Incomparable(NamedTuple):
    """What is said of a value that no schema can be compared with."""

    message: str
    instance_path: tuple[str, ...] = ()
    kind: None = None


class ResponseValidator:
    """Compares answers with one OpenAPI 3.1 document.

    Each schema is compiled when it is first needed: a document has hundreds. Raises
    FaultyDocumentError, later too for a part that is not read before.
    """

    def __init__(self, document: Any):
        _demand_document(document)
        self._document = document
        try:
            self._registry = jsonschema_rs.Registry([(BASE, {"$schema": DIALECT, **document})])
        except (ValueError, jsonschema_rs.ReferencingError) as error:
            raise FaultyDocumentError(str(error).partition("\n")[0]) from None
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
        if template is None:
            return []
        try:
            return list(self._errors(answer, template))
        except FaultyDocumentError:
            raise
        except OTHER_FORM as error:
            form = f"{type(error).__name__}: {error}"
            raise FaultyDocumentError(
                f"{answer.method} {template}: expected an operation of OpenAPI, got another form "
                f"({form})"
            ) from None

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
            yield from _said(_errors_by(schema, answer.body))

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
            wrong = _errors_by(self._schema((*at, "schema")), read)
            yield from (f"header {name}: {error.message}" for error in wrong)

    def _resolved(
        self, found: Mapping[str, Any], place: tuple[str, ...]
    ) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """What stands at a place, or where it refers to."""
        for _ in range(REFERENCES_MAX):
            if "$ref" not in found:
                return found, place
            found, place = self._referred(found["$ref"])
        raise FaultyDocumentError(f"/{'/'.join(place)}: expected an end of its $refs, got a circle")

    def _referred(self, reference: Any) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        names = unquote(str(reference)).removeprefix("#/").split("/")
        place = tuple(name.replace("~1", "/").replace("~0", "~") for name in names)
        inner: Any = self._document
        try:
            for name in place:
                inner = inner[int(name)] if isinstance(inner, list) else inner[name]
        except OTHER_FORM:
            inner = None
        if not isinstance(inner, Mapping):
            raise FaultyDocumentError(f"$ref {reference!r} leads nowhere in the document")
        return inner, place

    def _schema(self, place: tuple[str, ...]) -> Any:
        pointer = "/".join(name.replace("~", "~0").replace("/", "~1") for name in place)
        if pointer not in self._compiled:
            reference = {"$schema": DIALECT, "$ref": f"{BASE}#/{_encoded(pointer)}"}
            try:
                self._compiled[pointer] = jsonschema_rs.validator_for(
                    reference, registry=self._registry, mask="the value"
                )
            except (ValueError, jsonschema_rs.ReferencingError) as error:
                said = str(error).partition("\n")[0]
                raise FaultyDocumentError(f"schema at /{pointer}: {said}") from None
        return self._compiled[pointer]


def _demand_document(document: Any) -> None:
    """Raise FaultyDocumentError for what is no document of OpenAPI 3."""
    if not isinstance(document, Mapping):
        raise FaultyDocumentError("expected a JSON object, got something else")
    version = document.get("openapi")
    if not (isinstance(version, str) and version.startswith("3.")):
        raise FaultyDocumentError("expected OpenAPI 3 as its member openapi, got another or none")
    paths = document.get("paths")
    listed = paths.values() if isinstance(paths, Mapping) else [None]
    if not all(isinstance(each, Mapping) for each in listed):
        raise FaultyDocumentError("expected an object of objects as its member paths")


def _errors_by(schema: Any, value: Any) -> list[Any]:
    """What a schema has against a value; one that cannot be compared, such as bytes, is no JSON."""
    try:
        return list(schema.iter_errors(value))
    except OTHER_FORM as error:
        return [Incomparable(f"expected JSON, got what is none ({type(error).__name__})")]


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
    return header["schema"].get("type") == "integer" and value.isascii() and value.isdigit()


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
