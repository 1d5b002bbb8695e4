"""Documents of the control API, as a person writes them on a command line."""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from simulator.adapters.throttle_files import table_named
from simulator.catalogue.throttles import THROTTLES
from simulator.client.files.bounded import read_stream_within, read_text_within
from simulator.domain.core.errors import InvalidInputError
from simulator.setting_values import as_pairs
from simulator.settings import SettingsError

STANDARD_INPUT = "-"


def given(**values: Any) -> dict[str, Any]:
    """The values that were given: neither None nor empty."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {}, ())}


def read_document(option: str, file: str | None) -> dict[str, Any]:
    """The JSON object of a file, or of standard input where it is `-`. Raises SettingsError."""
    return {} if file is None else parse_object(option, read_text(option, file))


def read_text(option: str, file: str) -> str:
    """The text of a file, or of standard input where it is `-`. Raises SettingsError."""
    try:
        if file == STANDARD_INPUT:
            text: str = read_stream_within(sys.stdin)
            return text
        return read_text_within(Path(file))
    except OSError as error:
        raise SettingsError(
            f"{option}: expected a file to read, got {file}: {error.strerror}"
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{option}: expected text in UTF-8, got other bytes") from error


def parse_object(option: str, text: str) -> dict[str, Any]:
    """The JSON object that an option has as its value. Raises SettingsError."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{option}: expected a JSON object, got: {error}") from error
    if not isinstance(found, dict):
        raise SettingsError(f"{option}: expected a JSON object, got {type(found).__name__}")
    return found


def parse_table(named: str | None) -> str | dict[str, Any] | None:
    """A throttle table as the control API takes it: a shipped one by its name, that of a file with
    its rows. Raises SettingsError.
    """
    if named is None or named in THROTTLES:
        return named
    try:
        return asdict(table_named(named))
    except InvalidInputError as error:
        raise SettingsError(str(error)) from error


def parse_pairs(option: str, pairs: Iterable[str] | None) -> Mapping[str, str]:
    """Pairs such as amount=10.00 as a mapping. Raises SettingsError."""
    try:
        return as_pairs(list(pairs or ()))
    except ValueError as error:
        raise SettingsError(
            f"{option}: expected NAME=VALUE, got {' '.join(pairs or ())}"
        ) from error
