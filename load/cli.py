"""`sandgate load`: make load on a gateway, judge every answer, close the books, tell the figure."""

import signal
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NoReturn, get_args

import typer

from features.target.reading import TargetFileError
from load.choosing import (
    SEED_MAX,
    STEPS,
    Misused,
    arrivals_of,
    demand_files,
    demand_one_part,
    locust_options,
    one_of,
    people_of,
    processes_of,
    report_options,
    seconds_of,
    steps_of,
    table_of,
    thresholds_of,
    within,
    workers_of,
)
from load.closing import BooksNotClosed
from load.figure import print_rows
from load.making import RunFailed, work
from load.passing import NotPassedOn, Passed, passed_on
from load.place import NoTable, NotOurs, Place, foreign_place, own_place
from load.plan import PEOPLE, Plan, Shape
from load.report import write_reports
from load.run import NO_FIGURE, USAGE, Outcome, conduct
from load.telling import (
    CHECK_COLUMNS,
    CLAUSE_COLUMNS,
    OPERATION_COLUMNS,
    STEP_COLUMNS,
    check_rows,
    clause_rows,
    faults_of,
    operation_rows,
    remarks,
    step_rows,
)
from load.thresholds import Thresholds
from simulator.client import ControlError
from simulator.client.processes import ServerStartError


def main(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TARGET.toml] [LOCUST OPTIONS]",
            help="Without a target, a gateway of its own. Some of Locust's options are passed on.",
        ),
    ] = None,
    *,
    number: Annotated[int | None, typer.Option("-u", help="Users; else 20, or by --rate.")] = None,
    spawn: Annotated[float | None, typer.Option("-r", help="Users a second; else at once.")] = None,
    time: Annotated[str, typer.Option("-t", help="How long: 30s, 10m, 1h30m.")] = "10s",
    shape: Annotated[str, typer.Option(help=f"One of {', '.join(get_args(Shape))}.")] = "flat",
    steps: Annotated[int | None, typer.Option(help=f"Steps of --shape step; else {STEPS}.")] = None,
    arrival: Annotated[str, typer.Option(help="closed: users who think; open: a rate.")] = "closed",
    rate: Annotated[float, typer.Option(help="Arrivals a second, in open arrival.")] = 0,
    even: Annotated[bool, typer.Option(help="Arrivals at even intervals, not at random.")] = False,
    users: Annotated[str, typer.Option(help=f"Some of {','.join(PEOPLE)}.")] = ",".join(PEOPLE),
    think: Annotated[float, typer.Option(help="Mean pause of a user in seconds.")] = 1.0,
    seed: Annotated[int, typer.Option(help="The same seed, the same payloads.")] = 1,
    processes: Annotated[int | None, typer.Option(help="Processes on this host; else 1.")] = None,
    master: Annotated[bool, typer.Option(help="Lead workers that are started elsewhere.")] = False,
    worker: Annotated[bool, typer.Option(help="Work for a master; all else is its.")] = False,
    expect_workers: Annotated[
        int | None, typer.Option(help="Workers that a master waits for; else 1.")
    ] = None,
    thresholds: Annotated[Path | None, typer.Option(help="TOML file that sets the status.")] = None,
    throttle: Annotated[
        str, typer.Option(help="Throttle table of the run's sandbox: a name or a TOML file.")
    ] = "",
    html: Annotated[Path | None, typer.Option(help="Write the report as a page.")] = None,
    csv: Annotated[str, typer.Option(help="Beginning of the names of CSV files.")] = "",
    json: Annotated[Path | None, typer.Option(help="Write the report as JSON.")] = None,
    owned: Annotated[bool, typer.Option(help="The target elsewhere is yours to load.")] = False,
) -> None:
    """Make load, judge every answer, close the books, and tell a figure only with clean ones.

    Ends with 0 where all was kept, 1 where something was broken, 2 where it was asked wrongly, 3
    where there is no figure, or one in doubt.
    """
    _need_locust()
    _end_in_order()
    with _asked_rightly():
        demand_one_part(master=master, worker=worker, processes=processes is not None)
        passed, workers = passed_on(arguments or []), workers_of(expect_workers, master=master)
        if worker:
            raise typer.Exit(_work(passed))
        here = processes_of(processes)
        options = locust_options(passed, processes=here, workers=workers)
        chosen: dict[str, Any] = {
            "people": people_of(users),
            "seconds": seconds_of(time),
            "shape": one_of("--shape", shape, get_args(Shape)),
            "steps": steps_of(steps, shape),
            **arrivals_of(number, spawn, arrival=arrival, rate=rate, even=even),
            "think_s": within("--think", think, 0, 3600),
            "seed": within("--seed", seed, -SEED_MAX, SEED_MAX),
            "processes": workers or here,
        }
        demand_files(passed, thresholds, html=html, csv=csv, json=json)
        limits = thresholds_of(thresholds)
        made = _place(passed.target, table=table_of(throttle), is_owned=owned)
    outcome = _run(made, chosen, [*options, *report_options(html, csv)], limits)
    _tell(outcome)
    _write(outcome, html=html, csv=csv, json=json)
    raise typer.Exit(outcome.exit_status)


