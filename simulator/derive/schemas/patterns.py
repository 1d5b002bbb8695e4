"""Formats and names as JSON Schema: patterns that Python and ECMAScript engines read alike.

They name `[0-9]`, never a short class, use no flag and no lookbehind, and end in `$(?!\\n)`: a bare
`$` lets a final newline pass where an engine searches, as Python's does.
"""

import re
from itertools import groupby
from typing import Any

from simulator.derive.checks.codes import codes_of
from simulator.grammar.formats import Format
from simulator.grammar.names import INDEX

END = r"$(?!\n)"
CONTENT = r"[^\[\]]*"
PAIRED_BRACKETS = rf"^(?:[^\[\]]|\[{CONTENT}\])*{END}"
CODES_LISTED_MAX = 300


def value_schema(format: Format) -> dict[str, Any]:
    """The schema of one value of a resolved format."""
    if format.values:
        return {"type": "string", **_one_of(format.values)}
    if format.listed:
        return _schema_of_codes(codes_of(format.listed))
    schema: dict[str, Any] = {"type": "string", "minLength": format.min}
    if format.max is not None:
        schema["maxLength"] = format.max
    if format.strict_pattern is not None:
        schema["pattern"] = format.strict_pattern
    return schema


def indexed_names(skeleton: str, items_max: int | None = None) -> str:
    """A pattern of the names with an index in each bracket of `skeleton`: `cart.items[].name`.

    `items_max` limits the list that the first bracket opens.
    """
    first, *rest = map(re.escape, skeleton.split("[]"))
    contents = [INDEX.pattern] * len(rest)
    contents[0] = _indexes_below(items_max) or contents[0]
    brackets = (rf"\[(?:{content})\]{after}" for content, after in zip(contents, rest, strict=True))
    return f"^{first}{''.join(brackets)}{END}"


def misnumbered_names(skeleton: str, items_max: int | None = None) -> str:
    """A pattern of the names with the brackets of `skeleton`, but with something else in them."""
    good = indexed_names(skeleton, items_max).removeprefix("^")
    bracket = rf"\[{CONTENT}\]"
    return f"^(?!{good}){bracket.join(map(re.escape, skeleton.split('[]')))}{END}"


def keyed_names(skeleton: str, key: Format) -> str:
    """A pattern of the names with a key in the one bracket at the end of `skeleton`."""
    first = re.escape(skeleton.removesuffix("[]"))
    # A key ends at the first bracket, whatever characters its format admits.
    return rf"^{first}\[(?={CONTENT}\]$)(?:{key.body})\]{END}"


def versions_below(version: tuple[int, ...]) -> str:
    """A pattern of the versions, one digit a part, that are lower than `version`."""
    lower = []
    before = ""
    for number in version:
        lower += [f"{before}[0-{number - 1}]"] if number else []
        before += rf"{number}\."
    return rf"^(?:{'|'.join(lower)})(?:\.|{END})"


def _one_of(values: tuple[str, ...]) -> dict[str, Any]:
    """Generators name the members of an enum in capitals: where values differ in case alone, a
    pattern stands for it. D-290.
    """
    if len({value.casefold() for value in values}) == len(values):
        return {"enum": list(values)}
    return {"pattern": f"^(?:{'|'.join(map(re.escape, values))}){END}"}


def _indexes_below(most: int | None) -> str | None:
    """The indexes below `most`, where that is a power of ten: others take more than a pattern."""
    if most is None or set(str(most)[1:]) != {"0"} or str(most)[0] != "1":
        return None
    return rf"0|[1-9][0-9]{{0,{len(str(most)) - 2}}}"


def _schema_of_codes(codes: frozenset[str]) -> dict[str, Any]:
    if len(codes) <= CODES_LISTED_MAX:
        return {"type": "string", "enum": sorted(codes)}
    by_first = groupby(sorted(codes), key=lambda code: code[0])
    grouped = (f"{first}(?:{'|'.join(code[1:] for code in same)})" for first, same in by_first)
    return {"type": "string", "pattern": f"^(?:{'|'.join(grouped)}){END}"}
