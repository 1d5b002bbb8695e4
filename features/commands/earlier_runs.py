"""Earlier runs of `sandgate check`, by their streams."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from features.conformance.cases import SuiteCase
    from reports.run import RecordedRun


class EarlierRunError(ValueError):
    """A stream that holds no run, or none with failed cases."""


def failed_before(cases: "Sequence[SuiteCase]", stream: Path) -> "list[SuiteCase]":
    """Those of the cases that failed in an earlier run. Raises EarlierRunError where none did."""
    from reports.changes import failed_ids

    failed = set(failed_ids(earlier_run(stream)))
    chosen = [case for case in cases if case.id in failed]
    if not chosen:
        raise EarlierRunError(f"{stream}: expected a run in which these cases failed, got none")
    return chosen


def earlier_run(stream: Path) -> "RecordedRun":
    """The run of a stream. Raises EarlierRunError."""
    from reports.events import StreamFormatError
    from reports.run import read_run

    try:
        return read_run(stream)
    except (OSError, StreamFormatError) as error:
        reason = getattr(error, "strerror", None) or error
        raise EarlierRunError(
            f"{stream}: expected the stream of a run, as `sandgate check --events` writes it, got: "
            f"{reason}"
        ) from None
