"""Documents of the control API as records: what does not fit is refused by its place."""

from typing import TypeVar

import msgspec

from simulator.domain.core.errors import InvalidInputError

Document = TypeVar("Document")


def json_in(raw: bytes) -> object:
    """The document that `raw` writes. Raises InvalidInputError, whatever the bytes are."""
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise InvalidInputError("body", "a JSON document", str(error)) from None
    except UnicodeDecodeError as error:
        raise InvalidInputError("body", "UTF-8", f"another byte at {error.start}") from None
    except RecursionError:
        raise InvalidInputError(
            "body", "a JSON document", "one that is nested too deeply"
        ) from None


def as_record(document: object, kind: type[Document], where: str = "") -> Document:
    """`document`, which stands at `where`, as a record. Raises InvalidInputError that names
    the member.
    """
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        message, _, inner = str(error).partition(" - at ")
        place = f"{where}{inner.strip('`').removeprefix('$')}" if where else inner.strip("`")
        raise InvalidInputError(place or "body", *_expected_and_got(message)) from None


def _expected_and_got(message: str) -> tuple[str, str]:
    """What was expected and what came, out of the words of the library that converts documents."""
    words = message.replace("`", "")
    if words.startswith("Object contains unknown field "):
        return "members that are documented", words.removeprefix("Object contains unknown field ")
    if words.startswith("Object missing required field "):
        return f"a member {words.removeprefix('Object missing required field ')}", "none"
    expected, _, got = words.removeprefix("Expected ").partition(", got ")
    return expected, got or words
