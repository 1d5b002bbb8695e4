"""Fields of JSON messages between two servers: which message has them, and in which form."""

from dataclasses import dataclass

from simulator.grammar.formats import Format

REQUIRED, OPTIONAL, ABSENT = "R", "O", "."
# What the `shape` of a field may be, beside a text of its format.
TEXT, TRUTH, EXTENSIONS = "text", "truth", "extensions"


@dataclass(frozen=True, slots=True)
class MessageField:
    """One field. `needs` has a letter for each kind of message: R required, O may be there, a dot
    where it has no place.

    `newer` is its format from version 2.2.0 on, where that is another one.
    """

    name: str
    format: Format
    needs: str
    newer: Format | None = None
    shape: str = TEXT


@dataclass(frozen=True, slots=True)
class Follows:
    """Within a `message`: where `name` has one of `values`, the fields `required` must be there."""

    message: str
    name: str
    values: tuple[str, ...]
    required: tuple[str, ...]
