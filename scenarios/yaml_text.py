"""YAML as people write it: without aliases, by which a few lines make a document without end."""

from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.constructor import ConstructorError

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(text: str) -> Any:
    """The document that `text` writes. Raises yaml.YAMLError, also for an alias, and for a number
    or a date that there is none of.
    """
    for event in yaml.parse(text, Loader):
        if isinstance(event, yaml.AliasEvent):
            line = 1 if event.start_mark is None else event.start_mark.line + 1
            raise ComposerError(None, None, f"an alias in line {line}", None)
    try:
        return yaml.load(text, Loader)
    except (ValueError, RecursionError):
        raise ConstructorError(None, None, "a value that cannot be read") from None
