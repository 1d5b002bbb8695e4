"""Throttle tables in files, TOML or JSON by the ending of the name, as documents."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simulator.client.files.bounded import read_text_within

READERS: dict[str, Callable[[str], Any]] = {".toml": tomllib.loads, ".json": json.loads}


def is_table_file(named: str) -> bool:
    """Whether a table is named by a file, as its ending says."""
    return Path(named).suffix.lower() in READERS


def read_table_file(named: str) -> Any:
    """The document of such a file. A table that says no name of its own has the first part of the
    file's. Raises OSError, ValueError, RecursionError.
    """
    place = Path(named).expanduser()
    document = READERS[place.suffix.lower()](read_text_within(place))
    return {"name": place.stem, **document} if isinstance(document, dict) else document
