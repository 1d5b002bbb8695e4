"""What a generator of clients makes names of, in every document of an API, is unique.

It names classes by titles, and by the names of components that have none; functions by operations;
members by the values of an enum. Beside letters and digits it drops what names cannot have, and
capitals are its own.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from scenarios.schema import SCHEMA
from simulator.catalogue.choices import CHOICES
from simulator.derive.openapi.merchant import openapi_document
from simulator.derive.openapi.trial import trial_document
from simulator.grammar.choices import PROFILES, choose
from simulator.web.control.description.openapi import control_openapi_document

MERCHANT = {profile: openapi_document(choose(CHOICES, profile)) for profile in PROFILES}
TRIALS = {f"trial, {name}": trial_document(document) for name, document in MERCHANT.items()}
APIS = MERCHANT | TRIALS | {"control": control_openapi_document()}
DOCUMENTS = APIS | {"behaviours": json.loads(SCHEMA.read_bytes())}
UPPER, LOWER = ("ASC", "DESC"), ("asc", "desc")


def parts_of(document: Any) -> Iterator[dict[str, Any]]:
    """Every object of a document, at any depth."""
    if isinstance(document, list):
        for each in document:
            yield from parts_of(each)
    if isinstance(document, dict):
        yield document
        for each in document.values():
            yield from parts_of(each)


def repeated(names: Iterable[object]) -> list[str]:
    """The names that are met more than once, as a generator writes them."""
    written = Counter(re.sub(r"[^a-z0-9]", "", str(name).lower()) for name in names)
    return [name for name, times in written.items() if times > 1]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_two_schemas_have_the_same_title(name: str) -> None:
    parts = parts_of(DOCUMENTS[name])
    titles = [each["title"] for each in parts if isinstance(each.get("title"), str)]

    assert repeated(titles) == []


@pytest.mark.parametrize("name", APIS)
def test_no_two_components_are_the_same_class(name: str) -> None:
    schemas = APIS[name]["components"]["schemas"]

    assert repeated(schemas) == []
    assert repeated(each.get("title", component) for component, each in schemas.items()) == []


@pytest.mark.parametrize("name", APIS)
def test_components_tags_and_operations_are_names_in_any_language(name: str) -> None:
    """A tag with a digit first was a syntax error of a client, a dot a module of its own."""
    api = APIS[name]
    operations = [each["operationId"] for each in parts_of(api["paths"]) if "responses" in each]
    tags = [each["name"] for each in api["tags"]]

    for each in (*api["components"]["schemas"], *operations):
        assert re.fullmatch("[A-Za-z][A-Za-z0-9_]*", each), each
    assert [each for each in tags if not each[0].isalpha()] == []
    assert repeated(tags) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_values_of_an_enum_differ_in_more_than_case(name: str) -> None:
    enums = [each["enum"] for each in parts_of(DOCUMENTS[name])
             if isinstance(each.get("enum"), list)]  # fmt: skip

    assert enums
    assert [values for values in enums if repeated(values)] == []


@pytest.mark.parametrize("name", APIS)
def test_no_two_operations_are_the_same_function(name: str) -> None:
    operations = [each["operationId"] for each in parts_of(APIS[name]["paths"])
                  if "responses" in each]  # fmt: skip

    assert operations
    assert repeated(operations) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_an_order_is_taken_in_either_case_and_in_no_other_way(profile: str) -> None:
    found = [
        each["schema"] for each in parts_of(MERCHANT[profile]) if each.get("name") == "sortOrder"
    ]

    assert len(found) == 2
    for schema in found:
        order = Draft202012Validator(schema)
        assert [each for each in (*UPPER, *LOWER) if not order.is_valid(each)] == []
        assert [each for each in ("Asc", "up", "", "ASC\n") if order.is_valid(each)] == []
