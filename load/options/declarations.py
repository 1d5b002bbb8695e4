"""The options of `sandgate load` with their help texts."""

from pathlib import Path
from typing import Annotated, get_args

import typer

from load.options.values import STEPS, USERS
from load.plan.plan import DEFAULT_USERS, Arrival, Shape

DEFAULT_VIRTUAL_USERS = ",".join(DEFAULT_USERS)

Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[TARGET.toml] [LOCUST OPTIONS]",
        help="Target file; without one the command starts its own gateway. Some Locust options"
        " are passed on.",
    ),
]
UserCount = Annotated[
    int | None, typer.Option("-u", help=f"Users; default {USERS}, with --rate twice the rate.")
]
SpawnRate = Annotated[
    float | None, typer.Option("-r", help="Users started per second; default all at once.")
]
RunTime = Annotated[str, typer.Option("-t", metavar="DURATION", help="Duration: 30s, 10m, 1h30m.")]
ShapeName = Annotated[
    str,
    typer.Option(
        metavar="SHAPE",
        help=f"Load shape: {', '.join(get_args(Shape))}.",
        autocompletion=lambda: [*get_args(Shape)],
    ),
]
StepCount = Annotated[int | None, typer.Option(help=f"Steps of --shape step; default {STEPS}.")]
ArrivalName = Annotated[
    str,
    typer.Option(
        metavar="KIND",
        help="closed: users wait for each response; open: requests at a --rate.",
        autocompletion=lambda: [*get_args(Arrival)],
    ),
]
Rate = Annotated[float, typer.Option(help="Arrivals per second, with --arrival open.")]
Even = Annotated[bool, typer.Option(help="Arrivals at even intervals instead of random ones.")]
UserNames = Annotated[str, typer.Option(metavar="NAMES", help="Virtual users, comma-separated.")]
ThinkTime = Annotated[float, typer.Option(metavar="SECONDS", help="Mean think time of a user.")]
Seed = Annotated[int, typer.Option(help="Seed of the payloads; the same seed gives the same.")]
ProcessCount = Annotated[int | None, typer.Option(help="Processes on this host; default 1.")]
Master = Annotated[bool, typer.Option(help="Lead workers that are started elsewhere.")]
Worker = Annotated[bool, typer.Option(help="Work for a master; other options are ignored.")]
WorkerCount = Annotated[int | None, typer.Option(help="Workers a master waits for; default 1.")]
ThresholdsFile = Annotated[
    Path | None, typer.Option(help="TOML file with thresholds that set the exit status.")
]
ThrottleName = Annotated[
    str,
    typer.Option(
        metavar="TABLE", help="Throttle table of the run's sandbox: a name, or a TOML or JSON file."
    ),
]
HtmlFile = Annotated[Path | None, typer.Option(help="Write the report as an HTML page.")]
CsvPrefix = Annotated[
    str, typer.Option(metavar="PREFIX", help="Prefix of the names of the CSV files.")
]
JsonFile = Annotated[Path | None, typer.Option(help="Write the report as JSON.")]
BaselineFile = Annotated[
    Path | None, typer.Option(help="JSON report of an earlier run to compare this run with.")
]
Owned = Annotated[
    bool, typer.Option(help="Load a gateway on another machine, which you are allowed to load.")
]
