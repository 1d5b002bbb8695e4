"""`sandgate check`: judge a gateway, and report what was found."""

import signal
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from features.commands.ending import WRONG_CALL, demand_libraries, fail_usage
from features.conformance.progress import ProgressDisplay, print_error
from features.target.reading import TargetFileError

if TYPE_CHECKING:
    from features.conformance.cases import SuiteCase
    from reports.events import Event
    from reports.keeping import StreamFiles
    from reports.waivers import Waivers

FAILED, INCOMPLETE, INTERRUPTED = 1, 3, 130


def _file(meaning: str, *names: str) -> Any:
    return typer.Option(*names, metavar="FILE", help=meaning)


def main(
    target: Annotated[
        Path | None,
        typer.Argument(metavar="TARGET.toml", help="The gateway to judge; else one of its own."),
    ] = None,
    *,
    features: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Judge by the .feature files of this folder.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="A requirement (PAY-01), expectation (E09), decision (D-57), boundary "
            "(FIELD:billing.street1), or title. May be repeated.",
        ),
    ] = None,
    list_only: Annotated[bool, typer.Option("--list", help="List the cases; judge none.")] = False,
    events: Annotated[Path | None, _file("Write the stream of verdicts.")] = None,
    junit: Annotated[Path | None, _file("Write a report as JUnit XML.")] = None,
    html: Annotated[Path | None, _file("Write a report for people.")] = None,
    as_json: Annotated[Path | None, _file("Write a report as JSON.", "--json")] = None,
    evidence: Annotated[Path | None, _file("Write everything into one archive.")] = None,
    waivers: Annotated[Path | None, _file("Failures that are known, with an end.")] = None,
    workers: Annotated[
        int | None, typer.Option("-n", min=1, metavar="WORKERS", help="How many judge at once.")
    ] = None,
) -> None:
    """Judge a gateway by the specification, scenario by scenario.

    Ends with 0 where all passed, 1 where a case failed, 2 for a wrong call, a target that does not
    answer or, where nothing failed, a file that cannot be written, 3 where not everything could be
    judged.
    """
    demand_libraries()
    # Being told to end is ending early like any other: what was started is stopped first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    reports = {"junit": junit, "html": html, "json": as_json, "evidence": evidence}
    wanted = Wanted(target, features, only or [], events, reports, waivers, workers, list_only)
    _refuse_files(wanted)
    raise typer.Exit(_status(wanted))


@dataclass(frozen=True)
class Wanted:
    """A call of `sandgate check`, as it was made."""

    target: Path | None
    features: Path | None
    only: list[str]
    events: Path | None
    reports: Mapping[str, Path | None]
    waivers: Path | None
    workers: int | None
    list_only: bool

    @property
    def written(self) -> dict[str, Path | None]:
        """The files that are to be written, by the options that name them."""
        return {"--events": self.events, **{f"--{name}": at for name, at in self.reports.items()}}

    @property
    def read(self) -> list[tuple[str, Path | None]]:
        """The files that are read."""
        from reports.files import sources_in

        named = [("TARGET", self.target), ("--waivers", self.waivers)]
        return [*named, *sources_in(self.features)]


def _refuse_files(wanted: Wanted) -> None:
    """End the command where something could not be written, or not without a loss."""
    from reports.files import FileOptionError, demand_writable_files

    try:
        demand_writable_files(wanted.written.items(), others=wanted.read)
    except FileOptionError as error:
        fail_usage(f"{error.option}: {error}")


def _status(wanted: Wanted) -> int:
    """Judge, report what was judged; the exit status."""
    from reports.keeping import StreamFiles

    with tempfile.TemporaryDirectory(prefix="sandgate-check-") as folder:
        # What is reported is read from a stream that no earlier run can have left.
        with StreamFiles(Path(folder) / "events.jsonl", wanted.events) as kept:
            status = _ended(wanted, kept, Path(folder))
        return _report(wanted, kept, status)


