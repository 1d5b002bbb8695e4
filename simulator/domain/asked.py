"""Documents of the control API as records: what does not fit is refused by its place."""

from typing import TypeVar

import msgspec

from simulator.domain.errors import BadInput

Document = TypeVar("Document")


def as_record(document: object, kind: type[Document], where: str = "") -> Document:
    """`document`, which stands at `where`, as a record. Raises BadInput that names the member."""
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        message, _, inner = str(error).partition(" - at ")
        place = f"{where}{inner.strip('`').removeprefix('$')}" if where else inner.strip("`")
        raise BadInput(place or "body", message, "something else") from None
