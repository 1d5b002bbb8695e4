"""The options of `sandgate terminal run` and `fleet`: what each takes, and what its help says."""

from pathlib import Path
from typing import Annotated, Literal

import typer

# fmt: off
ModelOption = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        callback=lambda value: value and value.upper(),
        help="Of a new terminal: COUNTERTOP (the default), PORTABLE, MOBILE, PINPAD, "
        "INTEGRATED, UNATTENDED.",
    ),
]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Where the terminal keeps its keys and its journal, and cards "
        "their counters. One that holds a terminal is opened."
    ),
]
PortOption = Annotated[
    int, typer.Option(metavar="PORT", min=0, max=65535, help="Port of the page; 0 is any.")
]
OpenOption = Annotated[
    bool, typer.Option("--open", help="Open the page in the browser of this machine.")
]
NexoOption = Annotated[
    int | None,
    typer.Option(
        metavar="PORT", min=0, max=65535, help="Take orders of tills too, as nexo JSON over HTTPS "
        "on this port; 8443 is usual, 0 is any."
    ),
]
NexoSettingsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="TOML file that fits --nexo to a till: poi_id, additional, "
        "login_required, events_url, [seal]."
    ),
]
ZvtOption = Annotated[
    int | None,
    typer.Option(
        metavar="PORT", min=0, max=65535, help="Take orders of tills too, by ZVT over TCP on this "
        "port; 20007 is usual, 0 is any."
    ),
]
RemoteKeysOption = Annotated[
    bool,
    typer.Option(
        "--remote-keys", help="Load new keys over the line before it starts, protected by a "
        "certified key of the terminal."
    ),
]
ConversionOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="TOML file with rates: a card of another currency is offered to pay "
        "in its own. markup, [rates]."
    ),
]
PositionOption = Annotated[
    str | None,
    typer.Option(
        metavar="LATITUDE,LONGITUDE", help="Where a terminal with GPS is (PORTABLE), in degrees, "
        "and behind another comma the accuracy in meters: payments say it."
    ),
]
NextKeysOption = Annotated[
    bool,
    typer.Option(
        "--next-keys", help="Load the keys after those that it has before it starts, under its "
        "update keys."
    ),
]
WindowOption = Annotated[
    bool, typer.Option("--tui", help="Show the terminal in this window too (extra pos).")
]
AuthorityOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        envvar="SANDGATE_CA_FILE",
        help="CA certificate to verify the gateway with.",
    ),
]
ReadyOption = Annotated[
    bool, typer.Option("--ready-json", help="Print one JSON line when the terminal is ready.")
]
CountArgument = Annotated[
    int, typer.Argument(metavar="COUNT", min=1, max=1000, help="How many terminals.")
]
FleetFolderOption = Annotated[
    Path,
    typer.Option(
        metavar="FOLDER", help="Where each terminal gets a folder with its number; those that hold "
        "a terminal already are kept."
    ),
]
FleetFormatOption = Annotated[
    Literal["text", "json"],
    typer.Option("--format", help="Text for people, or one JSON document for scripts."),
]
# fmt: on
