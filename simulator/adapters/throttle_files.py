"""Throttle tables in files: TOML or JSON, with the rows of the control API's documents."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

from simulator.catalogue.throttles import THROTTLES
from simulator.client.files.bounded import read_text_within
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.throttling.tables import read_table
from simulator.grammar.throttles import ThrottleTable

READERS: dict[str, Callable[[str], object]] = {".toml": tomllib.loads, ".json": json.loads}


def table_named(wanted: str) -> ThrottleTable:
    """The shipped table of that name, else the one in the file of that name. Raises
    InvalidInputError.

    A file that says no name of its own lends the table the first part of its name.
    """
    if wanted in THROTTLES:
        return THROTTLES[wanted]
    place = Path(wanted).expanduser()
    document = _document_in(place, wanted)
    if not isinstance(document, dict):
        raise InvalidInputError(wanted, "a table with name and limits", type(document).__name__)
    return read_table(document, where=f"{wanted}: ", name=place.stem)


def _document_in(place: Path, wanted: str) -> object:
    read = READERS.get(place.suffix.lower())
    if read is None:
        expected = f"{', '.join(THROTTLES)}, or a file that ends in {' or '.join(READERS)}"
        raise InvalidInputError("throttle table", expected, repr(wanted))
    try:
        return read(read_text_within(place))
    except OSError as error:
        raise InvalidInputError(
            wanted, "a file that can be read", error.strerror or "none"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(
            wanted, f"a {place.suffix[1:].upper()} document", str(error)
        ) from error
