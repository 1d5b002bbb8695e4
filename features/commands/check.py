"""`sandgate check`: test a gateway for conformance, and report the verdicts."""

import signal
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from features.commands.earlier_runs import EarlierRunError, earlier_run, failed_before
from features.commands.ending import USAGE_ERROR, fail_usage
from features.conformance.progress import ProgressDisplay, print_error
from features.target.options import MembersOption
from features.target.reading import TargetFileError, read_target
from reports.commands.extras import demand_extra
from reports.commands.output import FormatOption, OutputFormat, print_json, text_on_stderr

if TYPE_CHECKING:
    from features.conformance.cases import SuiteCase
    from reports.events import Event
    from reports.keeping import StreamFiles
    from reports.run import RecordedRun
    from reports.waivers import Waivers

FAILED, INCOMPLETE, INTERRUPTED = 1, 3, 130


def _file(meaning: str, *names: str) -> Any:
    return typer.Option(*names, metavar="FILE", help=meaning)


RealTimeOption = Annotated[
    bool,
    typer.Option("--real-time", help="Wait up to two minutes for a case, where no clock is set."),
]
FolderOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Run the .feature files of this folder.")
]


def main(
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="TARGET.toml", help="The gateway to test; without it one is started."
        ),
    ] = None,
    *,
    features: FolderOption = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="A requirement (PAY-01), expectation (E09), decision (D-57), boundary "
            "(FIELD:billing.street1), tag (@pattern:limit), or title. May be repeated.",
        ),
    ] = None,
    failed_from: Annotated[
        Path | None,
        typer.Option(metavar="STREAM", help="Run only the cases that failed in this stream."),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="STREAM", help="Compare with the run of this stream.")
    ] = None,
    annotations: Annotated[
        bool, typer.Option("--annotations", help="Print failures as annotations of GitHub.")
    ] = False,
    list_only: Annotated[
        bool, typer.Option("--list", help="List the test cases; run none.")
    ] = False,
    events: Annotated[Path | None, _file("Write the stream of verdicts.")] = None,
    junit: Annotated[Path | None, _file("Write a report as JUnit XML.")] = None,
    html: Annotated[Path | None, _file("Write an HTML report.")] = None,
    as_json: Annotated[Path | None, _file("Write a report as JSON.", "--json")] = None,
    evidence: Annotated[
        Path | None, _file("Write all reports, the stream and the tables into one archive.")
    ] = None,
    waivers: Annotated[Path | None, _file("Known failures that are accepted until a date.")] = None,
    workers: Annotated[
        int | None, typer.Option("-n", min=1, metavar="WORKERS", help="How many run at once.")
    ] = None,
    real_time: RealTimeOption = False,
    member: MembersOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Test a gateway against the specification, scenario by scenario.

    Exit status 0: all test cases passed; 1: a test case failed; 2: usage error, no answer from the
    target, or a report that could not be written; 3: not every test case could be evaluated.
    """
    demand_extra("check")
    # SIGTERM ends the run as Ctrl-C does: the processes that were started are stopped first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    reports = {"junit": junit, "html": html, "json": as_json, "evidence": evidence}
    arguments = CheckArguments(
        target, features, only or [], events, reports, waivers, workers, list_only, output_format,
        failed_from, baseline, annotations, real_time, member or (),
    )  # fmt: skip
    _refuse_files(arguments)
    raise typer.Exit(_check(arguments))


@dataclass(frozen=True)
class CheckArguments:
    """The arguments of `sandgate check`."""

    target: Path | None
    features: Path | None
    only: list[str]
    events: Path | None
    reports: Mapping[str, Path | None]
    waivers: Path | None
    workers: int | None
    list_only: bool
    output_format: OutputFormat
    failed_from: Path | None = None
    baseline: Path | None = None
    annotations: bool = False
    real_time: bool = False
    members: Sequence[str] = ()

    @property
    def written(self) -> dict[str, Path | None]:
        """The files that are to be written, by the options that name them."""
        return {"--events": self.events, **{f"--{name}": at for name, at in self.reports.items()}}

    @property
    def read(self) -> list[tuple[str, Path | None]]:
        """The files that are read."""
        from reports.files import sources_in

        named = [("TARGET", self.target), ("--waivers", self.waivers)]
        named += [("--failed-from", self.failed_from), ("--baseline", self.baseline)]
        return [*named, *sources_in(self.features)]


def _refuse_files(arguments: CheckArguments) -> None:
    """End the command where a file could not be written, or would replace another one."""
    from reports.files import FileOptionError, demand_writable_files

    try:
        demand_writable_files(arguments.written.items(), others=arguments.read)
    except FileOptionError as error:
        fail_usage(f"{error.option}: {error}")


def _check(arguments: CheckArguments) -> int:
    """Run the test cases and report them; the exit status."""
    from reports.keeping import StreamFiles

    # The file may be gone, or another one, by the end of the run.
    secrets = _secrets_of(arguments.target)
    with tempfile.TemporaryDirectory(prefix="sandgate-check-") as folder:
        # Reports are made from a stream that no earlier run can have left.
        with StreamFiles(Path(folder) / "events.jsonl", arguments.events) as kept:
            status = _run_status(arguments, kept, Path(folder))
        run = _recorded(kept, status)
        with text_on_stderr(arguments.output_format):
            ended = _report(arguments, kept, status, run, secrets=secrets)
        if arguments.output_format == "json" and run is not None:
            _print_document(run)
        return ended


def _recorded(kept: "StreamFiles", status: int) -> "RecordedRun | None":
    """What was run; nothing where wrong use ended the command before a test case had ended."""
    from reports.run import read_run

    run = read_run(kept.own) if kept.holds_anything else None
    return run if run and (status != USAGE_ERROR or any(run.counts.values())) else None


def _print_document(run: "RecordedRun") -> None:
    """Print the report for programs."""
    from reports.document import document_of

    typer.echo(document_of(run), nl=False)


def _run_status(arguments: CheckArguments, kept: "StreamFiles", folder: Path) -> int:
    """The exit status of the run; an error that ended it is printed."""
    from features.conformance.cases import UnknownCaseError
    from features.conformance.session import ConformanceRunError
    from features.gherkin.files import FeatureFileError
    from features.target.reachability import UnreachableTargetError
    from reports.keeping import StreamWriteError
    from reports.waivers import WaiverFileError
    from simulator.client.processes import ServerStartError

    try:
        if arguments.baseline is not None:
            earlier_run(arguments.baseline)
        return _run_or_list(arguments, kept, folder)
    except KeyboardInterrupt:
        print_error("interrupted")
        return INTERRUPTED
    except (ConformanceRunError, StreamWriteError, OSError) as error:
        print_error(f"the run could not be completed: {error}")
        return INCOMPLETE
    except (
        EarlierRunError,
        TargetFileError,
        FeatureFileError,
        WaiverFileError,
        UnknownCaseError,
        UnreachableTargetError,
        ServerStartError,
    ) as error:
        print_error(str(error))
        return USAGE_ERROR


def _run_or_list(arguments: CheckArguments, kept: "StreamFiles", folder: Path) -> int:
    """Run or list every selected test case; the exit status."""
    from features.conformance.cases import load_cases, select_cases
    from features.conformance.execution import execute_run
    from features.conformance.run import ConformanceRun, choose_worker_count, open_target

    known, wanted = load_cases(arguments.features), arguments.only
    cases = select_cases(known, wanted, folder=arguments.features) if wanted else known
    if arguments.failed_from is not None:
        cases = failed_before(cases, arguments.failed_from)
    waivers = _waivers(arguments.waivers, known, arguments.features)
    if arguments.list_only:
        _list(cases, arguments.output_format)
        return 0
    if arguments.features is not None:
        _note_renamed_steps(arguments.features)
    with open_target(
        arguments.target, folder, waits=arguments.real_time, members=arguments.members
    ) as gateway:
        workers = arguments.workers or choose_worker_count(gateway.target, len(cases))
        if workers > 1 and gateway.target.receiver.is_fixed:
            raise TargetFileError(
                "receiver.listen: expected port 0 for several workers; leave out -n"
            )
        run = ConformanceRun(gateway, cases, folder, arguments.features, workers, waivers)
        console = Console(stderr=arguments.output_format == "json")
        with closing(ProgressDisplay(console)) as showing:

            def emit(event: "Event") -> None:
                kept.put(event)
                showing.event(event)

            return execute_run(run, emit, showing.waits).exit_status


def _list(cases: "Iterable[SuiteCase]", output_format: OutputFormat) -> None:
    """Print the id of each test case, and the ids of what it tests."""
    if output_format == "json":
        print_json([{"id": case.id, "tests": sorted(case.ids)} for case in cases])
        return
    for case in cases:
        typer.echo(f"{case.id}\t{' '.join(sorted(case.ids))}")


def _note_renamed_steps(features: Path) -> None:
    """Print a note for each step whose wording is that of 0.1.0."""
    from features.gherkin.renamed_steps import describe_renamed_steps

    for note in describe_renamed_steps(features):
        print_error(note)


def _report(
    arguments: CheckArguments,
    kept: "StreamFiles",
    status: int,
    run: "RecordedRun | None",
    *,
    secrets: Sequence[str],
) -> int:
    """Print the summary of a run and write the requested reports, also where it was cut off.

    The status is that of the run, unless it was cut off after a test case had failed; and 2 where
    nothing failed but a report could not be written.
    """
    from reports.summary import print_summary
    from reports.writing import write_reports

    if run is None:
        _report_stale_files(filter(None, arguments.written.values()))
        return status
    events = None if kept.fault else arguments.events
    print_summary(run, Console(), stream=str(events or ""))
    _print_beside(run, arguments)
    written = write_reports(
        kept.own, **arguments.reports, features=arguments.features, secrets=secrets
    )
    for path in filter(None, [events, *written.files]):
        typer.echo(f"written: {path}")
    faults = [f"--events: {kept.fault}"] if kept.fault else []
    faults += written.faults
    for fault in faults:
        print_error(fault)
    if run.counts["failed"] and status in (0, INCOMPLETE):
        return FAILED
    return USAGE_ERROR if faults and status in (0, INCOMPLETE) else status


def _secrets_of(target: Path | None) -> Sequence[str]:
    """The secrets in the target file; those of a gateway that was started stand in no file."""
    try:
        return read_target(target).secrets if target is not None else ()
    except TargetFileError:
        return ()


def _print_beside(run: "RecordedRun", arguments: CheckArguments) -> None:
    """Print what changed since an earlier run, and annotations, where these were asked for."""
    from reports.annotations import annotation_lines
    from reports.changes import change_lines

    if arguments.baseline is not None:
        for line in change_lines(earlier_run(arguments.baseline), run):
            Console().print(line, soft_wrap=True)
    for text in annotation_lines(run) if arguments.annotations else ():
        typer.echo(text)


def _report_stale_files(files: Iterable[Path]) -> None:
    """Report files of an earlier run that this run, which ran nothing, has not replaced."""
    old = [str(path) for path in files if path.exists() and path.stat().st_size]
    if old:
        print_error(
            f"no test cases were run; the existing report is from an earlier run: {', '.join(old)}"
        )


def _waivers(
    file: Path | None, known: "Sequence[SuiteCase]", folder: Path | None
) -> "Waivers | None":
    """The waivers of a file. Raises WaiverFileError, also for one that names no case."""
    if file is None:
        return None
    from features.conformance.cases import UnknownCaseError, select_cases
    from reports.waivers import WaiverFileError, read_waivers

    try:
        return read_waivers(
            file,
            cases_of=lambda id: {each.id for each in select_cases(known, [id], folder=folder)},
        )
    except (WaiverFileError, UnknownCaseError) as error:
        raise WaiverFileError(f"{file}: {error}") from None
