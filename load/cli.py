"""`sandgate load`: run a load test against a gateway and check its ledger afterwards."""

import signal
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any, NoReturn, get_args

import typer

from features.target.options import MembersOption
from features.target.reading import TargetFileError
from load.closing.reading import ClosingCheckError
from load.gateway.target import (
    LoadTarget,
    TargetNotAllowedError,
    ThrottleTable,
    ThrottleTableError,
    open_target,
    start_own_target,
)
from load.options import declarations as declared
from load.options.files import locust_report_options, require_files
from load.options.locust_options import (
    LocustArguments,
    LocustOptionError,
    create_locust_options,
    parse_arguments,
)
from load.options.values import (
    OptionError,
    parse_arrivals,
    parse_processes,
    parse_span,
    parse_steps,
    parse_virtual_users,
    parse_workers,
    read_thresholds,
    read_throttle_table,
    require_choice,
    require_one_role,
    require_range,
)
from load.plan.plan import LoadPlan, Shape
from load.report.document import create_document
from load.report.files import write_reports
from load.report.terminal import print_outcome
from load.results.baseline import (
    NOT_COMPARED,
    Baseline,
    BaselineError,
    compare_runs,
    read_baseline,
)
from load.results.outcome import NO_FIGURE, USAGE, RunOutcome
from load.results.thresholds import Thresholds
from load.run.locust_process import LocustRunError, run_worker
from load.run.run import run_load
from reports.commands.extras import demand_extra
from reports.commands.output import FormatOption, OutputFormat, print_json, text_on_stderr
from simulator.client import ControlError
from simulator.client.processes import ServerStartError
from simulator.client.shown.masking import without_numbers

SEED_MAX = 10**18
THINK_S_MAX = 3600
USAGE_ERRORS = (
    BaselineError, OptionError, LocustOptionError, TargetFileError, TargetNotAllowedError,
    ThrottleTableError, tomllib.TOMLDecodeError, FileNotFoundError,
)  # fmt: skip
RUN_ERRORS = (
    LocustRunError, ClosingCheckError, ServerStartError, ControlError, HTTPException, OSError,
)  # fmt: skip


