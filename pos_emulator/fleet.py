"""`sandgate terminal fleet`: many terminals of a sandbox, each loaded into a folder of its own."""

import json
import os
from http.client import HTTPException
from pathlib import Path
from typing import NoReturn

import typer

from pos_emulator.card_numbers import without_card_numbers
from pos_emulator.counter.opening import (
    OpeningError,
    Place,
    place_for,
    prepare_terminal,
    why_closed,
)
from pos_emulator.keys.errors import KeysError
from pos_emulator.options import (
    AuthorityOption,
    CountArgument,
    FleetFolderOption,
    FleetFormatOption,
    ModelOption,
)
from pos_emulator.terminal.memory.identity import IdentityError, read_identity
from simulator.client import ControlError
from simulator.client.gateway import access_of

NO_SANDBOX = (
    "expected a gateway and a sandbox that stay; paste what `sandgate serve` and "
    "`sandgate sandbox create --format export` print"
)
NO_TERMINAL = (OpeningError, IdentityError, KeysError)
NO_PLACE = (ControlError, OSError, HTTPException)


def main(
    *,
    count: CountArgument,
    folder: FleetFolderOption = Path(".sandgate-terminals/fleet"),
    model: ModelOption = None,
    ca_file: AuthorityOption = None,
    output_format: FleetFormatOption = "text",
) -> None:
    """Create terminals in the sandbox that the variables name, and load each into a folder of its
    own: `sandgate terminal run --folder FOLDER/001` opens the first.
    """
    if access_of(os.environ) is None:
        _fail(NO_SANDBOX)
    try:
        with place_for(os.environ, ca_file) as place:
            made = fleet_at(place, folder, count, model)
    except NO_TERMINAL as error:
        _fail(str(error))
    except NO_PLACE as error:
        _fail(why_closed(error, os.environ))
    if output_format == "json":
        typer.echo(json.dumps({"terminals": made}))
        return
    for each in made:
        typer.echo(f"{each['id']}  {each['folder']}")


def fleet_at(place: Place, folder: Path, count: int, model: str | None) -> list[dict[str, str]]:
    """The terminals of a place, each with its folder. Raises as `prepare_terminal`, and
    OpeningError for a sandbox that is gone at the end.
    """
    if place.is_own:
        raise OpeningError(NO_SANDBOX)
    folders = [folder / f"{number:03d}" for number in range(1, count + 1)]
    for each in folders:
        prepare_terminal(place, each, model)
    return [
        {"id": without_card_numbers(read_identity(each).id), "folder": str(each)}
        for each in folders
    ]


def _fail(message: str) -> NoReturn:
    typer.echo(f"sandgate: {message}", err=True)
    raise typer.Exit(2)
