"""Every operation of the two OpenAPI documents, with hostile values in each place it has."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from simulator.derive.openapi.merchant import openapi_document
from simulator.derive.schemas.surfaces import SURFACES
from simulator.tests.kit.gateway import CONTROL_KEY, FORM
from simulator.tests.measured.held_loop.documents import HOLE, Place, Schemas
from simulator.tests.measured.held_loop.filling import Filled
from simulator.tests.measured.held_loop.values import PIECES, json_values, text_of
from simulator.web.control.access import PREFIX
from simulator.web.control.description.openapi import control_openapi_document

BODY_BYTES, QUERY_BYTES, SCRIPT_BYTES = 1024 * 1024, 7000, 4 * 1024
# Those that pass what refuses what is too long, and as long as can be.
SIZES = (250, 4000, 60_000, BODY_BYTES)
PLACE = re.compile(r"{(\w+)}")
JSON, UNKNOWN = "application/json", "8" * 32
METHODS = ("get", "post", "put", "patch", "delete")


class Call(NamedTuple):
    """One request; `name` says what is hostile in it."""

    name: str
    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes


# A call that is made where it is needed: most are long.
LateCall = Callable[[], Call]


class Operation(NamedTuple):
    """An operation of a document, and the document."""

    api: str
    method: str
    path: str
    row: Mapping[str, Any]
    schemas: Schemas

    @property
    def name(self) -> str:
        return f"{self.api} {self.row['operationId']}"


def operations(filled: Filled) -> list[Operation]:
    """All of both documents."""
    merchant = openapi_document(filled.gateway.ports(filled.ids["id"]).choices)
    documents = {"merchant": merchant, "control": control_openapi_document()}
    return [
        Operation(api, method, path, row, Schemas(document["components"]["schemas"]))
        for api, document in documents.items()
        for path, methods in document["paths"].items()
        for method, row in methods.items()
        if method in METHODS
    ]


def calls_of(operation: Operation, filled: Filled) -> Iterator[LateCall]:
    """The hostile calls of an operation, each in a sandbox that has one of everything."""
    yield from _in_path(operation, filled)
    yield from _in_query(operation, filled)
    yield from _in_headers(operation, filled)
    content = operation.row.get("requestBody", {}).get("content", {})
    if JSON in content:
        yield from _in_document(operation, filled, content[JSON])
    elif FORM in content:
        yield from _in_form(operation, filled, content[FORM])
    elif operation.method == "post":
        yield from _as_body(operation, filled)


def plain_call(operation: Operation, filled: Filled, name: str = "", **other: Any) -> Call:
    """The call with what is hostile in it."""
    key = CONTROL_KEY if operation.api == "control" else filled.who.token
    path = _path(operation, filled, {})
    query = "" if operation.api == "control" else f"entityId={filled.who.entity_id}"
    query = "" if operation.method == "post" else query
    made = Call(
        f"{operation.name}: {name}", operation.method.upper(), path, query,
        {"Authorization": f"Bearer {key}"}, b"",
    )  # fmt: skip
    return made._replace(**other)


def _path(operation: Operation, filled: Filled, hostile: Mapping[str, str]) -> str:
    name = operation.row["operationId"].removesuffix("_bare")
    about = SURFACES[name].of if operation.api == "merchant" and name in SURFACES else "id"
    ids = filled.ids | {"id": filled.ids.get(about, UNKNOWN)}

    def put(found: re.Match[str]) -> str:
        return hostile.get(found[1]) or ids.get(found[1], UNKNOWN)

    prefix = PREFIX if operation.api == "control" else ""
    return prefix + PLACE.sub(put, operation.path)


def _in_path(operation: Operation, filled: Filled) -> Iterator[LateCall]:
    def made(place: str, kind: str, piece: str) -> Call:
        hostile = {place: quote(text_of(piece, QUERY_BYTES // 3), safe="")}
        path = _path(operation, filled, hostile)
        return plain_call(operation, filled, f"path {place} {kind}", path=unquote(path))

    for place in PLACE.findall(operation.path):
        for kind, piece in PIECES.items():
            yield partial(made, place, kind, piece)


def _in_query(operation: Operation, filled: Filled) -> Iterator[LateCall]:
    asked = [each for each in operation.row.get("parameters", ()) if each.get("in") == "query"]
    who = plain_call(operation, filled).query

    def made(name: str, kind: str, piece: str, size: int) -> Call:
        value = quote(text_of(piece, size), safe="")[:QUERY_BYTES]
        query = f"{who}&{name}={value}" if name else f"{who}&{value}=1"
        return plain_call(operation, filled, f"query {name} {kind} {size}", query=query.lstrip("&"))

    for name in ("", *(row["name"] for row in asked)):
        for kind, piece in PIECES.items():
            for size in (40, 250, QUERY_BYTES):
                yield partial(made, name, kind, piece, size)
    many = "&".join(f"a{number}=1" for number in range(1000))
    query = f"{who}&{many}".lstrip("&")
    yield partial(plain_call, operation, filled, "query of many names", query=query)


def _in_headers(operation: Operation, filled: Filled) -> Iterator[LateCall]:
    names = ["Authorization", "Content-Type", "Accept", "Accept-Language", "Origin", "User-Agent"]
    asked = operation.row.get("parameters", ())
    names += [each["name"] for each in asked if each.get("in") == "header"]

    def made(header: str, kind: str, piece: str) -> Call:
        text = text_of(piece, 60_000)
        value = "".join(sign for sign in text if 32 <= ord(sign) < 127)
        value = f"Bearer {value}" if header == "Authorization" else value
        call = plain_call(operation, filled, f"header {header} {kind}")
        return call._replace(headers={**call.headers, header: value})

    for header in names:
        for kind, piece in PIECES.items():
            yield partial(made, header, kind, piece)


def _as_body(operation: Operation, filled: Filled) -> Iterator[LateCall]:
    def made(kind: str, piece: str, size: int) -> Call:
        body = text_of(piece, size).encode()
        return plain_call(operation, filled, f"body {kind} {size}", body=body)

    for size in SIZES:
        for kind, piece in PIECES.items():
            yield partial(made, kind, piece, size)


def _in_document(
    operation: Operation, filled: Filled, media: Mapping[str, Any]
) -> Iterator[LateCall]:
    schema, schemas = media["schema"], operation.schemas
    largest = SCRIPT_BYTES if operation.row["operationId"] == "arm_script" else BODY_BYTES
    sizes = (250, 3000, 3900) if largest == SCRIPT_BYTES else SIZES
    call = plain_call(operation, filled)
    call = call._replace(headers={**call.headers, "Content-Type": JSON})

    def made(place: Place, kind: str, value: Callable[[int], str], size: int) -> Call:
        start = schemas.with_hole(schema, media["example"], place) if place else json.dumps(HOLE)
        room = (min(size, largest - len(start)) - 50) * 9 // 10
        text = start.replace(json.dumps(HOLE), value(room))
        name = f"{call.name}{'.'.join(map(str, place)) or 'body'} {kind} {size}"
        return call._replace(name=name, body=text.encode("utf-8", "replace")[:largest])

    for place, item in (((), schemas.sample(schema)), *schemas.members(schema)):
        for size in sizes:
            for kind, piece in PIECES.items():
                yield partial(made, place, kind, partial(_text, piece), size)
            for kind, value in json_values(item).items():
                yield partial(made, place, kind, value, size)


def _text(piece: str, size: int) -> str:
    return json.dumps(text_of(piece, size), ensure_ascii=False)


def _in_form(operation: Operation, filled: Filled, media: Mapping[str, Any]) -> Iterator[LateCall]:
    shown = next(iter(media["examples"].values()))["value"]
    base = {**shown, "entityId": filled.who.entity_id}
    if "registrationId" in base:
        base["registrationId"] = filled.ids["registration"]
    names = sorted(_names(media["schema"], operation.schemas))
    call = plain_call(operation, filled)
    call = call._replace(headers={**call.headers, "Content-Type": FORM})

    def made(what: str, sent: Mapping[str, str]) -> Call:
        body = "&".join(f"{_coded(name)}={_coded(value)}" for name, value in sent.items())
        return call._replace(name=f"{call.name}{what}", body=body.encode()[:BODY_BYTES])

    def alone(name: str, kind: str, piece: str, size: int) -> Call:
        return made(f"{name} {kind} {size}", {**base, name: text_of(piece, size - 100)})

    def everywhere(kind: str, piece: str, size: int, first: bool) -> Call:
        times = max(1, len(_coded(text_of(piece, 30))) // 30)
        each = text_of(piece, min(size, 900_000 // (len(names) * times)))
        hostile = dict.fromkeys(names, each)
        sent = {**hostile, **base} if first else {**base, **hostile, "entityId": base["entityId"]}
        return made(f"{'the rest' if first else 'all'} {kind} {size}", sent)

    def many(kind: str, piece: str, name: str, count: int) -> Call:
        long, value = text_of(piece, 60), text_of(piece, 30)
        sent = {name % (long, number): value for number in range(count)}
        return made(f"many {name} {kind}", {**base, **sent})

    def whole(kind: str, piece: str) -> Call:
        body = text_of(piece, BODY_BYTES).encode()
        return call._replace(name=f"{call.name}body {kind}", body=body)

    kinds = cycle(PIECES.items())
    for name in names:
        for size in SIZES:
            yield partial(alone, name, *next(kinds), size)
    for kind, piece in PIECES.items():
        for size in (30, 250, 3000):
            yield partial(everywhere, kind, piece, size, True)
            yield partial(everywhere, kind, piece, size, False)
        yield partial(many, kind, piece, "customParameters[%s%d]", 9000)
        yield partial(many, kind, piece, "%s%d", 9900)
        yield partial(many, kind, piece, "cart.items[%.0s%d].name", 1000)
        yield partial(whole, kind, piece)


def _coded(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe="")


def _names(schema: Mapping[str, Any], schemas: Schemas) -> set[str]:
    found: set[str] = set()
    for each in schemas.branches(schema):
        found |= each.get("properties", {}).keys()
    return found
