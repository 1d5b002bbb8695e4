"""Throttle tables as people write them, in a file or a document of the control API, checked.

A document has a `name` and `limits`, and each of these `operation`, `scope`, `limit`, `window_s`.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal

import msgspec

from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.throttles import FORM, THROTTLES, WINDOWS_S
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.shapes import shape
from simulator.domain.documents import refuse_unknown
from simulator.domain.masking.refusals import refuse_secrets
from simulator.grammar.throttles import EVERY, MERCHANT, OBJECT, SCOPES, Limit, ThrottleTable

LIMITS_MAX = 100
LIMIT_MAX = 1_000_000_000
NAME_LENGTH_MAX = 64
SHOWN_LENGTH = 40
TABLE_MEMBERS = ("name", "limits")
LIMIT_MEMBERS = ("operation", "scope", "limit", "window_s")


def asked_table(
    asked: object, where: str, known: Mapping[str, ThrottleTable] = THROTTLES
) -> ThrottleTable:
    """The table that `asked` names, or is. Raises BadInput."""
    if isinstance(asked, Mapping):
        return read_table(asked, where=f"{where}.")
    if isinstance(asked, str) and asked in known:
        return known[asked]
    raise InvalidInputError(
        where, f"{', '.join(known)}, or a table with name and limits", shown(asked)
    )


def read_table(document: Mapping[str, Any], *, where: str = "", name: str = "") -> ThrottleTable:
    """The table a document describes; `name` is its name where it says none. Raises BadInput."""
    refuse_unknown(document, TABLE_MEMBERS, where.rstrip("."))
    named = document.get("name", name)
    if (
        not isinstance(named, str)
        or not 0 < len(named) <= NAME_LENGTH_MAX
        or not named.isprintable()
    ):
        expected = f"a name of 1 to {NAME_LENGTH_MAX} characters"
        raise InvalidInputError(f"{where}name", expected, shown(named))
    refuse_secrets(named, f"{where}name")
    rows = document.get("limits")
    if not isinstance(rows, list) or len(rows) > LIMITS_MAX:
        raise InvalidInputError(
            f"{where}limits", f"a list of at most {LIMITS_MAX} limits", shown(rows)
        )
    limits = tuple(_limit(row, f"{where}limits[{number}]") for number, row in enumerate(rows))
    _refuse_doubles(limits, where)
    table = ThrottleTable(named, limits)
    if named in THROTTLES and THROTTLES[named] != table:
        raise InvalidInputError(
            f"{where}name", f"another name: {named} is a table of its own", shown(named)
        )
    return table


class LimitDocument(msgspec.Struct, frozen=True):
    """One limit of a throttle table."""

    operation: str
    scope: Literal["merchant", "object"]
    limit: Annotated[int, shape(minimum=1, maximum=LIMIT_MAX)]
    window_s: Annotated[int, shape(enum=list(WINDOWS_S))]


class TableDocument(msgspec.Struct, frozen=True):
    """A throttle table as a document."""

    name: Annotated[str, shape(minLength=1, maxLength=NAME_LENGTH_MAX)]
    limits: Annotated[tuple[LimitDocument, ...], shape(maxItems=LIMITS_MAX)]


def document_of(table: ThrottleTable) -> TableDocument:
    """The document that describes `table`."""
    return msgspec.convert(table, TableDocument, from_attributes=True)


def shown(value: object) -> str:
    """A value as a message may repeat it: if it is short as it is, otherwise its kind."""
    if isinstance(value, int) and abs(value) >= 10**SHOWN_LENGTH:
        return f"a number of more than {SHOWN_LENGTH} digits"
    if isinstance(value, str | int | float) and len(repr(value)) <= SHOWN_LENGTH:
        return repr(value)
    if isinstance(value, str | list):
        return f"{'text' if isinstance(value, str) else 'a list'} of length {len(value)}"
    return "nothing" if value is None else "something else"


def _limit(row: object, where: str) -> Limit:
    if not isinstance(row, Mapping):
        raise InvalidInputError(where, f"a limit with {', '.join(LIMIT_MEMBERS)}", shown(row))
    refuse_unknown(row, LIMIT_MEMBERS, where)
    operation = row.get("operation")
    if not isinstance(operation, str) or operation not in _operations():
        raise InvalidInputError(
            f"{where}.operation", _expected_operation(operation), shown(operation)
        )
    scopes = _scopes_of(operation)
    if row.get("scope") not in scopes:
        expected = f"{' or '.join(scopes)} for {operation}"
        raise InvalidInputError(f"{where}.scope", expected, shown(row.get("scope")))
    return Limit(
        operation,
        row["scope"],
        _whole(row.get("limit"), f"{where}.limit", most=LIMIT_MAX),
        _window(row.get("window_s"), f"{where}.window_s"),
    )


def _whole(value: object, where: str, *, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidInputError(where, f"a whole number from 1 to {most}", shown(value))
    return value


def _window(value: object, where: str) -> int:
    """The length of a window that can be aligned to the minute. Choice: D-76."""
    seconds = _whole(value, where, most=WINDOWS_S[-1])
    if seconds not in WINDOWS_S:
        near = min(WINDOWS_S, key=lambda known: abs(known - seconds))
        expected = f"seconds that divide a minute, or minutes that divide a day (nearest: {near})"
        raise InvalidInputError(where, expected, shown(value))
    return seconds


def _refuse_doubles(limits: Iterable[Limit], where: str) -> None:
    seen = set()
    for number, row in enumerate(limits):
        key = (row.operation, row.scope, row.window_s)
        if key in seen:
            expected = "one row for an operation, scope and window"
            raise InvalidInputError(
                f"{where}limits[{number}]", expected, f"another for {row.operation}"
            )
        seen.add(key)


def _operations() -> dict[str, bool]:
    """The operations a row may name, and whether an id stands in the path of each."""
    pages = {row.operation: row.scope == OBJECT for row in FORM}
    served = {row.id: "{id}" in row.path for row in OPERATIONS.values()}
    return {**pages, **served, EVERY: False}


def _scopes_of(operation: str) -> tuple[str, ...]:
    return SCOPES if _operations()[operation] else (MERCHANT,)


def _expected_operation(got: object) -> str:
    known = list(_operations())
    near = get_close_matches(got[:NAME_LENGTH_MAX], known, 1) if isinstance(got, str) else []
    if near:
        return f"one of {len(known)} operations (nearest: {near[0]})"
    return f"one of {', '.join(known)}"
