"""Documents of the control API as records: what does not fit is refused by its place.

A place is written in one way: `merchants[0].channels[1].name`, and `body` for the whole document.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import SequenceMatcher
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import InvalidInputError, UnknownMemberError
from simulator.domain.masking.masking import mask_text

WHOLE = "body"
SHOWN_LENGTH = 40
NEAR = 0.6
UNKNOWN, MISSING = "Object contains unknown field ", "Object missing required field "
STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
# fmt: off
KINDS: Mapping[type[inspect.Type], str] = {
    inspect.BoolType:     "true or false",
    inspect.DateTimeType: "an instant such as 2027-01-31T12:00:00Z",
    inspect.DecimalType:  "an amount such as 50.00",
    inspect.DictType:     "an object",
    inspect.FloatType:    "a number",
    inspect.NoneType:     "null",
    inspect.StructType:   "an object",
    inspect.DataclassType: "an object",
}
# fmt: on
OBJECTS = (inspect.StructType, inspect.DataclassType, inspect.DictType)
LISTS = (inspect.CollectionType, inspect.TupleType)

Document = TypeVar("Document")


def json_in(raw: bytes) -> object:
    """The document that `raw` writes. Raises InvalidInputError, whatever the bytes are."""
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise InvalidInputError(WHOLE, "a JSON document", str(error)) from None
    except UnicodeDecodeError as error:
        raise InvalidInputError(WHOLE, "UTF-8", f"another byte at {error.start}") from None
    except RecursionError:
        raise InvalidInputError(WHOLE, "a JSON document", "one that is nested too deeply") from None


def as_record(document: object, kind: type[Document], where: str = "") -> Document:
    """`document`, which stands at `where`, as a record. Raises InvalidInputError that names
    the member.
    """
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        raise _refusal(str(error), document, kind, where) from None


def refuse_unknown(given: Iterable[str], known: Collection[str], where: str = "") -> None:
    """Raise UnknownMemberError for the first member of the object at `where` that is not known."""
    for name in given:
        if name not in known:
            shown = mask_text(beginning_of(name, SHOWN_LENGTH))
            raise UnknownMemberError(joined(where, shown), shown, known, nearest_name(name, known))


def joined(where: str, name: str) -> str:
    """The place of a member of the object at `where`."""
    return f"{where}.{name}" if where and where != WHOLE else name


def nearest_name(word: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant: `three_d_secure` for `3ds` and `threeDSecure`."""
    asked = _letters(word[:SHOWN_LENGTH])
    rated = [(SequenceMatcher(None, asked, _letters(name)).ratio(), name) for name in known]
    closeness, name = max(rated, default=(0.0, ""))
    return name if closeness >= NEAR else None


def shown_value(value: object) -> str:
    """A value as an error may repeat it: a short text or number, otherwise its kind."""
    if isinstance(value, str):
        return mask_text(repr(beginning_of(value, SHOWN_LENGTH)))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return mask_text(repr(value)) if abs(value) < 10**SHOWN_LENGTH else "a longer number"
    if value is None:
        return "null"
    return "an object" if isinstance(value, Mapping) else "a list"


def _refusal(message: str, document: object, kind: type, where: str) -> InvalidInputError:
    """The error for what the library that converts documents says of one."""
    said, _, path = message.replace("`", "").partition(" - at ")
    value, wanted, place = _followed(path, document, _type_of(kind), where)
    for start in (UNKNOWN, MISSING):
        if said.startswith(start):
            name = said.removeprefix(start)
            members = {each.encode_name: each.type for each in _struct_of(wanted).fields}
            if start == MISSING:
                expected = f"it, {_phrase(members[name])}"
                return InvalidInputError(joined(place, name), expected, "nothing")
            near = nearest_name(name, members)
            shown = mask_text(beginning_of(name, SHOWN_LENGTH))
            return UnknownMemberError(joined(place, shown), shown, members, near)
    if "[...]" in path or path.startswith("key"):
        return InvalidInputError(place or WHOLE, f"values that are {_of_values(wanted)}", "another")
    return InvalidInputError(place or WHOLE, _phrase(wanted), shown_value(value))


@cache
def _type_of(kind: type) -> inspect.Type:
    """The description of a type. The library leaves a circle behind each time it makes one."""
    return inspect.type_info(kind)


def _followed(
    path: str, value: Any, wanted: inspect.Type, place: str
) -> tuple[Any, inspect.Type, str]:
    """What stands at a path such as `$.merchants[0].name`, what should, and the place in words."""
    for name, number in STEP.findall(path.partition("[...]")[0]):
        wanted = _fitting(wanted, value)
        if name:
            fields = {each.encode_name: each.type for each in _struct_of(wanted).fields}
            value, wanted, place = value[name], fields[name], joined(place, name)
        else:
            items: Any = wanted
            is_fixed = isinstance(wanted, inspect.TupleType)
            wanted = items.item_types[int(number)] if is_fixed else items.item_type
            value, place = value[int(number)], f"{place}[{number}]"
    return value, _fitting(wanted, value), place


def _fitting(wanted: inspect.Type, value: object) -> inspect.Type:
    """The type without its annotations; of several, the one for an object, a list, or the first."""
    while isinstance(wanted, inspect.Metadata):
        wanted = wanted.type
    if not isinstance(wanted, inspect.UnionType):
        return wanted
    parts = [_fitting(each, value) for each in wanted.types]
    shape: Any = OBJECTS if isinstance(value, Mapping) else LISTS
    return next((each for each in parts if isinstance(each, shape)), wanted)


def _struct_of(wanted: inspect.Type) -> inspect.StructType | inspect.DataclassType:
    assert isinstance(wanted, inspect.StructType | inspect.DataclassType), wanted
    return wanted


def _of_values(wanted: inspect.Type) -> str:
    assert isinstance(wanted, inspect.DictType), wanted
    return _phrase(wanted.value_type)


def _phrase(wanted: inspect.Type) -> str:
    """What a type takes, in words."""
    if isinstance(wanted, inspect.Metadata):
        return _phrase(wanted.type)
    if isinstance(wanted, inspect.UnionType):
        return _either(dict.fromkeys(map(_phrase, wanted.types)))
    if isinstance(wanted, inspect.LiteralType):
        return _either(map(str, wanted.values))
    if isinstance(wanted, inspect.StrType):
        return _bounded("a text", wanted.min_length, wanted.max_length, "of {} characters")
    if isinstance(wanted, inspect.IntType):
        return _bounded("a whole number", wanted.ge, wanted.le, "{}")
    if isinstance(wanted, LISTS):
        least, most = getattr(wanted, "min_length", None), getattr(wanted, "max_length", None)
        return _bounded("a list", least, most, "of {} entries")
    return KINDS.get(type(wanted), "another value")


def _bounded(kind: str, least: int | None, most: int | None, words: str) -> str:
    if least is None and most is None:
        return kind
    if most is None:
        bounds = f"at least {least}"
    else:
        bounds = f"at most {most}" if not least else f"{least} to {most}"
    return f"{kind} {words.format(bounds)}"


def _either(words: Iterable[str]) -> str:
    *some, last = words
    return f"{', '.join(some)} or {last}" if some else last


def _letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower().replace("3", "three"))
