"""`sandgate load`: make load on a gateway, judge every answer, close the books, tell the figure."""

import re
import signal
import socket
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NoReturn, get_args

import typer

from features.receiving.choosing import Usage, demand_writable
from features.target import BadTarget
from load.closing import BooksNotClosed
from load.figure import print_rows
from load.making import RunFailed, work
from load.passing import NotPassedOn, Passed, passed_on
from load.place import NoTable, NotOurs, Place, foreign_place, own_place
from load.plan import MERCHANT, PEOPLE, Arrival, Plan, Shape
from load.report import write_reports
from load.run import NO_FIGURE, USAGE, Outcome, conduct
from load.servers import NotStarted
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
from load.thresholds import BadThresholds, Thresholds, read_thresholds
from simulator.client import ControlError

LOOPBACK_ADDRESS = "127.0.0.1"
UNITS_S = {"s": 1, "m": 60, "h": 3600}
SECONDS_MAX, USERS_MAX, RATE_MAX, STEPS_MAX = 24 * 3600, 20_000, 50_000, 100
WORKERS_MAX, SPAWN_RATES = 1000, (0.01, 20_000)
USERS, STEPS = 20, 8


def main(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TARGET.toml] [LOCUST OPTIONS]", help="Without a target, a gateway "
                       "of its own. Some of Locust's options are passed on."),
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
    expect_workers: Annotated[int, typer.Option(help="Workers that a master waits for.")] = 1,
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
    passed = _passed(arguments or [])
    _demand_one_part(master=master, worker=worker, processes=processes)
    _need_locust()
    _end_in_order()
    if worker:
        raise typer.Exit(_work(passed))
    options = _locust_options(
        passed, master=master, processes=_processes(processes),
        expect_workers=_within("--expect-workers", expect_workers, 1, WORKERS_MAX),
    )  # fmt: skip
    chosen: dict[str, Any] = {
        "people": _people(users),
        "seconds": _seconds(time),
        "shape": _one_of("--shape", shape, get_args(Shape)),
        "steps": _steps(steps, shape),
        **_arrivals(number, _one_of("--arrival", arrival, get_args(Arrival)), rate=rate),
        "poisson": not even,
        "think_s": _within("--think", think, 0, 3600),
        "seed": seed,
        "processes": expect_workers if master else _processes(processes),
    }
    chosen["spawn_rate"] = _spawn_rate(spawn, chosen["users"])
    _demand_writable(html, csv, json)
    options += _report_options(html, csv)
    made = _place(passed.target, table=_table(throttle), is_owned=owned)
    outcome = _run(made, chosen, options, _thresholds(thresholds))
    _tell(outcome)
    _write(outcome, html=html, csv=csv, json=json)
    raise typer.Exit(outcome.exit_status)


def _write(outcome: Outcome, **files: Any) -> None:
    try:
        for path in write_reports(outcome, **files):
            typer.echo(f"written: {path}", err=True)
    except OSError as error:
        typer.echo(f"sandgate: expected files to write the report to, got: {error}", err=True)
        raise typer.Exit(NO_FIGURE) from error


def _spawn_rate(spawn: float | None, users: int) -> float:
    return float(users) if spawn is None else float(_within("-r", spawn, *SPAWN_RATES))


