"""`sandgate reconcile check`: a merchant's own reconciliation, measured against the answer key."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from features.reconciling.checker import Measured, measure
from features.reconciling.key import KeyFormatError, read_key
from features.reconciling.report import document_of, junit_of, page_of, text_of
from features.reconciling.result import ResultColumns, ResultFormatError, read_result
from reports.commands.ending import fail_usage
from reports.commands.output import FormatOption, print_json
from reports.writing import write_whole

DIFFERS = 3
COLUMNS = ResultColumns()


def check(
    *,
    key: Annotated[Path, typer.Option(metavar="FILE", help="Of `sandgate reconcile key`.")],
    result: Annotated[
        Path,
        typer.Option(metavar="FILE", help="What your program found: CSV, or a list in .json."),
    ],
    line_column: Annotated[
        str, typer.Option(metavar="NAME", help="The column with the SettlementTxId.")
    ] = COLUMNS.line,
    payments_column: Annotated[
        str, typer.Option(metavar="NAME", help="The payment ids, between commas or spaces.")
    ] = COLUMNS.payments,
    verdict_column: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="MATCHED, MULTIPLE_MATCHES, NOT_MATCHED; MISSING for no line."
        ),
    ] = COLUMNS.verdict,
    difference_column: Annotated[
        str, typer.Option(metavar="NAME", help="What is wrong with a line; empty: nothing.")
    ] = COLUMNS.difference,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write JSON.")] = None,
    output_format: FormatOption = "text",
) -> None:
    """Measure your reconciliation against the answer key of a settlement run.

    Exit status 0 where every fault was found and no alarm is false, 3 otherwise, 2 where a file
    cannot be read.
    """
    columns = ResultColumns(line_column, payments_column, verdict_column, difference_column)
    measured = _measured(key, result, columns)
    _write(measured, junit=junit, html=html, json=json)
    if output_format == "json":
        print_json(document_of(measured))
    else:
        typer.echo("\n".join(text_of(measured)))
    if not measured.is_perfect:
        raise typer.Exit(DIFFERS)


def _measured(key: Path, result: Path, columns: ResultColumns) -> Measured:
    try:
        return measure(read_key(key), read_result(result, columns))
    except (KeyFormatError, ResultFormatError) as error:
        fail_usage(str(error))
    except OSError as error:
        fail_usage(f"{error.filename}: expected a file that can be read, got: {error.strerror}")


def _write(measured: Measured, *, junit: Path | None, html: Path | None, json: Path | None) -> None:
    if junit is not None:
        _write_one(junit, junit_of(measured))
    if html is not None:
        _write_one(html, page_of(measured).encode())
    if json is not None:
        _write_one(json, msgspec.json.encode(document_of(measured)) + b"\n")


def _write_one(path: Path, content: bytes) -> None:
    try:
        write_whole(path, content)
    except OSError as error:
        fail_usage(f"{path}: expected a file to write, got: {error.strerror}")
