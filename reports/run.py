"""A run as its stream records it: its start, every verdict, its end, and what it lacks."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import msgspec

from reports.events import (
    CaseVerdict,
    Event,
    ExitStatus,
    RunEnded,
    RunStarted,
    StreamFormatError,
    Verdict,
    WaiverStatus,
    as_shown,
    exit_status_of,
    read_events,
)
from simulator.client.files.bounded import read_within

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
# All cases of the suite have a tenth of it.
STREAM_BYTES_MAX = 512 * 1024 * 1024
_CREDENTIALS = re.compile(r"(?<=//)[^/?#]*@")


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """One run of the suite. `ended` is None where the stream was cut off."""

    began: RunStarted
    cases: tuple[CaseVerdict, ...]
    ended: RunEnded | None

    @property
    def events(self) -> list[Event]:
        """All of them, in their order."""
        return [self.began, *self.cases, *([self.ended] if self.ended else [])]

    @property
    def counts(self) -> dict[str, int]:
        """How many cases have each verdict, those that none has too."""
        return counts_of(self.cases)

    @property
    def scenario_counts(self) -> dict[str, int]:
        """How many cases of scenarios have each verdict."""
        return counts_of(case for case in self.cases if not case.is_field_format)

    @property
    def field_format_counts(self) -> dict[str, int]:
        """How many formats of fields have each verdict: there are many, and each shows little."""
        return counts_of(case for case in self.cases if case.is_field_format)

    @property
    def lacks(self) -> str:
        """Why this is not all of a run, as a sentence; empty where it is."""
        came, chosen = f"{len(self.cases):,}", f"{self.began.cases:,}"
        if self.ended is None:
            return f"The stream was cut off after {came} of {chosen} cases."
        if len(self.cases) != self.began.cases:
            return f"{chosen} cases were chosen, and {came} have a verdict."
        if any(self.ended.counts.get(key, 0) != count for key, count in self.counts.items()):
            return "The counts at the end of the stream are not those of its cases."
        return ""

    @property
    def exit_status(self) -> ExitStatus:
        """What the run ends with: as `exit_status_of`, and never 0 where something lacks."""
        status = exit_status_of(self.counts)
        return 3 if self.lacks and status == 0 else status

    @property
    def seconds(self) -> float:
        """How long it took; where the end lacks, how long its cases took."""
        return self.ended.seconds if self.ended else sum(case.seconds for case in self.cases)

    @property
    def waivers(self) -> list[WaiverStatus]:
        """Every waiver that was handed in."""
        return self.ended.waivers if self.ended else self.began.waivers


def counts_of(cases: Iterable[CaseVerdict]) -> dict[str, int]:
    """How many cases have each verdict, those that none has too."""
    given = [case.verdict for case in cases]
    return {verdict: given.count(verdict) for verdict in VERDICTS}


def read_run(stream: Path) -> RecordedRun:
    """The run of a stream file, masked: others may have written it. A last line without its newline
    was cut off and is left out.

    Raises StreamFormatError, and OSError where the file cannot be read.
    """
    content = read_within(stream, STREAM_BYTES_MAX)
    return run_of(map(as_shown, read_events(whole_lines(content))))


def whole_lines(content: bytes) -> list[bytes]:
    """The lines of a stream that were written to their end."""
    return content.split(b"\n")[:-1]


def run_of(events: Iterable[Event]) -> RecordedRun:
    """The run of a sequence of events. Raises StreamFormatError where their order is not that of a
    stream.
    """
    events = iter(events)
    began = next(events, None)
    if not isinstance(began, RunStarted):
        raise StreamFormatError(f"line 1: expected the beginning of a stream, got: {_named(began)}")
    cases: list[CaseVerdict] = []
    ended: RunEnded | None = None
    for number, event in enumerate(events, start=2):
        if ended is not None or isinstance(event, RunStarted):
            wanted = "nothing after the end" if ended else "a case or the end"
            raise StreamFormatError(f"line {number}: expected {wanted}, got: {_named(event)}")
        if isinstance(event, RunEnded):
            ended = event
        else:
            cases.append(event)
    return RecordedRun(_without_credentials(began), tuple(cases), ended)


def _named(event: Event | None) -> str:
    return "nothing" if event is None else str(event.__struct_config__.tag)


def _without_credentials(began: RunStarted) -> RunStarted:
    """An address may carry a name and a password; no report does."""
    return msgspec.structs.replace(began, base_url=_CREDENTIALS.sub("", began.base_url, count=1))
