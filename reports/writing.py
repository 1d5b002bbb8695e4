"""Writing the reports of a stream."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from reports.document import document_of
from reports.evidence import evidence_of
from reports.junit import junit_of
from reports.page import page_of
from reports.run import RecordedRun, read_run

NAME_KEPT_MAX = 100


@dataclass(frozen=True)
class Written:
    """The reports that were written, and of each of the others why it was not."""

    files: list[Path]
    faults: list[str]


def write_reports(
    stream: Path,
    *,
    junit: Path | None,
    html: Path | None,
    json: Path | None,
    evidence: Path | None,
    features: Path | None = None,
    secrets: Iterable[str] = (),
) -> Written:
    """Write the reports that have a path, each whole or not at all, independent of the others.

    `features` is the folder of the scenarios where it is not the shipped one; the evidence holds
    them, without the `secrets` of the target. Raises StreamFormatError, and OSError where the
    stream cannot be read.
    """
    run = read_run(stream)
    wanted: list[tuple[Path | None, Callable[[RecordedRun], bytes]]] = [
        (html, lambda run: page_of(run).encode()),
        (junit, junit_of),
        (json, document_of),
        (evidence, lambda run: evidence_of(run, features, secrets)),
    ]
    written = Written([], [])
    for path, make in wanted:
        if path is not None:
            _write_one(path, partial(make, run), written)
    return written


def write_whole(path: Path, content: bytes) -> None:
    """Put `content` at `path` by a rename, so that a reader never gets half of it.

    Of a link it is what it points at that is replaced; a device or a pipe is written to. Raises
    OSError that names `path`, and leaves what was there before.
    """
    file = path.resolve()
    try:
        # A pipe behind /dev/stdout is there, and has no address that it could be opened by.
        if path.exists() and not file.is_file():
            path.write_bytes(content)
        else:
            _replace(file, content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _write_one(path: Path, make: Callable[[], bytes], written: Written) -> None:
    try:
        write_whole(path, make())
    except OSError as error:
        written.faults.append(f"{path}: expected a file to write, got: {error.strerror}")
    else:
        written.files.append(path)


def _replace(file: Path, content: bytes) -> None:
    unfinished = file.with_name(f".{file.name[:NAME_KEPT_MAX]}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
