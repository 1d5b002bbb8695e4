"""The members of a document of a JSON schema, and a document that has one of them."""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

Place = tuple[str | int, ...]
HOLE = "(here)"
DEPTH_MAX = 8
KINDS = {"integer": 1, "number": 1, "boolean": True, "null": None, "string": "a"}


class Schemas:
    """The schemas of an OpenAPI document."""

    def __init__(self, components: Mapping[str, Any]):
        self._components = components

    def members(self, schema: Mapping[str, Any], place: Place = ()) -> Iterator[tuple[Place, Any]]:
        """Each member of a document, with an item of it if it is a list."""
        if len(place) > DEPTH_MAX:
            return
        for each in self.branches(schema):
            if place:
                yield place, self.sample(each.get("items", {}))
            for name, inner in each.get("properties", {}).items():
                yield from self.members(inner, (*place, name))
            if isinstance(each.get("additionalProperties"), Mapping):
                yield from self.members(each["additionalProperties"], (*place, "free"))
            if "items" in each and isinstance(each["items"], Mapping):
                yield from self.members(each["items"], (*place, 0))

    def sample(self, schema: Mapping[str, Any], depth: int = 0) -> Any:
        """A document of a schema, as short as can be."""
        found = next(self.branches(schema), {})
        for name in ("const", "example", "default"):
            if name in found:
                return found[name]
        if found.get("enum"):
            return found["enum"][0]
        if found.get("examples"):
            return found["examples"][0]
        if "properties" in found or "object" in _types_of(found):
            needed = found.get("required", ()) if depth < DEPTH_MAX else ()
            members = found.get("properties", {})
            return {each: self.sample(members.get(each, {}), depth + 1) for each in needed}
        if "array" in _types_of(found):
            return [self.sample(found.get("items", {}), depth + 1)] * found.get("minItems", 0)
        return next((KINDS[each] for each in _types_of(found) if each in KINDS), "a")

    def with_hole(self, schema: Mapping[str, Any], whole: Any, place: Place) -> str:
        """The JSON of `whole`, with a hole at this place."""
        return json.dumps(self._put(schema, deepcopy(whole), place))

    def _put(self, schema: Mapping[str, Any], within: Any, place: Place) -> Any:
        if not place:
            return HOLE
        first, rest = place[0], place[1:]
        inner = self._inner(schema, first)
        if isinstance(first, int):
            known = within if isinstance(within, list) and within else [self.sample(inner)]
            return [self._put(inner, known[0], rest)]
        known = within if isinstance(within, dict) else self.sample(schema)
        known = known if isinstance(known, dict) else {}
        return {**known, first: self._put(inner, known.get(first, self.sample(inner)), rest)}

    def _inner(self, schema: Mapping[str, Any], step: str | int) -> Mapping[str, Any]:
        for each in self.branches(schema):
            if isinstance(step, int) and isinstance(each.get("items"), Mapping):
                return dict(each["items"])
            if isinstance(step, str) and step in each.get("properties", {}):
                return dict(each["properties"][step])
            if isinstance(step, str) and isinstance(each.get("additionalProperties"), Mapping):
                return dict(each["additionalProperties"])
        return {}

    def branches(self, schema: Any) -> Iterator[dict[str, Any]]:
        if not isinstance(schema, Mapping):
            return
        if "$ref" in schema:
            yield from self.branches(self._components[schema["$ref"].rpartition("/")[2]])
            return
        choices = [each for name in ("anyOf", "oneOf", "allOf") for each in schema.get(name, ())]
        for each in choices:
            yield from self.branches(each)
        if not choices or "properties" in schema:
            yield dict(schema)


def _types_of(schema: Mapping[str, Any]) -> tuple[str, ...]:
    types = schema.get("type", ())
    return (types,) if isinstance(types, str) else tuple(types)
