"""Commands whose options are the settings of the gateway."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

import typer

from simulator.setting_values import OneOf
from simulator.settings import ROWS, SettingRow

NO_DEFAULTS: Mapping[str, str] = {}


def with_settings(
    command: Callable[..., Any], defaults: Mapping[str, str] = NO_DEFAULTS
) -> Callable[..., None]:
    """`command` as typer reads it: its own parameters, and one option for each row of the settings.

    What is given arrives by row name, None where nothing was. `defaults` are those of the command
    where they differ from those of the rows.
    """
    own = inspect.signature(command).parameters.values()
    parameters = [each for each in own if each.kind is not inspect.Parameter.VAR_KEYWORD]
    parameters += [
        inspect.Parameter(
            row.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=_annotation(row, defaults),
        )
        for row in ROWS
    ]

    def as_typer_reads_it(**given: object) -> None:
        command(**given)

    as_typer_reads_it.__doc__ = command.__doc__
    as_typer_reads_it.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    as_typer_reads_it.__annotations__ = {made.name: made.annotation for made in parameters}
    return as_typer_reads_it


def as_arguments(given: Mapping[str, object]) -> list[str]:
    """What was given, as it would be written on the command line of `serve`."""
    return [word for row in ROWS for word in _words_of(row, given.get(row.name))]


def _words_of(row: SettingRow, value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield row.option if value else f"--no-{row.key}"
    elif isinstance(value, list):
        yield from (f"{row.option}={each}" for each in value)
    elif value is not None:
        yield f"{row.option}={value}"


def _annotation(row: SettingRow, defaults: Mapping[str, str]) -> Any:
    value = defaults.get(row.name, row.default)
    default = "" if value in (None, False, {}) else f"  [default: {value}]"
    words = list(row.read.words) if isinstance(row.read, OneOf) else []
    option = typer.Option(
        f"{row.option}/--no-{row.key}" if row.default is False else row.option,
        help=f"{row.help[:1].upper()}{row.help[1:]}.{default}",
        metavar=row.kind or None,
        autocompletion=(lambda: words) if words else None,
        show_default=False,
    )
    if isinstance(row.default, Mapping):
        return Annotated[list[str] | None, option]
    return Annotated[bool | None, option] if row.default is False else Annotated[str | None, option]