def main(
    arguments: declared.Arguments = None,
    *,
    number: declared.UserCount = None,
    spawn: declared.SpawnRate = None,
    time: declared.RunTime = "10s",
    shape: declared.ShapeName = "flat",
    steps: declared.StepCount = None,
    arrival: declared.ArrivalName = "closed",
    rate: declared.Rate = 0,
    even: declared.Even = False,
    users: declared.UserNames = declared.DEFAULT_VIRTUAL_USERS,
    think: declared.ThinkTime = 1.0,
    seed: declared.Seed = 1,
    processes: declared.ProcessCount = None,
    master: declared.Master = False,
    worker: declared.Worker = False,
    expect_workers: declared.WorkerCount = None,
    thresholds: declared.ThresholdsFile = None,
    throttle: declared.ThrottleName = "",
    html: declared.HtmlFile = None,
    csv: declared.CsvPrefix = "",
    json: declared.JsonFile = None,
    baseline: declared.BaselineFile = None,
    owned: declared.Owned = False,
    member: MembersOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Run a load test against a gateway and check its ledger afterwards.

    Throughput and latencies are reported only if the closing check finds no fault.

    Exit status 0: passed; 1: failed; 2: usage error; 3: no throughput figure, or one in doubt.
    """
    demand_extra("load")
    _exit_on_sigterm()
    with _report_usage_errors():
        require_one_role(master=master, worker=worker, processes=processes is not None)
        parsed = parse_arguments(arguments or [])
        workers = parse_workers(expect_workers, master=master)
        if worker:
            raise typer.Exit(_run_worker(parsed))
        local = parse_processes(processes)
        chosen: dict[str, Any] = {
            "virtual_users": parse_virtual_users(users),
            "seconds": parse_span(time),
            "shape": require_choice("--shape", shape, get_args(Shape)),
            "steps": parse_steps(steps, shape),
            **parse_arrivals(number, spawn, arrival=arrival, rate=rate, even=even),
            "think_s": require_range("--think", think, 0, THINK_S_MAX),
            "seed": require_range("--seed", seed, -SEED_MAX, SEED_MAX),
            "processes": workers or local,
        }
        require_files(parsed, thresholds, baseline, html=html, csv=csv, json=json)
        limits, table = read_thresholds(thresholds), read_throttle_table(throttle)
        earlier = None if baseline is None else read_baseline(baseline)
        options = create_locust_options(parsed, processes=local, workers=workers)
    target = _select_target(parsed.target, is_owned=owned, table=table, members=member or ())
    outcome = _run(target, chosen, [*options, *locust_report_options(html, csv)], limits)
    raise typer.Exit(_report(outcome, earlier, output_format, html=html, csv=csv, json=json))


def _exit_on_sigterm() -> None:
    """Let SIGTERM raise SystemExit, so that files are closed and started processes are ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


@contextmanager
def _report_usage_errors() -> Iterator[None]:
    """End the command with status 2 and a message if an option, target or file is invalid."""
    try:
        yield
    except USAGE_ERRORS as error:
        _exit_with_usage_error(str(error))


def _exit_with_usage_error(message: str) -> NoReturn:
    typer.echo(f"sandgate: {message}", err=True)
    raise typer.Exit(USAGE)


def _run_worker(arguments: LocustArguments) -> int:
    if arguments.target is not None:
        got = arguments.target
        raise OptionError(f"--worker: expected no target, which the master names, got {got}")
    with tempfile.TemporaryDirectory(prefix="sandgate-load-") as folder:
        return run_worker(arguments.options, Path(folder))


def _select_target(
    path: Path | None, *, is_owned: bool, table: ThrottleTable | None, members: Sequence[str]
) -> AbstractContextManager[LoadTarget]:
    if path is None and members:
        _exit_with_usage_error("--member: expected a target file beside it, got none")
    if path is None:
        return start_own_target(table)
    return open_target(path, is_owned=is_owned, table=table, members=members)


def _run(
    opening: AbstractContextManager[LoadTarget], chosen: Mapping[str, Any],
    options: Sequence[str], thresholds: Thresholds,
) -> RunOutcome:  # fmt: skip
    try:
        with _report_usage_errors(), opening as target:
            _print_progress(f"load on {without_numbers(target.target.base_url)}")
            return run_load(
                target,
                lambda target, ledger: _create_plan(target, ledger, chosen),
                thresholds,
                options=options,
                progress=_print_progress,
            )
    except RUN_ERRORS as error:
        typer.echo(f"sandgate: no figure: {error}", err=True)
        raise typer.Exit(NO_FIGURE) from error


def _create_plan(target: LoadTarget, ledger: Path, chosen: Mapping[str, Any]) -> LoadPlan:
    return LoadPlan(
        base_url=target.target.base_url,
        token=target.token,
        entity_id=target.entity_id,
        ledger=str(ledger),
        authorities=target.authorities,
        members=target.target.members,
        declines=target.has_declining_cards,
        paths=target.target.paths,
        **chosen,
    )


def _print_progress(text: str) -> None:
    typer.echo(text, err=True)


def _report(
    outcome: RunOutcome, earlier: Baseline | None, output_format: OutputFormat, **files: Any
) -> int:
    """Print what a run came to beside an earlier one, if any, and write its report files; the exit
    status.
    """
    compared = compare_runs(outcome, earlier) if earlier else NOT_COMPARED
    with text_on_stderr(output_format):
        print_outcome(outcome, compared)
    if output_format == "json":
        print_json(create_document(outcome, compared))
    try:
        for path in write_reports(outcome, compared, **files):
            typer.echo(f"written: {path}", err=True)
    except OSError as error:
        typer.echo(f"sandgate: expected to write the report files, got: {error}", err=True)
        raise typer.Exit(NO_FIGURE) from error
    return outcome.exit_status
