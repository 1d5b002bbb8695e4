"""YAML within bounds: by aliases, a few lines could make a document without end; brackets in
brackets and numbers of many digits take the library a time that grows with their length squared.
"""

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.constructor import ConstructorError

SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# How deep lists and mappings lie in each other, and how long a number is.
DEPTH_MAX = 100
NUMBER_LENGTH_MAX = 100
NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
FILE_BYTES_MAX = 1024 * 1024
# Values of a document, each alias counted as all that it stands for: half a second's work.
VALUES_MAX = 10_000
STARTS = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
ENDS = (yaml.SequenceEndEvent, yaml.MappingEndEvent)
# What the library raises for text that is not what its tag says, such as `!!bool x`.
UNREADABLE = (ValueError, LookupError, ArithmeticError, AttributeError, RecursionError)


class Loader(SafeLoader):  # type: ignore[misc, valid-type]
    """The safe loader; a number that is too long is refused before it is reckoned."""

    def construct_scalar(self, node: yaml.Node) -> Any:
        """The text of a value. Raises ConstructorError."""
        text = super().construct_scalar(node)
        if node.tag in NUMBERS and len(text) > NUMBER_LENGTH_MAX:
            problem = f"a number of more than {NUMBER_LENGTH_MAX} characters"
            raise ConstructorError(None, None, problem, node.start_mark)
        return text


def read_file(path: Path) -> str:
    """The text of a file. Raises OSError, also where it is too long: a device may have no end; and
    UnicodeDecodeError.
    """
    with path.open("rb") as file:
        content = file.read(FILE_BYTES_MAX + 1)
    if len(content) > FILE_BYTES_MAX:
        raise OSError(errno.EFBIG, f"a file of more than {FILE_BYTES_MAX} bytes", str(path))
    return content.decode().replace("\r\n", "\n")


def reason_of(error: Exception) -> str:
    """Why a text was no YAML, in one line, with line and column where they are known."""
    if isinstance(error, UnicodeError):
        return "text that is no UTF-8"
    mark = getattr(error, "problem_mark", None)
    place = f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    # A reader says it of a sign, all others of what they found.
    said = getattr(error, "problem", None) or getattr(error, "reason", None)
    return f"{said or 'no text'}{place}"


def read_yaml(text: str, *, values_max: int = VALUES_MAX) -> Any:
    """The document that `text` writes, of so many values. Raises yaml.YAMLError, also for aliases
    that stand for too much, for what lies too deep, and for a number or a date that there is none
    of.
    """
    try:
        for values in _count_values(text):
            if values > values_max:
                raise ComposerError(None, None, f"more than {values_max} values", None)
        return yaml.load(text, Loader)
    except UNREADABLE:
        raise ConstructorError(None, None, "a value that cannot be read") from None


def _count_values(text: str) -> Iterator[int]:
    """How many values each list and mapping has, from the innermost to the whole."""
    anchored: dict[str | None, int] = {}
    is_open: list[tuple[str | None, int]] = [(None, 0)]
    for event in yaml.parse(text, Loader):
        if isinstance(event, STARTS):
            is_open.append((event.anchor, 1))
            if len(is_open) > DEPTH_MAX:
                raise ComposerError(None, None, f"more than {DEPTH_MAX} in each other", None)
            continue
        if isinstance(event, ENDS):
            anchor, values = is_open.pop()
        elif isinstance(event, yaml.AliasEvent):
            if any(event.anchor == each for each, _ in is_open):
                mark: Any = event.start_mark
                raise ComposerError(None, None, "a value that contains itself", mark)
            # An anchor that is nowhere is refused by the library.
            anchor, values = None, anchored.get(event.anchor, 1)
        elif isinstance(event, yaml.ScalarEvent):
            anchor, values = event.anchor, 1
        else:
            continue
        if anchor is not None:
            anchored[anchor] = values
        around, before = is_open.pop()
        is_open.append((around, before + values))
        yield before + values
