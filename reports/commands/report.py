"""`sandgate report`: reports of a stream that was kept."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from reports.commands.ending import fail_usage, read_run_or_fail
from reports.files import FileOptionError, demand_writable_files, sources_in
from reports.words import headline_of
from reports.writing import write_reports


def main(
    stream: Annotated[
        Path, typer.Argument(metavar="STREAM", help="The stream that `sandgate check` wrote.")
    ],
    *,
    html: Annotated[Path | None, typer.Option(help="Write an HTML page.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML, for build servers.")] = None,
    as_json: Annotated[
        Path | None, typer.Option("--json", help="Write one JSON document, for programs.")
    ] = None,
    evidence: Annotated[
        Path | None,
        typer.Option(help="Write all of it and the tables of the specification, as a zip archive."),
    ] = None,
    features: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of your features, for --evidence; no target file is known here.",
        ),
    ] = None,
) -> None:
    """Make reports of a stream of verdicts.

    Exit status 0: the reports are written, whatever the verdict; 2: usage error.
    """
    wanted = {"--html": html, "--junit": junit, "--json": as_json, "--evidence": evidence}
    named = [path for path in wanted.values() if path is not None]
    example = f"sandgate report {shlex.quote(str(stream))} --html report.html"
    if not named:
        fail_usage(f"expected --html, --junit, --json or --evidence, for instance: {example}")
    try:
        demand_writable_files(wanted.items(), others=[("STREAM", stream), *sources_in(features)])
    except FileOptionError as error:
        fail_usage(f"{error.option}: {error}")
    headline = headline_of(read_run_or_fail(stream))
    written = write_reports(stream, junit=junit, html=html, json=as_json, evidence=evidence,
                            features=features)  # fmt: skip
    typer.echo(f"{headline.title}: {headline.words.strip()}")
    for path in written.files:
        typer.echo(f"written: {path}")
    if written.faults:
        fail_usage("\n".join(written.faults))