@contextmanager
def _asked_rightly() -> Iterator[None]:
    """Ends the command with what is wrong with how it was called."""
    try:
        yield
    except (Misused, NotPassedOn) as error:
        _refuse(str(error))


def _write(outcome: Outcome, **files: Any) -> None:
    try:
        for path in write_reports(outcome, **files):
            typer.echo(f"written: {path}", err=True)
    except OSError as error:
        typer.echo(f"sandgate: expected files to write the report to, got: {error}", err=True)
        raise typer.Exit(NO_FIGURE) from error


def _end_in_order() -> None:
    """Let SIGTERM end as an exit does: what is open is closed, what was started is ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def _need_locust() -> None:
    if find_spec("locust") is None:
        _refuse("expected Locust, which is not installed; install the project with its extra: load")


def _run(
    opened: AbstractContextManager[Place], chosen: Mapping[str, Any], options: Sequence[str],
    thresholds: Thresholds,
) -> Outcome:  # fmt: skip
    try:
        with opened as place:
            typer.echo(f"load on {place.target.base_url}", err=True)
            return conduct(
                place, lambda at, ledger: _plan(at, ledger, chosen), thresholds,
                options=options, progress=lambda text: typer.echo(text, err=True),
            )  # fmt: skip
    except (TargetFileError, NotOurs, NoTable, tomllib.TOMLDecodeError, FileNotFoundError) as error:
        _refuse(str(error))
    except (
        RunFailed, BooksNotClosed, ServerStartError, ControlError, HTTPException, OSError
    ) as error:  # fmt: skip
        typer.echo(f"sandgate: no figure: {error}", err=True)
        raise typer.Exit(NO_FIGURE) from error


def _place(target: Path | None, *, table: Any, is_owned: bool) -> AbstractContextManager[Place]:
    if target is None:
        return own_place(table)
    return foreign_place(target, is_owned=is_owned, table=table)


def _plan(place: Place, ledger: Path, chosen: Mapping[str, Any]) -> Plan:
    return Plan(
        base_url=place.target.base_url,
        token=place.token,
        entity_id=place.entity_id,
        ledger=str(ledger),
        authorities=place.authorities,
        declines=place.declines,
        **chosen,
    )


def _tell(outcome: Outcome) -> None:
    print_rows("requests", OPERATION_COLUMNS, operation_rows(outcome))
    if outcome.summary.steps and not outcome.withheld:
        print_rows("steps", STEP_COLUMNS, step_rows(outcome))
    print_rows("closing certificate", CLAUSE_COLUMNS, clause_rows(outcome))
    print_rows("thresholds", CHECK_COLUMNS, check_rows(outcome))
    for line in (*faults_of(outcome), *remarks(outcome)):
        typer.echo(line)


def _work(passed: Passed) -> int:
    if passed.target is not None:
        raise Misused(f"--worker: expected no target, which the master names, got {passed.target}")
    with tempfile.TemporaryDirectory(prefix="sandgate-load-") as folder:
        return work(passed.options, Path(folder))


def _refuse(message: str) -> NoReturn:
    typer.echo(f"sandgate: {message}", err=True)
    raise typer.Exit(USAGE)