def _ended(wanted: Wanted, kept: "StreamFiles", folder: Path) -> int:
    """The status of the judging, whatever it ended by; what that was is said."""
    from features.conformance.cases import FeatureFileError, UnknownCaseError
    from features.conformance.session import ConformanceRunError
    from features.target.reachability import UnreachableTargetError
    from reports.keeping import StreamWriteError
    from reports.waivers import WaiverFileError
    from simulator.client.processes import ServerStartError

    try:
        return _judged(wanted, kept, folder)
    except KeyboardInterrupt:
        print_error("interrupted")
        return INTERRUPTED
    except (ConformanceRunError, StreamWriteError, OSError) as error:
        print_error(f"the judge could not finish: {error}")
        return INCOMPLETE
    except (
        TargetFileError, FeatureFileError, WaiverFileError, UnknownCaseError, UnreachableTargetError, ServerStartError
    ) as error:  # fmt: skip
        print_error(str(error))
        return WRONG_CALL


def _judged(wanted: Wanted, kept: "StreamFiles", folder: Path) -> int:
    """The status with which every chosen case was judged, or listed."""
    from features.conformance.cases import load_cases, select_cases
    from features.conformance.execution import execute_run
    from features.conformance.run import ConformanceRun, choose_worker_count, open_target

    known = load_cases(wanted.features)
    cases = select_cases(known, wanted.only) if wanted.only else known
    if wanted.list_only:
        for case in cases:
            typer.echo(f"{case.id}\t{' '.join(sorted(case.ids))}")
        return 0
    waivers = _waivers(wanted.waivers, known)
    if wanted.features is not None:
        _note_renamed_steps(wanted.features)
    with open_target(wanted.target, folder) as gateway:
        workers = wanted.workers or choose_worker_count(gateway.target, len(cases))
        if workers > 1 and gateway.target.receiver.is_fixed:
            raise TargetFileError(
                "receiver.listen: expected port 0 for several at once; leave out -n"
            )
        run = ConformanceRun(gateway, cases, folder, wanted.features, workers, waivers)
        with closing(ProgressDisplay(Console())) as showing:

            def tell(event: "Event") -> None:
                kept.put(event)
                showing.event(event)

            return execute_run(run, tell).exit_status


def _note_renamed_steps(features: Path) -> None:
    """Print a note for each step whose wording is that of 0.1.0."""
    from features.gherkin.renamed_steps import describe_renamed_steps

    for note in describe_renamed_steps(features):
        print_error(note)


def _report(wanted: Wanted, kept: "StreamFiles", status: int) -> int:
    """Sum a run up and write the reports that were asked for, also where it was cut off.

    The status is the run's own, unless it was cut off after a case had failed; and 2 where nothing
    failed but not all that was asked for could be written.
    """
    from reports.run import read_run
    from reports.summary import print_summary
    from reports.writing import write_reports

    if status == WRONG_CALL or not kept.holds_anything:
        _disown(filter(None, wanted.written.values()))
        return status
    run = read_run(kept.own)
    events = None if kept.fault else wanted.events
    print_summary(run, Console(), stream=str(events or ""))
    written = write_reports(kept.own, **wanted.reports, features=wanted.features)
    for path in filter(None, [events, *written.files]):
        typer.echo(f"written: {path}")
    faults = [f"--events: {kept.fault}"] if kept.fault else []
    faults += written.faults
    for fault in faults:
        print_error(fault)
    if run.counts["failed"] and status in (0, INCOMPLETE):
        return FAILED
    return WRONG_CALL if faults and status in (0, INCOMPLETE) else status


def _disown(files: Iterable[Path]) -> None:
    """Say of reports that lie where this run, which began nothing, would have written its own."""
    old = [str(path) for path in files if path.exists() and path.stat().st_size]
    if old:
        print_error(f"nothing was judged; what is there is of an earlier run: {', '.join(old)}")


def _waivers(file: Path | None, known: "Sequence[SuiteCase]") -> "Waivers | None":
    """The waivers of a file. Raises WaiverFileError, also for one that names no case."""
    if file is None:
        return None
    from features.conformance.cases import UnknownCaseError, select_cases
    from reports.waivers import WaiverFileError, read_waivers

    try:
        return read_waivers(
            file, cases_of=lambda id: {each.id for each in select_cases(known, [id])}
        )
    except (WaiverFileError, UnknownCaseError) as error:
        raise WaiverFileError(f"{file}: {error}") from None