def _end_in_order() -> None:
    """Let SIGTERM end as an exit does: what is open is closed, what was started is ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def _demand_one_part(*, master: bool, worker: bool, processes: int | None) -> None:
    """Refuse to lead, to work for another and to be many at the same time."""
    given = {"--master": master, "--worker": worker, "--processes": processes is not None}
    parts = [name for name, is_given in given.items() if is_given]
    if len(parts) > 1:
        _refuse(f"expected one of {', '.join(given)}, got {' and '.join(parts)}")


def _demand_writable(html: Path | None, csv: str, json: Path | None) -> None:
    rows = Path(f"{csv}_operations.csv") if csv else None
    try:
        demand_writable({"--html": html, "--csv": rows, "--json": json})
    except Usage as error:
        _refuse(f"{error.option}: {error}")


def _need_locust() -> None:
    if find_spec("locust") is None:
        _refuse("expected Locust, which is not installed; install the project with its extra: load")


def _passed(arguments: Sequence[str]) -> Passed:
    try:
        return passed_on(arguments)
    except NotPassedOn as error:
        _refuse(str(error))


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
    except (BadTarget, NotOurs, NoTable, tomllib.TOMLDecodeError, FileNotFoundError) as error:
        _refuse(str(error))
    except (
        RunFailed, BooksNotClosed, NotStarted, ControlError, HTTPException, OSError
    ) as error:  # fmt: skip
        typer.echo(f"sandgate: no figure: {error}", err=True)
        raise typer.Exit(NO_FIGURE) from error


def _place(
    target: Path | None, *, table: Any, is_owned: bool
) -> AbstractContextManager[Place]:
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
        _refuse(f"--worker: expected no target, which the master names, got {passed.target}")
    with tempfile.TemporaryDirectory(prefix="sandgate-load-") as folder:
        return work(passed.options, Path(folder))


def _locust_options(
    passed: Passed, *, master: bool, processes: int, expect_workers: int
) -> list[str]:
    """What makes Locust lead others, who are sent a token: on loopback, unless told otherwise."""
    options = list(passed.options)
    if (master or processes > 1) and not passed.has("--master-bind-host"):
        options += ["--master-bind-host", LOOPBACK_ADDRESS]
    if master:
        return [*options, "--master", "--expect-workers", str(expect_workers)]
    if processes > 1:
        port = str(_free_port())
        ports = ["--master-bind-port", port, "--master-port", port]
        return [*options, "--processes", str(processes), *ports]
    return options


def _free_port() -> int:
    """A port that nobody listens on, so that two runs on one machine do not meet."""
    with socket.create_server((LOOPBACK_ADDRESS, 0)) as listener:
        return int(listener.getsockname()[1])


def _report_options(html: Path | None, csv: str) -> list[str]:
    """Locust's own reports beside ours."""
    own_page = ["--html", str(html.absolute().with_suffix(".locust.html"))] if html else []
    return own_page + (["--csv", str(Path(csv).absolute())] if csv else [])


def _thresholds(path: Path | None) -> Thresholds:
    try:
        return read_thresholds(path.read_text("utf-8"), source=str(path)) if path else Thresholds()
    except UnicodeDecodeError as error:
        _refuse(f"{path}: expected TOML as UTF-8, got: {error}")
    except (BadThresholds, OSError) as error:
        _refuse(str(error))


def _table(named: str) -> Any:
    """A throttle table as the control API takes it: rows of a file, or a name."""
    if not named.endswith(".toml"):
        return named or None
    try:
        return tomllib.loads(Path(named).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        _refuse(f"{named}: expected a throttle table, got: {error}")


def _people(named: str) -> tuple[str, ...]:
    people = tuple(filter(None, (name.strip() for name in named.split(","))))
    for name in people:
        _one_of("--users", name, PEOPLE)
    if not set(people) - {"receiver"}:
        _refuse(f"--users: expected somebody who pays, such as {MERCHANT}, got {named!r}")
    return people


def _arrivals(number: int | None, arrival: str, *, rate: float) -> dict[str, Any]:
    """How users come, how many there are, and the rate they come at where that is given."""
    if arrival == "closed" and rate:
        _refuse("--rate: expected --arrival open beside it, since users decide when they come")
    if arrival == "open":
        _within("--rate", rate, 0.01, RATE_MAX)
    at_once = USERS if arrival == "closed" else min(max(USERS, int(2 * rate)), USERS_MAX)
    users = _within("-u", number, 1, USERS_MAX) if number is not None else at_once
    return {"arrival": arrival, "users": users, "rate": rate}


def _processes(processes: int | None) -> int:
    return 1 if processes is None else int(_within("--processes", processes, 1, 64))


def _steps(steps: int | None, shape: str) -> int:
    if steps is None:
        return STEPS
    if shape != "step":
        _refuse(f"--steps: expected --shape step beside it, got --shape {shape}")
    return int(_within("--steps", steps, 1, STEPS_MAX))


def _seconds(text: str) -> float:
    parts = re.findall(r"(\d+)([smh])", text)
    if not parts or "".join(map("".join, parts)) != text:
        _refuse(f"-t: expected a span such as 30s, 10m or 1h30m, got {text!r}")
    total = sum(int(count) * UNITS_S[unit] for count, unit in parts)
    return float(_within("-t", total, 1, SECONDS_MAX))


def _within(name: str, value: float, least: float, most: float) -> Any:
    if not least <= value <= most:
        _refuse(f"{name}: expected {least:g} to {most:g}, got {value:g}")
    return value


def _one_of(name: str, value: str, known: Sequence[str]) -> str:
    if value not in known:
        _refuse(f"{name}: expected one of {', '.join(known)}, got {value!r}")
    return value


def _refuse(message: str) -> NoReturn:
    typer.echo(f"sandgate: {message}", err=True)
    raise typer.Exit(USAGE)
