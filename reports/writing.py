"""Writing the reports of a stream: all are made before the first one is written."""

import os
from collections.abc import Callable
from pathlib import Path

from reports.document import document_of
from reports.evidence import evidence_of
from reports.junit import junit_of
from reports.page import page_of
from reports.run import Run, read_run


def write_reports(
    stream: Path,
    *,
    junit: Path | None,
    html: Path | None,
    json: Path | None,
    evidence: Path | None,
    features: Path | None = None,
) -> None:
    """Write the reports that have a path, each whole or not at all.

    `features` is the folder of the scenarios where it is not ours; the evidence holds their texts.
    Raises BadStream, and OSError where a file cannot be read or written.
    """
    run = read_run(stream)
    wanted: list[tuple[Path | None, Callable[[Run], bytes]]] = [
        (junit, junit_of),
        (html, lambda run: page_of(run).encode()),
        (json, document_of),
        (evidence, lambda run: evidence_of(run, stream.read_bytes(), features)),
    ]
    made = [(path, make(run)) for path, make in wanted if path is not None]
    for path, content in made:
        write_whole(path, content)


def write_whole(path: Path, content: bytes) -> None:
    """Put `content` at `path` by a rename, so that nobody ever reads half of it.

    Of a link it is what it points at that is replaced; a device or a pipe is written to. Folders on
    the way are made. Raises OSError that names `path`, and leaves what was there before.
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


def _replace(file: Path, content: bytes) -> None:
    # A name that is short, however long the file's own is.
    unfinished = file.with_name(f".sandgate-{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(content)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
