"""`sandgate reconcile check`: a merchant's own reconciliation, measured against the answer key.

`sandgate reconcile file`: a reconciliation file, checked against the specification.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from features.reconciling.checker import Measured, measure
from features.reconciling.key import KeyFormatError, read_key
from features.reconciling.report import as_shown, document_of, junit_of, page_of, text_of
from features.reconciling.result import ResultColumns, ResultFormatError, read_result
from features.reconciling.rules import BrokenRule, broken_rules
from features.reconciling.settlement_csv import (
    QUOTATION,
    SettledRecord,
    SettlementCsvError,
    StrayQuoteError,
    read_records,
)
from reports.commands.ending import fail_usage
from reports.commands.output import FormatOption, print_json
from reports.words import readable
from reports.writing import write_whole
from simulator.client.shown.masking import without_numbers

DIFFERS = 3
BROKEN_MAX, SHOWN_MAX = 1000, 80
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
    files = [each for each in (junit, html, json) if each is not None]
    if len({each.resolve() for each in files}) < len(files):
        fail_usage("--junit, --html, --json: expected a file of its own for each, got one twice")
    columns = ResultColumns(line_column, payments_column, verdict_column, difference_column)
    measured = _measured(key, result, columns)
    _write(measured, junit=junit, html=html, json=json)
    if output_format == "json":
        print_json(document_of(measured))
    else:
        typer.echo("\n".join(text_of(measured)))
    if not measured.is_perfect:
        raise typer.Exit(DIFFERS)


def file(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A reconciliation file in CSV.")],
    before: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="An earlier file; name all since the one with a rejected payout, in any order.",
        ),
    ] = None,
    output_format: FormatOption = "text",
) -> None:
    """Check a reconciliation file against the specification: columns, values, amounts, sums.

    Exit status 0 where it obeys, 3 where it breaks a rule, 2 where it is no such file.
    """
    try:
        count, broken = _checked(path, before or ())
    except SettlementCsvError as error:
        fail_usage(without_numbers(str(error)))
    except OSError as error:
        fail_usage(f"{error.filename}: expected a file that can be read, got: {error.strerror}")
    if output_format == "json":
        print_json({"records": count, "broken": [each._asdict() for each in broken]})
    else:
        typer.echo("\n".join(_lines_of(count, broken)))
    if broken:
        raise typer.Exit(DIFFERS)


def _checked(path: Path, before: Sequence[Path]) -> tuple[int, list[BrokenRule]]:
    """How many lines the file has, and the first of the rules that they break. What is behind a
    stray quotation mark is not read: it may be part of a value.
    """
    count = 0

    def counted() -> Iterator[SettledRecord]:
        nonlocal count
        for record in read_records(path):
            count += 1
            yield record

    earlier = [each for other in before for each in read_records(other) if each.is_batch]
    broken: list[BrokenRule] = []
    try:
        for each in islice(broken_rules(counted(), earlier), BROKEN_MAX):
            broken.append(each._replace(came=without_numbers(each.came)))
    except StrayQuoteError as error:
        came = without_numbers(error.came)[:SHOWN_MAX]
        broken.append(BrokenRule("RCN-01", error.number, error.column, QUOTATION, came))
    return count, broken


def _lines_of(count: int, broken: Sequence[BrokenRule]) -> Iterator[str]:
    for rule in broken:
        where = f"line {rule.number}" if rule.number else "all lines"
        said = f"{rule.column}: expected {rule.expected}, got {rule.came}"
        yield readable(f"{rule.requirement} {where}, {said}")
    shown = f"the first {len(broken)}" if len(broken) == BROKEN_MAX else f"{len(broken)}"
    yield f"{count} lines, broken rules: {shown if broken else 'none'}"


def _measured(key: Path, result: Path, columns: ResultColumns) -> Measured:
    """The measure as every report has it."""
    try:
        return as_shown(measure(read_key(key), read_result(result, columns)))
    except (KeyFormatError, ResultFormatError) as error:
        fail_usage(without_numbers(str(error)))
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
