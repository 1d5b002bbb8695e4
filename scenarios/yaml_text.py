"""YAML within bounds: by aliases, a few lines could make a document without end."""

from collections.abc import Iterator
from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.constructor import ConstructorError

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Values of a document, each alias counted as all that it stands for.
VALUES_MAX = 10_000
STARTS = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
ENDS = (yaml.SequenceEndEvent, yaml.MappingEndEvent)


def read_yaml(text: str) -> Any:
    """The document that `text` writes. Raises yaml.YAMLError, also for aliases that stand for too
    much, and for a number or a date that there is none of.
    """
    for values in _count_values(text):
        if values > VALUES_MAX:
            raise ComposerError(None, None, f"more than {VALUES_MAX} values", None)
    try:
        return yaml.load(text, Loader)
    except (ValueError, RecursionError):
        raise ConstructorError(None, None, "a value that cannot be read") from None


def _count_values(text: str) -> Iterator[int]:
    """How many values each list and mapping has, from the innermost to the whole."""
    anchored: dict[str | None, int] = {}
    is_open: list[tuple[str | None, int]] = [(None, 0)]
    for event in yaml.parse(text, Loader):
        if isinstance(event, STARTS):
            is_open.append((event.anchor, 1))
            continue
        if isinstance(event, ENDS):
            anchor, values = is_open.pop()
        elif isinstance(event, yaml.AliasEvent):
            # What an alias stands for is complete, unless the alias is inside of it.
            anchor, values = None, anchored.get(event.anchor, VALUES_MAX + 1)
        elif isinstance(event, yaml.ScalarEvent):
            anchor, values = event.anchor, 1
        else:
            continue
        if anchor is not None:
            anchored[anchor] = values
        around, before = is_open.pop()
        is_open.append((around, before + values))
        yield before + values
