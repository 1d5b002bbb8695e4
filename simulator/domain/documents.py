"""Documents of the control API as records: what does not fit is refused by its place.

A place is written in one way: `merchants[0].channels[1].name`, and `body` for the whole document.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeVar

import msgspec

from simulator.client.shown.beginnings import beginning_of
from simulator.client.shown.misfits import misfit_of, nearest_name
from simulator.domain.core.errors import InvalidInputError, UnknownMemberError
from simulator.domain.masking.masking import (
    hidden_in,
    longest_first,
    mask_text,
    without_secrets,
)
from simulator.domain.masking.shown_parameters import SECRETS_MAX

WHOLE = "body"
SHOWN_LENGTH = 40
# Secrets are sought in so many members of a document, and of each object and list in it.
MEMBERS_MAX, EACH_MEMBERS_MAX = 300, 100

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
        raise _refusal(error, document, kind, where) from None


def refuse_unknown(given: Iterable[str], known: Collection[str], where: str = "") -> None:
    """Raise UnknownMemberError for the first member of the object at `where` that is not known."""
    for name in given:
        if name not in known:
            shown = mask_text(beginning_of(name, SHOWN_LENGTH))
            raise UnknownMemberError(joined(where, shown), shown, known, nearest_name(name, known))


def joined(where: str, name: str) -> str:
    """The place of a member of the object at `where`."""
    return f"{where}.{name}" if where and where != WHOLE else name


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


def _refusal(
    error: msgspec.ValidationError, document: object, kind: type, where: str
) -> InvalidInputError:
    """The error for what the library that converts documents says of one."""
    found = misfit_of(error, document, kind, "" if where == WHOLE else where)
    # A secret of the same document may have been typed into another member. Choice: D-265.
    secrets = _secrets_of(document)
    if found.unknown is not None:
        shown = mask_text(beginning_of(without_secrets(found.unknown, secrets), SHOWN_LENGTH))
        near = nearest_name(found.unknown, found.known)
        return UnknownMemberError(joined(found.where, shown), shown, found.known, near)
    value = found.value
    value = without_secrets(value, secrets) if isinstance(value, str) else value
    got = found.got or shown_value(value)
    expected = f"it, {found.expected}" if found.is_missing else found.expected
    return InvalidInputError(found.where or WHOLE, expected, got)


def _secrets_of(document: object) -> list[str]:
    """The secrets among the first members of a document: to seek all of them may take long."""
    found = (secret for name, text in _texts_in(document) for secret in hidden_in({name: text}))
    return longest_first([*islice(found, SECRETS_MAX)])


def _texts_in(document: object) -> Iterator[tuple[str, str]]:
    """The texts of a document, each with the name that it stands under, outer ones first; of a
    large one those among its first members.
    """
    waiting, left = deque([("", document)]), MEMBERS_MAX
    while waiting and left:
        for name, value in islice(_members_of(*waiting.popleft()), min(left, EACH_MEMBERS_MAX)):
            left -= 1
            if isinstance(value, str):
                yield name, value
            else:
                waiting.append((name, value))


def _members_of(name: str, value: object) -> Iterable[tuple[str, object]]:
    """What stands in an object by its name, and in a list by the name of that."""
    if isinstance(value, Mapping):
        return value.items()
    return ((name, each) for each in value) if isinstance(value, list | tuple) else ()
