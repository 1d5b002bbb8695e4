"""What does not fit the record it should become: where it stands, what was expected, what came.

The library that converts documents says it in words of its own; here it is said in those of people.
A place is written in one way: `merchants[0].channels[1].name`.
"""

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from simulator.client.shown.beginnings import beginning_of

SHOWN_LENGTH = 40
NEAR, NEAR_IN_FILES = 0.6, 0.5
WHOLE = "document"
UNKNOWN, MISSING = "Object contains unknown field ", "Object missing required field "
# The shortest beginning that leaves a path behind it, or all.
SAID = re.compile(r"(.+?)(?: - at ((?:`key` in )?`[^`]*`))?", re.DOTALL)
# The pattern of a text that has so many hex digits.
HEX_DIGITS = re.compile(r"\^\[0-9A-Fa-f\]\{(\d+)\}\$")
STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
# No place in a document that fits is longer.
PLACE_LENGTH_MAX = 1000
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
# How files that people write have it. What may be left out is not written as null there.
MAPPING, QUOTED, NOTHING = "a mapping", "a text in quotes", "nothing"
MAY_BE_LEFT_OUT = re.compile(r"(?:, ([^,]+))? or null$")


class Misfit(NamedTuple):
    """What does not fit. `got` says what came where no `value` is to be shown. `unknown` is the
    name of a member that is not `known`, and `words` are those of which one may stand there.
    """

    where: str
    expected: str
    value: object = None
    got: str = ""
    unknown: str | None = None
    known: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def is_missing(self) -> bool:
        """Whether there is nothing at all where a value has to be."""
        return self.got == NOTHING


def misfit_of(
    error: msgspec.ValidationError, document: object, kind: type, where: str = ""
) -> Misfit:
    """What the library says of a document at `where` that is no `kind`. The names in the document
    may hold its own words, and lead to no place.
    """
    try:
        return _misfit_of(error, document, kind, where)
    except (AssertionError, AttributeError, LookupError, TypeError):
        return Misfit(where, "members with known names", got="another name")


def _misfit_of(error: msgspec.ValidationError, document: object, kind: type, where: str) -> Misfit:
    said, path = _said_and_path(str(error))
    value, wanted, place = _followed(path, document, _type_of(kind), where)
    for start in (UNKNOWN, MISSING):
        if said.startswith(start):
            name = said.removeprefix(start)[1:-1]
            members = {each.encode_name: each.type for each in _struct_of(wanted).fields}
            if start == UNKNOWN:
                return Misfit(place, "", unknown=name, known=tuple(members))
            return Misfit(member_of(place, name), _phrase(members[name]), got=NOTHING)
    if "[...]" in path or path.startswith("key"):
        return Misfit(place, f"values that are {_of_values(wanted)}", got="another")
    return Misfit(place, _phrase(wanted), value, words=_words_of(wanted))


def _said_and_path(text: str) -> tuple[str, str]:
    """What the library says, and at which path. A name in it stands between backticks, of which it
    may have some itself.
    """
    parts = SAID.fullmatch(text)
    assert parts is not None, "any text has these parts"
    return parts[1], (parts[2] or "").replace("`", "")


def said_of_file(
    error: msgspec.ValidationError,
    document: object,
    kind: type,
    *,
    where: str = "",
    mapping: str = MAPPING,
) -> str:
    """The misfit at `where` in a file as one sentence; `mapping` is what its language calls one.
    Of what came its kind is said, and a text where one of some words was expected: all else may be
    a secret.
    """
    said, found = str(error).partition(" - at ")[0], misfit_of(error, document, kind, where)
    if said[:1].islower():
        # A rule of the record itself, which names what was expected.
        return f"{found.where}: {said}" if found.where else said
    if found.unknown is not None:
        name = beginning_of(found.unknown, SHOWN_LENGTH)
        expected = one_of(found.known, found.unknown)
        return f"{member_of(found.where, name)}: expected {expected}, got a name that is unknown"
    expected = MAY_BE_LEFT_OUT.sub(lambda last: f" or {last[1]}" if last[1] else "", found.expected)
    if found.words:
        expected = one_of(found.words, found.value)
    expected = {"an object": mapping, "a text": QUOTED}.get(expected, expected)
    got = found.got or kind_of(found.value, mapping, shows_text=bool(found.words))
    return f"{found.where or WHOLE}: expected {expected}, got {got}"


def one_of(known: Iterable[str], word: object) -> str:
    """`one of A, B` for an error, the nearest known word named where there is one."""
    known = list(known)
    if len(known) == 1:
        return known[0]
    near = nearest_name(word, known, NEAR_IN_FILES) if isinstance(word, str) else None
    return f"one of {', '.join(known)}" + (f" (nearest: {near})" if near else "")


def nearest_name(word: str, known: Iterable[str], near: float = NEAR) -> str | None:
    """The known name that was probably meant: `three_d_secure` for `3ds` and `threeDSecure`."""
    asked = _letters(word[:SHOWN_LENGTH])
    rated = [(SequenceMatcher(None, asked, _letters(name)).ratio(), name) for name in known]
    closeness, name = max(rated, default=(0.0, ""))
    return name if closeness >= near else None


def kind_of(value: object, mapping: str = MAPPING, *, shows_text: bool = False) -> str:
    """The kind of a value of a file, in words."""
    if isinstance(value, str):
        return repr(beginning_of(value, SHOWN_LENGTH)) if shows_text else "a text"
    if value is None or isinstance(value, bool):
        return {None: NOTHING, True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, Mapping):
        return mapping
    return "a list" if isinstance(value, list | tuple) else "a date or a time"


def member_of(where: str, name: str) -> str:
    """The place of a member of what stands at `where`."""
    return f"{where}.{name}" if where else name


@cache
def _type_of(kind: type) -> inspect.Type:
    """The description of a type. The library leaves a circle behind each time it makes one."""
    return inspect.type_info(kind)


def _followed(
    path: str, value: Any, wanted: inspect.Type, place: str
) -> tuple[Any, inspect.Type, str]:
    """What stands at a path such as `$.merchants[0].name`, what should, and the place in words."""
    for name, number in STEP.findall(path.partition("[...]")[0][:PLACE_LENGTH_MAX]):
        wanted = _fitting(wanted, value)
        if name:
            fields = {each.encode_name: each.type for each in _struct_of(wanted).fields}
            value, wanted, place = value[name], fields[name], member_of(place, name)
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


def _words_of(wanted: inspect.Type) -> tuple[str, ...]:
    """The words of which a type takes one; none for other types."""
    parts = wanted.types if isinstance(wanted, inspect.UnionType) else (wanted,)
    return tuple(word for each in parts for word in _words_of_one(each))


def _words_of_one(wanted: inspect.Type) -> list[str]:
    if isinstance(wanted, inspect.EnumType):
        return [str(each.value) for each in wanted.cls]
    words = wanted.values if isinstance(wanted, inspect.LiteralType) else ()
    return [str(word).lower() if word is True else str(word) for word in words]


def _phrase(wanted: inspect.Type) -> str:
    """What a type takes, in words."""
    if isinstance(wanted, inspect.Metadata):
        return _phrase(wanted.type)
    if isinstance(wanted, inspect.UnionType):
        return _either(dict.fromkeys(map(_phrase, wanted.types)))
    if words := _words_of_one(wanted):
        return _either(words)
    if isinstance(wanted, inspect.StrType):
        if digits := HEX_DIGITS.fullmatch(wanted.pattern or ""):
            return f"{digits[1]} hex digits"
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
