"""Judge a document by behaviour.schema.json and say what is wrong in words."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from scenarios.errors import Problem, one_of, shown, shown_kind

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

SCHEMA = Path(__file__).with_name("behaviour.schema.json")

UNKNOWN_SHOWN_MAX = 10
# How the schema excludes control characters, and how an error says so.
CONTROL, PRINTED = r"\u202e", "text without control characters"
KINDS = {
    "object": "a mapping",
    "array": "a list",
    "string": 'a text in quotes, such as "92.00"',
    "integer": "a whole number",
    "number": "a number",
}


def problems_of(document: object, *, kind: str = "behaviour") -> list[Problem]:
    """Everything wrong with `document` as a behaviour, script or match of the schema.

    In one place, unknown words come first: one of them is often the missing word, misspelled.
    """
    return _all_problems(_validator(kind), document)


def misfits_of(document: object, record: type) -> list[Problem]:
    """Everything wrong with `document` as such a record, as `problems_of` has it."""
    return _all_problems(_record_validator(record), document)


def _all_problems(validator: "Draft202012Validator", document: object) -> list[Problem]:
    errors = sorted(validator.iter_errors(document), key=_place)
    return [problem for error in errors for problem in _problems(error)]


def _place(error: "ValidationError") -> tuple[list[str], bool]:
    return list(map(str, error.path)), error.validator != "additionalProperties"


@cache
def _validator(kind: str) -> "Draft202012Validator":
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return _judge({**schema, "$ref": f"#/$defs/{kind}"})


@cache
def _record_validator(record: type) -> "Draft202012Validator":
    schema = _without_null(msgspec.json.schema(record))
    assert isinstance(schema, dict)
    return _judge(schema)


def _without_null(schema: object) -> object:
    """A schema in which a member that may be left out is not null as well, which few files say."""
    if isinstance(schema, list):
        return [_without_null(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kinds = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(kinds) == 1:
        return _without_null(kinds[0])
    return {name: _without_null(each) for name, each in schema.items()}


def _judge(schema: dict[str, Any]) -> "Draft202012Validator":
    # Imported when something has to be judged: a server that reads shipped behaviours never is.
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    # YAML can write a number that is none, which no bound refuses: .nan.
    checker = Draft202012Validator.TYPE_CHECKER.redefine("number", _is_number)
    judge = extend(Draft202012Validator, type_checker=checker)
    return judge(schema)


def _is_number(checker: object, value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # Not isnan(): an integer may be longer than any float.
    return is_number and value == value  # noqa: PLR0124


def _problems(error: "ValidationError") -> Iterator[Problem]:
    steps = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.path)
    where = "".join(steps).removeprefix(".")
    phrase = PHRASES.get(error.validator, _plain)
    for path, expected, got in phrase(error):
        place = ".".join(filter(None, (where, path)))
        yield Problem(place or "document", expected, got)


Phrase = Callable[["ValidationError"], Iterator[tuple[str, str, str]]]


def _unknown_words(error: "ValidationError") -> Iterator[tuple[str, str, str]]:
    known = list(error.schema.get("properties", {}))
    unknown = (word for word in error.instance if word not in known)
    for word in islice(unknown, UNKNOWN_SHOWN_MAX):
        yield str(word), one_of(known, word), f"unknown field {shown(str(word))}"


def _missing(error: "ValidationError") -> Iterator[tuple[str, str, str]]:
    for word in error.validator_value:
        if word not in error.instance and f"'{word}' is" in error.message:
            yield word, "a value", "nothing"


def _companions(error: "ValidationError") -> Iterator[tuple[str, str, str]]:
    pairs = (
        (word, other)
        for word, needed in error.validator_value.items()
        for other in needed
        if word in error.instance and other not in error.instance
    )
    for word, other in pairs:
        if repr(other) in error.message:
            yield other, f"a value, because {word} is given", "nothing"


def _one_answer(error: "ValidationError") -> Iterator[tuple[str, str, str]]:
    choices = [choice["required"][0] for choice in error.validator_value]
    given = [word for word in choices if word in error.instance]
    yield "", f"exactly one of {', '.join(choices)}", " and ".join(given) or "none of them"


def _wrong_kind(error: "ValidationError") -> Iterator[tuple[str, str, str]]:
    wanted = error.validator_value
    kinds = [wanted] if isinstance(wanted, str) else wanted
    # Where quotes are missing, the number may be that of a card.
    is_unquoted = "string" in kinds and isinstance(error.instance, int | float)
    got = shown_kind(error.instance) if is_unquoted else shown(error.instance)
    yield "", " or ".join(KINDS[kind] for kind in kinds), got


def _wrong_word(error: "ValidationError") -> Iterator[tuple[str, str, str]]:
    yield "", one_of(map(str, error.validator_value), error.instance), shown(error.instance)


def _wrong_form(error: "ValidationError") -> Iterator[tuple[str, str, str]]:
    is_printed = CONTROL in error.validator_value
    expected = PRINTED if is_printed else f"a text of the form {error.validator_value}"
    yield "", expected, shown(error.instance)


def _plain(error: "ValidationError") -> Iterator[tuple[str, str, str]]:
    limit = LIMITS.get(error.validator, error.validator)
    yield "", f"{limit} {error.validator_value}", shown(error.instance)


LIMITS: Mapping[str, str] = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "minLength": "a length of at least",
    "maxLength": "a length of at most",
    "minProperties": "a number of entries of at least",
    "maxProperties": "a number of entries of at most",
    "minItems": "a number of entries of at least",
    "maxItems": "a number of entries of at most",
}

PHRASES: Mapping[str, Phrase] = {
    "additionalProperties": _unknown_words,
    "required": _missing,
    "dependentRequired": _companions,
    "oneOf": _one_answer,
    "type": _wrong_kind,
    "enum": _wrong_word,
    "pattern": _wrong_form,
}
