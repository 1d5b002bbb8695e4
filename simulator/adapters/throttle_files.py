"""Throttle tables in files: TOML or JSON, with the rows of the control API's documents."""

from pathlib import Path

from simulator.catalogue.throttles import THROTTLES
from simulator.client.files.tables import READERS, is_table_file, read_table_file
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.throttling.tables import read_table
from simulator.grammar.throttles import ThrottleTable


def table_named(wanted: str) -> ThrottleTable:
    """The shipped table of that name, else the one in the file of that name. Raises
    InvalidInputError.

    A file that says no name of its own lends the table the first part of its name.
    """
    if wanted in THROTTLES:
        return THROTTLES[wanted]
    document = _document_in(wanted)
    if not isinstance(document, dict):
        raise InvalidInputError(wanted, "a table with name and limits", type(document).__name__)
    return read_table(document, where=f"{wanted}: ")


def _document_in(wanted: str) -> object:
    if not is_table_file(wanted):
        expected = f"{', '.join(THROTTLES)}, or a file that ends in {' or '.join(READERS)}"
        raise InvalidInputError("throttle table", expected, repr(wanted))
    try:
        return read_table_file(wanted)
    except OSError as error:
        raise InvalidInputError(
            wanted, "a file that can be read", error.strerror or "none"
        ) from error
    except (ValueError, RecursionError) as error:
        kind = Path(wanted).suffix[1:].upper()
        raise InvalidInputError(wanted, f"a {kind} document", str(error)) from error
